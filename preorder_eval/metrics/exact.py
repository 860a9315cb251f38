"""Exact match: is the system order one of the orders that the reference allows?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats, sums
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.metrics.shared.base import OrderMetric


@dataclass(frozen=True)
class Exact(OrderMetric):
    """Share of the sentences in the reference's order.

    >>> Exact().score([[1, 0, 2], [1, 0, 2]], [[[0, 1], [2]], [[0], [1], [2]]]).corpus
    0.5
    """

    name: ClassVar[str] = "exact"
    paper: ClassVar[str] = "Talbot et al. 2011 (reference orders)"
    equation: ClassVar[str] = "1 if no word stands before one of an earlier group, else 0"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        sequence = references.ranks[orders.tokens]
        falls = np.diff(sequence, append=0) < 0
        lengths = np.diff(orders.offsets)
        falls[orders.offsets[1:][lengths > 0] - 1] = False
        wrong = sums(falls, orders.offsets) > 0
        return wrong.astype(np.float64), np.ones(len(lengths))
