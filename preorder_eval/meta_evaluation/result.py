"""How well metrics agree with people: values, groups of equal standing, and tables of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.data.judgments import Judgments
from preorder_eval.formats.text_table import format_table
from preorder_eval.meta_evaluation.people import QualityEstimation, agreement_summary
from preorder_eval.meta_evaluation.scores import MetricScores, short_labels
from preorder_eval.results.text import format_interval
from preorder_eval.stats.agreement import Agreement
from preorder_eval.stats.bootstrap import Bootstrap
from preorder_eval.stats.measurement import TIE
from preorder_eval.stats.subsets import TRIALS_PER_RESAMPLE


@dataclass(frozen=True, eq=False)
class MetaEvaluation:
    """How well M metrics agree with people, by many statistics.

    `statistics` has the values of each, float64[M], with those of resamples. The table is sorted
    by the one called `by`: `order` numbers the metrics from the best on, `groups` those of equal
    standing in that order, and `p` float64[M, M] are the p-values of the differences. `ratings` are
    how good people find each of R systems, with resampled values, `outliers` are the names of the
    systems that `core` leaves out, and `between` float64[M, M] is how metrics correlate with each
    other over the judged outputs (Pearson's r, each turned so that higher is better).
    `agreement` of judges is empty where nobody says who judged, and `estimation` unless it was
    asked for.
    """

    metrics: Sequence[MetricScores]
    judgments: Judgments
    statistics: dict[str, Bootstrap]
    by: str
    order: list[int]
    groups: list[int]
    p: Floats
    ratings: Bootstrap
    outliers: list[str]
    between: Floats
    agreement: dict[str, Agreement]
    estimation: list[QualityEstimation]
    notes: list[str]
    margin: float
    resamples: int
    seed: int

    def __repr__(self) -> str:
        return self.short_text()

    @property
    def people(self) -> Floats:
        """How good people find each system; float64[R]."""
        return self.ratings.values

    @property
    def judged(self) -> Bools:
        """Which outputs people said something about; bool[R, S]."""
        return judged_outputs(self.judgments)

    def undefined(self, metric: int) -> bool:
        """Whether a metric, by number, gives all judged outputs the same score."""
        return constant(self.metrics[metric], self.judged)

    def short_text(self) -> str:
        """The statistic that sorts the metrics, as a table."""
        names, _ = short_labels(self.metrics)
        sampled = self.statistics[self.by]
        rows = [
            [names[metric], str(group), format_interval(sampled.interval(metric))]
            for metric, group in zip(self.order, self.groups, strict=True)
        ]
        return format_table(["metric", "group", self.by], rows)

    def table(self) -> tuple[list[str], list[list[object]]]:
        """Header and a row for each metric, the best first, as plain values; None if undefined."""
        header = ["metric", "group"]
        for name in self.statistics:
            header += [name, f"{name} low", f"{name} high"]
        rows: list[list[object]] = []
        for metric, group in zip(self.order, self.groups, strict=True):
            row: list[object] = [self.metrics[metric].label, group]
            for sampled in self.statistics.values():
                interval = sampled.interval(metric)
                row += map(_known, (interval.value, interval.low, interval.high))
            rows.append(row)
        return header, rows

    def summary(self) -> dict[str, Any]:
        """What `--json` prints."""
        cells = ("value", "low", "high")
        _, rows = self.table()
        return {
            "segments": self.judgments.segments,
            "judgments": len(self.judgments),
            "by": self.by,
            "margin": self.margin,
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
            "randomization": {"trials": TRIALS_PER_RESAMPLE * self.resamples, "seed": self.seed},
            "systems": [
                {
                    "system": name,
                    "people": _known(self.people[s]),
                    "low": _known(self.ratings.interval(s).low),
                    "high": _known(self.ratings.interval(s).high),
                    "outlier": name in self.outliers,
                    "scores": {m.label: _known(m.systems[s]) for m in self.metrics},
                }
                for s, name in enumerate(self.judgments.systems)
            ],
            "metrics": [
                {
                    "metric": name,
                    "group": group,
                    "statistics": {
                        statistic_name: dict(zip(cells, values[3 * i : 3 * i + 3], strict=True))
                        for i, statistic_name in enumerate(self.statistics)
                    },
                    **(asdict(self.estimation[metric]) if self.estimation else {}),
                    "p": self._by_metric(self.p[metric]),
                    "pearson": self._by_metric(self.between[metric]),
                }
                for metric, (name, group, *values) in zip(self.order, rows, strict=True)
            ],
            "judges": agreement_summary(self.agreement),
            "notes": self.notes,
        }

    def _by_metric(self, values: Floats) -> dict[str, float | None]:
        return {self.metrics[metric].label: _known(values[metric]) for metric in self.order}


def judged_outputs(judgments: Judgments) -> Bools:
    """Which outputs people said something about; bool[R, S]."""
    judged: Bools = judgments.system_statistics()[..., 1] > 0
    return judged


def constant(metric: MetricScores, judged: Bools) -> bool:
    """Whether a metric gives all judged outputs the same score."""
    return bool(np.ptp(metric.segments[judged]) <= TIE)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
