"""Soft pairwise accuracy (Thompson et al. 2024): do a metric and people find systems as different?

For every pair of systems a paired permutation test says how sure people's scores are that the first
is better than the second, and how sure the metric's are: p is the share of random sign flips of the
differences on segments whose sum is at least as large as the sum that there is (one-sided).
SPA = mean over the pairs of 1 - |p_people - p_metric|, 1 at best. Unlike the accuracy of pairs it
neither rewards nor punishes a metric for the order of systems that people cannot tell apart.

Both tests are over the segments on which people judged both systems, by scores of segments. Where
SPA is resampled or metrics are swapped, the share of flips is that of a normal distribution with
their mean, 0, and variance, Σ δ²: what has to be known of a pair then adds up over segments.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from preorder_eval.data.arrays import Floats
from preorder_eval.stats.measurement import TIE, Measurement
from preorder_eval.stats.subsets import subsets

PERMUTATIONS = 1000


def soft_pairwise_accuracy(
    x: Floats, y: Floats, *, permutations: int = PERMUTATIONS, seed: int = 0
) -> Floats:
    """SPA of M metrics; float64[M], NaN where no pair of systems is judged on a segment.

    Parameters: `x` float64[M, R, S] the metrics' scores, higher being better; `y` float64[R, S]
    people's, NaN where nobody judged. Where there are no more sign flips than `permutations`, all
    are tried.

    >>> y = np.array([[3.0, 2, 3, 3], [1, 2, 2, 1]])
    >>> soft_pairwise_accuracy(np.stack([y, -y]), y).tolist()
    [1.0, 0.125]
    """
    by_people = differences(y)
    judged = ~np.isnan(by_people)
    known = judged.any(axis=1)
    if not known.any():
        return np.full(len(x), np.nan)
    people = _shares(np.nan_to_num(by_people), permutations, seed)
    accuracies = []
    for scores in x:
        metric = _shares(np.where(judged, differences(scores), 0.0), permutations, seed)
        accuracies.append(np.mean(1 - np.abs(people - metric)[known]))
    return np.array(accuracies)


def soft_measurement(x: Floats, y: Floats) -> Measurement:
    """SPA by normal distributions, as statistics that add up over segments.

    Of each pair of systems the sums of differences and of their squares, of the metric and of
    people. The metrics are standardised, so that they can be swapped with each other.

    >>> y = np.array([[3.0, 2, 3, 3], [1, 2, 2, 1]])
    >>> soft_measurement(y[None], y).values.tolist()
    [1.0]
    """
    by_people = differences(y)
    judged = ~np.isnan(by_people)
    parts = []
    for scores in x:
        spread = float(np.std(scores[~np.isnan(y)])) if judged.any() else 0.0
        by_metric = np.where(judged, differences(scores), 0.0) / (spread if spread > TIE else 1.0)
        of_both = (by_metric, np.nan_to_num(by_people))
        columns = [part for d in of_both for part in (d, d * d)]
        parts.append(np.concatenate([*columns, judged]).T)
    return Measurement(np.stack(parts), _soft)


def differences(scores: Floats) -> Floats:
    """The differences of every two systems on all segments, the first minus the second; [P, S]."""
    first, second = np.triu_indices(len(scores), 1)
    return scores[first] - scores[second]


def _shares(by_segment: Floats, permutations: int, seed: int) -> Floats:
    """The share of sign flips with a sum of at least that which there is; float64[P]."""
    total, reached, flips = by_segment.sum(axis=1), np.zeros(len(by_segment)), 0
    for coins in subsets(by_segment.shape[1], permutations, seed):
        sums = (1 - 2.0 * coins) @ by_segment.T
        reached += (sums >= total - TIE).sum(axis=0)
        flips += len(coins)
    return reached / flips


def _soft(statistics: Floats) -> Floats:
    """SPA from sums: differences and squares of the metric, those of people, and of how many."""
    metric, metric_squares, people, people_squares, count = np.split(statistics, 5, axis=-1)
    distance = np.abs(_normal(metric, metric_squares) - _normal(people, people_squares))
    known = count > 0
    pairs = known.sum(axis=-1)
    mean = np.where(known, 1 - distance, 0).sum(axis=-1) / np.maximum(pairs, 1)
    return np.where(pairs > 0, mean, np.nan)


def _normal(total: Floats, squares: Floats) -> Floats:
    """The share of flips that reach a sum, by the normal distribution with their variance."""
    deviation = np.sqrt(np.maximum(squares, 0))
    z = np.divide(total, deviation, out=np.zeros_like(total), where=deviation > TIE)
    return np.where(deviation > TIE, ndtr(-z), 1.0)
