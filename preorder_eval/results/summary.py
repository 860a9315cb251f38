"""Values of systems by metrics as they are shown: verdict and tables.

A `Summary` has no sentences, as those of a corpus on a cluster stay where they are;
`preorder_eval.results.result` adds them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from preorder_eval.results import conclusion
from preorder_eval.results.notes import LEARNED, system_notes
from preorder_eval.results.systems import System
from preorder_eval.results.values import Values
from preorder_eval.stats.significance import Difference
from preorder_eval.tables import Column, Key, Table, ends

_SHORT = 14  # letters of a name in a heading


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary(Values):
    """Values of systems by metrics with verdict and tables, without the sentences."""

    @property
    def verdict(self) -> str:
        return conclusion.verdict(self)

    @property
    def for_paper(self) -> str:
        first, others = self._baseline, sorted({*self._standing.entrants} - {self._baseline})
        pairs = [(first, n) for n in others]
        return conclusion.for_paper(self, pairs, self._labels) if self._versus else ""

    def tables(self) -> list[Table]:
        pairs = [_pairs_table(self)] if self._sampling.against == "all" else []
        return [_systems_table(self), *pairs, *self._further]

    def _view(self, whole: bool = False) -> list[Table]:
        """Return the tables for people, with notes; `whole` adds all intervals and differences."""
        shown = _by_system(self, whole) if self._of_orders or self._matrix else _by_metric(self)
        title = self._title
        if len({system.parser for system in self._made if system.rules} - {""}) == 1:
            system = next(system for system in self._made if system.rules and system.parser)
            title += f"; parser {system.parser}{_learned_mark(self, 'parser', system)}"
        views = [replace(shown, title=title, notes=self._notes(whole))]
        if self._sampling.against == "all":
            note = "each pair is judged by itself; p (Holm) is corrected for all pairs of a metric"
            views.append(replace(_pairs_table(self), title="All pairs of systems", notes=[note]))
        return [*views, *self._further]

    def _notes(self, whole: bool) -> list[str]:
        return system_notes(self, whole)


def _systems_table(values: Values) -> Table:
    """Return a row for each system, with its difference from the baseline if compared."""
    of_orders, versus = values._of_orders, values._versus
    left_out = len(values._left_out)
    columns = [
        Column("system", label=True, only="json" if of_orders else ""),
        Column("parser", label=True, only="" if of_orders else "json"),
        Column("rules", label=True, only="" if of_orders else "json"),
        Column("made_by", only="json"),
        Column("sentences"),
        Column("left_out", only="" if of_orders else "json"),
    ]
    rows: list[list[object]] = [
        [s.name, s.parser, s.rules, dict(s.made_by), values._size - left_out, left_out]
        for s in values._made
    ]
    for m, metric in enumerate(values.metrics):
        within, form = ("scores", str(metric)), f".{metric.decimals}f"
        columns.append(Column(within, values._metric_names[m], form, interval=True))
        columns.append(Column((*within, "score"), values._metric_names[m], form, only="hidden"))
        columns.append(Column((*within, "cut_short"), only="json", sparse=True))
        if versus:
            heading = _versus_heading(values, values._metric_names[m])
            columns += difference_columns(*within, heading=heading, form=f"+{form}")
        details: dict[str, Any] = {}
        for number, row in enumerate(rows):
            interval = values._intervals[number][m]
            row += [ends(interval), interval.value, values._cut_short[number][m] or None]
            row += difference_cells(values._from_baseline(number, m)) if versus else []
            details = metric.details(values._measurements[m].statistics[number].sum(axis=0))
            row += details.values()
        columns += [Column((*within, name), only="json") for name in details]
    return Table("systems", columns, rows)


def _versus_heading(values: Values, metric: str = "") -> str:
    """Return the heading of differences; of a long name it tells its place alone."""
    name = values._labels[values._baseline]
    places = {values._standing.second: "second", values._best: "best"}
    short = places.get(values._baseline, "first" if values._baseline == 0 else "baseline")
    return f"{metric} vs. {name if len(name) <= _SHORT else short}".strip()


def _pairs_table(values: Values) -> Table:
    """Return a row for each pair of systems that was compared, by every metric."""
    names, labels = values.systems, values._labels
    columns = [
        *(Column(key, only="data") for key in ("metric", "row", "column")),
        Column("by", "metric", label=True, once=True, only="people"),
        Column("first", "from", label=True, once=True, only="people"),
        Column("second", "to", label=True, only="people"),
        Column("decimals", only="hidden"),
        *difference_columns(decimals="decimals"),
        Column("p_holm", "p (Holm)", "p"),
    ]
    rows = [
        [
            *(str(metric), names[pair.first], names[pair.second]),
            *(values._metric_names[m], labels[pair.first], labels[pair.second], metric.decimals),
            *(*difference_cells(pair.difference), pair.p_holm),
        ]
        for m, metric in enumerate(values.metrics)
        for pair in values._pairs[m]
    ]
    return Table(("significance", "pairs"), columns, rows)


def _by_system(values: Values, whole: bool) -> Table:
    """Return a row for each system; in a matrix marks stand beside the scores."""
    systems, versus = _systems_table(values), values._versus
    rows = list(map(list, systems.rows))
    for number, (system, row) in enumerate(zip(values._made, rows, strict=True)):
        marks = {what: _learned_mark(values, what, system) for what in ("parser", "rules")}
        ceiling = " (ceiling)" * (number not in values._standing.entrants)
        for column, mark in {**marks, "system": max(marks.values())}.items():
            row[systems.at(column)] += mark + ceiling * (column != "rules")
    systems = replace(systems, rows=rows)
    scores: list[Key] = [("scores", str(metric)) for metric in values.metrics]
    names: list[Key] = ["parser", "rules"] if len(values._parsers) > 1 else ["rules"]
    if not values._of_orders or not any(systems.cells("rules")):
        names = ["system"]
    if values._matrix:
        for key in scores if versus else ():
            systems = systems.change(key, mark=(*key, "significance"))
        return systems.select(*names, *scores)
    if whole:
        more = [(*key, name) for key in scores for name in ("difference", "p")]
        return systems.select(*names, *scores, *(more if versus else ()))
    if not versus:
        return systems.select(*names, *scores)
    difference = (*scores[0], "difference")
    systems = systems.change(difference, heading=f"{_versus_heading(values)} [95%]")
    return systems.select(*names, *((*key, "score") for key in scores), difference)


def _learned_mark(values: Values, what: str, system: System) -> str:
    """Return the mark of a parser or rule set that learned from the text scored."""
    maker = f"{what} {getattr(system, what)}"
    return LEARNED * (maker in values._learned or maker in values._seen)


def _by_metric(values: Values) -> Table:
    """Return the systems one below the other for each metric."""
    versus, columns = values._versus, [Column("metric", label=True, once=True)]
    columns += [Column("system", label=True), Column("decimals", only="hidden")]
    columns.append(Column("score", format=".3f", interval=not versus, decimals="decimals"))
    columns += difference_columns(heading=_versus_heading(values), decimals="decimals") * versus
    rows = []
    for m, metric in enumerate(values.metrics):
        for number, name in enumerate(values.systems):
            interval = values._intervals[number][m]
            row = [values._metric_names[m], name, metric.decimals]
            row.append(interval.value if versus else ends(interval))
            rows.append(row + difference_cells(values._from_baseline(number, m)) * versus)
    return Table("systems", columns, rows)


def difference_columns(
    *within: str, heading: str = "difference", form: str = "+.3f", decimals: Key = ()
) -> list[Column]:
    """Return the columns of a difference: its value with intervals, its mark and p."""

    def key(name: str) -> Key:
        return (*within, name) if within else name

    only: Literal["json", "data"] = "json" if within else "data"
    more: dict[str, Any] = {"sparse": bool(within)}
    fields = ("difference", "low_95", "high_95")
    shown = {"interval": True, "fields": fields, "mark": key("significance"), **more}
    return [
        Column(key("difference"), f"{heading} [95%]", form, decimals=decimals, none="", **shown),
        Column(key("low_90"), only=only, **more),
        Column(key("high_90"), only=only, **more),
        Column(key("significance"), only="data", **more),
        Column(key("p"), format="p", none="", **more),
        Column(key("detectable"), only=only, **more),
    ]


def difference_cells(difference: Difference | None) -> list[object]:
    """Return the cells of `difference_columns`."""
    if difference is None:
        return [None] * 6
    d = difference
    at_95 = d.value, d.at_95.low, d.at_95.high
    return [at_95, d.at_90.low, d.at_90.high, d.mark, d.p, d.detectable]
