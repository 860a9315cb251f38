"""Several studies together, and tables laid out as Talbot et al. (2011) have them.

Experiments stand one after the other, as the two of the paper, with the correlations over all of
them where they are of the same sentences.

In the paper's layout its figures stand beside those of systems, metrics, kinds of references and
parsers that are called as there. Its data are not public, and other data give other figures: what
can be compared is which is better than which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.scores import MetricScores, short_labels
from preorder_eval.papers.published import (
    LAYOUT,
    METRICS,
    PARSERS,
    REFERENCES,
    Layout,
    experiment_of,
)
from preorder_eval.papers.study import ACCURACIES, RATINGS, STATISTICS, Study, pooled
from preorder_eval.tables import Column, Form, Shown, Table, ends

_ON_WSJ = {"LAS": "Labeled attachment", "UPOS": "POS accuracy"}
_R_AND_RHO = dict(zip(STATISTICS, ("r", "ρ"), strict=True))


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
            for study in self.studies
            for table in study.tables()
        ]

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
        everything = pooled(self.studies) if several else None
        for layout in LAYOUT:
            chosen = list(self.studies)
            if everything is not None and layout.table == "correlations":
                chosen = [everything, *chosen]
            for study in chosen:
                table = _MAKERS[layout.table](study, layout)
                title = f"Table {layout.number}. {layout.title}"
                title += f", {study.name}" * several
                tables.append(replace(table, title=title))
        last = tables[-1]
        notes = [*last.notes, *self.studies[0].method()]
        return [*tables[:-1], replace(last, notes=notes)]


def _lacking(what: str) -> Table:
    return Table("none", [Column("-")], [], notes=[f"not made: the study has no {what}"])


def _ratings(study: Study, layout: Layout) -> Table:
    if study.means is None:
        return _lacking("ratings")
    experiment = experiment_of(study.result.systems)
    columns = [Column("system", "", label=True)]
    columns.append(Column("rating", "Subjective score", ".3f", interval=True))
    columns += [Column("paper", format=".3f", interval=True)] if experiment else []
    rows = [
        [name, ends(study.means.interval(number))]
        + ([experiment.ratings.get(name)] if experiment else [])
        for number, name in enumerate(study.result.systems)
    ]
    return Table("ratings", columns, rows)


def _significance(study: Study, layout: Layout) -> Table:
    """Return the upper triangle of all pairs, and beside it the paper's."""
    names = study.result.systems
    pairs = list(combinations(names, 2))
    found = next((marks for name, marks in study.marks.items() if _is(name, layout.by)), None)
    if found is None:
        return _lacking(layout.by if layout.by == RATINGS else f"{layout.by} among its metrics")
    marks, rated = dict(zip(pairs, found, strict=True)), study.marks.get(RATINGS)
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
    if layout.by != RATINGS and rated is not None:
        same = sum(mark == of_ratings for mark, of_ratings in zip(found, rated, strict=True))
        agreeing = f"as in Table 3: {same} of {len(found)}"
        if experiment and published:
            theirs = experiment.marks[RATINGS]
            both = [pair for pair in published if pair in theirs]
            same = sum(published[pair] == theirs[pair] for pair in both)
            agreeing += f" (paper: {same} of {len(both)})"
        notes.append(agreeing)
    return Table("significance", columns, rows, notes=notes)


def _correlations(study: Study, layout: Layout) -> Table:
    """Return metrics by the first kind of reference, or one metric by all kinds."""
    found = study.correlations
    if found is None:
        return _lacking("ratings")
    first_kind = next(iter(study.results))
    shown = [
        number
        for number, scores in enumerate(found.metrics)
        if (_is(scores.metric, layout.by) if layout.by else scores.reference in ("", first_kind))
    ]
    if not shown:
        return _lacking(f"{layout.by} among its metrics")
    kinds = list(study.results)
    shown.sort(key=lambda number: kinds.index(found.metrics[number].reference or first_kind))
    names, _ = short_labels([replace(scores, reference="") for scores in found.metrics])

    def named(scores: MetricScores, name: str) -> tuple[list[str], Sequence[float | None]]:
        kind = scores.reference or first_kind
        if layout.by:
            return [*kind.rpartition("/")[::2]], REFERENCES.get(kind, (None, None))
        return [name], METRICS.get(_plain(scores.metric), (None, None))

    heads = ["Translation", "Alignment"] if layout.by else ["Metric"]
    columns = [Column(head, label=True) for head in heads]
    for name, heading in _R_AND_RHO.items():
        columns.append(Column(name, heading, " .3f", interval=True))
        columns.append(Column(f"{name} p", "p", "p", none=""))
        columns.append(Column(f"{name} paper", "paper", ".3f"))
    rows = []
    for number in shown:
        labels, published = named(found.metrics[number], names[number])
        row: list[object] = [*labels]
        for name, value in zip(STATISTICS, published, strict=True):
            p = found.p[name][number, shown[0]] if number != shown[0] else None
            row += [ends(found.statistics[name].interval(number)), p, value]
        rows.append(row)
    return Table("correlations", columns, rows, notes=["p: of the difference from the first row"])


def _plain(signature: str) -> str:
    """Return the name of a metric with its usual parameters, as the paper has it, else ""."""
    name, _, settings = signature.rstrip(")").partition("(")
    usual = {"fuzzy": "match=word"}.get(name, "")
    return name if name == "bleu" or settings == usual else ""


def _parsers(study: Study, layout: Layout) -> Table:
    if not study.accuracies:
        return _lacking("treebank")
    columns = [Column("parser", "Parser", label=True)]
    for name in ACCURACIES:
        columns.append(Column(name, _ON_WSJ[name], ".3f", interval=True))
        columns.append(Column(f"{name} paper", "paper", ".3f"))
    rows = []
    for system, scores in study.accuracies.items():
        parser = system.partition("R")[0]
        row: list[object] = [parser if parser in PARSERS else system]
        for name, value in zip(ACCURACIES, PARSERS.get(parser, (None, None)), strict=True):
            row += [ends(scores[name]), value]
        rows.append(row)
    return Table("parsers", columns, rows, notes=["paper: on WSJ"])


def _is(signature: str, name: str) -> bool:
    """Return whether a metric is of that name."""
    return signature.partition("(")[0] == name


_MAKERS: dict[str, Callable[[Study, Layout], Table]] = {
    "ratings": _ratings,
    "examples": lambda study, _: replace(study.examples(), title=""),
    "significance": _significance,
    "correlations": _correlations,
    "parsers": _parsers,
}
