"""The bootstrap over sentences (Koehn 2004), for every system and metric at once.

A resample draws as many sentences as there are, with replacement. All that a metric needs of it
is the sum of its statistics, which is a product of matrices: how often each sentence was drawn,
times the statistics of all systems and metrics side by side.

A corpus of more than a block (65,536 sentences) is drawn block by block: how many sentences of
each block a resample has is drawn first, from the multinomial distribution, and which they are by
the block itself, with a counter-based generator (Philox; Salmon et al. 2011) that is keyed on the
seed and the block's number. So blocks can be drawn anywhere, and sums come out the same.

It gives intervals of single systems. Plain percentiles of the resampled values are too narrow
where sentences are few, and lie on the wrong side where scores are skewed, as those near their
ceiling are. So the levels are those of the accelerated interval (BCa, Efron 1987), its bias from
the share of resamples below the value, its acceleration from the jackknife. And in the place of the
normal quantile z stands t·(standard error by the jackknife / by the bootstrap), which for a mean is
the widening of Hesterberg (2015, "What teachers should know about the bootstrap"). Whether two
systems differ is asked in `stats.significance`.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Floats, Longs
from preorder_eval.errors import require_between
from preorder_eval.processes import Processes
from preorder_eval.stats import MOST_RESAMPLES, MOST_SEED
from preorder_eval.stats.leave_one_out import Jackknife, jackknife
from preorder_eval.stats.measurement import (
    BLOCK,
    TIE,
    Finish,
    Measurement,
    apart,
    sentence_count,
    side_by_side,
    summable,
    summable_blocks,
)

_DRAWS = 1 << 17  # sentences drawn at a time: their counts stay in the processor's cache
_ENOUGH = 1 << 28  # draws, of which fewer are done before others have started


@dataclass(frozen=True)
class Interval:
    """A value with the ends of its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Values of R systems by one metric: `values` float64[R], `resampled` float64[N, R].

    `jackknives` say what single sentences weigh, for each system; without them intervals are plain
    percentiles, as they are of more than a block, where the two do not differ. A resample without
    a value (NaN: nothing drawn that could be scored) is left out of intervals.

    `bounds` are the least and the most that a value can be which noise pulls to one side, as it
    lowers a correlation. A resample is noisier than the text, and lies about as far from the value
    as that lies from the truth; so intervals reach as far to the other side, too.
    """

    values: Floats
    resampled: Floats
    jackknives: Sequence[Jackknife] = ()
    bounds: tuple[float, float] | None = None

    def interval(self, system: int, level: float = 0.95) -> Interval:
        """The interval of a system's value."""
        value, resampled = float(self.values[system]), self.resampled[:, system]
        if self.bounds:
            return symmetric_interval(value, resampled, level, self.bounds)
        if not self.jackknives:
            return percentile_interval(value, resampled, level)
        return accelerated_interval(value, resampled, level, self.jackknives[system])

    def of(self, systems: Sequence[int]) -> Bootstrap:
        """The same of some systems alone, by number."""
        jackknives = [self.jackknives[system] for system in systems] if self.jackknives else ()
        return Bootstrap(self.values[systems], self.resampled[:, systems], jackknives, self.bounds)


def bootstrap(
    measurements: Sequence[Measurement], *, resamples: int = 1000, seed: int = 0, jobs: int = 1
) -> list[Bootstrap]:
    """Resample all systems and metrics with the same draws; a result for each measurement.

    `jobs` processes share the draws of many blocks.

    >>> statistics = np.array([[[0.0, 1], [1, 1]] * 50, [[1, 1], [1, 1]] * 50])
    >>> [result] = bootstrap([Measurement(statistics, lambda s: s[..., 0] / s[..., 1])])
    >>> result.interval(1)
    Interval(value=1.0, low=1.0, high=1.0)
    """
    sums = resample_sums(measurements, resamples, seed, jobs)
    return [
        Bootstrap(m.values, m.finish(part), jackknife(m) if m.statistics.shape[1] <= BLOCK else ())
        for m, part in zip(measurements, apart(sums, measurements), strict=True)
    ]


def resample_sums(
    measurements: Sequence[Measurement], resamples: int, seed: int, jobs: int = 1
) -> Floats:
    """Sums of all statistics side by side over bootstrap resamples, float64[resamples, columns].

    The draws depend on the number of sentences, `resamples` and `seed` alone, so that
    systems resampled together or one after the other see the same sentences. Raises
    PreorderEvalError for more than 100,000 resamples, or none, and for a seed out of range.

    >>> ones = Measurement(np.ones((1, 5, 2)), lambda s: s[..., 0])
    >>> resample_sums([ones], resamples=3, seed=0).tolist()
    [[5.0, 5.0], [5.0, 5.0], [5.0, 5.0]]
    """
    drawn = block_draws(sentence_count(measurements), resamples, seed)
    if len(drawn) == 1:
        return block_sums(summable(side_by_side(measurements)), drawn[0], seed, None)
    together = Processes(jobs if drawn.sum() >= _ENOUGH else 1, int, seed)
    rows = zip(summable_blocks(measurements), drawn, itertools.count())
    sums: Floats = functools.reduce(np.add, together.map(_of_block, rows))
    return sums


def _of_block(seed: int, piece: tuple[Floats, Longs, int]) -> Floats:
    rows, drawn, block = piece
    return block_sums(rows, drawn, seed, block)


