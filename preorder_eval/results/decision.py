"""Two systems by one metric, and the decision: better, worse, weak evidence, or no evidence.

All parts of the program that state which of two systems is better call `decided`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.metrics.base import Metric
from preorder_eval.results.values import NO_SENTENCES, Values
from preorder_eval.stats.measurement import TIE
from preorder_eval.stats.significance import Difference
from preorder_eval.tables import figure, p_value, signed

LEVEL, WEAK_LEVEL = 0.05, 0.10


class Decision(StrEnum):
    """What a test shows about the second of two systems, compared with the first."""

    BETTER = "better"
    WORSE = "worse"
    WEAKLY_BETTER = "weakly better"
    WEAKLY_WORSE = "weakly worse"
    NO_EVIDENCE = "no evidence"
    CANNOT_BE_SHOWN = "cannot be shown"
    SAME = "same"

    @property
    def direction(self) -> int:
        """1 if the second system is shown to be better, -1 if worse, otherwise 0."""
        return {Decision.BETTER: 1, Decision.WORSE: -1}.get(self, 0)

    @property
    def weak(self) -> bool:
        """Whether the evidence is weak: p is above .05, but not above .10."""
        return self in (Decision.WEAKLY_BETTER, Decision.WEAKLY_WORSE)

    @property
    def kind(self) -> str:
        """`better` or `worse`, also on weak evidence; otherwise empty."""
        last = self.value.rpartition(" ")[2]
        return last if last in ("better", "worse") else ""


def decided(difference: Difference, comparisons: int = 1) -> Decision:
    """Decide on a difference that is one of several comparisons (Bonferroni's correction).

    Too little data can make it impossible to show anything. If only k sentences or documents tell
    the two systems apart, p cannot be below 2/2^k, so that at least `least_differing` of them must
    differ. With N random trials p cannot be below 1/(N + 1). The decision is then `cannot be
    shown`.

    Koehn's test has no p. It is decided by its marks, without correction.

    >>> from preorder_eval.stats.bootstrap import Interval
    >>> wide = Interval(0.1, -0.1, 0.3)
    >>> decided(Difference(0.1, wide, wide, 0.125, "randomization", least_p=0.125)).value
    'cannot be shown'
    """
    if difference.differing == 0:
        return Decision.SAME
    better = (difference.value > 0) == difference.higher_is_better
    if difference.test == "koehn":
        stars = difference.mark.count("*")
    else:
        p = difference.p * comparisons
        stars = 2 if p <= LEVEL else 1 if p <= WEAK_LEVEL else 0
    if difference.mark != "0":  # by which side of zero the interval lies on
        better = difference.mark[0] == "+"
    if stars == 2:
        return Decision.BETTER if better else Decision.WORSE
    if stars == 1:
        return Decision.WEAKLY_BETTER if better else Decision.WEAKLY_WORSE
    shown = can_be_shown(difference, comparisons)
    return Decision.NO_EVIDENCE if shown else Decision.CANNOT_BE_SHOWN


def can_be_shown(difference: Difference, comparisons: int = 1) -> bool:
    """Return whether so many differing sentences, and random trials, could show a difference."""
    return not math.isnan(difference.at_95.low) and difference.least_p * comparisons <= LEVEL


def certainty(difference: Difference, comparisons: int = 1) -> str:
    """Return p, corrected for the number of comparisons, such as `p = 0.031`.

    Koehn's test has no p: for it, return the share of resamples in which the better system wins.
    """
    if difference.test == "koehn":
        share = max(difference.won, difference.lost)
        return f"{'higher' if difference.won == share else 'lower'} in {share:.1%} of resamples"
    if math.isnan(difference.p):
        return "p unknown"
    p = p_value(min(1.0, difference.p * comparisons))
    return f"p {p}" if p.startswith("<") else f"p = {p}"


def least_differing(comparisons: int = 1) -> int:
    """Return how many sentences must differ so that p can be .05.

    It is the smallest k for which 2/2^k, times the number of comparisons, is at most .05.

    >>> least_differing(), least_differing(3)
    (6, 7)
    """
    return math.ceil(1 + math.log2(comparisons / LEVEL))


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """Two systems by one metric: their values, the difference, and the scores of sentences.

    `name` is the metric's name for people. `first` and `second` are the scores of sentences,
    float64[S], NaN for those left out, and empty if the sentences are not here. `units` are the
    number and the name of what the test swaps, such as (250, "sentence").
    """

    by: Metric
    name: str
    values: tuple[float, float]
    difference: Difference
    first: Floats = field(default_factory=lambda: NO_SENTENCES)
    second: Floats = field(default_factory=lambda: NO_SENTENCES)
    units: tuple[int, str] = (0, "sentence")

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

    def decision(self, comparisons: int = 1) -> Decision:
        """Decide which of the two is better, as one of that many comparisons."""
        return decided(self.difference, comparisons)


def compared(values: Values, first: int, second: int, metric: int = 0) -> MetricComparison:
    """Return two systems that were compared, by their numbers and that of a metric."""
    one, other = (values.intervals[number][metric].value for number in (first, second))
    difference = values.difference(first, second, metric)
    if difference is None:
        raise ValueError(f"{values.systems[first]} and {values.systems[second]} were not compared")
    before, after = (values.of_sentences(number, metric) for number in (first, second))
    by, name = values.metrics[metric], values.metric_names[metric]
    return MetricComparison(by, name, (one, other), difference, before, after, values.units(metric))
