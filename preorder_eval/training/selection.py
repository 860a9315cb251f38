"""Selecting the parses of a corpus to learn from, some sentences at a time.

Lists come from a parser or from a file, and what is selected goes to a file, so that the corpus
may be larger than memory. What is selected of each list is told in `oracle`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from preorder_eval.data.nbest import NBest
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.conllu import is_conllu
from preorder_eval.formats.nbest import iterate_nbest
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.reference_set import Part, ReferenceFiles, parts_of
from preorder_eval.formats.rules import load_rules
from preorder_eval.formats.tables import Table
from preorder_eval.formats.text_table import format_table
from preorder_eval.formats.writing import write_parts
from preorder_eval.metrics import order_metric
from preorder_eval.metrics.order import OrderMetric
from preorder_eval.parsers.base import Parser
from preorder_eval.parsers.loading import load_parser
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.resources import DEFAULT_REFERENCE, PARSES_OBJECTIVE
from preorder_eval.results.pairings import warn_of_rules
from preorder_eval.results.systems import Progress, Rules, no_progress
from preorder_eval.training.oracle import best_parses
from preorder_eval.training.selection_counts import Filter, SelectionCounts
from preorder_eval.visible import quantity

# Sentences whose lists are in memory together, that processes share, and that a killed work loses
# at most.
PART = 1024

Tags = Literal["blank", "keep"]
Lists = Iterator[tuple[int, ReferenceSet, NBest]]  # parts of a corpus with their lists


@dataclass(frozen=True)
class Selected:
    """What a selection came to: by which metric and rules, from which sentences, how many."""

    metric: str
    rules: str
    reference: str
    counts: SelectionCounts

    def summary(self) -> dict[str, Any]:
        """Everything as plain values."""
        named = {"metric": self.metric, "rules": self.rules, "reference": self.reference}
        return named | self.counts.summary()

    def table(self) -> Table:
        """Header and a single row of plain values."""
        summary = self.summary()
        return list(summary), [list(summary.values())]

    def __repr__(self) -> str:
        counts = self.counts
        scored = max(counts.scored, 1)
        gain = counts.selected - counts.first
        left_out = f"{counts.left_out} without links left out"
        better = f"where the best is better by {gain / max(counts.replaced, 1):.4f}"
        rows = [
            ["sentences", str(counts.sentences), left_out if counts.left_out else ""],
            ["parses", str(counts.parses), f"{counts.parses / scored:.1f} a sentence"],
            [
                "reorderings",
                str(counts.reorderings),
                f"{counts.reorderings / scored:.1f} a sentence",
            ],
            [
                "1-best replaced",
                str(counts.replaced),
                f"{counts.replaced / scored:.1%}, {better}",
            ],
            ["written", str(counts.kept), ""],
        ]
        means = [
            ["1-best", f"{counts.first / scored:.4f}", "what the parser holds for best"],
            ["selected", f"{counts.selected / scored:.4f}", "the best of each list: its oracle"],
            ["list", f"{counts.average / scored:.4f}", "mean of all parses of each list"],
        ]
        counted = format_table(["", "", ""], rows).lstrip("\n")
        return counted + "\n\n" + format_table(["mean", self.metric, ""], means)


def select(
    lists: str | Path | Parser | NBest,
    reference: str | Path | ReferenceSet | ReferenceFiles = DEFAULT_REFERENCE,
    rules: Rules = "en-ja",
    *,
    metric: str | OrderMetric = PARSES_OBJECTIVE,
    n: int = 64,
    out: str | Path | None = None,
    only_changed: bool = False,
    margin: float = 0.0,
    tags: Tags = "blank",
    jobs: int = 1,
    progress: Progress = no_progress,
) -> Selected:
    """Select from every sentence's n-best list the parse whose reordering scores highest.

    Parameters: `lists` a parser, or its name or folder, that gives lists of up to `n` parses; or
    lists in memory, or the path of a CoNLL-U file of them, one list for every sentence (as a Path,
    or ending in `.conllu`). `reference` the sentences with their reference orders, by name or
    folder, in memory, or in files. `metric` leaves words without links out by default: where they
    are many, they favour parses that leave the source as it is. `out` the CoNLL-U file to write,
    None for none. `only_changed` and `margin` leave out parses that are not worth learning from
    (`Filter`). With `tags` `blank` the parser's tags are not written: reordering tells nothing
    about most of them. `jobs` is how many processes parse.

    Of parses that score the same the higher-ranked one is selected; sentences without links are
    left out. Raises FormatError for files that cannot be read, and PreorderEvalError where lists
    and sentences do not fit together; then nothing is written.

    >>> selected = select("en-web", load_reference("en-ja").take(range(4), "few"), n=2)
    >>> selected.counts.sentences, selected.counts.kept
    (4, 4)
    """
    rule_set = rules if isinstance(rules, RuleSet) else load_rules(rules)
    by = order_metric(metric) if isinstance(metric, str) else metric
    if not isinstance(reference, ReferenceSet | ReferenceFiles):
        reference = load_reference(reference)
    if isinstance(reference, ReferenceSet):
        warn_of_rules(rule_set, reference)
    total, name = SelectionCounts(), ""

    def selected() -> Iterator[str]:
        nonlocal total, name
        wanted = Filter(only_changed, margin)
        corpus_lists = _lists(lists, reference, n, jobs, progress)
        for part in select_parts(corpus_lists, rule_set, by, wanted, tags):
            total, name = total + part.counts, part.reference
            yield part.trees

    if out is None:
        for _ in selected():
            pass  # the counts are all that is wanted
    else:
        write_parts(Path(out), selected())
    return Selected(str(by), rule_set.name, name, total)


@dataclass(frozen=True)
class SelectedPart:
    """What was selected of a part of a corpus: its counts, and the trees as CoNLL-U."""

    reference: str
    counts: SelectionCounts
    trees: str


def select_parts(
    lists: Lists, rules: RuleSet, metric: OrderMetric, wanted: Filter, tags: Tags = "blank"
) -> Iterator[SelectedPart]:
    """Select from one part of a corpus after the other.

    Raises PreorderEvalError where the trees of a list are not of its sentence.
    """
    for first, data, nbest in lists:
        sentences = zip(nbest.lists(), data.source, strict=False)
        for number, (parses, words) in enumerate(sentences, first):
            if nbest.trees[parses[0]].words != words:
                raise PreorderEvalError(
                    f"sentence {number}: the parses have other words than {data.name}"
                )
        chosen = best_parses(nbest, rules, data.allowed, metric, data.words)
        trees = chosen.conllu(wanted, tags=tags == "keep", first=first)
        yield SelectedPart(data.name, chosen.counts(wanted), trees)


def parsed_lists(
    parser: Parser, parts: Iterable[Part], n: int, advance: Callable[[int], None] | None = None
) -> Lists:
    """Every part with a parser's lists of up to n parses."""
    for first, data in parts:
        yield first, data, parser.parse(data.source, n, advance)


