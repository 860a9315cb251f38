"""Correlation coefficients between metrics and human judgments.

Pearson's r measures how near points are to a line; Spearman's ρ is r of the ranks (mean ranks for
ties). Kendall's τ-b is concordant minus discordant pairs over √(pairs not tied in x · pairs not
tied in y). Pairwise accuracy (Kocmi et al. 2021) is the share of pairs of systems that a metric
puts into the human order.

All are undefined, NaN, where one side is constant. Below them stand outliers among systems, groups
of metrics that do not differ significantly, and how well estimates of quality rank outputs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.stats.bootstrap import student_within
from preorder_eval.base.stats.measurement import TIE


def pearson(x: Floats, y: Floats) -> Floats:
    """Return Pearson's r along the last axis; float64[…].

    >>> pearson(np.array([1.0, 2, 3]), np.array([[2.0, 4, 7], [5, 5, 5]])).round(3).tolist()
    [0.993, nan]
    """
    x, y = (deviations(v, v.mean(axis=-1, keepdims=True)) for v in (x, y))
    return over_root((x * y).sum(axis=-1), (x * x).sum(axis=-1), (y * y).sum(axis=-1))


def spearman(x: Floats, y: Floats) -> Floats:
    """Return Spearman's ρ along the last axis; float64[…].

    >>> spearman(np.array([1.0, 2, 3]), np.array([2.0, 7, 4])).round(3).item()
    0.5
    """
    return pearson(mid_ranks(signs(x)), mid_ranks(signs(y)))


def kendall(x: Floats, y: Floats) -> Floats:
    """Return Kendall's τ-b along the last axis; float64[…].

    It forms all pairs, so it is suitable for few items only.

    >>> kendall(np.array([1.0, 2, 3]), np.array([2.0, 7, 4])).round(3).item()
    0.333
    """
    return kendall_of_signs(signs(x), signs(y))


def accuracy(x: Floats, y: Floats) -> Floats:
    """Return the share of pairs that x puts into the order of y; float64[…].

    Pairs that y ties are left out. A tie of x is a disagreement.

    >>> accuracy(np.array([1.0, 2, 2]), np.array([3.0, 5, 7])).round(3).item()
    0.667
    """
    agree = (signs(x) * signs(y) > 0).sum(axis=(-2, -1))
    return _share_of_pairs(agree.astype(np.float64), x, y)


def accuracy_by_chance(x: Floats, y: Floats) -> Floats:
    """Return the accuracy to expect if x ordered the pairs by chance, but kept its ties.

    >>> accuracy_by_chance(np.array([1.0, 2, 2]), np.array([3.0, 5, 7])).round(3).item()
    0.333
    """
    told = (signs(x) * signs(y) != 0).sum(axis=(-2, -1))
    return _share_of_pairs(told / 2, x, y)


def _share_of_pairs(count: Floats, x: Floats, y: Floats) -> Floats:
    """Return a count as a share of the pairs that y decides; NaN where x is constant."""
    told = (signs(x) != 0).any(axis=(-2, -1))
    return np.where(told, divided(count, (signs(y) != 0).sum(axis=(-2, -1))), np.nan)


def signs(values: Floats) -> Floats:
    """Return 1, 0 or -1 for all pairs along the last axis: larger, equal or smaller; […, n, n].

    Values that differ by no more than rounding are equal; a pair with NaN is 0.
    """
    difference = np.nan_to_num(values[..., :, None] - values[..., None, :])
    return np.sign(difference) * (np.abs(difference) > TIE)


def deviations(values: Floats, mean: Floats) -> Floats:
    """Return values minus their mean; differences no larger than rounding are 0."""
    difference = values - mean
    return np.where(np.abs(difference) > TIE, difference, 0.0)


def mid_ranks(sign: Floats) -> Floats:
    """Return ranks from the signs of all pairs, counted from the middle; ties share their mean."""
    return sign.sum(axis=-1) / 2


def kendall_of_signs(x: Floats, y: Floats) -> Floats:
    """Return τ-b from the signs of all pairs, float64[…, n, n]."""
    return over_root(*((a * b).sum(axis=(-2, -1)) for a, b in ((x, y), (x, x), (y, y))))


def over_root(product: Floats, first: Floats, second: Floats) -> Floats:
    """Return product / √(first · second); NaN if either is no larger than rounding."""
    return divided(product, np.sqrt(np.maximum(first, 0)) * np.sqrt(np.maximum(second, 0)))


def divided(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient; NaN where the denominator is 0, up to rounding."""
    known = np.asarray(denominator) > TIE**2
    result = np.full(np.broadcast_shapes(np.shape(numerator), known.shape), np.nan)
    np.divide(numerator, denominator, out=result, where=known)
    return result


