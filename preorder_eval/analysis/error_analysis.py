"""Where a system's orders are wrong: by word, label, parser error (Talbot et al. 2011, section 6).

The paper names what its authors used the fuzzy reordering score for beside comparing systems: to
find the words most frequently reordered incorrectly, systematic parser and tagging errors, and the
worst sentences. An `Analysis` holds these for one system of a run folder; the terminal and the
report both read it, and every row of it leads to its sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.analysis.breakdown import Breakdown, Group, all_words, break_down
from preorder_eval.analysis.crossings import Crossing, crossings
from preorder_eval.analysis.groupings import groupings
from preorder_eval.analysis.joints import Placement, placement
from preorder_eval.analysis.parser_errors import Confusion, ParserErrors, parser_errors
from preorder_eval.analysis.run_trees import gold_trees
from preorder_eval.data.arrays import Floats, Longs
from preorder_eval.data.orders import Alternatives, ReferenceOrders
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.formats.tsv import escape_tokens
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.results.result import Result
from preorder_eval.stats.bootstrap import Interval

CROSSINGS = "crossings"
ERRORS = "errors"
SENTENCES = "sentences"
_WORST = ["sentence", "score", "reference", "references"]
_NO_TREES = "the run has no trees of this system, and there are no gold trees"

# All tables, with what is to blame where a run has nothing for one.
TABLES = {
    "word": "",
    "upos": _NO_TREES,
    "label": _NO_TREES,
    "head": _NO_TREES,
    "phenomenon": "there are no gold trees with comments '# phenomenon = …'",
    "length": "",
    "confidence": "its trees in the run have no comments '# score = …'",
    CROSSINGS: _NO_TREES,
    ERRORS: "that takes a parser's trees with rules, and gold trees to compare them with",
    SENTENCES: "",
}
Table = tuple[list[str], list[list[object]]]


@dataclass(frozen=True, eq=False)
class Analysis:
    """What is wrong with a system's orders.

    `system` its name in the run; `metric` the signature of the fuzzy reordering score, `score` its
    value and `scores` that of every sentence, float64[S], NaN for those without links, which count
    nowhere; `total` all words as one group; `breakdowns` by the name of their grouping;
    `crossings` of children and heads, empty where there are no trees; `parser_errors` None where
    there are no gold trees or where the orders are not made from a parser's; `worst` 1-based
    numbers of the sentences with a broken joint, the lowest score first and of equal ones the
    longest; `placement` how every token is placed, and
    `references` the reference order, of several, that each sentence was scored against, `which`
    its number among those of the sentence, from 1, and `out_of` how many these are, int64[S].
    """

    system: str
    metric: str
    score: float
    scores: Floats
    total: Group
    breakdowns: Mapping[str, Breakdown]
    crossings: tuple[Crossing, ...]
    parser_errors: ParserErrors | None
    worst: tuple[int, ...]
    placement: Placement
    references: ReferenceOrders
    which: Longs
    out_of: Longs

    def __repr__(self) -> str:
        return (
            f"<Analysis of {self.system}: {self.metric} {self.score:.4f}, "
            f"{self.total.wrong:,} of {self.total.count:,} words wrongly placed>"
        )

    @property
    def sentences(self) -> int:
        """The number of sentences that are scored."""
        return int((~np.isnan(self.scores)).sum())

    def narrowed(
        self, tables: Sequence[str] | None = None, *, least: int = 1, top: int = 0
    ) -> Analysis:
        """The same with only some of its TABLES, all that there are if None.

        Groups and kinds of fewer words than `least` are left out, and of each table all rows but
        the first `top`, unless that is 0. Raises UnknownNameError for a table that is not one of
        TABLES and PreorderEvalError for one that there is nothing for.
        """
        there = [*self.breakdowns, SENTENCES]
        there += [CROSSINGS] * bool(self.crossings) + [ERRORS] * bool(self.parser_errors)
        for name in tables or []:
            if name not in TABLES:
                raise UnknownNameError("table", name, TABLES)
            if name not in there:
                raise PreorderEvalError(f"no table by {name} for {self.system}: {TABLES[name]}")
        wanted = there if tables is None else tables
        rows = slice(top or None)
        errors = self.parser_errors if ERRORS in wanted else None
        kinds = self.crossings if CROSSINGS in wanted else ()
        return replace(
            self,
            breakdowns={
                name: Breakdown(name, breakdown.at_least(least).groups[rows])
                for name, breakdown in self.breakdowns.items()
                if name in wanted
            },
            crossings=tuple(kind for kind in kinds if kind.count >= least)[rows],
            parser_errors=errors and replace(errors, confusions=errors.confusions[rows]),
            worst=self.worst[rows] if SENTENCES in wanted else (),
        )

    def summary(self) -> dict[str, Any]:
        """What `--json` prints."""
        groups = {
            name: [asdict(group) for group in breakdown.groups]
            for name, breakdown in self.breakdowns.items()
        }
        crossed = [asdict(kind) for kind in self.crossings]
        errors, worst = self.parser_errors, self._worst_rows()
        return {
            "system": self.system,
            "metric": self.metric,
            "score": self.score,
            "sentences": self.sentences,
            "total": asdict(self.total),
            **({"groups": groups} if groups else {}),
            **({"crossings": crossed} if crossed else {}),
            **({"parser_errors": asdict(errors)} if errors else {}),
            **({"worst": [dict(zip(_WORST, row, strict=True)) for row in worst]} if worst else {}),
        }

    def tables(self) -> list[Table]:
        """Header and rows of the groups, crossings, parser's errors and worst sentences."""
        groups = [
            [name, *_cells(group)]
            for name, breakdown in self.breakdowns.items()
            for group in breakdown.groups
        ]
        errors = self.parser_errors
        crossed = [_cells(kind) for kind in self.crossings]
        confusions = [_cells(confusion) for confusion in errors.confusions] if errors else []
        worst = self._worst_rows()
        tables = [
            (["by", *_columns(Group)], groups),
            (_columns(Crossing), crossed),
            (_columns(Confusion), confusions),
            (_WORST, worst),
        ]
        return [(header, rows) for header, rows in tables if rows]

    def _worst_rows(self) -> list[list[object]]:
        """The worst sentences, each with the number of the reference order it is scored against."""
        columns = [values.tolist() for values in (self.scores, self.which, self.out_of)]
        return [[s, *(values[s - 1] for values in columns)] for s in self.worst]


