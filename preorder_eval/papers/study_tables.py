"""Several studies together, and tables laid out as Talbot et al. (2011) have them.

Experiments stand one after the other, as the two of the paper, with the correlations over all of
them where they are of the same sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.scores import short_labels
from preorder_eval.papers.published import (
    LAYOUT,
    Layout,
)
from preorder_eval.papers.study import RATINGS, Study, pooled
from preorder_eval.tables import Column, Form, Shown, Table


@dataclass(frozen=True, eq=False)
class Studies(Shown):
    """One or several studies of different names.

    With `paper` people see them in the layout of Talbot et al. (2011); with `captions`
    titles have what the study files say of them, such as what is simulated.
    """

    studies: Sequence[Study]
    paper: bool = False
    captions: bool = False

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
        about = "; ".join(dict.fromkeys(study.about for study in self.studies if study.about))
        said = f" ({about})" if about and self.captions else ""
        return [replace(table, title=table.title + said) for table in self._view(whole)]

    def _view(self, whole: bool) -> list[Table]:
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
        if form not in ("latex", "paper"):
            return super().show(form, whole, digits)
        if not self.captions:  # which a figure torn out of its paper keeps
            return replace(self, captions=True).show(form, whole, digits)
        if form == "latex":
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


def _significance(study: Study, layout: Layout) -> Table:
    """Return the upper triangle of all pairs."""
    names = study.result.systems
    pairs = list(combinations(names, 2))
    by = next((name for name in study.marks if _is(name, layout.by)), None)
    if by is None:
        return _lacking(layout.by if layout.by == RATINGS else f"{layout.by} among its metrics")
    marks = dict(zip(pairs, study.marks[by], strict=True))
    columns = [Column("row", "", label=True), *map(Column, names[1:])]
    rows = [[a, *(marks.get((a, b), "") for b in names[1:])] for a in names[:-1]]
    notes = ["0 = not significant, * = 90 percent, ** = 95 percent"]
    if layout.by != RATINGS and RATINGS in study.marks:
        notes.append(f"as in Table 3: {study.agreeing(by)} of {len(marks)}")
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
        labels = kind_of
    else:
        shown = [number for number, kind in enumerate(kind_of) if kind == kinds[0]]
        labels, _ = short_labels([replace(scores, reference="") for scores in metrics])
    if not shown:
        return _lacking(f"{layout.by} among its metrics")
    return study.correlation_table(study.correlations, labels, shown)


def _is(signature: str, name: str) -> bool:
    """Return whether a metric is of that name."""
    return signature.partition("(")[0] == name


_MAKERS: dict[str, Callable[[Study, Layout], Table]] = {
    "ratings": lambda s, _: s.rating_table(s.means) if s.means else _lacking("ratings"),
    "examples": lambda study, _: study.examples(),
    "significance": _significance,
    "correlations": _correlations,
}