def williams(first: float, second: float, between: float, systems: int) -> float:
    """Return the two-sided p that two metrics correlate differently with humans (Williams 1959).

    `first` and `second` are Pearson's r of each metric with humans, and `between` is that of the
    two metrics, all over the same `systems` (Graham & Baldwin 2014). NaN with fewer than four
    systems.

    >>> round(williams(0.9, 0.5, 0.6, systems=14), 3)
    0.008
    """
    if systems < 4 or np.isnan(first + second + between):
        return np.nan
    n = systems
    k = max(1 - first**2 - second**2 - between**2 + 2 * first * second * between, 0.0)
    mean = (first + second) / 2
    spread = np.sqrt(2 * k * (n - 1) / (n - 3) + mean**2 * max(1 - between, 0.0) ** 3)
    if abs(first - second) <= TIE:
        return 1.0
    if spread <= TIE:  # one metric is the human scores, the other their opposite
        return 0.0
    t = abs(first - second) * np.sqrt((n - 1) * (1 + between)) / spread
    return max(1 - student_within(float(t), n - 3), 0.0)


COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall, "accuracy": accuracy}


def outliers(scores: Floats) -> list[int]:
    """Return the numbers of the systems whose scores are far from those of the others.

    An outlier has |x - median| / (1.483 · MAD) > 2.5, where MAD is the median of |x - median|. A
    single very bad system can lift Pearson's r of any metric near 1. The rule is that of Mathur et
    al. (2020) and the metrics tasks of WMT. Fewer than six systems have no outliers: the median of
    so few distances is no reliable measure of spread.

    >>> outliers(np.array([70.1, 70.2, 70.0, 70.1, 70.2, 68.7]))
    [5]
    """
    if len(scores) < 6:
        return []
    distance = np.abs(scores - np.median(scores))
    spread = 1.483 * float(np.median(distance))
    if spread <= TIE:
        return []
    return np.flatnonzero(distance / spread > 2.5).tolist()


def groups(p: Floats, order: Sequence[int], level: float = 0.05) -> list[int]:
    """Return the group of each metric in a table sorted by `order`, counted from 1.

    Going down the table, a metric starts a new group if it differs significantly from one above it
    in the current group. The metrics task of WMT 2022 ranks so. `p` float64[M, M] are p-values of
    the differences; one that is NaN is not significant.

    >>> p = np.array([[1, 0.2, 0.01], [0.2, 1, 0.3], [0.01, 0.3, 1]])
    >>> groups(p, [0, 1, 2])
    [1, 1, 2]
    """
    numbers: list[int] = []
    current: list[int] = []
    for metric in order:
        if not current or np.any(p[metric, current] <= level):
            current = []
            numbers.append(numbers[-1] + 1 if numbers else 1)
        else:
            numbers.append(numbers[-1])
        current.append(metric)
    return numbers


def delta_avg(estimates: Floats, values: Floats) -> float:
    """Compute DeltaAvg (equation 7-1): by how much the outputs estimated best exceed all outputs.

    The outputs are ranked by estimate and cut into n quantiles. DeltaAvg[n] is the mean value of
    the first k quantiles, averaged over k = 1 … n - 1, minus the mean value of all outputs. The
    result is the mean over n = 2 … N/2. Outputs with equal estimates count with their mean value,
    which is what all orders among them give on average.

    >>> delta_avg(np.array([4.0, 3, 2, 1]), np.array([10.0, 8, 6, 4]))
    2.0
    """
    if len(estimates) != len(values) or len(values) < 4:
        raise PreorderEvalError(
            f"DeltaAvg of {len(estimates)} estimates and {len(values)} values; it needs equally "
            "many of both, and at least four"
        )
    _, tied = np.unique(-estimates, return_inverse=True)
    order = np.argsort(tied, kind="stable")
    in_order = (np.bincount(tied, values) / np.bincount(tied))[tied[order]]
    size = len(values)
    heads = np.cumsum(in_order) / np.arange(1, size + 1)  # mean of the best 1, 2, …
    means = [heads[np.arange(1, n) * size // n - 1].mean() for n in range(2, size // 2 + 1)]
    return float(np.mean(means) - np.mean(values))