def _columns(row: type[Group | Crossing | Confusion]) -> list[str]:
    """The names of its fields; an interval has three columns."""
    names = [field.name for field in fields(row)]
    return [
        column
        for name in names
        for column in ([name, f"{name} low", f"{name} high"] if name == "share" else [name])
    ]


def _cells(row: Group | Crossing | Confusion) -> list[object]:
    """Its fields as plain values, in the order of `_columns`; a name is one token of a table."""
    *values, sentences = (getattr(row, field.name) for field in fields(row))
    values = [escape_tokens([x]) if isinstance(x, str) else x for x in values]
    flat = [
        x for value in values for x in (astuple(value) if isinstance(value, Interval) else (value,))
    ]
    return [*flat, " ".join(map(str, sentences))]


def analyse(result: Result, system: str | None = None, gold: str | Path | None = None) -> Analysis:
    """Find out where the orders of one system of a result are wrong.

    Parameters: `system` its name, where there are several; `gold` a CoNLL-U file with gold trees
    of the sentences, otherwise those of the run or of the reference set, if there are any.

    Raises UnknownNameError for a system that there is not, FormatError for trees that are not of
    these sentences, and PreorderEvalError for a result without orders or links.

    >>> from preorder_eval.results.evaluation import evaluate
    >>> analyse(evaluate("en-ko", parsers=["gold"], rules=["none"])).worst[:2]
    (136, 36)
    """
    reference = result.inputs.ordered
    if reference is None:
        raise PreorderEvalError(f"{result.name} has outputs alone; what is analysed are orders")
    number = result.systems.index(_only(result, system))
    chosen = result.inputs.systems[number]
    words = reference.words
    if not reference.informative.any():
        raise PreorderEvalError(f"{result.name}: no sentence has a link, nothing can be analysed")
    orders, origin = result.inputs.of(number).orders, chosen.made_from
    trees, right = None if origin is None else origin.trees, gold_trees(result, gold)
    if trees is not None and trees.sentences != reference.source:
        raise PreorderEvalError(f"{result.name}: the trees of {chosen.name} have other words")
    known_trees = trees if trees is not None else right
    allowed = reference.allowed
    references = Fuzzy().chosen(orders, allowed, words)
    which = out_of = np.ones(len(reference), dtype=np.int64)
    if isinstance(allowed, Alternatives):
        which = allowed.numbered(Fuzzy().nearest(orders, allowed, words))
        out_of = allowed.counts
    placed = placement(orders, references, words)
    scores = Fuzzy().score(orders, references, words)
    errors = None
    if origin is not None and right is not None and chosen.parser != "gold":
        errors = parser_errors(origin.trees, right, origin.rules, allowed, words)
    return Analysis(
        system=chosen.name,
        metric=scores.metric,
        score=scores.corpus,
        scores=scores.sentence,
        total=all_words(placed, references),
        breakdowns={
            grouping.by: break_down(grouping, placed, references)
            for grouping in groupings(words, trees, right)
        },
        crossings=() if known_trees is None else crossings(known_trees, orders, references),
        parser_errors=errors,
        worst=_worst(scores.sentence, references),
        placement=placed,
        references=references,
        which=which,
        out_of=out_of,
    )


def _only(result: Result, name: str | None) -> str:
    """The system of that name, or the only one; PreorderEvalError if that is open."""
    if name is None:
        if len(result.systems) > 1:
            raise PreorderEvalError(
                f"name the system to analyse: {result.name} has {', '.join(result.systems)}"
            )
        [name] = result.systems
    if name not in result.systems:
        raise UnknownNameError(f"system of {result.name}", name, result.systems)
    return name


def _worst(scores: Floats, references: ReferenceOrders) -> tuple[int, ...]:
    lowest_first = np.lexsort((-np.diff(references.offsets), scores))
    return tuple((lowest_first[scores[lowest_first] < 1] + 1).tolist())
