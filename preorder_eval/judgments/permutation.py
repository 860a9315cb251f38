"""Significance tests of the difference in two metrics' agreement with humans.

The correlations depend on each other, as they share the human scores. Williams' test of Pearson's r
over systems takes that into account. Elsewhere standardised scores of two metrics are swapped at
random, and human scores stay as they are (Deutsch et al. 2021):

- PERM-INPUTS swaps the scores of whole segments, or of documents where they are known: it tests
  whether the result holds for other ones and the same systems;
- PERM-BOTH swaps the scores of single outputs: it tests other segments and other systems. For
  statistics over systems, which have one score each, these scores are swapped, as in
  mt-metrics-eval.

The statistic is computed anew after each swap. If it is computed from sums over segments, swapping
the summands is equivalent. The statistic acc_eq keeps each metric's ε, and PERM-BOTH swaps whether
metrics agree on single pairs of outputs (mt-metrics-eval: "pairs"). SPA takes its p-values from
normal distributions. Spearman, Kendall and accuracy over systems are tested by the paired bootstrap
of segments or documents, unless PERM-BOTH is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, Longs, matrix_product
from preorder_eval.base.processes import Processes
from preorder_eval.base.stats.bootstrap import Bootstrap
from preorder_eval.base.stats.measurement import TIE
from preorder_eval.base.stats.significance import (
    TRIALS_PER_RESAMPLE,
    compare_systems,
    exhaustive,
    subsets,
)
from preorder_eval.judgments.correlation import pearson, williams
from preorder_eval.judgments.human_scores import HumanScores, Judgments
from preorder_eval.judgments.metric_scores import MetricScores, turned_segments, turned_systems
from preorder_eval.judgments.pairwise_accuracy import (
    pair_weights,
    sign_flip_p,
    soft_values,
    tie_calibrated,
)
from preorder_eval.judgments.segment_correlation import standardised
from preorder_eval.judgments.statistic import (
    TIE_CALIBRATED,
    Conventions,
    Statistic,
    ratings_of_systems,
)

_BLOCK = 100  # trials, after which it is seen whether p is clear
_CLEAR = (0.02, 0.5)

ValuesOf = Callable[[Floats], Floats]


def name_of_test(chosen: Statistic, conventions: Conventions) -> str:
    """Return the name of the test by which differences in a statistic are tested."""
    if chosen.over_systems and conventions.permuted == "inputs":
        return "Williams' test" if chosen.coefficient == "pearson" else "paired bootstrap"
    approximately = ", p of SPA by normal distributions" if chosen.distributed else ""
    return f"PERM-{conventions.permuted.upper()}{approximately}"


def units_swapped(
    chosen: Statistic, judgments: Judgments, conventions: Conventions
) -> tuple[int, str] | None:
    """Return how many judged segments or documents the test draws or swaps; None if others."""
    of_systems = chosen.over_systems and chosen.coefficient == "pearson"
    return None if of_systems or conventions.permuted == "both" else judgments.judged_units


def p_values(
    chosen: Statistic,
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    sampled: Bootstrap,
    *,
    conventions: Conventions = Conventions(),
    of: int | None = None,
    resamples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
) -> Floats:
    """Compute two-sided p-values that metrics agree differently with people; float64[M, M].

    Parameters: `sampled` are the values of the statistic in resamples (`resample`). With `of`, the
    number of a metric, only differences from this metric are computed; others may be NaN.

    If what is swapped adds up over segments, there are ten swaps for each of `resamples`. Otherwise
    there is one, because the statistic is computed anew, and swapping ends after each 100 if p is
    below 0.02 or above 0.5. If no more swaps are possible than that, all are tried. Where k
    segments or documents are drawn or swapped, p is at least 2/2^k.
    """
    single, trials = conventions.permuted == "both", resamples
    if chosen.over_systems and not single:
        if chosen.coefficient != "pearson":
            drawn, _ = judgments.judged_units
            return np.maximum(paired_p_values(sampled.resampled), 2.0 ** (1 - drawn))
        return _williams(chosen, metrics, judgments, sampled.values)
    if not (chosen.over_systems or single or chosen.by_tangent):
        measurement = chosen.measure(turned_segments(metrics), judgments, conventions)
        by_unit = [judgments.unit.sums(measurement)]
        [compared] = compare_systems(
            by_unit, higher_is_better=[True], resamples=resamples, seed=seed
        )
        return _symmetric(len(metrics), [pair.difference.p for pair in compared])
    if chosen.over_systems:
        people = ratings_of_systems(judgments)
        systems = chosen.systems(people)
        scores = turned_systems(metrics)[:, None, systems]
        x = standardised(scores, np.full((1, len(systems)), True))
        values: ValuesOf = partial(_of_systems, chosen, people[systems])
        trials *= TRIALS_PER_RESAMPLE
    elif chosen.coefficient == TIE_CALIBRATED:
        pairs = judgments.pairs(conventions.margin)
        weights = pair_weights(pairs)
        agree = tie_calibrated(chosen.scale(conventions) * turned_segments(metrics), pairs).agree
        x, values = (agree * (weights / weights.sum()))[:, None], _total
    else:
        x = standardised(turned_segments(metrics), judgments.system_statistics()[..., 1] > 0)
        values = partial(chosen.values, judgments=judgments, conventions=conventions)
        if chosen.distributed and isinstance(judgments, HumanScores):
            people = judgments.means
            values = partial(soft_values, y=people, humans=sign_flip_p(people))
    units = None if single else judgments.unit.numbers(judgments.segments)
    test = Processes(jobs, _Swaps, x, values, trials, seed, units)
    tested = [pair for pair in combinations(range(len(metrics)), 2) if of is None or of in pair]
    return _symmetric(len(metrics), test.map(_Swaps.p, tested), tested)


def _symmetric(
    size: int, values: Iterable[float], pairs: Sequence[tuple[int, int]] | None = None
) -> Floats:
    """Return p-values of pairs of metrics, by default all, as a table with 1 in its diagonal."""
    p = np.where(np.eye(size), 1.0, np.nan)
    for (a, b), value in zip(pairs or combinations(range(size), 2), values, strict=True):
        p[a, b] = p[b, a] = value
    return p


def paired_p_values(resampled: Floats) -> Floats:
    """Compute two-sided p-values of differences by the paired bootstrap; float64[M, M].

    `resampled` float64[B, M] are the values of M metrics in the same resamples.

    >>> paired_p_values(np.array([[0, 0.1], [0, 0.2], [0, 0.1], [0.1, 0]])).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    p = []
    for one, other in combinations(resampled.T, 2):
        differences = other - one  # one without a value is on either side
        won, lost = float(np.mean(differences > TIE)), float(np.mean(differences < -TIE))
        p.append(min(1.0, 2 * min(1 - won, 1 - lost)))
    return _symmetric(resampled.shape[1], p)


