"""Selection of the parses to learn from (Katz-Brown et al. 2011; Talbot et al. 2011, 4.1).

The parse of an n-best list whose reordering scores highest is also the list's *oracle*; its lead
over the 1-best is the possible gain of self-training.

Every different reordering of a sentence is scored once: a list of 64 parses has only about ten. The
corpus is processed in parts, so that it may be larger than memory.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from preorder_eval.analysis.trees_and_orders import learned_by
from preorder_eval.base.arrays import Bools, Floats, Longs
from preorder_eval.base.errors import FormatError, PreorderEvalError, require_between
from preorder_eval.base.files.destinations import check_output, require_file
from preorder_eval.base.files.writing import write_parts
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.stats.measurement import TIE
from preorder_eval.base.tables import Caveat, Column, Shown, Table
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.evaluate import reference_of
from preorder_eval.evaluation.system_warnings import warn_of_rules
from preorder_eval.evaluation.systems import Rules
from preorder_eval.metrics import order_metric, short_names
from preorder_eval.metrics.base import parse_signature
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.orders.orders import Alternatives, ReferenceOrders, SourceWords, distinct_orders
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.parser import Parser
from preorder_eval.parsers.tree_file import OF_RANK_1, iterate_lists
from preorder_eval.references.objective import objective
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.conllu import format_conllu, is_conllu
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.retokenize import fitted_lists
from preorder_eval.trees.treebank import comment_value

_PART = 1024  # sentences whose lists are in memory together
# Scores of the 1-best, of the selected parse and of the list, in units so small that the sums are
# exact, whatever the parts.
_SUMS, _ONE = ("first", "selected", "average"), 2**60

TagChoice = Literal["blank", "keep"]


@dataclass(frozen=True)
class Selected(Shown):
    """The result of a selection: metric, rules and sentences that it is of, and its `counts`.

    `sentences` were looked at, and `left_out` of them had no link and were not scored; `parses` and
    `reorderings` are the parses and the different reorderings of those scored. `replaced` counts
    the sentences for which another parse than the 1-best was selected, `kept` those whose parse was
    written. Mean scores over sentences are `mean_1best`, `mean_selected`, and `mean_list`, that of
    all parses of a list; `mean_margin` is by how much the parses that replace a 1-best are better.
    `learned` states what the rules learned from the reference.
    """

    metric: str
    rules: str
    reference: str
    counts: dict[str, Any]
    learned: Sequence[Caveat] = ()

    @property
    def own_warnings(self) -> Sequence[Caveat]:
        return self.learned

    def _facts(self) -> dict[str, Any]:
        return {"metric": self.metric, "rules": self.rules, "reference": self.reference}

    def tables(self) -> list[Table]:
        return [Table("selection", list(map(Column, self.counts)), [list(self.counts.values())])]

    def view(self, whole: bool = False) -> list[Table]:
        values = self.counts
        scored = max(values["sentences"] - values["left_out"], 1)
        left_out = f"{values['left_out']} without links skipped" if values["left_out"] else ""
        replaced = f"{values['replaced'] / scored:.1%}, better by {values['mean_margin']:.3f}"
        counts = [
            ["sentences", values["sentences"], left_out],
            ["parses", values["parses"], f"{values['parses'] / scored:.1f} per sentence"],
            [
                "reorderings",
                values["reorderings"],
                f"{values['reorderings'] / scored:.1f} per sentence",
            ],
            ["1-best replaced", values["replaced"], replaced if values["replaced"] else ""],
            ["written", values["kept"], ""],
        ]
        means = [
            ["1-best", values["mean_1best"], "the parser's 1-best parse"],
            ["selected", values["mean_selected"], "the best of each list (oracle)"],
            ["list", values["mean_list"], "the mean of all parses of each list"],
        ]
        name, note = Column("name", "", label=True), Column("note", "")
        [by], _ = short_names([self.metric])
        return [
            Table("counts", [name, Column("count", ""), note], counts),
            Table(
                "means",
                [replace(name, heading="mean"), Column(self.metric, by, ".3f"), note],
                means,
                notes=[caveat.text for caveat in self.learned],
            ),
        ]


@dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """The parse selected for every sentence of an n-best list.

    `chosen` int64[S] are numbers of trees, of the 1-best if a sentence has no link; `first`,
    `best` and `average` float64[S] the scores of the 1-best, of the chosen parse and the mean of
    the list, NaN without a link; `reorderings` int64[S] how many different ones each list holds.
    """

    nbest: NBest
    metric: str
    chosen: Longs
    first: Floats
    best: Floats
    average: Floats
    reorderings: Longs

    @property
    def ranks(self) -> Longs:
        """The rank of every chosen parse in its list, 1 for the 1-best; int64[S]."""
        return self.chosen - self.nbest.offsets[:-1] + 1

    @property
    def replaced(self) -> Bools:
        """Whether the chosen parse, and so the order, is another than the 1-best; bool[S]."""
        return self.ranks > 1

    def kept(self, margin: float = 0.0) -> Bools:
        """Return which sentences have a link and a parse that gains `margin` on the 1-best."""
        enough: Bools = self.best - self.first >= margin - TIE  # never of NaN
        return enough

    @property
    def own(self) -> Selection:
        """The parser's own best parses in place of the selected ones, for a control."""
        return replace(self, chosen=self.nbest.offsets[:-1], best=self.first)

    def counts(self, kept: Bools) -> dict[str, int]:
        """Count and sum up; `kept` bool[S] are the sentences whose parse is written."""
        scored = ~np.isnan(self.first)
        of_lists = (of[scored].tolist() for of in (self.first, self.best, self.average))
        sums = [sum(round(score * _ONE) for score in scores) for scores in of_lists]
        return {
            "sentences": len(scored),
            "left_out": int(np.count_nonzero(~scored)),
            "parses": int(self.nbest.sizes[scored].sum()),
            "reorderings": int(self.reorderings[scored].sum()),
            "replaced": int(np.count_nonzero(self.replaced)),
            "kept": int(np.count_nonzero(kept)),
        } | dict(zip(_SUMS, sums, strict=True))

    def conllu(self, kept: Bools, *, tags: bool = False, first: int = 1) -> str:
        """Return the selected parses of the sentences `kept`, bool[S], as CoNLL-U, one a sentence.

        Comments state the sentence's number, counted from `first`, if it has no id, and the rank
        and score of the parse in the list. They also have its and the 1-best's score by the metric.
        Without `tags` the tags are left blank, because the parser's own tags are not verified.
        """
        sentences = np.flatnonzero(kept)
        if not sentences.size:
            return ""
        trees = self.nbest.trees.take(self.chosen[sentences])
        trees = replace(trees, comments=[self._comments(s, first) for s in sentences.tolist()])
        if not tags:
            blank = NameColumn.same("_", len(trees.words))
            trees = replace(trees, upos=blank, xpos=blank)
        return format_conllu(trees)

    def _comments(self, sentence: int, first: int) -> tuple[str, ...]:
        chosen = int(self.chosen[sentence])
        comments = self.nbest.trees.comments[chosen] if self.nbest.trees.comments else ()
        named = comment_value(comments, "sent_id") is not None
        score, name = self.nbest.scores[chosen], parse_signature(self.metric)[0]
        return (
            *([] if named else [f"# sent_id = {first + sentence}"]),
            *(line for line in comments if not line.startswith(("# parse =", "# score ="))),
            f"# rank = {self.ranks[sentence]}",
            *([] if np.isnan(score) else [f"# score = {score:.6g}"]),
            f"# {name} = {self.best[sentence]:.6f}",
            f"# {name}{OF_RANK_1} = {self.first[sentence]:.6f}",
        )


