"""The bootstrap over sentences (Koehn 2004), for every system and metric at once.

A resample draws as many sentences as there are, with replacement, or groups of them
(`base.stats.measurement`). To score a resample, a metric needs only the sum of its statistics.

It gives intervals of single systems. Plain percentiles of the resampled values are too narrow for
few sentences. They lie on the wrong side where scores are skewed, as near their ceiling. So the
levels are those of the accelerated interval (BCa, Efron 1987). Its bias comes from the share of
resamples below the value, its acceleration from the jackknife. The normal quantile z is replaced by
t·(standard error by the jackknife / by the bootstrap). For a mean that is the widening of
Hesterberg (2015, "What teachers should know about the bootstrap").
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import require_between
from preorder_eval.base.stats import FEWEST_UNITS, MOST_RESAMPLES, MOST_SEED
from preorder_eval.base.stats.measurement import (
    TIE,
    Finish,
    Measurement,
    apart,
    grouped,
    products,
    side_by_side,
)

_DRAWS = 1 << 20  # sentences drawn at a time: 8 MiB
_KEPT = 1 << 22  # sentences drawn, of which the counts are kept for the next statistic: 32 MiB
_NORMAL = NormalDist()


@dataclass(frozen=True)
class Interval:
    """A value with the ends of its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Jackknife:
    """How much single sentences matter, from the values without each of `size` sentences in turn.

    `error` is the standard error. `acceleration` is a sixth of the skewness of the sentences'
    influences.
    """

    size: int
    error: float
    acceleration: float

    @classmethod
    def of(cls, without: Floats) -> Jackknife:
        """Make it from the values without each sentence, float64[S]; NaN if there is no value.

        >>> found = Jackknife.of(np.array([1, 0.5, 0.5]))
        >>> round(found.error, 3), round(found.acceleration, 3)  # 1 / 3 is the deviation / √3
        (0.333, -0.068)
        """
        size = len(without)
        without = without[~np.isnan(without)]
        influence = (without.mean() - without) * size if without.size else np.zeros(1)
        influence[np.abs(influence) < TIE] = 0
        squares = float(np.mean(influence**2))
        skewness = float(np.mean(influence**3)) / squares**1.5 if squares else 0.0
        # (n - 1)/n of the sum of squared differences: n times these are what is averaged here.
        error = math.sqrt(squares * (size - 1)) / size
        return cls(size, error, skewness / (6 * math.sqrt(len(influence))))


def without_each(statistics: Floats, finish: Finish) -> Floats:
    """Return a system's value without each sentence in turn; float64[S] from float64[S, k]."""
    with np.errstate(divide="ignore", invalid="ignore"):  # where one alone has all there is
        return finish(statistics.sum(axis=0) - statistics)


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Values of R systems by one metric: `values` float64[R], `resampled` float64[N, R].

    Without `jackknives` intervals are plain percentiles. A resample without a value is left out;
    that is NaN, if nothing was drawn that can be scored.

    `bounds`, the least and the largest possible value, are given for values that noise pulls to one
    side, such as correlations, which it lowers. A resample is noisier than the text, and lies about
    as far from the value as the value from the truth. So intervals then reach as far to the other
    side, too.
    """

    values: Floats
    resampled: Floats
    jackknives: Sequence[Jackknife] = ()
    bounds: tuple[float, float] | None = None
    drawn: int = FEWEST_UNITS
    _found: dict[tuple[int, float], Interval] = field(default_factory=dict, init=False, repr=False)

    def interval(self, system: int, level: float = 0.95) -> Interval:
        """Return a system's value with its interval, which every form of a result asks for."""
        if (system, level) not in self._found:
            self._found[system, level] = self._interval(system, level)
        return self._found[system, level]

    def _interval(self, system: int, level: float) -> Interval:
        value, resampled = float(self.values[system]), self.resampled[:, system]
        if self.drawn < FEWEST_UNITS:
            return Interval(value, math.nan, math.nan)
        if self.bounds:
            return symmetric_interval(value, resampled, level, self.bounds)
        if not self.jackknives:
            return percentile_interval(value, resampled, level)
        return accelerated_interval(value, resampled, level, self.jackknives[system])

    def of(self, systems: Sequence[int]) -> Bootstrap:
        """Return the same for some of the systems, by number."""
        jackknives = [self.jackknives[system] for system in systems] if self.jackknives else ()
        values, resampled = self.values[systems], self.resampled[:, systems]
        return Bootstrap(values, resampled, jackknives, self.bounds, self.drawn)


