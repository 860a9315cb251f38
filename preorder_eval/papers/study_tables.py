"""Several studies together, and tables laid out as Talbot et al. (2011) have them.

Experiments stand one after the other, as the two of the paper, with the correlations over all of
them where they are of the same sentences.

In the paper's layout its figures stand beside those of systems, metrics, kinds of references and
parsers that are called as there. Its data are not public, and other data give other figures: what
can be compared is which is better than which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.scores import short_labels
from preorder_eval.papers.published import (
    LAYOUT,
    METRICS,
    PARSERS,
    REFERENCES,
    Layout,
    experiment_of,
)
from preorder_eval.papers.study import ACCURACIES, RATINGS, STATISTICS, Study, pooled
from preorder_eval.tables import Column, Form, Shown, Table


@dataclass(frozen=True, eq=False)
class Studies(Shown):
    """One or several studies of different names.

    With `paper` people see them in the layout of Talbot et al. (2011), with its figures.
    """

    studies: Sequence[Study]
    paper: bool = False

    def __post_init__(self) -> None:
        names = [study.name for study in self.studies]
        if len(set(names)) < len(names):
            raise PreorderEvalError(f"two studies are called {max(names, key=names.count)}")

    @property
    def verdict(self) -> str:
        """Those of the studies."""
        return "\n".join(filter(None, [study.verdict for study in self.studies]))

    def tables(self) -> list[Table]:
        """Return the tables of each study; those of several begin with a column of names."""
        if len(self.studies) == 1:
            return self.studies[0].tables()
        return [
            replace(table.prefixed("study", study.name), key=(study.name, str(table.key)))
            for study in [*self.studies, *self._pooled]
            for table in study.tables()
            if study in self.studies or table.key == "correlations"
        ]

    @cached_property
    def _pooled(self) -> list[Study]:
        """The study of all systems, whose correlations the paper has, if the studies are alike."""
        everything = pooled(self.studies) if self.paper and len(self.studies) > 1 else None
        return [] if everything is None else [everything]

    def view(self, whole: bool = False) -> list[Table]:
        if self.paper:
            return self._paper()
        if len(self.studies) == 1:
            return self.studies[0].view(whole)
        return [
            replace(table, title=f"{study.name}: {table.title}")
            for study in self.studies
            for table in study.view(whole)
        ]

    @property
    def for_paper(self) -> str:
        """What a paper says of each study's method."""
        return "\n".join(
            (f"{study.name}: " if len(self.studies) > 1 else "") + study.for_paper
            for study in self.studies
        )

    def show(self, form: Form = "text", whole: bool = False, digits: int = 3) -> str:
        """Return what a command prints; for a paper the tables in LaTeX, and the method."""
        if form != "paper":
            return super().show(form, whole, digits)
        method = re.sub(r"([%&_#])", r"\\\1", super().show("paper"))
        return f"{super().show('latex', whole, digits)}\n\n{method}"

    def facts(self) -> dict[str, Any]:
        if len(self.studies) == 1:
            return self.studies[0].facts()
        return {"studies": [study.facts() for study in self.studies]}

    def _paper(self) -> list[Table]:
        """Return the paper's tables, each by study, and correlations over all if they are alike."""
        several, tables = len(self.studies) > 1, []
        for layout in LAYOUT:
            above = self._pooled if layout.table == "correlations" else []
            for study in [*above, *self.studies]:
                table = _MAKERS[layout.table](study, layout)
                title = f"Table {layout.number}. {layout.title}"
                title += f", {study.name}" * several
                tables.append(replace(table, title=title))
        last = tables[-1]
        notes = [*last.notes, *self.studies[0].method()]
        return [*tables[:-1], replace(last, notes=notes)]


def _lacking(what: str) -> Table:
    return Table("none", [Column("-")], [], notes=[f"not made: the study has no {what}"])


def _beside(table: Table, published: Mapping[str, Mapping[str, object]]) -> Table:
    """Put columns of the paper's figures behind a table's, by the label of each row."""
    columns, rows = [*table.columns], [[*row] for row in table.rows]
    for key, figures in published.items():
        column = table.columns[table.at(key)]
        cells = [figures.get(row[0]) for row in table.rows]
        if any(cell is not None for cell in cells):
            bounded = isinstance(next(filter(None, cells)), tuple)
            heading = f"paper: {column.name if column.heading is None else column.heading}"
            columns.append(Column(f"{key} paper", heading, ".3f", interval=bounded))
            rows = [[*row, cell] for row, cell in zip(rows, cells, strict=True)]
    return replace(table, columns=columns, rows=rows)