def _williams(
    chosen: Statistic, metrics: Sequence[MetricScores], judgments: Judgments, values: Floats
) -> Floats:
    systems = chosen.systems(ratings_of_systems(judgments))
    scores = turned_systems(metrics)[:, systems]
    p = [
        williams(r, other_r, float(pearson(one, other)), len(systems))
        for (one, r), (other, other_r) in combinations(zip(scores, values, strict=True), 2)
    ]
    return _symmetric(len(metrics), p)


@dataclass(frozen=True, eq=False)
class _Swaps:
    """Swaps of metrics' scores `x`, float64[M, R, S], and their `values`, of float64[N, R, S].

    Two metrics swap the columns of whole units, `units` int64[S], or single cells without them, in
    `trials` random ways, or in all if these are no more.
    """

    x: Floats
    values: ValuesOf
    trials: int
    seed: int
    units: Longs | None

    def p(self, pair: tuple[int, int]) -> float:
        """Return the two-sided p of the difference of two metrics, by number.

        Trials end early where p is clear, as in mt-metrics-eval.
        """
        first, second = self.x[list(pair)]
        [real] = np.abs(self._differences(first[None], second[None]))
        differ = first != second
        if self.units is not None:
            differ = np.bincount(self.units, differ.any(axis=0)) > 0
        if np.isnan(real) or not differ.any():
            return np.nan if np.isnan(real) else 1.0
        size, hits, rows = int(differ.sum()), 0, 0
        exact = exhaustive(size, self.trials)
        for coins in subsets(size, self.trials, self.seed):
            # A trial without a value counts as a hit, on the safe side.
            differences = np.abs(self._swapped(first, second, differ, coins))
            hits += int(np.count_nonzero(~(differences < real - TIE)))
            rows += len(coins)
            clear = not _CLEAR[0] <= hits / rows <= _CLEAR[1]
            if not exact and clear and rows // _BLOCK > (rows - len(coins)) // _BLOCK:
                break
        return hits / rows if exact else (1 + hits) / (1 + rows)

    def _swapped(self, first: Floats, second: Floats, differ: Bools, coins: Floats) -> Floats:
        """Return by how much metrics differ after the swaps that coins, float64[N, n], select."""
        if self.values is _total:
            moved = (second - first)[differ]
            left: Floats = moved.sum() - 2 * matrix_product(coins, moved)
            return left
        swap = np.zeros((len(coins), *differ.shape), dtype=bool)
        swap[:, differ] = coins > 0
        swap = swap if self.units is None else swap[:, None, self.units]
        return self._differences(np.where(swap, second, first), np.where(swap, first, second))

    def _differences(self, first: Floats, second: Floats) -> Floats:
        """Return by how much metrics differ, float64[N], given their scores, float64[N, R, S]."""
        values = self.values(np.concatenate([first, second]))
        return values[len(first) :] - values[: len(first)]


def _of_systems(chosen: Statistic, people: Floats, x: Floats) -> Floats:
    return chosen.correlate(x[:, 0], people, range(len(people)))


def _total(x: Floats) -> Floats:
    total: Floats = x.sum(axis=(1, 2))
    return total