def bootstrap(
    measurements: Sequence[Measurement], *, resamples: int = 1000, seed: int = 0
) -> list[Bootstrap]:
    """Resample all systems and metrics with the same draws; a result for each measurement.

    The draws depend on the number of sentences, `resamples` and `seed` alone. So systems resampled
    together or one after the other get the same draws. Raises PreorderEvalError for more than
    100,000 resamples, or none, and for a seed out of range.

    >>> statistics = np.array([[[0.0, 1], [1, 1]] * 50, [[1, 1], [1, 1]] * 50])
    >>> [result] = bootstrap([Measurement(statistics, lambda s: s[..., 0] / s[..., 1])])
    >>> round(result.interval(0).low, 1), result.interval(1)
    (0.4, Interval(value=1.0, low=1.0, high=1.0))
    """
    require_between("resamples", resamples, 1, MOST_RESAMPLES)
    require_between("seed", seed, 0, MOST_SEED)
    measurements = list(map(grouped, measurements))
    together = side_by_side(measurements)
    draws = _kept_draws if resamples * len(together) <= _KEPT else _draws
    sums = products(draws(len(together), resamples, seed), together)
    return [
        Bootstrap(
            m.values,
            m.finish(part),
            [Jackknife.of(without_each(statistics, m.finish)) for statistics in m.statistics],
        )
        for m, part in zip(measurements, apart(sums, measurements), strict=True)
    ]


