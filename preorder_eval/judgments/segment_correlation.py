"""Correlation of M metrics with humans over segments, as statistics that add up over segments.

The scores of M metrics for each output of R systems on S segments are x float64[M, R, S]. Human
scores are y float64[R, S], NaN where nobody judged. Points can be compared in three ways (Deutsch
et al. 2023). Those are all together, by system (and the mean over systems), or by segment (and the
mean over segments). Pairs of outputs of the same segment that humans put in an order are counted as
well. In a `Measurement` metrics take the place of systems. Spearman's ρ and Kendall's τ-b over many
segments are resampled by their tangent (`Influence`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, Longs, matrix_product
from preorder_eval.base.stats.measurement import TIE, Finish, Measurement
from preorder_eval.judgments.correlation import (
    deviations,
    divided,
    kendall_of_signs,
    mid_ranks,
    over_root,
    signs,
)
from preorder_eval.judgments.human_scores import PairwiseJudgments

SEGMENT_COEFFICIENTS = ("pearson", "spearman", "kendall")

# Where a metric gives a group of outputs, such as those of a segment, one and the same score, it
# has no coefficient there. That counts 0, so that all metrics have the same groups, or the group is
# left out for this metric, as in mt-metrics-eval.
Constant = Literal["zero", "dropped"]


def over_all(coefficient: str, x: Floats, y: Floats) -> Measurement:
    """Compare all judged outputs together.

    >>> x = np.array([[[1.0, 2, 3], [4, 5, 6]]])
    >>> over_all("pearson", x, x[0]).values.tolist()
    [1.0]
    """
    if coefficient == "pearson":
        return Measurement(_moments(x, y).sum(axis=1), _pearson)
    return _by_tangent(coefficient, x, y, [np.full(len(y), True)])


def within_systems(
    coefficient: str, x: Floats, y: Floats, constant: Constant = "zero"
) -> Measurement:
    """Compare the outputs of each system by themselves; the result is the mean over systems.

    A system is left out if humans gave all its outputs the same score; for a metric that does so,
    see `Constant`.

    >>> x = np.array([[[1.0, 2, 3], [4, 5, 6]]])
    >>> within_systems("kendall", x, np.array([[1.0, 2, 3], [2, 3, 1]])).values.round(3).tolist()
    [0.333]
    """
    varied = _varied(y)
    if not varied:
        return Measurement(np.zeros((len(x), y.shape[1], 2)), _tangent)
    if coefficient == "pearson":
        moments = np.moveaxis(_moments(x, y)[:, varied], 1, 2)
        flat = moments.reshape(*moments.shape[:2], -1)
        return Measurement(flat, partial(_mean_pearson, systems=len(varied), constant=constant))
    return _by_tangent(coefficient, x, y, list(np.eye(len(y), dtype=bool)[varied]), constant)


def within_segments(
    coefficient: str, x: Floats, y: Floats, constant: Constant = "zero"
) -> Measurement:
    """Compare the outputs of each segment by themselves; the result is the mean over segments.

    A segment is left out if humans gave all its outputs the same score; for a metric that does so,
    see `Constant`.

    >>> x, y = np.array([[[1.0, 1], [2, 1]]]), np.array([[1.0, 1], [2, 2]])
    >>> within_segments("kendall", x, y).values.round(3).tolist()
    [0.5]
    >>> within_segments("kendall", x, y, "dropped").values.round(3).tolist()
    [1.0]
    """
    judged = ~np.isnan(y)
    humans = signs(y.T)
    counted = humans.any(axis=(1, 2))
    statistics = np.zeros((len(x), y.shape[1], 2))
    for rows, scores in zip(statistics, x, strict=True):
        sign = signs(np.where(judged, scores, np.nan).T)
        if coefficient == "kendall":
            values = kendall_of_signs(sign, humans)
        elif coefficient == "spearman":
            values = _masked_pearson(mid_ranks(sign), mid_ranks(humans), judged.T)
        else:
            values = _masked_pearson(scores.T, np.nan_to_num(y).T, judged.T)
        known = counted & ~np.isnan(values)
        rows[:, 0] = np.where(known, values, 0)
        rows[:, 1] = known if constant == "dropped" else counted
    return Measurement(statistics, _share)


def pairwise(variant: str, x: Floats, pairs: PairwiseJudgments) -> Measurement:
    """Count agreement with judgments of pairs, ties of humans left out; see `VARIANTS`.

    >>> x, one = np.array([[[1.0], [2.0]]]), np.ones(1, dtype=np.int64)
    >>> pairs = PairwiseJudgments(("a", "b"), 1, 0 * one, 0 * one, one, -one, one)
    >>> pairwise("consistency", x, pairs).values.tolist()
    [1.0]
    """
    decided = pairs.decided
    statistics = np.zeros((len(x), pairs.segments, 3))
    for counts, scores in zip(statistics, x, strict=True):
        difference = (
            scores[decided.first, decided.segment] - scores[decided.second, decided.segment]
        )
        agree = np.sign(difference) * (np.abs(difference) > TIE) * decided.preferred
        for column, sign in enumerate((1, -1, 0)):
            counts[:, column] = np.bincount(decided.segment, agree == sign, minlength=len(counts))
    return Measurement(statistics, VARIANTS[variant])


def _ratio(counts: Floats, above: tuple[float, ...], below: tuple[float, ...]) -> Floats:
    return divided(*(matrix_product(counts, np.array(weights)) for weights in (above, below)))


VARIANTS: dict[str, Finish] = {
    "accuracy": partial(_ratio, above=(1, 0, 0.5), below=(1, 1, 1)),
    "consistency": partial(_ratio, above=(1, 0, 0), below=(1, 1, 1)),
    "wmt12": partial(_ratio, above=(1, -1, -1), below=(1, 1, 1)),
    "wmt13": partial(_ratio, above=(1, -1, 0), below=(1, 1, 0)),
    "wmt14": partial(_ratio, above=(1, -1, 0), below=(1, 1, 1)),
}
"""How concordant and discordant pairs and those that a metric ties make a number. All leave out
ties of humans. Accuracy counts a tie of the metric as one half, so that chance is 1/2 for every
metric, and noise that breaks ties does not move it. To Birch & Osborne's consistency (2010) it is
no agreement. The rest is Kendall's τ as the metrics tasks of WMT 2012, 2013 and 2014 defined it
(Macháček & Bojar 2014): in 2012 and since 2017 a tie is a disagreement, in 2013 left out, in 2014
neither."""


def _varied(y: Floats) -> list[int]:
    """Return the systems, by number, that humans gave two different scores."""
    known = (scores[~np.isnan(scores)] for scores in y)
    return [s for s, scores in enumerate(known) if scores.size and np.ptp(scores) > TIE]


def _moments(x: Floats, y: Floats) -> Floats:
    """Return count, x, y, x², y², xy of each output, zeros if not judged; float64[M, R, S, 6].

    Scores are standardised first: Pearson's r does not change, sums of squares stay exact, and
    metrics can be swapped with each other.
    """
    judged = ~np.isnan(y)
    a, b = standardised(x, judged), standardised(y, judged)
    b = np.broadcast_to(b, a.shape)
    moments = np.stack([np.ones_like(a), a, b, a * a, b * b, a * b], axis=-1)
    return moments * judged[..., None]


def standardised(values: Floats, judged: Bools) -> Floats:
    """Return values float64[…, R, S] with mean 0 and standard deviation 1 over judged outputs.

    They are 0 for outputs that nobody judged, and everywhere if all are equal.
    """
    values = np.where(judged, values, np.nan)
    centred = values - np.nanmean(values, axis=(-2, -1), keepdims=True)
    spread = np.sqrt(np.nanmean(centred**2, axis=(-2, -1), keepdims=True))
    return np.nan_to_num(np.where(spread > TIE, centred / np.maximum(spread, TIE), 0.0))


def _pearson(moments: Floats) -> Floats:
    n, x, y, xx, yy, xy = np.moveaxis(moments, -1, 0)
    spreads = (n * xx - x * x, n * yy - y * y)
    # Of standardised scores, so that what is this small is rounding.
    return over_root(n * xy - x * y, *(np.where(v > TIE * n * n, v, 0.0) for v in spreads))


def _mean_pearson(moments: Floats, systems: int, constant: Constant) -> Floats:
    values = _pearson(moments.reshape(*moments.shape[:-1], systems, 6))
    known = (~np.isnan(values)).sum(axis=-1)
    counted = known if constant == "dropped" else np.where(known > 0, systems, 0)
    return divided(np.nansum(values, axis=-1), counted)


def _masked_pearson(x: Floats, y: Floats, judged: Bools) -> Floats:
    """Return Pearson's r along the last axis of the values that are judged."""
    count = np.maximum(judged.sum(axis=-1, keepdims=True), 1)
    x, y = (
        deviations(v, (v * judged).sum(axis=-1, keepdims=True) / count) * judged for v in (x, y)
    )
    return over_root(*((a * b).sum(axis=-1) for a, b in ((x, y), (x, x), (y, y))))


