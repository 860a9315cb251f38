"""Two systems by one metric: values, difference, and the sentences on which they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.stats.measurement import TIE
from preorder_eval.base.tables import figure, signed
from preorder_eval.evaluation.decision import DecidedDifference, by_holm
from preorder_eval.evaluation.values import Values
from preorder_eval.metrics.base import Metric


@dataclass(frozen=True, eq=False)
class MetricComparison(DecidedDifference):
    """Two systems by one metric: the finding on their difference, their values, and sentences.

    `name` is the metric's name for people. `first` and `second` are the scores of sentences,
    float64[S], NaN for those left out.
    """

    by: Metric
    name: str
    values: tuple[float, float]
    first: Floats = field(default_factory=lambda: np.empty(0))
    second: Floats = field(default_factory=lambda: np.empty(0))

    @cached_property
    def gain(self) -> Floats:
        """By how much the second system is better on each sentence; 0 if it was left out."""
        gain = np.nan_to_num(self.second - self.first) * (1 if self.by.higher_is_better else -1)
        gain[np.abs(gain) <= TIE] = 0
        return gain

    @property
    def better(self) -> int:
        """The number of sentences on which the second system is better."""
        return int(np.count_nonzero(self.gain > 0))

    @property
    def worse(self) -> int:
        """The number of sentences on which it is worse."""
        return int(np.count_nonzero(self.gain < 0))

    @property
    def same(self) -> int:
        """The number of sentences on which both score the same."""
        return int(np.count_nonzero(~np.isnan(self.first))) - self.better - self.worse

    @property
    def metric(self) -> str:
        """The signature of the metric."""
        return str(self.by)

    @property
    def change(self) -> str:
        """The difference and both values: `FRS +0.077 (0.523 → 0.600)`."""
        decimals = self.by.decimals
        first, second = (figure(value, f".{decimals}f") for value in self.values)
        change = signed(self.difference.value, f"+.{decimals}f")
        return f"{self.name} {change} ({first} → {second})"

    def facts(self) -> dict[str, Any]:
        """Return the finding with the metric, for JSON."""
        return {"metric": self.metric, **DecidedDifference.facts(self)}


def by_metrics(
    values: Values, pairs: Mapping[int, tuple[int, int]], comparisons: int = 1, others: int = 0
) -> list[MetricComparison]:
    """Return the pair of systems by each of several metrics, corrected for their number (Holm).

    Parameters: `pairs` the numbers of two systems by that of the metric; `comparisons` how many
    pairs each is chosen from; `others` how many metrics more there are.
    """
    found = [compared(values, *two, m, comparisons=comparisons) for m, two in pairs.items()]
    return by_holm(found, others)


def compared(
    values: Values, first: int, second: int, metric: int = 0, *, comparisons: int = 1
) -> MetricComparison:
    """Return two systems that were compared, by their numbers and that of a metric.

    Parameters: `comparisons` the number of comparisons that p is corrected for; Koehn's test makes
    no correction.
    """
    one, other = (values.intervals[number][metric].value for number in (first, second))
    difference = values.difference(first, second, metric)
    if difference is None:
        raise ValueError(f"{values.systems[first]} and {values.systems[second]} were not compared")
    before, after = (values.of_sentences(number, metric) for number in (first, second))
    return MetricComparison(
        difference,
        values.metrics[metric],
        values.metric_names[metric],
        (one, other),
        before,
        after,
        comparisons=1 if difference.test == "koehn" else comparisons,
        units=values.units(metric),
    )
