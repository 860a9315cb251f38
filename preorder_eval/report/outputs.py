"""The report on outputs of translation systems: runs of `score`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.output_run import OutputRun, OutputSystem
from preorder_eval.meta.evaluation import MetaEvaluation
from preorder_eval.metrics.shared.base import Metric
from preorder_eval.report.page import Page, Section, render
from preorder_eval.report.payload import Json, four
from preorder_eval.report.provenance import facts
from preorder_eval.results.scoring_inputs import output_metric
from preorder_eval.results.sides import OutputSide
from preorder_eval.stats.bootstrap import Bootstrap, Interval


@dataclass(frozen=True)
class _Told:
    """What `run.json` says of a system by a metric; no comparison for a run's first system."""

    score: Interval
    difference: float | None
    significance: str
    p: float | None


@dataclass(frozen=True, eq=False)
class _Row:
    """A system of a run, under a name of its own."""

    name: str
    own_name: str
    system: OutputSystem
    run: OutputRun

    def told(self, metric: str) -> _Told:
        """Raises FormatError where `run.json` has no such score."""
        try:
            [entry] = [e for e in self.run.summary["systems"] if e["system"] == self.own_name]
            cells = entry["scores"][metric]
            score = Interval(*(float(cells[end]) for end in ("value", "low", "high")))
            if "difference" not in cells:
                return _Told(score, None, "", None)
            return _Told(
                score, float(cells["difference"]), str(cells["significance"]), float(cells["p"])
            )
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(
                f"no score of {self.own_name} by {metric}",
                file=self.run.folder / "run.json",
                mend="the folder was changed; run score again",
            ) from error


def build_output_report(
    runs: Sequence[OutputRun], people: MetaEvaluation | None = None, pictures: Sequence[str] = ()
) -> str:
    """The page of runs over the same references; what it says of a run is what the run says.

    `people` is how well its metrics agree with people, and `pictures` are plots of that as SVG.
    Raises PreorderEvalError where references differ or no metric is shared.
    """
    first = runs[0]
    names = [name for name in first.metrics if all(name in run.metrics for run in runs)]
    if not names:
        raise PreorderEvalError("the runs share no metric")
    for run in runs:
        OutputSide(first, next(iter(first.systems))).check_same(
            OutputSide(run, next(iter(run.systems)))
        )
    metrics = [output_metric(name) for name in names]
    rows = _rows(runs)
    return render(
        Page(
            title=f"{len(rows)} systems" if len(rows) > 1 else rows[0].name,
            lead=f"{len(first)} sentences, by {len(metrics)} metrics",
            sections=[
                Section("summary", "Summary", "outputs.html.jinja"),
                *([Section("people", "Metrics and people", "people.html.jinja")] if people else []),
                Section("sentences", "Sentences", "sentences.html.jinja"),
            ],
            pictures=pictures,
            data=_data(first, rows, metrics),
            values={
                "tables": [_table(rows, metric) for metric in metrics],
                "runs": [facts(run.summary) for run in runs],
                "people": people,
                "levels": [] if people is None else _levels(people),
            },
        )
    )


def _rows(runs: Sequence[OutputRun]) -> list[_Row]:
    """All systems, those of the same name in several runs told apart by their folder."""
    names = [name for run in runs for name in run.systems]
    return [
        _Row(name if names.count(name) == 1 else f"{run.folder.name}:{name}", name, system, run)
        for run in runs
        for name, system in run.systems.items()
    ]


def _table(rows: Sequence[_Row], metric: Metric) -> dict[str, Any]:
    """A metric's rows, and the ends of their plot."""
    told = [row.told(str(metric)) for row in rows]
    low, high = metric.range
    if math.isinf(high):
        high = max([1.0, *(t.score.high for t in told)])
    names = [row.name for row in rows]
    return {"metric": metric, "low": low, "high": high, "rows": list(zip(names, told, strict=True))}


def _levels(people: MetaEvaluation) -> list[tuple[str, list[tuple[str, Bootstrap]]]]:
    """The statistics by their level, that which sorts the metrics first."""
    levels: dict[str, list[tuple[str, Bootstrap]]] = {people.by.partition(".")[0]: []}
    for name, values in people.statistics.items():
        level, _, coefficient = name.partition(".")
        levels.setdefault(level, []).append((coefficient, values))
    return list(levels.items())


def _data(first: OutputRun, rows: Sequence[_Row], metrics: Sequence[Metric]) -> Json:
    columns = [str(metric) for metric in metrics]
    return {
        "kind": "outputs",
        "metrics": [{"name": str(metric), "higher": metric.higher_is_better} for metric in metrics],
        "references": first.references,
        "ids": [""] * len(first),
        "systems": [
            {
                "name": row.name,
                "values": [four(row.told(name).score.value) for name in columns],
                "outputs": row.system.outputs,
                "scores": [
                    [four(x) for x in row.system.scores[:, row.run.metrics.index(name)].tolist()]
                    for name in columns
                ],
            }
            for row in rows
        ],
    }