def _draws(size: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield the count of each of `size` sentences in each resample, some resamples at a time."""
    rng = np.random.default_rng(seed)
    at_once = max(1, _DRAWS // size)
    for first in range(0, resamples, at_once):
        many = min(at_once, resamples - first)
        chosen = rng.integers(0, size, size=many * size)
        chosen += np.repeat(np.arange(many) * size, size)
        counts = np.bincount(chosen, minlength=many * size).reshape(many, size)
        yield counts.astype(np.float64)


@functools.lru_cache(maxsize=1)  # statistics of the same text see the same draws
def _kept_draws(size: int, resamples: int, seed: int) -> tuple[Floats, ...]:
    return tuple(_draws(size, resamples, seed))


def averaged(results: Sequence[Bootstrap], weights: Sequence[float] | None = None) -> Bootstrap:
    """Return the mean over several texts, which were each resampled, of the same R values.

    Texts of the same length were resampled by the same draws. So those of all texts but the first
    are shuffled.

    >>> one, other = (Bootstrap(np.full(1, x), np.full((5, 1), x)) for x in (1.0, 2.0))
    >>> averaged([one, other]).interval(0)
    Interval(value=1.5, low=1.5, high=1.5)
    """
    rng = np.random.default_rng(0)
    first, *others = (result.resampled for result in results)
    moved = [first, *(resampled[rng.permutation(len(resampled))] for resampled in others)]
    values, resampled = (
        np.average(parts, axis=0, weights=weights)
        for parts in ([result.values for result in results], moved)
    )
    drawn = min(result.drawn for result in results)
    return Bootstrap(values, resampled, bounds=results[0].bounds, drawn=drawn)


def percentile_interval(value: float, resampled: Floats, level: float) -> Interval:
    """Return the interval that holds the share `level` of the resampled values, float64[N].

    Its ends are NaN if no resample has a value.

    >>> percentile_interval(2.0, np.array([1.0, 2, 3]), 0.5)
    Interval(value=2.0, low=1.5, high=2.5)
    """
    known = resampled[~np.isnan(resampled)]
    if not known.size:
        return Interval(value, math.nan, math.nan)
    return Interval(value, *np.quantile(known, [(1 - level) / 2, (1 + level) / 2]).tolist())


def symmetric_interval(
    value: float, resampled: Floats, level: float, bounds: tuple[float, float]
) -> Interval:
    """Return the interval that reaches as far to both sides of a value as percentiles to one side.

    It holds the percentile interval and its mirror image, the basic interval (Davison & Hinkley
    1997, 5.2). In simulations of correlations over 5 to 14 systems it held the truth in 85 to 98%
    of the cases, and percentiles in 0 to 82%.

    >>> symmetric_interval(3.0, np.array([1.0, 2, 3]), 0.5, (0, 4))
    Interval(value=3.0, low=1.5, high=4.0)
    """
    plain = percentile_interval(value, resampled, level)
    reach = max(value - plain.low, plain.high - value)
    low, high = np.clip([value - reach, value + reach], *bounds)
    return Interval(value, float(low), float(high))


def accelerated_interval(
    value: float, resampled: Floats, level: float, left_out: Jackknife
) -> Interval:
    """Return the accelerated interval (BCa) of a value, widened by Student's t.

    `resampled` float64[N] are its values in resamples. The ends are NaN if no resample has a value,
    and if there are fewer than six sentences: all resamples lie between the least and the greatest
    of these, which hold the truth in less than 95% of cases.

    >>> resampled = np.random.default_rng(0).normal(size=100_000)
    >>> interval = accelerated_interval(0.0, resampled, 0.95, Jackknife(6, 1.1, 0.0))
    >>> round(interval.high, 1)  # 2.571 · 1.1
    2.8
    """
    if left_out.size < FEWEST_UNITS:
        return Interval(value, math.nan, math.nan)
    known = resampled[~np.isnan(resampled)]
    error = float(np.std(known)) if known.size else 0.0
    if error < TIE:
        return percentile_interval(value, known, level)
    ties = np.abs(known - value) <= TIE
    below = np.count_nonzero((known < value) & ~ties) + np.count_nonzero(ties) / 2
    # Half a resample lies beyond either end, so that no value is infinitely biased.
    bias = _NORMAL.inv_cdf((below + 0.5) / (len(known) + 1))
    wide = left_out.error / error * student_quantile(level, left_out.size - 1)
    # Beyond the pole of the acceleration is the last resample.
    levels = [
        _NORMAL.cdf(bias + moved / max(1 - left_out.acceleration * moved, TIE))
        for moved in (bias - wide, bias + wide)
    ]
    return Interval(value, *np.quantile(known, levels).tolist())


@functools.cache
def student_quantile(level: float, freedom: int) -> float:
    """Return the bound below which |t| lies with probability `level`.

    Parameters: `freedom` is the number of degrees of freedom of Student's t.

    It is found by Newton's method, from the normal quantile on. The distribution is a sum of
    cosines (Abramowitz & Stegun, 26.7.3 and 26.7.4).

    >>> round(student_quantile(0.95, 4), 6), round(student_quantile(0.95, 1), 4)
    (2.776445, 12.7062)
    """
    t = _NORMAL.inv_cdf((1 + level) / 2)
    half = freedom / 2
    scale = math.exp(math.lgamma(half + 0.5) - math.lgamma(half)) / math.sqrt(freedom * math.pi)
    for _ in range(100):
        density = 2 * scale * (1 + t * t / freedom) ** -(half + 0.5)
        step = (level - student_within(t, freedom)) / density
        t += step
        if abs(step) < 1e-13 * t:
            break
    return t


def student_within(t: float, freedom: int) -> float:
    """Return the probability that |t| with `freedom` degrees of freedom is at most `t`."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine, term = math.cos(angle), 1.0
    total = 0.0
    for n in range(freedom % 2 + 1, freedom, 2):
        total += term
        term *= cosine * cosine * n / (n + 1)
    if freedom % 2 == 0:
        return math.sin(angle) * total
    return 2 / math.pi * (angle + math.sin(angle) * cosine * total)


def clustered_wilson(
    hits: Floats, counts: Floats, cluster_rows: NDArray[np.int64], rows: int
) -> Floats:
    """Return 95% intervals of shares, each from the counts of several clusters; float64[rows, 2].

    Wilson's score interval (1927) stays between 0 and 1, and is sensible for 3 out of 3, where
    resampling always finds 3 out of 3. Words of one sentence are not independent, as it assumes; so
    it gets their effective number, which is n over the design effect of the sentences (Kish 1965),
    taken as at least 1. Franco, Little, Louis & Slud (2019) recommend it for samples in clusters.

    Parameters: `hits` and `counts` float64[K] are, for each cluster, the cases that are hits and
    all cases, at least one; `cluster_rows` int64[K] is the row that a cluster belongs to.

    >>> row, ones = np.zeros(4, dtype=np.int64), np.ones(4)
    >>> clustered_wilson(np.array([1.0, 0, 1, 0]), ones, row, 1).round(2).tolist()
    [[0.15, 0.85]]
    """
    clusters = np.bincount(cluster_rows, minlength=rows)
    total = np.bincount(cluster_rows, weights=counts, minlength=rows)
    share = np.bincount(cluster_rows, weights=hits, minlength=rows) / total
    residuals = hits - share[cluster_rows] * counts
    squares = np.bincount(cluster_rows, weights=residuals**2, minlength=rows)
    simple = share * (1 - share) * total  # the same sum for independent words
    # Where all cases agree, or there is one cluster only, nothing is known of the words of a
    # sentence but that they are alike: a sentence counts as one word.
    unknown = (simple <= 0) | (clusters < 2)
    effect = np.divide(squares, simple, out=np.ones(rows), where=~unknown)
    effective = np.where(unknown, clusters, total / np.maximum(effect, 1))
    z = 1.959963984540054
    margin = z**2 / effective
    centre = (share + margin / 2) / (1 + margin)
    half = np.sqrt(margin * share * (1 - share) + margin**2 / 4) / (1 + margin)
    return np.clip(np.column_stack([centre - half, centre + half]), 0, 1)
