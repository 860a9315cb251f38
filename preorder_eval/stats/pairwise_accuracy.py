"""Pairwise accuracy: of outputs with calibrated ties (acc_eq), and soft over systems (SPA).

acc_eq is the share of pairs of outputs of a segment on which a metric agrees with humans, and the
mean of that over segments. They agree if both prefer the same, or both call it a tie:
(C + T_hm) / (C + D + T_h + T_m + T_hm) (Deutsch et al. 2023). As metrics seldom give two outputs
the very same score, a difference of at most ε is a tie of the metric, and one ε is chosen for each
metric so that it agrees best. Statistics are those at the chosen ε, which stays as it is when they
are resampled or swapped.

SPA (Thompson et al. 2024) asks whether a metric and humans find systems as different. For every
pair of systems a paired permutation test gives how sure human scores are that the first is better
than the second, and how sure the metric's are: p is the share of random sign flips of the
differences on segments whose sum is at least as large as the sum that there is (one-sided).
SPA = mean over the pairs of 1 - |p_human - p_metric|, 1 at best. Unlike the accuracy of pairs it
neither rewards nor punishes a metric for the order of systems that humans cannot tell apart. Both
tests are over the segments on which both systems were judged. Where SPA is resampled or metrics
are swapped, the share of flips is that of a normal distribution with their mean, 0, and variance,
Σ δ²: what has to be known of a pair then adds up over segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.stats.correlation import divided
from preorder_eval.stats.measurement import TIE, Measurement
from preorder_eval.stats.significance import subsets

PERMUTATIONS = 1000


class Calibrated(NamedTuple):
    """The ε chosen for each metric, and what adds up over segments at it; float64[M]."""

    thresholds: Floats
    measurement: Measurement


class _OutputPairs(NamedTuple):
    """Pairs of outputs: |metric difference|, what a tie of the metric gains there, and agreement.

    `gain` float64[n] is 1 where humans tie, -1 where the metric agrees without a tie, else 0;
    `concordant` bool[n].
    """

    size: Floats
    gain: Floats
    concordant: Bools

    @classmethod
    def of(cls, x: Floats, y: Floats, margin: float) -> _OutputPairs:
        """Compare every two of n outputs; scores of the metric and of humans, float64[n]."""
        by_metric, by_humans = differences(x), differences(y)
        tied = np.abs(by_humans) <= margin + TIE
        concordant = ~tied & (np.sign(by_metric) == np.sign(by_humans))
        return cls(np.abs(by_metric), tied - concordant.astype(np.float64), concordant)

    def accuracy(self, threshold: float) -> float:
        """Return the share of pairs on which metric and humans agree."""
        agree = np.where(self.size <= threshold + TIE, self.gain > 0, self.concordant)
        return float(agree.mean())


def tie_calibrated(x: Floats, y: Floats, margin: float = 0.0) -> Calibrated:
    """Return acc_eq of M metrics with the best ε each.

    Parameters: `x` float64[M, R, S] the metrics' scores, higher being better; `y` float64[R, S]
    the human ones, NaN where nobody judged; human scores that differ by no more than `margin` tie.

    >>> x, y = np.array([[[1.0], [1.1], [3.0]]]), np.array([[1.0], [1.0], [2.0]])
    >>> thresholds, measurement = tie_calibrated(x, y)
    >>> thresholds.round(1).tolist(), measurement.values.tolist()
    ([0.1], [1.0])
    """
    judged = [(s, np.flatnonzero(column)) for s, column in enumerate(~np.isnan(y.T))]
    several = [(s, systems) for s, systems in judged if len(systems) > 1]
    thresholds, statistics = [], np.zeros((len(x), y.shape[1], 2))
    for rows, scores in zip(statistics, x, strict=True):
        pairs = [_OutputPairs.of(scores[at, s], y[at, s], margin) for s, at in several]
        threshold = _best_threshold(pairs) if pairs else 0.0
        thresholds.append(threshold)
        for (s, _), of_segment in zip(several, pairs, strict=True):
            rows[s] = of_segment.accuracy(threshold), 1
    return Calibrated(np.array(thresholds), Measurement(statistics, _share))


def _best_threshold(segments: Sequence[_OutputPairs]) -> float:
    """Return the least ε from 0 up with the highest mean accuracy over the segments."""
    size = np.concatenate([pairs.size for pairs in segments])
    gain = np.concatenate([pairs.gain / len(pairs.gain) for pairs in segments])
    order = np.argsort(size, kind="stable")
    size, total = size[order], np.cumsum(gain[order])
    last = np.append(np.diff(size) > TIE, True)  # of differences that are equal
    at_zero = total[size <= TIE]
    values = np.concatenate([at_zero[-1:] if at_zero.size else [0.0], total[last]])
    best = np.flatnonzero(values >= values.max() - TIE)[0]
    return float(np.concatenate([[0.0], size[last]])[best])


def _share(statistics: Floats) -> Floats:
    return np.clip(divided(statistics[..., 0], statistics[..., 1]), 0, 1)


def soft_pairwise_accuracy(
    x: Floats, y: Floats, *, permutations: int = PERMUTATIONS, seed: int = 0
) -> Floats:
    """Return SPA of M metrics; float64[M], NaN where no pair of systems is judged on a segment.

    Parameters: `x` float64[M, R, S] the metrics' scores, higher being better; `y` float64[R, S]
    the human ones, NaN where nobody judged. Where there are no more sign flips than `permutations`,
    all are tried.

    >>> y = np.array([[3.0, 2, 3, 3], [1, 2, 2, 1]])
    >>> soft_pairwise_accuracy(np.stack([y, -y]), y).tolist()
    [1.0, 0.125]
    """
    by_humans = differences(y)
    judged = ~np.isnan(by_humans)
    known = judged.any(axis=1)
    if not known.any():
        return np.full(len(x), np.nan)
    humans = _flipped(np.nan_to_num(by_humans), permutations, seed)
    accuracies = []
    for scores in x:
        metric = _flipped(np.where(judged, differences(scores), 0.0), permutations, seed)
        accuracies.append(np.mean(1 - np.abs(humans - metric)[known]))
    return np.array(accuracies)


def soft_measurement(x: Floats, y: Floats) -> Measurement:
    """Return SPA by normal distributions, as statistics that add up over segments.

    Of each pair of systems the sums of differences and of their squares, of the metric and of
    humans. The metrics are standardised, so that they can be swapped with each other.

    >>> y = np.array([[3.0, 2, 3, 3], [1, 2, 2, 1]])
    >>> soft_measurement(y[None], y).values.tolist()
    [1.0]
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