def _share(statistics: Floats) -> Floats:
    return divided(statistics[..., 0], statistics[..., 1])


def _by_tangent(
    coefficient: str, x: Floats, y: Floats, groups: list[Bools], constant: Constant = "zero"
) -> Measurement:
    """Return the mean over groups of systems of a coefficient, as a sum over segments.

    A segment's statistic is its share of the value, by its share of the judged outputs, and its
    influence on it. They add up to the value, and in a resample to the tangent times the drawn
    share of the outputs. The second component is that share, or 0 for a metric whose coefficient is
    undefined.
    """
    influence = spearman_influence if coefficient == "spearman" else kendall_influence
    judged = ~np.isnan(y)
    size = y.shape[1]
    statistics = np.zeros((len(x), size, 2))
    share = judged.sum(axis=0) / max(judged.sum(), 1)
    for rows, scores in zip(statistics, x, strict=True):
        defined = 0
        for group in groups:
            system, segment = np.nonzero(judged & group[:, None])
            tangent = influence(scores[system, segment], y[system, segment])
            if not np.isnan(tangent.value):
                pull = np.bincount(segment, tangent.items, minlength=size)
                rows[:, 0] += tangent.value * share + pull
                defined += 1
        rows[:, 0] /= max(defined if constant == "dropped" else len(groups), 1)
        rows[:, 1] = share * (defined > 0)
    return Measurement(statistics, _tangent)


