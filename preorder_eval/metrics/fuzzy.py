"""The fuzzy reordering score of Talbot et al. (2011), equation 1.

FRS = 1 - (C - 1) / (M - 1): C is the number of chunks of contiguously aligned words, M the
number of words. A sentence of one word scores 1. Figure 1 of the paper prints 0.5 for a pair of
orders where the equation gives 5/9 (C = 5, M = 10); the equation is what is computed here.

Where the reference has ties, C is the smallest over all orders that the ties allow. That is not
"same or next group counts as contiguous": the border between two groups can be crossed without
a break only once, and in a group that the system has torn into several runs, the run that is
entered first is not the run that is left last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from preorder_eval.data.arrays import Floats, sums
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.metrics.shared.base import OrderMetric
from preorder_eval.metrics.shared.joints import kept_by_reference


@dataclass(frozen=True)
class Fuzzy(OrderMetric):
    """Share of the joints between neighbouring words that the reference has too.

    Parameters: `match="word"` matches system words to reference words as words, the first
    unmatched instance first, as the paper does; `"position"` matches positions.

    >>> Fuzzy().score([[1, 2, 3, 4, 0]], [[[0], [1], [2], [3], [4]]]).corpus
    0.75
    """

    name: ClassVar[str] = "fuzzy"
    paper: ClassVar[str] = "Talbot et al. 2011"
    equation: ClassVar[str] = "(1): 1 − (C − 1) / (M − 1)"

    match: Literal["word", "position"] = "word"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        matched = words if self.match == "word" else None
        kept = sums(kept_by_reference(orders, references, matched), orders.offsets)
        possible = np.maximum(np.diff(orders.offsets) - 1, 0)
        return (possible - kept).astype(np.float64), possible.astype(np.float64)