def _lists(
    lists: str | Path | Parser | NBest,
    reference: ReferenceSet | ReferenceFiles,
    n: int,
    jobs: int,
    progress: Progress,
) -> Lists:
    """Every part of the sentences with its lists, wherever these come from."""
    size = max(1, len(lists)) if isinstance(lists, NBest) else PART
    if isinstance(reference, ReferenceFiles):
        sentences, parts = reference.parts(size)
    else:
        sentences, parts = len(reference), parts_of(reference, size)
    if isinstance(lists, NBest):
        if len(lists) != sentences:
            raise PreorderEvalError(
                f"n-best lists of {quantity(len(lists), 'sentence')} for {sentences}"
            )
        yield from ((first, data, lists) for first, data in parts)
    elif _is_file(lists):
        yield from _read_lists(Path(str(lists)), parts)
    else:
        parser = load_parser(lists, jobs=jobs) if isinstance(lists, str | Path) else lists
        with progress(f"parsing with {parser.identity.name}", sentences) as advance:
            yield from parsed_lists(parser, parts, n, advance)


def _is_file(lists: str | Path | Parser) -> bool:
    """Whether this is the path of a file of lists, and not a parser."""
    if isinstance(lists, Path):
        return not lists.is_dir()
    return isinstance(lists, str) and is_conllu(lists)


def _read_lists(file: Path, parts: Iterator[Part]) -> Lists:
    """Every part with its lists from a file."""
    for part, lists in zip_longest(parts, iterate_nbest(file, PART)):
        if part is None or lists is None or len(part[1]) != len(lists):
            more = part is None or (lists is not None and len(lists) > len(part[1]))
            raise FormatError(
                f"has {'more' if more else 'fewer'} lists than there are sentences",
                file=file,
                mend="there must be one for every sentence",
            )
        yield *part, lists