def _tangent(statistics: Floats) -> Floats:
    return np.clip(_share(statistics), -1, 1)  # a tangent goes on beyond


@dataclass(frozen=True, eq=False)
class Influence:
    """A coefficient, and its derivative by the weight of each item, float64[n].

    To resample Spearman's ρ or Kendall's τ-b, all items would have to be ranked anew each time.
    Instead, the coefficient is a function of how often each item is drawn, and this function is
    replaced by its tangent at the point where each is drawn once: T(w) ≈ T + Σ (w_i - 1) T'_i. The
    derivatives T'_i (the infinitesimal jackknife of Jaeckel 1972) add up to 0. The error falls with
    1/n.
    """

    value: float
    items: Floats

    @classmethod
    def of(cls, product: float, by_item: Floats, *norms: tuple[float, Floats]) -> Influence:
        """Return product / √(norms), from each part's value and derivatives; NaN if undefined."""
        root = float(np.sqrt(np.prod([value for value, _ in norms])))
        if not root > 0:
            return cls(np.nan, np.full(len(by_item), np.nan))
        value = product / root
        pull = sum((derivative / norm for norm, derivative in norms), np.zeros(len(by_item)))
        return cls(value, by_item / root - value / 2 * pull)


def spearman_influence(x: Floats, y: Floats) -> Influence:
    """Return Spearman's ρ of n items, with ties."""
    codes = _codes(x), _codes(y)
    a, b = (_balance(code, np.ones(len(code))) for code in codes)  # ranks from the middle
    moved_a, moved_b = (_balance(code, v) for code, v in zip(codes, (b, a), strict=True))
    by_item = a * b - moved_a - moved_b
    norms = [
        (float(matrix_product(r, r)), r * r - 2 * _balance(code, r))
        for code, r in zip(codes, (a, b), strict=True)
    ]
    return Influence.of(float(matrix_product(a, b)), by_item, *norms)


