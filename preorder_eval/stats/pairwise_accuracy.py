"""Pairwise accuracy: with ties calibrated over outputs (acc_eq), and soft over systems (SPA).

acc_eq is the share of pairs of outputs on which a metric agrees with humans: both prefer the same,
or both call it a tie: (C + T_hm) / (C + D + T_h + T_m + T_hm) (Deutsch et al. 2023). As metrics
seldom give two outputs the very same score, a difference of at most ε is a tie of the metric, and ε
is chosen for each metric so that it agrees best. The pairs are those of all outputs, of the outputs
of each system, or of the outputs of each segment, of which the mean is taken with one ε for all.
Statistics are those at the chosen ε, which stays as it is when they are resampled or swapped.

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

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.stats.correlation import divided
from preorder_eval.stats.measurement import TIE, Measurement
from preorder_eval.stats.significance import subsets

Grouping = Literal["segment", "within-system", "within-segment"]
_EXACT = 1 << 22  # pairs up to which every difference is tried as ε
PERMUTATIONS = 1000
_TRIED = 1 << 12  # values of ε beyond that, quantiles of the differences of a sample
_SAMPLE = 1 << 20  # pairs in that sample


class Calibrated(NamedTuple):
    """The ε chosen for each metric, and what adds up over segments at it; float64[M]."""

    thresholds: Floats
    measurement: Measurement


class _Pairs(NamedTuple):
    """Pairs of outputs: |metric difference|, what a tie of the metric gains there, and agreement.

    `gain` float64[n] is 1 where humans tie, -1 where the metric agrees without a tie, else 0;
    `concordant` bool[n].
    """

    size: Floats
    gain: Floats
    concordant: Bools


def tie_calibrated(grouping: Grouping, x: Floats, y: Floats, margin: float = 0.0) -> Calibrated:
    """Return acc_eq of M metrics with the best ε each.

    Parameters: `x` float64[M, R, S] the metrics' scores, higher being better; `y` float64[R, S]
    the human ones, NaN where nobody judged; human scores that differ by no more than `margin` tie.

    >>> x, y = np.array([[[1.0], [1.1], [3.0]]]), np.array([[1.0], [1.0], [2.0]])
    >>> thresholds, measurement = tie_calibrated("within-segment", x, y)
    >>> thresholds.round(1).tolist(), measurement.values.tolist()
    ([0.1], [1.0])
    """
    judged = ~np.isnan(y)
    groups = _groups(grouping, judged)
    thresholds, statistics = [], np.zeros((len(x), y.shape[1], 2))
    for rows, scores in zip(statistics, x, strict=True):
        points = [(scores[group], y[group]) for group in groups]
        threshold = _best_threshold(points, margin)
        thresholds.append(threshold)
        if grouping == "within-segment":
            _by_segment(rows, groups, points, threshold, margin)
        else:
            _by_influence(rows, groups, points, threshold, margin)
    return Calibrated(np.array(thresholds), Measurement(statistics, _share))


def _groups(grouping: Grouping, judged: Bools) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the judged outputs of each group of two or more, as systems and segments."""
    if grouping == "segment":
        systems, segments = np.nonzero(judged)
        groups = [(systems, segments)]
    elif grouping == "within-system":
        columns = [np.flatnonzero(row) for row in judged]
        groups = [(np.full(len(c), system), c) for system, c in enumerate(columns)]
    else:
        rows = [np.flatnonzero(column) for column in judged.T]
        groups = [(r, np.full(len(r), segment)) for segment, r in enumerate(rows)]
    return [group for group in groups if len(group[0]) > 1]


def _rows(x: Floats, y: Floats, margin: float) -> Iterator[_Pairs]:
    """Yield for each item its pairs with all after it."""
    for i in range(len(x) - 1):
        yield _pairs(x[i] - x[i + 1 :], y[i] - y[i + 1 :], margin)


def _pairs(by_metric: Floats, by_humans: Floats, margin: float) -> _Pairs:
    tied = np.abs(by_humans) <= margin + TIE
    concordant = ~tied & (np.sign(by_metric) == np.sign(by_humans))
    return _Pairs(np.abs(by_metric), tied - concordant.astype(np.float64), concordant)