def best_parses(
    nbest: NBest,
    rules: RuleSet,
    references: ReferenceOrders | Alternatives,
    metric: OrderMetric,
    words: SourceWords | None = None,
) -> Selection:
    """Choose for every sentence the parse whose reordering scores highest.

    Parameters: `references` and `words` of the sentences of the lists, words as for the metric's
    `score`. Raises PreorderEvalError if these are others, and for trees the rules cannot read.
    """
    orders = rules.reorder(nbest.trees)
    sentence, starts = nbest.sentence_of, nbest.offsets[:-1]
    distinct, of_parse = distinct_orders(orders, sentence)
    of_distinct = sentence[distinct]
    scores = metric.score(
        orders.take(distinct), references.take(of_distinct), words and words.take(of_distinct)
    ).sentence[of_parse]
    best = np.maximum.reduceat(scores, starts)

    chosen = starts.copy()
    as_good = np.flatnonzero(scores >= best[sentence] - TIE)  # NaN is never as good
    highest = as_good[np.unique(sentence[as_good], return_index=True)[1]]
    chosen[sentence[highest]] = highest
    return Selection(
        nbest,
        str(metric),
        chosen,
        scores[starts],
        scores[chosen],
        np.add.reduceat(scores, starts) / nbest.sizes,
        np.bincount(of_distinct, minlength=len(nbest)),
    )