def kendall_influence(x: Floats, y: Floats) -> Influence:
    """Return Kendall's τ-b of n items."""
    codes = _codes(x), _codes(y)
    concordant = _concordance(*codes)
    norms = []
    for code in codes:
        untied = len(code) - np.bincount(code)[code].astype(np.float64)
        norms.append((float(untied.sum()), 2 * untied))
    return Influence.of(float(concordant.sum()), 2 * concordant, *norms)


def _codes(values: Floats) -> Longs:
    """Return each value's number among the distinct values, which differ by more than rounding."""
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order], prepend=values[order[:1]]) > TIE
    codes = np.empty(len(values), dtype=np.int64)
    codes[order] = np.cumsum(steps)
    return codes


def _balance(codes: Longs, weights: Floats) -> Floats:
    """Return half of the weights of the items below each one, minus those above."""
    total = np.bincount(codes, weights)
    below = np.cumsum(total) - total
    above = total.sum() - below - total
    return (below - above)[codes] / 2


def _concordance(x: Longs, y: Longs) -> Floats:
    """Return for each item the concordant minus the discordant others; float64[n].

    `smaller_before` counts others that are smaller in both. All else follows from how many are
    smaller in x, in y, and in one where the other is equal.
    """
    n, ones = len(x), np.ones(len(x))
    # Ties are put so that none counts as smaller before.
    place = np.empty(n, dtype=np.int64)
    place[np.lexsort((-y, x))] = np.arange(n)
    sequence = place[np.lexsort((-place, y))]
    both_smaller = smaller_before(sequence)[place]

    def net(codes: Longs) -> Floats:  # items below each one minus items above
        return 2 * _balance(codes, ones)

    x_then_y, y_then_x = (np.unique(v, return_inverse=True)[1] for v in (x * n + y, y * n + x))
    x_below, y_below = ((np.cumsum(c := np.bincount(v)) - c)[v] for v in (x, y))
    equal_y = (np.cumsum(c := np.bincount(y_then_x)) - c)[y_then_x] - y_below
    lower = 2 * both_smaller + equal_y - x_below  # concordant minus discordant, smaller in x
    equal_x = net(x_then_y) - net(x)
    return 2 * lower + equal_x - net(y)


def smaller_before(sequence: Longs) -> Longs:
    """Return for each of the numbers 0 to n - 1 how many smaller ones stand before; int64[n].

    Bit by bit from the highest: among numbers that agree so far, those with a 0 are smaller than
    those with a 1. O(n log² n), without a loop over numbers.
    """
    counts = np.zeros(len(sequence), dtype=np.int64)
    for bit in reversed(range(len(sequence).bit_length())):
        # The sequence is sorted by the higher bits; equal ones fill a stretch, in their old order.
        one = (sequence >> bit) & 1
        start = (sequence >> (bit + 1)) << (bit + 1)
        zeros = np.cumsum(1 - one) - start // 2
        counts[sequence] += one * zeros
        sequence = sequence[np.argsort(sequence >> bit, kind="stable")]
    return counts
