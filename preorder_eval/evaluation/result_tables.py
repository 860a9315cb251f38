"""Tables of a result: for programs, and as people read them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from preorder_eval.base.stats.significance import Difference
from preorder_eval.base.tables import Column, Key, Table, ends
from preorder_eval.evaluation.decision import DecidedDifference
from preorder_eval.evaluation.notes import LEARNED_MARK
from preorder_eval.evaluation.systems import System
from preorder_eval.evaluation.values import Values

_SHORT = 14  # letters of a name in a heading


def tables(values: Values) -> list[Table]:
    """Return all values, for programs."""
    pairs = [_pairs_table(values)] if values.sampling.against == "all" else []
    return [_systems_table(values), *pairs]


def view(values: Values, whole: bool, matrix: bool) -> list[Table]:
    """Return the tables for people; `whole` adds all intervals and differences.

    If all systems have the same parser, the title of the first table names it.
    """
    by_system = matrix or values.of_orders
    shown, title = _by_system(values, whole, matrix) if by_system else _by_metric(values), ""
    if len({system.parser for system in values.made if system.rules} - {""}) == 1:
        system = next(system for system in values.made if system.rules and system.parser)
        title = f"; parser {system.parser}{_learned_mark(values, 'parser', system)}"
    views = [replace(shown, title=title)]
    if values.sampling.against == "all":
        note = "each pair is judged by itself; p (Holm) is corrected for all pairs of a metric"
        views.append(replace(_pairs_table(values), title="All pairs of systems", notes=[note]))
    return views


def _systems_table(values: Values) -> Table:
    """Return a row for each system, with its difference from the baseline if compared."""
    of_orders, versus = values.of_orders, values.versus
    left_out = len(values.left_out)
    columns = [
        Column("system", label=True, only="json" if of_orders else ""),
        Column("parser", label=True, only="" if of_orders else "json"),
        Column("rules", label=True, only="" if of_orders else "json"),
        Column("made_by", only="json"),
        Column("sentences"),
        Column("left_out", only="" if of_orders else "json"),
    ]
    rows: list[list[object]] = [
        [s.name, s.parser, s.rules, dict(s.made_by), len(values) - left_out, left_out]
        for s in values.made
    ]
    for m, metric in enumerate(values.metrics):
        within, form = ("scores", str(metric)), f".{metric.decimals}f"
        columns.append(Column(within, values.metric_names[m], form, interval=True))
        columns.append(Column((*within, "score"), values.metric_names[m], form, only="hidden"))
        columns.append(Column((*within, "cut_short"), only="json", sparse=True))
        if versus:
            heading = _versus_heading(values, values.metric_names[m])
            columns += difference_columns(*within, heading=heading, form=f"+{form}")
        details: dict[str, Any] = {}
        for number, row in enumerate(rows):
            interval = values.intervals[number][m]
            row += [ends(interval), interval.value, values.cut_short[number][m] or None]
            row += difference_cells(values.from_baseline(number, m)) if versus else []
            details = metric.details(values.measurements[m].statistics[number].sum(axis=0))
            row += details.values()
        columns += [Column((*within, name), only="json") for name in details]
    return Table("systems", columns, rows)


def _versus_heading(values: Values, metric: str = "") -> str:
    """Return the heading of the differences: `vs. none`, or for a long name `vs. second`."""
    name = values.labels[values.baseline]
    places = {values.standing.second: "second", values.best: "best"}
    short = places.get(values.baseline, "first" if values.baseline == 0 else "baseline")
    return f"{metric} vs. {name if len(name) <= _SHORT else short}".strip()


def _pairs_table(values: Values) -> Table:
    """Return a row for each pair of systems that was compared, by every metric."""
    names, labels = values.systems, values.labels
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
            *(values.metric_names[m], labels[pair.first], labels[pair.second], metric.decimals),
            *(*difference_cells(pair.difference), pair.p_holm),
        ]
        for m, metric in enumerate(values.metrics)
        for pair in values.pairs[m]
    ]
    return Table(("significance", "pairs"), columns, rows)


def _by_system(values: Values, whole: bool, matrix: bool) -> Table:
    """Return a row for each system; in a matrix marks stand beside the scores."""
    systems, versus = _systems_table(values), values.versus
    rows = list(map(list, systems.rows))
    for number, (system, row) in enumerate(zip(values.made, rows, strict=True)):
        marks = {what: _learned_mark(values, what, system) for what in ("parser", "rules")}
        ceiling = " (ceiling)" * (number not in values.standing.entrants)
        for column, mark in {**marks, "system": max(marks.values())}.items():
            name = row[systems.at(column)] + mark + ceiling * (column != "rules")
            row[systems.at(column)] = name or None  # the source order has no parser
    systems = replace(systems, rows=rows)
    scores: list[Key] = [("scores", str(metric)) for metric in values.metrics]
    names: list[Key] = ["parser", "rules"] if len(values.parsers) > 1 else ["rules"]
    if not values.of_orders or not any(systems.cells("rules")):
        names = ["system"]
    if matrix:
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
    return LEARNED_MARK * (maker in values.learned or maker in values.seen)


def _by_metric(values: Values) -> Table:
    """Return the systems one below the other for each metric."""
    versus, columns = values.versus, [Column("metric", label=True, once=True)]
    columns += [Column("system", label=True), Column("decimals", only="hidden")]
    columns.append(Column("score", format=".3f", interval=not versus, decimals="decimals"))
    columns += difference_columns(heading=_versus_heading(values), decimals="decimals") * versus
    rows = []
    for m, metric in enumerate(values.metrics):
        for number, name in enumerate(values.systems):
            interval = values.intervals[number][m]
            row = [values.metric_names[m], name, metric.decimals]
            row.append(interval.value if versus else ends(interval))
            rows.append(row + difference_cells(values.from_baseline(number, m)) * versus)
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


def decided_cells(found: DecidedDifference) -> list[object]:
    """Return the same cells with the mark and p that a decision is by, which may be corrected."""
    *intervals, _, _, detectable = difference_cells(found.difference)
    return [*intervals, found.mark, found.p, detectable]
