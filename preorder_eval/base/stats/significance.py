"""Is a system better than another, or is it chance? One decision: mark, interval and p agree.

By default that is paired approximate randomization (Noreen 1989; Riezler & Maxwell 2005). If two
systems are equally good, it makes no difference which of them each sentence's result came from. So
the results of two systems are swapped on random subsets of the sentences, each sentence drawn with
probability 1/2. The corpus values are computed anew from the sums. Each subset counts with its
complement: to swap the other sentences exchanges the two systems, so both tails hold the same
draws. With N subsets, the difference d as measured and the differences s after the swaps, p = (1 +
#{|s| ≥ |d|})/(N + 1). The 1 stands for the empty subset, which swaps nothing. If all subsets are no
more than the trials asked for, all are tried: then p is exact.

The interval comes from the same 2N + 2 subsets, by their differences as *typical values* (Hartigan
1969, "Using subsample values as typical values"). Sorted, those of all but the empty one cut the
line into 2N + 2 parts. If sentences are drawn from a symmetric distribution, the true difference
lies in each part equally often. So with k = ⌊(N + 1)·α⌋ the k-th smallest and the k-th largest are
the ends of a 1 - α interval. For a mean over sentences a subset's difference is at most 0 exactly
where swapping it gives a difference of at least d. So p is at most α exactly where the interval
excludes 0; the mark shows that. For other metrics, such as BLEU, the two can disagree on single
subsets. There the swap decides: a subset's typical value is the amount by which its swap lowers the
difference. Fewer than six sentences have no 95% interval.

This ignores that other sentences might have differed. Where few do, the interval reaches at least
as far as that of the jackknife (`few_different`), but no end crosses zero for that.

Koehn's test (2004; used in the tables of Talbot et al. 2011) is the other one. A system is better
at the 95% level if it wins in 95% of the resamples of the paired bootstrap. That is one-sided, a
milder demand than the percentile interval beside it, and has no p.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import NormalDist

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import require_between
from preorder_eval.base.stats import FEWEST_UNITS, MOST_RESAMPLES, MOST_SEED, Test
from preorder_eval.base.stats.bootstrap import (
    Interval,
    Jackknife,
    bootstrap,
    percentile_interval,
    student_quantile,
    without_each,
)
from preorder_eval.base.stats.measurement import (
    TIE,
    Finish,
    Measurement,
    apart,
    grouped,
    products,
    side_by_side,
)

TRIALS_PER_RESAMPLE = 10  # of the bootstrap: many pairs need small p-values, and trials are quick
_TOSSES = 1 << 17  # coins tossed at a time: they stay in the processor's cache
_MULTIPLIED = 1 << 21  # those of one product, 16 MiB: in small ones, threads wait for each other
_KEPT = 1 << 22  # sums over subsets that are kept for the next comparison: 32 MiB
_FEW = 25  # differing sentences, of any number, below which means are far from normal
POWER = 0.8  # of what is called detectable, as is usual (Cohen 1988)


@dataclass(frozen=True)
class Difference:
    """The difference of a second system's value from a first one's, and its uncertainty.

    `at_95` and `at_90` are intervals of `value`; their ends are NaN if fewer than six sentences
    differ.
    `p` is two-sided. Koehn's test has no p, but the shares of resamples in which the second value
    is higher (`won`) or lower (`lost`). `differing` is the number of sentences, or documents, on
    which the two differ, and `least_p` the smallest p that their number and the trials allow.
    `detectable` is the smallest true difference that is found at the 5% level in 80% of samples of
    as many sentences; it is NaN if fewer than 25 differ. By a metric that cannot read the texts the
    difference is not `readable`: it has a value, and nothing else.
    """

    value: float
    at_95: Interval
    at_90: Interval
    p: float
    test: Test
    higher_is_better: bool = True
    won: float = math.nan
    lost: float = math.nan
    detectable: float = math.nan
    differing: int | None = None
    least_p: float = 0.0
    readable: bool = True

    def unreadable(self) -> Difference:
        """Return the difference in a metric that cannot read the texts: the value alone."""
        none = Interval(self.value, math.nan, math.nan)
        return replace(
            self, at_95=none, at_90=none, p=math.nan, detectable=math.nan, readable=False
        )

    @property
    def too_few(self) -> bool:
        """Whether so few sentences differ that no test shows anything: fewer than six."""
        return self.differing is not None and self.differing < FEWEST_UNITS

    def reversed(self) -> Difference:
        """Return the first system minus the second."""
        at_95, at_90 = (
            Interval(-end.value, -end.high, -end.low) for end in (self.at_95, self.at_90)
        )
        won, lost = self.lost, self.won
        return replace(self, value=-self.value, at_95=at_95, at_90=at_90, won=won, lost=lost)

    @property
    def mark(self) -> str:
        """`+**` or `+*` for better at the 95 or 90% level, `-**` or `-*` for worse, otherwise `0`.

        It is `0` if fewer than six sentences differ. If lower values are better, `+` stands for
        lower ones. The notation is that of Tables 3 to 5 of Talbot et al. (2011).

        >>> import preorder_eval as pe
        >>> at_95, at_90 = pe.Interval(0.01, -0.002, 0.02), pe.Interval(0.01, 0.001, 0.019)
        >>> pe.Difference(0.01, at_95, at_90, p=0.06, test="randomization").mark
        '+*'
        """
        if self.too_few or not self.readable:
            return "0"
        for level, interval, stars in ((0.95, self.at_95, "**"), (0.90, self.at_90, "*")):
            if self.test == "koehn":
                higher, lower = self.won >= level, self.lost >= level
            else:
                higher, lower = interval.low > 0, interval.high < 0
            if higher or lower:
                return ("+" if higher == self.higher_is_better else "-") + stars
        return "0"


@dataclass(frozen=True)
class ComparedPair:
    """Two systems, by number, and their difference; `p_holm` is p corrected for all pairs."""

    first: int
    second: int
    difference: Difference
    p_holm: float

    def unreadable(self) -> ComparedPair:
        """Return the pair by a metric that cannot read the texts: the difference shows nothing."""
        return replace(self, difference=self.difference.unreadable(), p_holm=math.nan)


def compare_systems(
    measurements: Sequence[Measurement],
    *,
    higher_is_better: Sequence[bool],
    pairs: Sequence[tuple[int, int]] | None = None,
    test: Test = "randomization",
    resamples: int = 1000,
    seed: int = 0,
) -> list[list[ComparedPair]]:
    """Compare systems in pairs, by default all: 0-1, 0-2, …, 1-2, …; a list for each measurement.

    Parameters: `higher_is_better` has a truth value for each measurement. For each of the
    `resamples` ten random subsets are drawn; if there are no more subsets than that, each is taken
    once. All measurements and systems get the same draws, which depend only on the number of
    sentences, `resamples` and `seed`.

    Raises PreorderEvalError if there is no sentence.

    >>> statistics = np.array([[[0.0, 1]] * 6, [[1, 1]] * 6])
    >>> shares = Measurement(statistics, lambda s: s[..., 0] / s[..., 1])
    >>> [[pair]] = compare_systems([shares], higher_is_better=[True])
    >>> pair.difference.mark, pair.difference.p == 2 / 2**6
    ('+**', True)
    """
    measurements = list(map(grouped, measurements))
    if test == "koehn":
        sampled = bootstrap(measurements, resamples=resamples, seed=seed)
        drawn = [estimates.resampled for estimates in sampled]
    else:
        statistics, trials = side_by_side(measurements), TRIALS_PER_RESAMPLE * resamples
        if trials * statistics.shape[1] <= _KEPT:
            sums = _kept_sums(statistics.tobytes(), len(statistics), trials, seed)
        else:
            sums = _sums(statistics, trials, seed)
        drawn = apart(np.concatenate([sums, statistics.sum(axis=0)[None]]), measurements)
    compare = _by_wins if test == "koehn" else _by_swaps
    compared = []
    for m, of_draws, higher in zip(measurements, drawn, higher_is_better, strict=True):
        chosen = list(combinations(range(len(m.values)), 2)) if pairs is None else pairs
        differences = [compare(m, of_draws, pair, higher) for pair in chosen]
        corrected = holm([difference.p for difference in differences]).tolist()
        rows = zip(chosen, differences, corrected, strict=True)
        compared.append([ComparedPair(*pair, difference, p) for pair, difference, p in rows])
    return compared


def _sums(statistics: Floats, trials: int, seed: int) -> Floats:
    """Return the sums of statistics, float64[S, columns], over subsets of the sentences."""
    blocks = subsets(len(statistics), trials, seed, _MULTIPLIED)
    if exhaustive(len(statistics), trials):  # one of every two that are complements
        blocks = (block[block.any(axis=1) & (block[:, 0] == 0)] for block in blocks)
    return products(blocks, statistics)


@functools.lru_cache(maxsize=1)  # a page compares other pairs of what has been scored
def _kept_sums(data: bytes, size: int, trials: int, seed: int) -> Floats:
    return _sums(np.frombuffer(data).reshape(size, -1), trials, seed)


def few_different(
    first: Floats, second: Floats, finish: Finish, level: float
) -> tuple[float, float] | None:
    """Return the least reach of a difference's interval if few sentences differ, or None.

    Parameters: `first` and `second` statistics float64[S, k]. None if no sentence differs, and if
    at least 25 or half of them do. Such a difference is uncertain because the sample contains just
    these differing sentences, and no others like them. So the interval is Student's, corrected for
    skewness (Johnson 1978; Hall 1992), and as wide as if t² more sentences had differed (as for
    shares in Agresti & Coull 1998).
    """
    differing = _differing(first, second)
    if not 0 < differing < min(_FEW, len(first) / 2):
        return None
    value = float(finish(second.sum(axis=0)) - finish(first.sum(axis=0)))
    left_out = Jackknife.of(without_each(second, finish) - without_each(first, finish))
    t = student_quantile(level, left_out.size - 1)
    middle = value + left_out.error * left_out.acceleration * (1 + 2 * t * t)
    wide = left_out.error * t * math.sqrt(1 + t * t / differing)
    return middle - wide, middle + wide


def _differing(first: Floats, second: Floats) -> int:
    return int(np.count_nonzero((first != second).any(axis=-1)))


def _detectable(value: float, drawn: Floats, differing: int) -> float:
    """Return the smallest true difference that is detected with a chance of 80%.

    (z(1 - α/2) + z(power)) standard errors, those being the spread of the draws around the value.
    NaN if that is not known, as where so few differ that their mean is not nearly normal.
    """
    around = drawn[~np.isnan(drawn)] - value
    if math.isnan(value) or not around.size or differing < _FEW:
        return math.nan
    z = NormalDist().inv_cdf
    return (z(0.975) + z(POWER)) * math.sqrt(float(np.mean(around**2)))


def _by_swaps(
    measurement: Measurement, sums: Floats, pair: tuple[int, int], higher_is_better: bool
) -> Difference:
    """Compare two systems by swapping their results on subsets and on the complements of these.

    `sums` float64[N + 1, R, k] are those of the subsets, the last one of all sentences.
    """
    first, second = measurement.statistics[list(pair)]
    finish, value = measurement.finish, float(np.diff(measurement.values[list(pair)])[0])
    inside = sums[:, list(pair)]
    whole, moved = inside[-1], inside[:, 1] - inside[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = np.diff(finish(np.concatenate([inside, whole - inside[:-1]])))[:, 0]
        swapped = finish(whole[1] - moved) - finish(whole[0] + moved)
    # To swap the other sentences exchanges the two systems.
    lowered = value - np.concatenate([swapped, -swapped[:-1]])
    typical = _typical(alone, lowered)
    # A subset without a value could lie on either side.
    low = np.sort(np.where(np.isnan(typical), -np.inf, typical))
    high = np.sort(np.where(np.isnan(typical), np.inf, typical))
    trials, differing = len(typical) + 1, _differing(first, second)
    least = min(1.0, max(2 / trials, 2.0 ** (1 - differing)))

    def interval(alpha: float) -> Interval:
        k = int(trials * alpha / 2) if differing >= FEWEST_UNITS else 0
        ends = (low[k - 1], high[-k]) if k else (np.nan, np.nan)
        start, stop = (float(end) if np.isfinite(end) else math.nan for end in ends)
        farther = few_different(first, second, finish, 1 - alpha)
        if farther is not None and not (math.isnan(start) or math.isnan(stop)):
            start = start if start > 0 else min(start, farther[0])
            stop = stop if stop < 0 else max(stop, farther[1])
        if least > alpha:  # which the draws alone may miss by chance
            start, stop = min(start, 0.0), max(stop, 0.0)
        # Typical values of what is no mean need not lie around it.
        return Interval(value, min(start, value), max(stop, value))

    hits = 1 + int(min(np.count_nonzero(low <= 0), np.count_nonzero(high >= 0)))
    p = math.nan if math.isnan(value) else min(1.0, max(least, 2 * hits / trials))
    return Difference(
        value,
        interval(0.05),
        interval(0.10),
        p,
        "randomization",
        higher_is_better,
        detectable=_detectable(value, alone, differing),
        differing=differing,
        least_p=least,
    )


def _typical(alone: Floats, lowered: Floats) -> Floats:
    """Return the typical values of subsets, float64[N].

    Parameters: `alone` the differences on the subsets, `lowered` by how much swapping them lowers
    the difference of the whole. Where these lie on two sides of 0 the swap decides.
    """
    alone, lowered = (np.where(np.abs(each) < TIE, 0.0, each) for each in (alone, lowered))
    return np.where(np.sign(alone) == np.sign(lowered), alone, lowered)


def _by_wins(
    measurement: Measurement, resampled: Floats, pair: tuple[int, int], higher_is_better: bool
) -> Difference:
    """Compare two systems by their values on resamples, float64[N, R]."""
    value = float(np.diff(measurement.values[list(pair)])[0])
    differences = resampled[:, pair[1]] - resampled[:, pair[0]]
    differing = _differing(*measurement.statistics[list(pair)])
    drawn = differences if differing >= FEWEST_UNITS else differences[:0]
    return Difference(
        value,
        percentile_interval(value, drawn, 0.95),
        percentile_interval(value, drawn, 0.90),
        math.nan,
        "koehn",
        higher_is_better,
        won=float(np.mean(differences > TIE)),
        lost=float(np.mean(differences < -TIE)),
        detectable=_detectable(value, differences, differing),
        differing=differing,
    )


def exhaustive(size: int, trials: int) -> bool:
    """Return whether `size` sentences have no more subsets than there are trials."""
    return size < 63 and 2**size <= trials


def subsets(size: int, trials: int, seed: int, tosses: int = _TOSSES) -> Iterator[Floats]:
    """Yield which of `size` sentences are in each subset, as zeros and ones; float64[rows, size].

    If that is `exhaustive`, all 2^size subsets come once, otherwise `trials` random ones. They
    depend only on `size`, `trials` and `seed`; a block has about as many numbers as `tosses`.

    >>> [every] = subsets(2, trials=4, seed=0)
    >>> every.astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    require_between("trials", trials, 1, MOST_RESAMPLES * TRIALS_PER_RESAMPLE)
    require_between("seed", seed, 0, MOST_SEED)
    at_once = 2 * max(1, tosses // (2 * size))
    if exhaustive(size, trials):
        for first in range(0, 2**size, at_once):
            rows = np.arange(first, min(first + at_once, 2**size))
            yield (rows[:, None] >> np.arange(size) & 1).astype(np.float64)
        return
    # 32 coins from half a random number, and whole halves for every row; as blocks have an even
    # number of rows, their size does not show.
    generator, words = np.random.PCG64(seed), -(-size // 32)
    for trial in range(0, trials, at_once):
        many = min(at_once, trials - trial)
        drawn = generator.random_raw(-(-many * words // 2)).astype("<u8").view("<u4")
        rows = np.ascontiguousarray(drawn[: many * words].reshape(many, words))
        yield np.unpackbits(rows.view(np.uint8), axis=1, count=size).astype(np.float64)


def holm(p_values: Sequence[float]) -> Floats:
    """Return Holm's step-down correction (Holm 1979) of a family of p-values; float64[n].

    The smallest p-value is multiplied by n, the next by n - 1, and so on; none becomes smaller than
    the one before it, or larger than 1. If results of 0.05 or below count as significant, the
    probability of any false alarm in the family is at most 5%, however the tests depend on each
    other.

    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    in_order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[in_order] = np.minimum(
        np.maximum.accumulate(p[in_order] * np.arange(len(p), 0, -1)), 1.0
    )
    return corrected
