"""Kendall's τ as a score between 0 and 1.

1 - inversions / pairs (Birch & Osborne 2010; the NKT of Isozaki et al. 2010, (τ + 1) / 2). A
tied pair is neither an inversion nor one of the pairs; a sentence all tied scores 1.

With `root=true` it is 1 - √(1 - score), which is more sensitive to small reorderings (Birch et
al. 2010 as Isozaki et al. 2010, Table 3, read them). The root is taken of each sentence's
distance for the mean of sentences, and of the corpus's distance for pooled counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats, Ints, Longs, Offsets, gather, sums
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.metrics.shared.base import OrderMetric, quiet
from preorder_eval.metrics.shared.columns import side_by_side

_LONG = 500  # tokens, above which sorting is faster than comparing


@dataclass(frozen=True)
class Kendall(OrderMetric):
    """Share of the pairs of words that stand in the reference's order.

    Parameters: `root=True` reports 1 - √(1 - score).

    >>> Kendall().score([[1, 0, 2]], [[[0], [1], [2]]]).corpus
    0.6666666666666667
    >>> Kendall(root=True).score([[7, 0, 1, 2, 3, 4, 5, 6]], [[[i] for i in range(8)]]).corpus
    0.5
    """

    name: ClassVar[str] = "kendall"
    paper: ClassVar[str] = "Birch & Osborne 2010; Isozaki et al. 2010"
    equation: ClassVar[str] = "1 − inversions / pairs of different rank"

    root: bool = quiet(False)

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        sequence = references.ranks[orders.tokens]
        return (
            inversions(sequence, orders.offsets).astype(np.float64),
            untied_pairs(references).astype(np.float64),
        )

    def rescale(self, score: Floats) -> Floats:
        return 1 - np.sqrt(1 - score) if self.root else score


def inversions(sequence: Ints, offsets: Offsets) -> Longs:
    """Per sentence the pairs in which the earlier number is the larger; int64[S].

    The numbers of a sentence are compared with each other, which is quadratic in its length, but
    each comparison costs a fraction of a nanosecond; those of a long sentence are sorted instead.
    """
    long = np.flatnonzero(np.diff(offsets) > _LONG)
    if len(long):
        result = np.zeros(len(offsets) - 1, dtype=np.int64)
        short = np.flatnonzero(np.diff(offsets) <= _LONG)
        for chosen, count in ((long, _by_sorting), (short, _by_comparing)):
            part, tokens = gather(offsets, chosen)
            result[chosen] = count(sequence[tokens], part)
        return result
    return _by_comparing(sequence, offsets)


def _by_comparing(sequence: Ints, offsets: Offsets) -> Longs:
    result = np.zeros(len(offsets) - 1, dtype=np.int64)
    for chosen, columns in side_by_side(sequence, offsets):
        counts = np.zeros(len(chosen), dtype=np.int64)
        for place in range(len(columns) - 1):
            larger = columns[place] > columns[place + 1 :]
            counts += np.add.reduce(
                larger.view(np.uint8), axis=0, dtype=np.uint8 if len(columns) < 256 else np.int64
            )
        result[chosen] = counts
    return result


def _by_sorting(sequence: Ints, offsets: Offsets) -> Longs:
    """Sort by one bit after the other, from the highest, and count what that puts right.

    At each bit the numbers stand in groups that have the same higher bits, in their first order.
    Two numbers of a group are an inversion if the earlier one has the bit and the later one not.
    """
    numbers, places = sequence.astype(np.int64), np.arange(len(sequence))
    starts = offsets[:-1][np.diff(offsets) > 0]
    result = np.zeros(len(offsets) - 1, dtype=np.int64)
    for bit in reversed(range(int(numbers.max(initial=0)).bit_length())):
        ones = numbers >> bit & 1
        sizes = np.diff(starts, append=len(numbers))
        before = np.cumsum(ones) - ones
        before -= np.repeat(before[starts], sizes)  # ones before it in its group
        result += sums(before * (1 - ones), offsets)
        zeros = sizes - np.add.reduceat(ones, starts)
        first = np.repeat(starts, sizes)
        to = np.where(ones == 1, first + np.repeat(zeros, sizes) + before, places - before)
        numbers[to] = numbers.copy()
        starts = np.unique(np.concatenate([starts, (starts + zeros)[zeros < sizes]]))
    return result


def untied_pairs(references: ReferenceOrders) -> Longs:
    """Per sentence the pairs of tokens that are in different groups; int64[S]."""
    lengths = np.diff(references.offsets)
    starts = np.repeat(references.offsets[:-1], lengths)
    size = np.bincount(references.ranks + starts, minlength=len(references.ranks))
    pairs: Longs = lengths * (lengths - 1) // 2
    return pairs - sums(size * (size - 1) // 2, references.offsets)
