"""The errors of a system's orders: by word, label, parser error (Talbot et al. 2011, section 6).

The paper finds the words most often reordered incorrectly, systematic parser and tagging errors,
and the worst sentences by the fuzzy reordering score. Every row of the tables here leads to its
sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.analysis.misplaced import (
    GROUPINGS,
    LENGTH,
    Group,
    Placement,
    all_words,
    break_down,
    groupings,
    placement,
)
from preorder_eval.analysis.parser_errors import ParserErrors, parser_errors
from preorder_eval.analysis.sentences import changed_since, gold_trees
from preorder_eval.base.arrays import Floats, Longs
from preorder_eval.base.errors import PreorderEvalError, UnknownNameError, argument
from preorder_eval.base.stats.legends import few_drawn
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends, figure
from preorder_eval.base.visible import first_few, quantity
from preorder_eval.evaluation.notes import interval_by
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.sampling import number_of
from preorder_eval.evaluation.systems import MadeFrom
from preorder_eval.evaluation.verdict.caveats import of_learning
from preorder_eval.metrics.orders.fuzzy import Fuzzy
from preorder_eval.orders.orders import Alternatives, Orders, ReferenceOrders
from preorder_eval.references.objective import of_kind
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.treebank import Treebank

ERRORS = "errors"
BY_SENTENCES = "sentences"
_OF_SCHEMES = "‡"  # marks errors on which the label schemes of converted and gold trees differ
_TOP = 10  # rows of each table that are shown
_NO_TREES = "the run has no trees of this system, and there are no gold trees"

# All tables, with what is to blame where a run has nothing for one.
ORDER_TABLES = {
    "word": "",
    "upos": _NO_TREES,
    "label": _NO_TREES,
    "head": _NO_TREES,
    "phenomenon": "there are no gold trees with comments '# phenomenon = …'",
    "length": "",
    ERRORS: "parser errors need a parser's trees with rules, and gold trees",
    BY_SENTENCES: "",
}
_OF_GOLD = ("upos", "label", "head", "phenomenon", ERRORS)


@dataclass(frozen=True, eq=False)
class Analysis(Shown):
    """The errors of a system's orders.

    - `system` is its name, and `made_from` its trees and rules, None where they are not known.
    - `metric` is the signature of the fuzzy reordering score (FRS) that breaks are counted by,
      `score` its value for the corpus, and `scores` its values for the sentences, float64[S], NaN
      for those without links.
    - `total` has all words as one group; `groups` has them grouped by word, part of speech and so
      on, by the name of the grouping (`GROUPINGS`).
    - `parser_errors` has the costs of the parser's errors. It is None without gold trees, and where
      the orders were not made from a parser's trees.
    - `worst` lists the 1-based numbers of the sentences with a break, those of the lowest score
      first.
    - `orders` are the system's, `placement` has for every token whether it is wrongly placed, and
      `references` has the reference order that each sentence was scored against. `which` int64[S]
      is the number of that order among those of its sentence, from 1.
    - `unit` is the unit resampled for the intervals of shares, and `learned` states which part of
      the text the system's parser and rules learned from.
    """

    _run: str
    system: str
    made_from: MadeFrom | None
    metric: str
    score: float
    scores: Floats
    total: Group
    groups: Mapping[str, Sequence[Group]]
    parser_errors: ParserErrors | None
    worst: Sequence[int]
    _source: Sequence[Sequence[str]]
    orders: Orders
    placement: Placement
    references: ReferenceOrders
    which: Longs
    _out_of: Longs
    unit: Unit = EACH_SENTENCE
    learned: Sequence[Caveat] = ()
    _changed: str = ""  # how the reference set differs from that of the run, if it does

    @property
    def sentences(self) -> int:
        """The number of sentences that are scored."""
        return int((~np.isnan(self.scores)).sum())

    def narrowed(
        self, tables: Sequence[str] | None = None, *, least: int = 1, top: int = 0
    ) -> Analysis:
        """Return the same with only some of its TABLES, all that there are if None.

        Groups with fewer words than `least` are omitted. Each table has its first `top` rows only,
        or all if `top` is 0. Raises UnknownNameError for another table, PreorderEvalError for one
        without data.
        """
        there = [*self.groups, BY_SENTENCES, *[ERRORS] * bool(self.parser_errors)]
        for name in tables or []:
            if name not in ORDER_TABLES:
                raise UnknownNameError("table", name, ORDER_TABLES)
            if name not in there:
                reason = (self._changed if name in _OF_GOLD else "") or ORDER_TABLES[name]
                raise PreorderEvalError(f"no table by {name} for {self.system}: {reason}")
        wanted = there if tables is None else tables
        rows = slice(top or None)
        errors = self.parser_errors if ERRORS in wanted else None
        return replace(
            self,
            groups={
                name: [group for group in groups if group.count >= least][rows]
                for name, groups in self.groups.items()
                if name in wanted
            },
            parser_errors=errors and replace(errors, confusions=errors.confusions[rows]),
            worst=self.worst[rows] if BY_SENTENCES in wanted else (),
        )

    @property
    def verdict(self) -> str:
        total, of = self.total, f" in {self.unit.drawn}" * bool(self.unit.drawn)
        return (
            f"{self._run}  {self.system}  {self.metric} {figure(self.score)}, "
            f"{quantity(self.sentences, 'sentence')}{of}; {total.wrong} of {total.count} "
            f"words misplaced ({total.share.value:.1%}), {total.wrongly_split} wrongly split, "
            f"{total.wrongly_kept} wrongly kept; {total.inversions:.2f} inversions per word"
            + "".join(f"; {caveat.text}" for caveat in self.learned)
        )

    @property
    def own_warnings(self) -> list[Caveat]:
        return [*self.learned, *self._few]

    @property
    def _few(self) -> list[Caveat]:
        """The warnings that the intervals of shares rest on few units."""
        scored = ~np.isnan(self.scores)
        return few_drawn(self.unit, self.unit.count(scored)) if self.groups else []

    def tables(self) -> list[Table]:
        groups = [
            [by, *(column.value(group) for column in _GROUPS)]
            for by, groups in self.groups.items()
            for group in groups
        ]
        confusions = self.parser_errors.confusions if self.parser_errors else ()
        tables = [
            Table("groups", [Column("by", label=True), *_GROUPS], groups),
            Table.of(("parser_errors", "confusions"), _CONFUSIONS, confusions),
            Table(
                "worst",
                list(map(Column, ("sentence", "score", "reference", "references"))),
                [
                    [s, *(each[s - 1] for each in (self.scores, self.which, self._out_of))]
                    for s in self.worst
                ],
            ),
        ]
        return [table for table in tables if table.rows]

    def _facts(self) -> dict[str, Any]:
        errors = self.parser_errors
        scores = {} if errors is None else {"score": errors.score, "gold_score": errors.gold_score}
        return {
            "system": self.system,
            "metric": self.metric,
            "score": self.score,
            "sentences": self.sentences,
            **self.unit.facts(),
            "total": asdict(self.total),
            **({"parser_errors": scores} if scores else {}),
        }

    def view(self, whole: bool = False) -> list[Table]:
        tables = []
        for by, groups in self.groups.items():
            columns = [replace(_GROUPS[0], heading=by), *_GROUPS[1:]]
            tables.append(Table.of(by, columns, groups, title=f"By {GROUPINGS[by]}"))
        if tables:
            notes = [f"share{interval_by(self.unit.drawn)}", *(few.text for few in self._few)]
            tables[-1] = replace(tables[-1], notes=notes)
        if self.parser_errors is not None:
            errors = self.parser_errors
            title = (
                f"Parser errors (gold trees score {figure(errors.gold_score)} with the same rules, "
                f"{figure(errors.gold_score - errors.score, '+.3f')})"
            )
            differ = any(each.of_schemes for each in errors.confusions)
            notes = [f"{_OF_SCHEMES} ClearNLP and UD differ on these words: no fault of the parser"]
            table = Table.of("errors", _CONFUSIONS, errors.confusions, title=title)
            tables.append(replace(table, notes=notes * differ))
        if not whole:
            tables = [table.head(_TOP) for table in tables]
        if self.worst:
            tables.append(self._sentences(self.worst if whole else self.worst[:_TOP]))
        return tables

    def _sentences(self, worst: Sequence[int]) -> Table:
        """Return the worst sentences: source, order, and reference order."""
        rows: list[list[object]] = []
        for number in worst:
            s = number - 1
            words = list(self._source[s])
            order = " ".join(words[i] for i in self.orders[s])
            which = f" ({self.which[s]} of {self._out_of[s]})" if self._out_of[s] > 1 else ""
            rows.append([number, self.scores[s], "source", " ".join(words)])
            rows.append([None, None, "order", order])
            rows.append([None, None, f"reference{which}", self.references[s].braces(words)])
        columns = [
            Column("sentence", none=""),
            Column("score", format=".3f", none=""),
            Column("text", "", label=True),
            Column("words", wrap=True),
        ]
        return Table("sentences", columns, rows, title="Worst sentences")


_WHERE = [
    Column("sentences", only="data"),
    Column("examples", "sentences", only="people", of=lambda row: first_few(row.sentences)),
]
_GROUPS = [
    Column("name", label=True),
    Column("count", "words"),
    Column("wrong"),
    Column("share", format=".3f", interval=True, of=lambda group: ends(group.share)),
    Column("cost", format=".3f"),
    Column("inversions", format=".2f"),
    Column("wrongly_split", "wrongly split"),
    Column("wrongly_kept", "wrongly kept"),
    *_WHERE,
]
_CONFUSIONS = [
    Column("kind", "error", label=True, only="data"),
    Column(
        "marked",
        "error",
        label=True,
        only="people",
        of=lambda c: c.kind + _OF_SCHEMES * c.of_schemes,
    ),
    Column("gold", label=True),
    Column("parsed", label=True),
    Column("count"),
    Column("repaired", only="data"),
    *map(Column, ("helped", "hurt")),
    *(Column(name, format="+.3f") for name in ("gain", "loss", "cost")),
    *_WHERE,
    Column("of_schemes", only="data"),
]


def analyse(result: Result, system: str | None = None, gold: str | Path | None = None) -> Analysis:
    """Find out where the orders of one system of a result are wrong.

    Parameters: `system` its name, if there are several; `gold` a CoNLL-U file with gold trees of
    the sentences, by default those of the run or the reference set, if any. Breaks are those of the
    run's FRS; for another metric of orders, those of FRS over the same words. A sentence with
    several reference orders is compared with the one that it is scored by, or nearest to.

    Raises UnknownNameError for an unknown system, FormatError for trees of other sentences, and
    PreorderEvalError for a result without orders or links.

    >>> import preorder_eval as pe
    >>> pe.analyse(pe.evaluate("en-ko", parsers=["gold"], rules=["none"])).worst[:2]
    [136, 36]
    """
    if result.inputs.ordered is None:
        raise PreorderEvalError(f"{result.name} has outputs only; this analysis needs orders")
    if system is None and len(result.systems) > 1:
        one = argument("system=NAME", "--system NAME")
        two = argument("pe.analyse_parsers", "--system A --system B")
        raise PreorderEvalError(
            f"name the system to analyse: {result.name} has {', '.join(result.systems)} ({one}; "
            f"for the parsers of two {two})"
        )
    name = result.systems[0] if system is None else system
    number = number_of(name, result.systems, f" of {result.name}")
    return analysis_of(result, result.inputs.ordered, number, gold_trees(result, gold))


def learned_by_makers(result: Result, makers: Sequence[str]) -> list[Caveat]:
    """Warn of makers, such as `rules en-ja`, that learned from the text of a result."""
    seen = {maker: result.seen[maker] for maker in makers if maker in result.seen}
    learned = {maker: result.learned[maker] for maker in makers if maker in result.learned}
    return of_learning(seen, learned)


def analysis_of(
    result: Result, reference: ReferenceSet, number: int, gold: Treebank | None
) -> Analysis:
    """Analyse the system of that number by its reference, beside gold trees if there are any."""
    system, words, allowed = result.inputs.systems[number], reference.words, reference.allowed
    if not reference.informative.any():
        raise PreorderEvalError(
            f"{result.name}: no sentence has a link, so nothing can be analysed"
        )
    orders, made_from = result.inputs.of(number).orders, system.origin()
    trees = None if made_from is None else made_from.trees
    if trees is not None and trees.sentences != reference.source:
        raise PreorderEvalError(
            f"{result.name}: the trees of {system.name} have other words than the run"
        )
    metric = of_kind(Fuzzy, result.metrics, reference)
    references = metric.chosen(orders, allowed, words)
    which = out_of = np.ones(len(reference), dtype=np.int64)
    if isinstance(allowed, Alternatives):
        which = allowed.numbered(metric.nearest(orders, allowed, words))
        out_of = allowed.counts
    placed = placement(orders, references, words, metric)
    scores = metric.score(orders, allowed, words)
    errors = None
    if made_from is not None and gold is not None and system.parser != "gold":
        given = made_from.trees, gold, made_from.rules, allowed, words, metric
        errors = parser_errors(*given, converted=bool(system.maker("parser").get("converted")))
    unit = result.unit
    lowest_first = np.lexsort((-np.diff(references.offsets), scores.sentence))
    return Analysis(
        _run=result.name,
        system=system.name,
        made_from=made_from,
        metric=scores.metric,
        score=scores.corpus,
        scores=scores.sentence,
        total=all_words(placed, words.offsets, unit),
        groups={
            by: break_down(column, placed, words.offsets, ordered=by == LENGTH, unit=unit)
            for by, column in groupings(words, trees, gold).items()
        },
        parser_errors=errors,
        worst=(lowest_first[scores.sentence[lowest_first] < 1] + 1).tolist(),
        _source=reference.source,
        orders=orders,
        placement=placed,
        references=references,
        which=which,
        _out_of=out_of,
        unit=unit,
        learned=learned_by_makers(result, (f"parser {system.parser}", f"rules {system.rules}")),
        _changed=changed_since(result) if gold is None else "",
    )