def _ratings(study: Study, layout: Layout) -> Table:
    if study.means is None:
        return _lacking("ratings")
    experiment = experiment_of(study.result.systems)
    published = {"rating": experiment.ratings} if experiment else {}
    return _beside(study.rating_table(study.means), published)


def _significance(study: Study, layout: Layout) -> Table:
    """Return the upper triangle of all pairs, and beside it the paper's."""
    names = study.result.systems
    pairs = list(combinations(names, 2))
    by = next((name for name in study.marks if _is(name, layout.by)), None)
    if by is None:
        return _lacking(layout.by if layout.by == RATINGS else f"{layout.by} among its metrics")
    marks = dict(zip(pairs, study.marks[by], strict=True))
    experiment = experiment_of(names)
    published = experiment.marks[layout.by] if experiment else {}
    published = {pair: published[pair] for pair in pairs if pair in published}
    columns = [Column("row", "", label=True), *map(Column, names[1:])]
    rows = [[a, *(marks.get((a, b), "") for b in names[1:])] for a in names[:-1]]
    if published:
        columns += [Column("paper", "paper:"), *(Column(("paper", b)) for b in names[1:])]
        for row in rows:
            row += ["", *(published.get((row[0], b), "") for b in names[1:])]
    notes = ["0 = not significant, * = 90 percent, ** = 95 percent"]
    if layout.by != RATINGS and RATINGS in study.marks:
        agreeing = f"as in Table 3: {study.agreeing(by)} of {len(marks)}"
        if experiment and published:
            by_ratings = experiment.marks[RATINGS]
            both = [pair for pair in published if pair in by_ratings]
            same = sum(published[pair] == by_ratings[pair] for pair in both)
            agreeing += f" (paper: {same} of {len(both)})"
        notes.append(agreeing)
    return Table("significance", columns, rows, notes=notes)


def _correlations(study: Study, layout: Layout) -> Table:
    """Return metrics by the first kind of reference, or one metric by all kinds."""
    if study.correlations is None:
        return _lacking("ratings")
    kinds, metrics = list(study.results), study.correlations.metrics
    kind_of = [scores.reference or kinds[0] for scores in metrics]
    if layout.by:
        shown = [number for number, scores in enumerate(metrics) if _is(scores.metric, layout.by)]
        shown.sort(key=lambda number: kinds.index(kind_of[number]))
        labels, figures = kind_of, [REFERENCES.get(kind, []) for kind in kind_of]
    else:
        shown = [number for number, kind in enumerate(kind_of) if kind == kinds[0]]
        labels, _ = short_labels([replace(scores, reference="") for scores in metrics])
        figures = [METRICS.get(_plain(scores.metric), []) for scores in metrics]
    if not shown:
        return _lacking(f"{layout.by} among its metrics")
    table = study.correlation_table(study.correlations, labels, shown)
    published = {
        name: {labels[n]: figures[n][i] for n in shown if figures[n]}
        for i, name in enumerate(STATISTICS)
    }
    return _beside(table, published)


def _plain(signature: str) -> str:
    """Return the name of a metric with its usual parameters, as the paper has it, else ""."""
    name, _, settings = signature.rstrip(")").partition("(")
    usual = {"fuzzy": "match=word"}.get(name, "")
    return name if name == "bleu" or settings == usual else ""


def _parsers(study: Study, layout: Layout) -> Table:
    if not study.accuracies:
        return _lacking("treebank")
    table = study.parser_table()
    figures = {system: PARSERS.get(system.partition("R")[0]) for system in study.accuracies}
    published = {
        name: {system: of_parser[i] for system, of_parser in figures.items() if of_parser}
        for i, name in enumerate(ACCURACIES)
    }
    return replace(_beside(table, published), notes=["paper: on WSJ"])


def _is(signature: str, name: str) -> bool:
    """Return whether a metric is of that name."""
    return signature.partition("(")[0] == name


_MAKERS: dict[str, Callable[[Study, Layout], Table]] = {
    "ratings": _ratings,
    "examples": lambda study, _: study.examples(),
    "significance": _significance,
    "correlations": _correlations,
    "parsers": _parsers,
}
