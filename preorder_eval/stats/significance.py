"""Is a system better than another, or is it chance? One decision: mark, interval and p agree.

By default two systems are scored on random half-samples, subsets of the sentences that each
sentence is in by the toss of a coin. The differences d on N of them are *typical values* (Hartigan
1969, "Using subsample values as typical values"): in order of size they cut the line into N + 1
stretches, and where sentences are drawn from a symmetric distribution the true difference lies in
each of them equally often. So with k = ⌊(N + 1)·α/2⌋ the k-th smallest and the k-th largest
difference are the ends of a 1 - α interval, and p = 2·min(1 + #{d ≤ 0}, 1 + #{d ≥ 0})/(N + 1). p is
at most α exactly where the interval leaves zero out, and that is what a mark says. The 1 stands for
the empty subset, which has no value. Fewer than six sentences have no 95 % interval.

That other sentences might have differed is left out there, which shows where few do. So then the
interval reaches at least as far as the jackknife has it (`stats.leave_one_out`), save that no end
crosses zero for that: mark and p stay what they are.

A sum over a subset is at most 0 exactly where turning the signs of that subset gives a sum at
least as large. So for a metric that is a mean over sentences p is that of paired approximate
randomization (`stats.randomization`), to the digit where all subsets are tried.

Koehn (2004), as the tables of Talbot et al. (2011) use him, is the other test: a system is better
at the 95 % level if it wins in 95 % of the resamples of the paired bootstrap. That is one-sided, a
milder demand than the percentile interval beside it, and has no p.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.processes import Processes
from preorder_eval.stats import Test
from preorder_eval.stats.bootstrap import Interval, bootstrap, percentile_interval
from preorder_eval.stats.leave_one_out import FewDifferent, few_different
from preorder_eval.stats.measurement import (
    BLOCK,
    TIE,
    Measurement,
    apart,
    sentence_count,
    side_by_side,
    summable,
    summable_blocks,
)
from preorder_eval.stats.multiple import holm
from preorder_eval.stats.subsets import TRIALS_PER_RESAMPLE, subsets, subsets_of_part

_ENOUGH = 1 << 30  # tosses, of which fewer are done before others have started


@dataclass(frozen=True)
class Difference:
    """By how much a second system's value exceeds a first one's, and how sure that is.

    `at_95` and `at_90` are intervals of `value`, with NaN for ends where sentences are too few for
    one; `p` is two-sided. Koehn's test has instead the shares of resamples in which the second
    value is the higher (`won`) and the lower one (`lost`); what the other test has is NaN.
    """

    value: float
    at_95: Interval
    at_90: Interval
    p: float
    test: Test
    higher_is_better: bool = True
    won: float = math.nan
    lost: float = math.nan

    @property
    def mark(self) -> str:
        """`+**` or `+*` for better at the 95 or 90 % level, `-**` or `-*` for worse, else `0`.

        Better is lower where lower values are better. The notation of Tables 3 to 5 of Talbot et
        al. (2011).

        >>> at_95, at_90 = Interval(0.01, -0.002, 0.02), Interval(0.01, 0.001, 0.019)
        >>> Difference(0.01, at_95, at_90, p=0.06, test="randomization").mark
        '+*'
        """
        for level, interval, stars in ((0.95, self.at_95, "**"), (0.90, self.at_90, "*")):
            if self.test == "koehn":
                higher, lower = self.won >= level, self.lost >= level
            else:
                higher, lower = interval.low > 0, interval.high < 0
            if higher or lower:
                return ("+" if higher == self.higher_is_better else "-") + stars
        return "0"


@dataclass(frozen=True)
class Pair:
    """Two systems, by their numbers, and by how much the second exceeds the first.

    `p_holm` is p corrected for all pairs that were compared by the same measurement.
    """

    first: int
    second: int
    difference: Difference
    p_holm: float


def compare_systems(
    measurements: Sequence[Measurement],
    *,
    higher_is_better: Sequence[bool],
    pairs: Sequence[tuple[int, int]] | None = None,
    test: Test = "randomization",
    resamples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
) -> list[list[Pair]]:
    """Compare systems in pairs, by default all: 0-1, 0-2, …, 1-2, …; a list for each measurement.

    `higher_is_better` has a truth value for each measurement. There are ten half-samples for each
    of the `resamples`, or each possible one where these are no more. All measurements and systems
    see the same draws, which depend on the number of sentences, `resamples` and `seed` alone.
    `jobs` processes share those of many blocks of sentences.

    Raises PreorderEvalError where there is no sentence.

    >>> statistics = np.array([[[0.0, 1]] * 6, [[1, 1]] * 6])
    >>> shares = Measurement(statistics, lambda s: s[..., 0] / s[..., 1])
    >>> [[pair]] = compare_systems([shares], higher_is_better=[True])
    >>> pair.difference.mark, pair.difference.p == 2 / 2**6
    ('+**', True)
    """
    numbers = [all_pairs(len(m.statistics)) if pairs is None else pairs for m in measurements]
    few: Sequence[Sequence[FewDifferent | None]] = [()] * len(measurements)
    if test == "koehn":
        drawn = [
            sampled.resampled
            for sampled in bootstrap(measurements, resamples=resamples, seed=seed, jobs=jobs)
        ]
    else:
        drawn = _half_samples(measurements, TRIALS_PER_RESAMPLE * resamples, seed, jobs)
        if sentence_count(measurements) <= BLOCK:
            few = [few_different(*each) for each in zip(measurements, numbers, strict=True)]
    return [
        pairs_of(m.values, values, own, higher_is_better=higher, test=test, few=rare)
        for m, values, own, higher, rare in zip(
            measurements, drawn, numbers, higher_is_better, few, strict=True
        )
    ]


def all_pairs(systems: int) -> list[tuple[int, int]]:
    """The numbers of all pairs of systems.

    >>> all_pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(systems), 2))


