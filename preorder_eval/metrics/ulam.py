"""Ulam's distance as a score: how many words can stay while the others are moved.

(L - 1) / (n - 1): L is the length of the longest increasing subsequence, the most words that
stand in the reference's order as they are; n - L words must be taken out and put back elsewhere
(Ulam 1972). A sentence of one word scores 1.

Where the reference has ties, L is the longest over all orders that the ties allow. That is the
longest subsequence of ranks that never falls: among tied words the system's order is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats, Ints, Longs, Offsets
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.metrics.shared.base import OrderMetric
from preorder_eval.metrics.shared.columns import side_by_side


@dataclass(frozen=True)
class Ulam(OrderMetric):
    """Share of the words that need not be moved, not counting the first.

    >>> Ulam().score([[1, 2, 3, 4, 0]], [[[0], [1], [2], [3], [4]]]).corpus
    0.75
    """

    name: ClassVar[str] = "ulam"
    paper: ClassVar[str] = "Ulam 1972"
    equation: ClassVar[str] = "(longest increasing subsequence − 1) / (n − 1)"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        lengths = np.diff(orders.offsets)
        kept = longest_rises(references.ranks[orders.tokens], orders.offsets)
        return (
            (lengths - kept).astype(np.float64),
            np.maximum(lengths - 1, 0).astype(np.float64),
        )


def longest_rises(sequence: Ints, offsets: Offsets) -> Longs:
    """Per sentence the length of the longest subsequence that never falls; int64[S].

    Patience sorting of many sentences at once: row k of `ends` is the smallest number that a
    subsequence of k + 1 numbers can end with. A number goes after all that are not larger.
    """
    result = np.zeros(len(offsets) - 1, dtype=np.int64)
    for chosen, columns in side_by_side(sequence, offsets):
        filler = np.iinfo(columns.dtype).max
        ends = np.full_like(columns, filler)
        rows = np.arange(len(chosen))
        for place, numbers in enumerate(columns):
            after = np.count_nonzero(ends[:place] <= numbers, axis=0)
            ends[after, rows] = numbers
        result[chosen] = np.count_nonzero(ends < filler, axis=0)
    return result
