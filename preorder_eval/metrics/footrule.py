"""Spearman's footrule as a score: how far words stand from their places.

1 - Σ|d| / ⌊n² / 2⌋ (Diaconis & Graham 1977): d is the distance of a word from its place in the
reference, and ⌊n² / 2⌋ the sum for an order turned round, the largest there is.

Where the reference has ties, Σ|d| is the smallest over all orders that the ties allow. It is
reached by the order that leaves tied words as the system has them: crossing two of them on the
way to their places never makes the way shorter. The divisor stays that of n words without ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats, sums
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.metrics.shared.base import OrderMetric
from preorder_eval.metrics.shared.ties import stretches


@dataclass(frozen=True)
class Footrule(OrderMetric):
    """How near words stand to their places, on a scale of the largest sum of distances.

    >>> Footrule().score([[1, 0, 2]], [[[0], [1], [2]]]).corpus
    0.5
    """

    name: ClassVar[str] = "footrule"
    paper: ClassVar[str] = "Diaconis & Graham 1977"
    equation: ClassVar[str] = "1 − Σ|d| / ⌊n² / 2⌋"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        first, _ = stretches(references)
        place = np.arange(len(first))
        # Group and system place in one number: sorting numbers is faster than indices.
        bits = len(first).bit_length()
        in_reference = np.sort(first[orders.tokens] << bits | place) & ((1 << bits) - 1)
        lengths = np.diff(orders.offsets)
        return (
            sums(np.abs(in_reference - place), orders.offsets).astype(np.float64),
            (lengths**2 // 2).astype(np.float64),
        )