def differences(scores: Floats) -> Floats:
    """Return the first minus the second of every two systems; float64[P] or on segments [P, S]."""
    first, second = np.triu_indices(len(scores), 1)
    return scores[first] - scores[second]


def _flipped(by_segment: Floats, permutations: int, seed: int) -> Floats:
    """Return the share of sign flips with a sum at least as large; float64[P]."""
    total, reached, flips = by_segment.sum(axis=1), np.zeros(len(by_segment)), 0
    for coins in subsets(by_segment.shape[1], permutations, seed):
        sums = (1 - 2.0 * coins) @ by_segment.T
        reached += (sums >= total - TIE).sum(axis=0)
        flips += len(coins)
    return reached / flips


def _soft(statistics: Floats) -> Floats:
    """Return SPA from sums of differences and squares, of the metric and of humans."""
    metric, metric_squares, humans, people_squares, count = np.split(statistics, 5, axis=-1)
    distance = np.abs(_normal(metric, metric_squares) - _normal(humans, people_squares))
    known = count > 0
    pairs = known.sum(axis=-1)
    mean = np.where(known, 1 - distance, 0).sum(axis=-1) / np.maximum(pairs, 1)
    return np.where(pairs > 0, mean, np.nan)


def _normal(total: Floats, squares: Floats) -> Floats:
    """Return the share of flips that reach a sum, by the normal distribution."""
    from scipy.special import ndtr  # late, as it loads much

    deviation = np.sqrt(np.maximum(squares, 0))
    z = np.divide(total, deviation, out=np.zeros_like(total), where=deviation > TIE)
    return np.where(deviation > TIE, ndtr(-z), 1.0)
