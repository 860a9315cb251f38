"""Pairwise accuracy: of outputs with calibrated ties (acc_eq), and soft over systems (SPA).

acc_eq is the mean over segments of the share of pairs of outputs on which a metric agrees with
humans: both prefer the same, or tie (Deutsch et al. 2023). Metrics seldom give two outputs the very
same score, so a difference of at most ε is a tie of the metric. The ε of each metric is the one by
which it agrees best; resampling does not change it.

SPA (Thompson et al. 2024) compares how sure a metric and humans are that systems differ. For every
pair of systems two paired permutation tests, of human scores and of the metric's, ask if the first
is better. In each p is the share of random sign flips of the segments' differences whose sum is
above the observed one (one-sided); a flip whose sum is the same counts one half. So p(i > j) and
p(j > i) add up to 1, and SPA does not depend on the order of systems. SPA = mean over the pairs of
1 - |p_human - p_metric|, 1 at best. It is undefined where the metric or humans tell no two outputs
of a segment apart. Both tests are over the segments on which both systems were judged. They draw
the 1,000 flips of mt-metrics-eval, so the value is the same where no flip ties (mt-metrics-eval
counts a tie as one); as a sample, it has an error. If SPA is resampled or metrics are
swapped, a normal distribution with the flips' mean, 0, and variance, Σ δ², gives p. The statistics
of a pair then add up over segments.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, matrix_product
from preorder_eval.base.stats.measurement import TIE, Measurement
from preorder_eval.base.stats.significance import exhaustive, subsets
from preorder_eval.judgments.correlation import divided
from preorder_eval.judgments.human_scores import PairwiseJudgments

PERMUTATIONS = 1000
_SEED = 4  # of mt-metrics-eval
_AT_ONCE = 100  # sign flips
_SHUFFLES = 20  # at most, and of few pairs
_SHUFFLED = 50_000  # pairs, in all shuffles together
_ERFC = np.frompyfunc(math.erfc, 1, 1)


class Calibrated(NamedTuple):
    """acc_eq of M metrics, each with its best ε, `thresholds` float64[M].

    `agree` bool[M, N] marks, of N pairs of outputs, those on which the metric agrees with humans.
    """

    thresholds: Floats
    agree: Bools
    measurement: Measurement


def tie_calibrated(x: Floats, pairs: PairwiseJudgments) -> Calibrated:
    """Return acc_eq of M metrics with the best ε each.

    Parameters: `x` float64[M, R, S] the metrics' scores, higher being better; `pairs` human
    judgments of N pairs of outputs, including ties (`HumanScores.pairs`).
    """
    weights = pair_weights(pairs)
    thresholds, agrees = np.zeros(len(x)), np.zeros((len(x), len(pairs)), dtype=bool)
    statistics = np.zeros((len(x), pairs.segments, 2))
    statistics[..., 1] = np.bincount(pairs.segment, minlength=pairs.segments) > 0
    tied = pairs.preferred == 0
    for m, scores in enumerate(x):
        difference = scores[pairs.first, pairs.segment] - scores[pairs.second, pairs.segment]
        size = np.abs(difference)
        concordant = np.sign(difference) == pairs.preferred
        # What a tie of the metric gains over its preference, in the mean over segments.
        gain = (tied - (concordant & ~tied).astype(np.float64)) * weights
        thresholds[m] = _best_threshold(size, gain)
        close = size <= thresholds[m] + TIE
        agrees[m] = np.where(close, tied, concordant & ~tied)
        statistics[m, :, 0] = np.bincount(pairs.segment, agrees[m] * weights, pairs.segments)
    return Calibrated(thresholds, agrees, Measurement(statistics, _share))


def calibrated_by_chance(x: Floats, pairs: PairwiseJudgments, judged: Bools) -> Floats:
    """Return the mean acc_eq of M uninformative metrics, each with its best ε; float64[M].

    Each metric's scores are shuffled within every segment, among the outputs `judged`, bool[R, S],
    and ε is chosen anew, because choosing ε finds some agreement in noise, too. The other
    parameters are those of `tie_calibrated`. Of few pairs there are more shuffles, 20 at most.

    >>> flat, one = np.zeros((1, 2, 1)), np.ones(1, dtype=np.int64)
    >>> tie = PairwiseJudgments(("a", "b"), 1, 0 * one, 0 * one, one, 0 * one, one)
    >>> calibrated_by_chance(flat, tie, np.ones((2, 1), dtype=bool)).tolist()
    [1.0]
    """
    rng = np.random.default_rng(_SEED)
    in_order = np.argsort(~judged, axis=0, kind="stable")
    twice = min(max(_SHUFFLED // (2 * max(len(pairs), 1)), 1), _SHUFFLES // 2)
    total = np.zeros(len(x))
    for keys in rng.random((twice, *judged.shape)):
        for way in (keys, -keys):  # and the other way round, so that all pairs are, too
            taken = np.argsort(np.where(judged, way, np.inf), axis=0, kind="stable")
            shuffled = np.empty_like(x)
            np.put_along_axis(shuffled, in_order[None], np.take_along_axis(x, taken[None], 1), 1)
            total += tie_calibrated(shuffled, pairs).measurement.values
    mean: Floats = total / (2 * twice)
    return mean


def pair_weights(pairs: PairwiseJudgments) -> Floats:
    """Return for each pair 1 divided by the number of pairs of its segment; float64[N]."""
    return 1 / np.bincount(pairs.segment, minlength=pairs.segments)[pairs.segment]


def _best_threshold(size: Floats, gain: Floats) -> float:
    """Return the smallest ε ≥ 0 for which the summed gain of the pairs that it ties is largest."""
    order = np.argsort(size, kind="stable")
    size, total = size[order], np.cumsum(gain[order])
    last = np.append(np.diff(size) > TIE, True)[: len(size)]  # of differences that are equal
    at_zero = total[size <= TIE]
    values = np.concatenate([at_zero[-1:] if at_zero.size else [0.0], total[last]])
    best = np.flatnonzero(values >= values.max() - TIE)[0]
    return float(np.concatenate([[0.0], size[last]])[best])


def _share(statistics: Floats) -> Floats:
    return np.clip(divided(statistics[..., 0], statistics[..., 1]), 0, 1)


def soft_pairwise_accuracy(x: Floats, y: Floats, *, permutations: int = PERMUTATIONS) -> Floats:
    """Return SPA of M metrics, NaN if they or humans distinguish no two outputs; float64[M].

    Parameters: `x` float64[M, R, S] the metrics' scores, higher being better; `y` float64[R, S]
    the human ones, NaN where nobody judged. Where there are no more sign flips than `permutations`,
    all are tried.

    >>> y = np.array([[3.0, 2, 3, 3], [1, 2, 2, 1]])
    >>> soft_pairwise_accuracy(np.stack([y, -y]), y).tolist()
    [1.0, 0.125]
    """
    humans, of_metrics, flips = _flips_beyond(x, y, permutations)
    if not flips:
        return np.full(len(x), np.nan)
    # Sums of halves are exact, so that no order of pairs shows in the last digits.
    distance = np.abs(humans - of_metrics).sum(axis=1)
    return 1 - distance / (flips * len(humans))


def flip_p(x: Floats, y: Floats, *, permutations: int = PERMUTATIONS) -> tuple[Floats, Floats]:
    """Return the one-sided p that one system of each pair is better, as in SPA.

    Parameters as in `soft_pairwise_accuracy`. Returns float64[R, R] of humans and float64[M, R, R]
    of the metrics; NaN where no segment has scores of both.
    """
    humans, of_metrics, flips = _flips_beyond(x, y, permutations)
    p = np.full((len(x) + 1, len(y), len(y)), np.nan)
    known = (~np.isnan(differences(y))).any(axis=1)
    first, second = (of[known] for of in np.triu_indices(len(y), 1))
    if flips:
        p[:, first, second] = np.vstack([humans, of_metrics]) / flips
        p[:, second, first] = 1 - p[:, first, second]
    return p[0], p[1:]


def _flips_beyond(x: Floats, y: Floats, permutations: int) -> tuple[Floats, Floats, int]:
    """Count the flips with a larger sum, those with the same as ½, and all.

    Returns float64[P] of humans and float64[M, P] of the metrics, for the P pairs of systems with a
    judged segment in common; NaN where all outputs tie.
    """
    judged = ~np.isnan(differences(y))
    known, seen = judged.any(axis=1), judged.any(axis=0)
    if not known.any():
        return np.empty(0), np.empty((len(x), 0)), 0
    flips = list(_sign_flips(int(seen.sum()), permutations))
    counts = []
    for scores in (y, *x):
        by_segment = np.where(judged, differences(scores), 0.0)[known][:, seen]
        sums = np.concatenate([matrix_product(signs, by_segment.T) for signs in flips])
        beyond = sums - by_segment.sum(axis=1)
        share = (1 + np.sign(beyond) * (np.abs(beyond) > TIE)) / 2
        told = np.abs(by_segment).max() > TIE
        counts.append(share.sum(axis=0) if told else np.full(len(by_segment), np.nan))
    humans, *of_metrics = counts
    return humans, np.array(of_metrics).reshape(len(x), -1), sum(map(len, flips))


def sign_flip_p(y: Floats) -> Floats:
    """Return the one-sided p that the first of each pair of systems is better; float64[P].

    `y` float64[R, S] are scores. p comes from a normal distribution; NaN if no segment has scores
    of both.
    """
    by_segment = differences(y)
    squares = np.nansum(by_segment**2, axis=1)
    known = ~np.isnan(by_segment).all(axis=1)
    return np.where(known, _normal(np.nansum(by_segment, axis=1), squares), np.nan)


def soft_measurement(x: Floats, y: Floats) -> Measurement:
    """Return SPA by normal distributions, as statistics that add up over segments.

    For each pair of systems these are the differences and their squares, of the metric and of
    humans. Scores of metrics are standardised, so that two metrics can be swapped.
    """
    by_humans = differences(y)
    judged = ~np.isnan(by_humans)
    parts = []
    for scores in x:
        spread = float(np.std(scores[~np.isnan(y)])) if judged.any() else 0.0
        by_metric = np.where(judged, differences(scores), 0.0) / (spread if spread > TIE else 1.0)
        of_both = (by_metric, np.nan_to_num(by_humans))
        columns = [part for d in of_both for part in (d, d * d)]
        parts.append(np.concatenate([*columns, judged]).T)
    return Measurement(np.stack(parts), _soft)


def soft_values(x: Floats, y: Floats, humans: Floats) -> Floats:
    """Return SPA by normal distributions of N metrics, as `soft_measurement`; float64[N].

    Parameters: `x` float64[N, R, S] standardised scores; `y` float64[R, S] human ones; `humans` the
    p of humans (`sign_flip_p`). Sums over segments are products of matrices, so that nothing is
    kept in memory for each pair of systems and segment.
    """
    known = ~np.isnan(humans)
    judged = (~np.isnan(y)).astype(np.float64)
    x = np.where(judged > 0, x, 0.0)
    # Of a system, where the other is judged.
    sums, squares = (matrix_product(part, judged.T) for part in (x, x * x))
    both = squares + squares.swapaxes(-1, -2)
    squared = both - 2 * matrix_product(x, x.swapaxes(-1, -2))
    squared[squared <= 1e-12 * both] = 0.0  # systems that are the same, up to rounding
    pairs = np.triu_indices(len(y), 1)
    p = _normal((sums - sums.swapaxes(-1, -2))[:, *pairs], squared[:, *pairs])
    terms = 1 - np.abs(p - humans)[:, known]
    told = _told(squared[:, *pairs]) & _told(differences(y)[known] ** 2).any()
    return np.where(told, terms.mean(axis=1), np.nan) if known.any() else np.full(len(x), np.nan)


def differences(scores: Floats) -> Floats:
    """Return the first minus the second of every two systems; float64[P] or on segments [P, S]."""
    first, second = np.triu_indices(len(scores), 1)
    return scores[first] - scores[second]


def _sign_flips(size: int, permutations: int) -> Iterator[Floats]:
    """Yield signs for `size` segments, blocks float64[rows, size]; all there are if they are few.

    Otherwise they are drawn at random as in mt-metrics-eval.
    """
    if exhaustive(size, permutations):
        yield from (1 - 2 * coins for coins in subsets(size, permutations, _SEED))
        return
    rng = np.random.default_rng(_SEED)
    for first in range(0, permutations, _AT_ONCE):
        rows = min(_AT_ONCE, permutations - first)
        yield 2.0 * np.rint(rng.random((rows, size), dtype=np.float32)) - 1


def _soft(statistics: Floats) -> Floats:
    """Return SPA from sums of differences and squares, of the metric and of humans."""
    metric, metric_squares, humans, people_squares, count = np.split(statistics, 5, axis=-1)
    distance = np.abs(_normal(metric, metric_squares) - _normal(humans, people_squares))
    known = count > 0
    pairs = known.sum(axis=-1)
    mean = np.where(known, 1 - distance, 0).sum(axis=-1) / np.maximum(pairs, 1)
    return np.where(_told(metric_squares) & _told(people_squares), mean, np.nan)


def _told(squares: Floats) -> Bools:
    """Return whether any two systems differ, by squared differences along the last axis."""
    return np.asarray((squares > TIE**2).any(axis=-1))


def _normal(total: Floats, squares: Floats) -> Floats:
    """Return the share of flips above a sum, ties as one half, by the normal distribution."""
    deviation = np.sqrt(np.maximum(squares, 0))
    z = np.divide(total, deviation, out=np.zeros_like(total), where=deviation > TIE)
    return _ERFC(z / np.sqrt(2)).astype(np.float64) / 2