def pairs_of(
    values: Floats,
    drawn: Floats,
    pairs: Sequence[tuple[int, int]],
    *,
    higher_is_better: bool,
    test: Test = "randomization",
    few: Sequence[FewDifferent | None] = (),
) -> list[Pair]:
    """Compare systems in pairs by their values on what was drawn for the test.

    Parameters: `values` float64[R] of all sentences, `drawn` float64[N, R] of half-samples, for
    Koehn's test of resamples; `few` what is known of every pair of which few sentences differ, for
    half-samples; the others as for `compare_systems`.
    """
    differences = []
    for (a, b), rare in zip(pairs, few or [None] * len(pairs), strict=True):
        value, differing = float(values[b] - values[a]), drawn[:, b] - drawn[:, a]
        differences.append(
            _by_wins(value, differing, higher_is_better)
            if test == "koehn"
            else _by_half_samples(value, differing, higher_is_better, rare)
        )
    corrected = holm([difference.p for difference in differences]).tolist()
    return [Pair(*pair, *rest) for pair, *rest in zip(pairs, differences, corrected, strict=True)]


def detectable(
    measurement: Measurement,
    first: int,
    second: int,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = 0,
) -> float:
    """The smallest true difference of two systems that is seen with a chance of `power`.

    (z(1 - α/2) + z(power)) standard errors, those being the spread of the half-samples around the
    difference. 0 where no sentence tells the two systems apart, NaN where they have no value.

    >>> first, second = np.random.default_rng(0).normal(size=(2, 400, 1))
    >>> normal = Measurement(np.stack([first, second]), lambda s: s[..., 0] / 400)
    >>> statistics = np.concatenate([normal.statistics, np.ones((2, 400, 1))], axis=-1)
    >>> mean = Measurement(statistics, lambda s: s[..., 0] / s[..., 1])
    >>> round(detectable(mean, 0, 1), 1)  # 2.8 · √(2 / 400)
    0.2
    """
    both = Measurement(measurement.statistics[[first, second]], measurement.finish)
    [values] = _half_samples([both], TRIALS_PER_RESAMPLE * resamples, seed)
    around = values[:, 1] - values[:, 0] - (both.values[1] - both.values[0])
    known = around[~np.isnan(around)]
    if not known.size:
        return math.nan
    z = NormalDist().inv_cdf
    return (z(1 - alpha / 2) + z(power)) * math.sqrt(float(np.mean(known**2)))