def block_draws(size: int, resamples: int, seed: int) -> Longs:
    """How many of `size` sentences each resample draws from each block; int64[blocks, resamples].

    >>> block_draws(5, 3, seed=0).tolist()
    [[5, 5, 5]]
    >>> block_draws(3 * BLOCK, 2, seed=0).sum(axis=0).tolist()
    [196608, 196608]
    """
    require_between("resamples", resamples, 1, MOST_RESAMPLES)
    require_between("seed", seed, 0, MOST_SEED)
    sizes = np.diff(np.append(np.arange(0, size, BLOCK), size))
    if len(sizes) <= 1:
        return np.full((len(sizes), resamples), size)
    shares = sizes / size
    return np.random.default_rng(seed).multinomial(size, shares, size=resamples).T


def block_sums(statistics: Floats, drawn: Longs, seed: int, block: int | None) -> Floats:
    """What a block adds to every resample's sums; float64[N, k].

    Parameters: `statistics` float64[S, k] the rows of the block, which are `summable`; `drawn`
    int64[N] how many of them each resample draws; `block` its number, None for the only one.
    """
    size = len(statistics)
    if block is None:
        rng = np.random.default_rng(seed)
    else:
        rng = np.random.Generator(np.random.Philox(key=np.array([seed, block], dtype=np.uint64)))
    at_once = max(1, _DRAWS // size)
    sums = np.zeros((len(drawn), statistics.shape[1]))
    for first in range(0, len(drawn), at_once):
        many = drawn[first : first + at_once]
        chosen = rng.integers(0, size, size=int(many.sum()))
        chosen += np.repeat(np.arange(len(many)) * size, many)
        counts = np.bincount(chosen, minlength=len(many) * size).reshape(len(many), size)
        sums[first : first + at_once] = counts.astype(np.float64) @ statistics
    return sums


def confidence_interval(
    statistics: Floats,
    finish: Finish,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Interval:
    """The corpus value and interval of one system, from statistics float64[S, k].

    >>> statistics = np.array([[0.0, 1], [1, 1]] * 50)
    >>> interval = confidence_interval(statistics, lambda s: s[..., 0] / s[..., 1])
    >>> interval.value, round(interval.low, 1), round(interval.high, 1)
    (0.5, 0.4, 0.6)
    """
    [result] = bootstrap([Measurement(statistics[None], finish)], resamples=resamples, seed=seed)
    return result.interval(0, level)


def averaged(results: Sequence[Bootstrap], seed: int = 0) -> Bootstrap:
    """The mean over several texts, each resampled by itself, of the same R values.

    Texts of the same length were resampled by the same draws; as texts have nothing to do with each
    other, all but the first are put into another order.

    >>> one, other = (Bootstrap(np.full(1, x), np.full((5, 1), x)) for x in (1.0, 2.0))
    >>> averaged([one, other]).interval(0)
    Interval(value=1.5, low=1.5, high=1.5)
    """
    rng = np.random.default_rng(seed)
    first, *others = (result.resampled for result in results)
    moved = [first, *(resampled[rng.permutation(len(resampled))] for resampled in others)]
    values = np.mean([result.values for result in results], axis=0)
    return Bootstrap(values, np.mean(moved, axis=0), bounds=results[0].bounds)


def percentile_interval(value: float, resampled: Floats, level: float) -> Interval:
    """The interval of a value that has `level` of its resampled values, float64[N], inside.

    Its ends are NaN where no resample has a value.

    >>> percentile_interval(2.0, np.array([1.0, 2, 3]), 0.5)
    Interval(value=2.0, low=1.5, high=2.5)
    """
    known = resampled[~np.isnan(resampled)]
    if not known.size:
        return Interval(value, np.nan, np.nan)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(value, float(low), float(high))


def symmetric_interval(
    value: float, resampled: Floats, level: float, bounds: tuple[float, float]
) -> Interval:
    """The interval that reaches as far to either side of a value as percentiles do to one.

    It holds these and their mirror image, the basic interval (Davison & Hinkley 1997, 5.2).

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
    """The accelerated interval of a value with resampled values float64[N], as wide as t has it.

    Its ends are NaN where no resample has a value.

    >>> resampled = np.random.default_rng(0).normal(size=100_000)
    >>> interval = accelerated_interval(0.0, resampled, 0.95, Jackknife(5, 1.1, 0.0))
    >>> round(interval.high, 1)  # 2.776 · 1.1
    3.1
    """
    from scipy.special import ndtr, ndtri, stdtrit

    known = resampled[~np.isnan(resampled)]
    error = float(np.std(known)) if known.size else 0.0
    if error < TIE or left_out.size < 2:
        return percentile_interval(value, known, level)
    ties = np.abs(known - value) <= TIE
    below = np.count_nonzero((known < value) & ~ties) + np.count_nonzero(ties) / 2
    # Half a resample lies beyond either end, so that no value is infinitely biased.
    bias = ndtri((below + 0.5) / (len(known) + 1))
    wide = left_out.error / error * stdtrit(left_out.size - 1, (1 + level) / 2)
    moved = bias + np.array([-wide, wide])
    # Beyond the pole of the acceleration is the last resample.
    levels = ndtr(bias + moved / np.maximum(1 - left_out.acceleration * moved, TIE))
    low, high = np.quantile(known, levels)
    return Interval(value, float(low), float(high))
