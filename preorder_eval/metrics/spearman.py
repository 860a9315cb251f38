"""Spearman's ρ as a score between 0 and 1 (Isozaki et al. 2010: NSR).

(ρ + 1) / 2, where ρ is the correlation of a word's place in the system order with its place in
the reference; without ties ρ = 1 - Σd² / C(n + 1, 3), d the distance between the two.

Where the reference has ties, tied words share the middle of their places (their mid-rank) and ρ
is Pearson's correlation with these. The system order has no ties, so that no order correlates
perfectly with a tied reference: with `{{ a b }} c` the best ρ is 0.866. The other metrics give 1
to every order that the ties allow. A sentence of one word, or all tied, scores 1.

Pooled, ρ is the sum of the covariances over the sum of the largest covariances possible, the
products of the two standard deviations; without ties that is 1 - ΣΣd² / ΣC(n + 1, 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats, sums, within
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.metrics.shared.base import OrderMetric
from preorder_eval.metrics.shared.ties import stretches


@dataclass(frozen=True)
class Spearman(OrderMetric):
    """The correlation of the words' places in the two orders, moved from -1 … 1 to 0 … 1.

    >>> Spearman().score([[2, 1, 0, 3]], [[[0], [1], [2], [3]]]).corpus
    0.6
    """

    name: ClassVar[str] = "spearman"
    paper: ClassVar[str] = "Isozaki et al. 2010"
    equation: ClassVar[str] = "NSR = (ρ + 1) / 2"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        offsets = orders.offsets
        length = np.repeat(np.diff(offsets), np.diff(offsets))
        start = np.repeat(offsets[:-1], np.diff(offsets))
        first, size = (values[orders.tokens] for values in stretches(references))
        # Twice the distance from the middle of the sentence, so that all sums are whole numbers.
        system = 2 * within(offsets) - (length - 1)
        reference = 2 * (first - start) + (size - 1) - (length - 1)
        covariance = sums(system * reference, offsets)
        variances = sums(system**2, offsets).astype(np.float64) * sums(reference**2, offsets)
        largest = np.sqrt(variances)
        return largest - covariance, 2 * largest