def _half_samples(
    measurements: Sequence[Measurement], trials: int, seed: int, jobs: int = 1
) -> list[Floats]:
    """Values of all systems on subsets of the sentences; float64[N, R] for each measurement."""
    size = sentence_count(measurements)
    if size <= BLOCK:
        sums = half_sample_sums(summable(side_by_side(measurements)), trials, seed)
    else:
        together = Processes(jobs if trials * size >= _ENOUGH else 1, tuple, (size, trials, seed))
        rows = enumerate(summable_blocks(measurements))
        sums = functools.reduce(np.add, together.map(_of_block, rows))
    parts = apart(sums, measurements)
    return [m.finish(part) for m, part in zip(measurements, parts, strict=True)]


def half_sample_sums(statistics: Floats, trials: int, seed: int) -> Floats:
    """Sums of `summable` statistics, float64[S, k], over half-samples; float64[N, k].

    N is `trials`, or the number of all subsets if it is less. An empty subset is left out: it has
    no value.
    """
    return np.concatenate(
        [
            chosen[chosen.any(axis=1)] @ statistics
            for chosen in subsets(len(statistics), trials, seed)
        ]
    )


def _of_block(told: tuple[int, int, int], piece: tuple[int, Floats]) -> Floats:
    block, rows = piece
    return block_half_sample_sums(rows, block, *told)


def block_half_sample_sums(
    statistics: Floats, block: int, size: int, trials: int, seed: int
) -> Floats:
    """What a block of more than one adds to the sums over half-samples; float64[N, k].

    Parameters: `statistics` float64[S, k] the rows of the block of that number, which are
    `summable`; `size` the number of all sentences, which are so many that no half-sample is empty.
    """
    first = block * BLOCK
    parts = subsets_of_part(first, first + len(statistics), size, trials, seed)
    return np.concatenate([chosen @ statistics for chosen in parts])


def _by_half_samples(
    value: float, differences: Floats, higher_is_better: bool, few: FewDifferent | None
) -> Difference:
    differences = np.where(np.abs(differences) < TIE, 0.0, differences)
    # A subset without a value could lie on either side.
    low = np.sort(np.where(np.isnan(differences), -np.inf, differences))
    high = np.sort(np.where(np.isnan(differences), np.inf, differences))
    trials = len(differences) + 1

    def interval(alpha: float) -> Interval:
        k = int(trials * alpha / 2)
        ends = (low[k - 1], high[-k]) if k else (np.nan, np.nan)
        first, last = (float(end) if np.isfinite(end) else math.nan for end in ends)
        if few is not None and not (math.isnan(first) or math.isnan(last)):
            farther = few.ends(value, 1 - alpha)
            first = first if first > 0 else min(first, farther[0])
            last = last if last < 0 else max(last, farther[1])
        return Interval(value, first, last)

    if math.isnan(value):
        p = math.nan
    else:
        hits = 1 + int(min(np.count_nonzero(low <= 0), np.count_nonzero(high >= 0)))
        p = min(1.0, 2 * hits / trials)
    return Difference(value, interval(0.05), interval(0.10), p, "randomization", higher_is_better)


def _by_wins(value: float, differences: Floats, higher_is_better: bool) -> Difference:
    return Difference(
        value,
        percentile_interval(value, differences, 0.95),
        percentile_interval(value, differences, 0.90),
        math.nan,
        "koehn",
        higher_is_better,
        won=float(np.mean(differences > TIE)),
        lost=float(np.mean(differences < -TIE)),
    )