def _best_threshold(points: Sequence[tuple[Floats, Floats]], margin: float) -> float:
    """Return the least ε from 0 up with the highest mean accuracy over the groups."""
    count = sum(len(x) * (len(x) - 1) // 2 for x, _ in points)
    tried = None if count <= _EXACT else _tried(points)
    gains = np.zeros(0) if tried is None else np.zeros(len(tried) + 1)
    sizes, weights = [], []
    for x, y in points:
        weight = 2 / (len(x) * (len(x) - 1))
        for size, gain, _ in _rows(x, y, margin):
            if tried is None:
                sizes.append(size)
                weights.append(gain * weight)
            else:
                place = np.searchsorted(tried + TIE, size)
                gains += np.bincount(place, gain * weight, minlength=len(gains))
    if tried is None:
        if not sizes:
            return 0.0
        size, gain = np.concatenate(sizes), np.concatenate(weights)
        order = np.argsort(size, kind="stable")
        size, total = size[order], np.cumsum(gain[order])
        last = np.append(np.diff(size) > TIE, True)  # of differences that are equal
        tried = np.concatenate([[0.0], size[last]])
        at_zero = total[size <= TIE]
        values = np.concatenate([at_zero[-1:] if at_zero.size else [0.0], total[last]])
    else:
        values = np.cumsum(gains)[:-1]
    best = np.flatnonzero(values >= values.max() - TIE)[0]
    return float(tried[best])


def _tried(points: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Return values of ε to try for too many pairs: 0 and quantiles of differences."""
    rng = np.random.default_rng(0)
    each = max(1, _SAMPLE // len(points))
    differences = [np.abs(x[rng.integers(len(x), size=(each, 2))] @ [1.0, -1.0]) for x, _ in points]
    steps = np.linspace(0, 1, _TRIED)
    return np.unique([0.0, *np.quantile(np.concatenate(differences), steps)])


def _agree(pairs: _Pairs, threshold: float) -> Floats:
    """Return whether metric and humans agree on each pair, 1 or 0."""
    metric_ties = pairs.size <= threshold + TIE
    return np.where(metric_ties, pairs.gain > 0, pairs.concordant).astype(np.float64)


def _by_segment(
    rows: Floats,
    groups: Sequence[tuple[np.ndarray, np.ndarray]],
    points: Sequence[tuple[Floats, Floats]],
    threshold: float,
    margin: float,
) -> None:
    """Write the accuracy of each segment, and 1."""
    for (_, segment), (x, y) in zip(groups, points, strict=True):
        upper = np.triu_indices(len(x), 1)
        by_metric, by_humans = (v[upper[0]] - v[upper[1]] for v in (x, y))
        pairs = _pairs(by_metric, by_humans, margin)
        rows[segment[0]] = _agree(pairs, threshold).mean(), 1


def _by_influence(
    rows: Floats,
    groups: Sequence[tuple[np.ndarray, np.ndarray]],
    points: Sequence[tuple[Floats, Floats]],
    threshold: float,
    margin: float,
) -> None:
    """Write each segment's share of the mean accuracy and its influence on it.

    A group's accuracy is the mean over its pairs, a U-statistic; an output's influence is twice
    what the mean of its own pairs has over that, divided by their number.
    """
    segments = len(rows)
    for (_, segment), (x, y) in zip(groups, points, strict=True):
        own, size = np.zeros(len(x)), len(x)
        for i, pairs in enumerate(_rows(x, y, margin)):
            agree = _agree(pairs, threshold)
            own[i] += agree.sum()
            own[i + 1 :] += agree
        value = own.sum() / (size * (size - 1))
        pull = 2 * (own - (size - 1) * value) / (size * (size - 1))
        rows[:, 0] += value / segments + np.bincount(segment, pull, minlength=segments)
    rows[:, 0] /= max(len(groups), 1)
    rows[:, 1] = 1 / segments if groups else 0


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
    """Return the first minus the second of every two systems on all segments; float64[P, S]."""
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
