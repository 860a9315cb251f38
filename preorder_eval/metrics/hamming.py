"""The Hamming distance of two orders as a score (Birch & Osborne 2010, section 2.1).

The share of words that stand in their place. A tied word is in place anywhere in the stretch of
places that its group has in the reference, which is also the best that any order of the ties
can do: the words of the group that the system puts into the stretch can all stay where they are.
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
class Hamming(OrderMetric):
    """Share of the words that stand in their place.

    >>> Hamming().score([[1, 0, 2]], [[[0], [1], [2]]]).corpus
    0.33333333333333337
    """

    name: ClassVar[str] = "hamming"
    paper: ClassVar[str] = "Birch & Osborne 2010"
    equation: ClassVar[str] = "section 2.1: 1 − words out of place / M"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        first, size = (values[orders.tokens] for values in stretches(references))
        place = np.arange(len(first))
        misplaced = (place < first) | (place >= first + size)
        return (
            sums(misplaced, orders.offsets).astype(np.float64),
            np.diff(orders.offsets).astype(np.float64),
        )