def select(
    lists: str | Path | Parser | NBest,
    reference: str | Path | ReferenceSet | None = None,
    rules: Rules = "en-ja",
    *,
    metric: str | OrderMetric | None = None,
    n: int = 64,
    out: str | Path | None = None,
    margin: float = 0.0,
    tags: TagChoice = "keep",
    own: bool = False,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> Selected:
    """Select from every sentence's n-best list the parse whose reordering scores highest.

    Parameters: `lists` a parser, or its name or folder, that gives lists of up to `n` parses. They
    may be lists in memory, or the path of a CoNLL-U file, with a list for every sentence (a Path,
    or ending in `.conllu`). `reference` the sentences with their reference orders, by name or
    folder, in memory, or in files. `metric` by default the one that `evaluate` prints first
    (`objective`): FRS, as the papers select, or τ with automatic links. `out` the CoNLL-U file to
    write, None for none. Parses that gain less than `margin` on the 1-best are not written. With
    `tags` `blank` the parser's tags are not written, so that nothing is learned from them. With
    `own` the 1-best of each list is written in place of the selected parse: what a control learns
    from. `jobs` is how many processes parse.

    If several parses have the same score, the higher-ranked one is selected. Sentences without
    links are skipped. Raises FormatError for files that cannot be read, and PreorderEvalError if
    lists and sentences do not fit together; then nothing is written.

    >>> import preorder_eval as pe
    >>> selected = pe.select("en-web", pe.load_reference("en-ja").take(range(4), "few"), n=2)
    >>> selected.counts["sentences"], selected.counts["kept"]
    (4, 4)
    """
    require_between("margin", margin, 0)
    check_output(out, [lists, reference, rules])
    if out is not None:
        require_file(out)
    rule_set = load_rules(rules)
    named_metric = order_metric(metric) if isinstance(metric, str) else metric
    reference = reference_of(reference, [rule_set])
    by = named_metric or objective(reference).first
    warn_of_rules(rule_set, reference)
    total = Counter[str]()

    def selected() -> Iterator[str]:
        for first, data, nbest in _lists(lists, reference, n, jobs, progress):
            selection = best_parses(nbest, rule_set, data.allowed, by, data.words)
            kept = selection.kept(margin)
            total.update(selection.counts(kept))
            written = selection.own if own else selection
            yield written.conllu(kept, tags=tags == "keep", first=first)

    if out is None:
        deque(selected(), 0)  # the counts are all that is wanted
    else:
        write_parts(Path(out), selected())
    learned = learned_by(reference, None, rule_set)
    return Selected(str(by), rule_set.name, reference.name, means(total), learned)


def means(total: Mapping[str, int]) -> dict[str, Any]:
    """Return the counts of a selection with means in place of sums; see `Selected`."""
    counts = dict(total)
    first, selected, average = (counts.pop(name) for name in _SUMS)
    scored = (counts["sentences"] - counts["left_out"]) * _ONE or np.nan
    return counts | {
        "mean_1best": first / scored,
        "mean_selected": selected / scored,
        "mean_list": average / scored,
        "mean_margin": (selected - first) / (counts["replaced"] * _ONE or np.nan),
    }


def _lists(
    lists: str | Path | Parser | NBest,
    reference: ReferenceSet,
    n: int,
    jobs: int,
    progress: Progress,
) -> Iterator[tuple[int, ReferenceSet, NBest]]:
    """Yield the sentences with their lists, part by part, after the number of the first."""
    sentences = len(reference)
    if isinstance(lists, NBest):
        if len(lists) != sentences:
            raise PreorderEvalError(
                f"n-best lists of {quantity(len(lists), 'sentence')} for {sentences}"
            )
        yield 1, reference, fitted_lists(lists, reference.source, "lists")
    elif (isinstance(lists, Path) and not lists.is_dir()) or (
        isinstance(lists, str) and is_conllu(lists)
    ):
        yield from _read_lists(Path(lists), reference)
    else:
        parser = find_parser(lists, cache=False, jobs=jobs)
        with progress(f"parsing with {parser.identity.name}", sentences) as advance:
            for start in range(0, sentences, _PART):
                chosen = range(start, min(start + _PART, sentences))
                data = reference.take(chosen, reference.name)
                yield start + 1, data, parser.parse(data.source, n, advance)


def _read_lists(file: Path, reference: ReferenceSet) -> Iterator[tuple[int, ReferenceSet, NBest]]:
    """Yield the sentences with their lists from a file, as many at a time as are read together."""
    at = 0
    for lists in iterate_lists(file):
        end = at + len(lists)
        if end <= len(reference):
            part = reference.take(range(at, end), reference.name)
            yield at + 1, part, fitted_lists(lists, part.source, file)
        at = end
    if at != len(reference):
        how_many = "more" if at > len(reference) else "fewer"
        hint = "there must be one for every sentence"
        raise FormatError(f"has {how_many} lists than there are sentences", file=file, hint=hint)
