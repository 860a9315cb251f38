"""The bootstrap over sentences (Koehn 2004), for every system and metric at once.

A resample draws as many sentences as there are, with replacement. All that a metric needs of it
is the sum of its statistics, which is a product of matrices: how often each sentence was drawn,
times the statistics of all systems and metrics side by side.

Two systems are compared on the same resamples (the paired bootstrap). As in section 4 of Koehn's
paper, one is better at the 95 % level if it wins in at least 95 % of the resamples. That is a
one-sided decision: it falls about where the two-sided 90 % interval of the difference leaves
zero, and is a milder demand than a 95 % interval without zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.stats.measurement import TIE, Finish, Measurement, apart, side_by_side, summable

_DRAWS = 1 << 17  # sentences drawn at a time: their counts stay in the processor's cache


@dataclass(frozen=True)
class Interval:
    """A value with the ends of its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """By how much a second system exceeds a first one, by the paired bootstrap.

    `at_95` and `at_90` are the intervals of the difference; `won` and `lost` the shares of the
    resamples in which the second system's value is the higher and the lower one.
    """

    at_95: Interval
    at_90: Interval
    won: float
    lost: float

    @property
    def value(self) -> float:
        """The difference itself, second minus first."""
        return self.at_95.value

    @property
    def mark(self) -> str:
        """`+**` or `+*` for better at the 95 or 90 % level, `-**` or `-*` for worse, else `0`.

        The notation of Tables 3 to 5 of Talbot et al. (2011).

        >>> interval = Interval(0.01, -0.002, 0.02)
        >>> Difference(interval, interval, won=0.93, lost=0.07).mark
        '+*'
        """
        for level, stars in ((0.95, "**"), (0.90, "*")):
            if self.won >= level:
                return "+" + stars
            if self.lost >= level:
                return "-" + stars
        return "0"

    def judged(self, higher_is_better: bool) -> str:
        """The mark with + for better and - for worse, also where lower values are better.

        >>> interval = Interval(0.01, 0.002, 0.02)
        >>> Difference(interval, interval, won=1.0, lost=0.0).judged(higher_is_better=False)
        '-**'
        """
        swapped = replace(self, won=self.lost, lost=self.won)
        return self.mark if higher_is_better else swapped.mark


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Values of R systems by one metric: `values` float64[R], `resampled` float64[N, R].

    A resample without a value (NaN: nothing drawn that could be scored) is left out of intervals
    and neither won nor lost.
    """

    values: Floats
    resampled: Floats

    def interval(self, system: int, level: float = 0.95) -> Interval:
        """The percentile interval of a system's value."""
        return _interval(float(self.values[system]), self.resampled[:, system], level)

    def difference(self, first: int, second: int) -> Difference:
        """The paired bootstrap of the difference between two systems."""
        value = float(self.values[second] - self.values[first])
        resampled = self.resampled[:, second] - self.resampled[:, first]
        return Difference(
            _interval(value, resampled, 0.95),
            _interval(value, resampled, 0.90),
            won=float(np.mean(resampled > TIE)),
            lost=float(np.mean(resampled < -TIE)),
        )


def bootstrap(
    measurements: Sequence[Measurement], *, resamples: int = 1000, seed: int = 0
) -> list[Bootstrap]:
    """Resample all systems and metrics with the same draws; a result for each measurement.

    >>> statistics = np.array([[[0.0, 1], [1, 1], [0, 1]] * 20, [[1, 1], [1, 1], [0, 1]] * 20])
    >>> [result] = bootstrap([Measurement(statistics, lambda s: s[..., 0] / s[..., 1])])
    >>> result.difference(0, 1).mark
    '+**'
    """
    sums = resample_sums(side_by_side(measurements), resamples, seed)
    return [
        Bootstrap(m.values, m.finish(part))
        for m, part in zip(measurements, apart(sums, measurements), strict=True)
    ]


def resample_sums(statistics: Floats, resamples: int, seed: int) -> Floats:
    """Sums of statistics over bootstrap resamples, float64[resamples, k].

    `statistics` is float64[S, k]. The draws depend on S, `resamples` and `seed` alone, so that
    systems resampled together or one after the other see the same sentences.

    >>> resample_sums(np.ones((5, 2)), resamples=3, seed=0).tolist()
    [[5.0, 5.0], [5.0, 5.0], [5.0, 5.0]]
    """
    size = len(statistics)
    statistics = summable(statistics)
    rng = np.random.default_rng(seed)
    at_once = max(1, _DRAWS // max(1, size))
    sums = np.zeros((resamples, statistics.shape[1]))
    for first in range(0, resamples if size else 0, at_once):
        rows = min(at_once, resamples - first)
        drawn = rng.integers(0, size, size=(rows, size))
        drawn += np.arange(rows)[:, None] * size
        counts = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
        sums[first : first + rows] = counts.astype(np.float64) @ statistics
    return sums


def confidence_interval(
    statistics: Floats,
    finish: Finish,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Interval:
    """The corpus value and percentile interval of one system, from statistics float64[S, k].

    >>> statistics = np.array([[0.0, 1], [1, 1]] * 50)
    >>> interval = confidence_interval(statistics, lambda s: s[..., 0] / s[..., 1])
    >>> interval.value, round(interval.low, 1), round(interval.high, 1)
    (0.5, 0.4, 0.6)
    """
    [result] = bootstrap([Measurement(statistics[None], finish)], resamples=resamples, seed=seed)
    return result.interval(0, level)


def _interval(value: float, resampled: Floats, level: float) -> Interval:
    known = resampled[~np.isnan(resampled)]
    if not known.size:
        return Interval(value, np.nan, np.nan)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(value, float(low), float(high))
