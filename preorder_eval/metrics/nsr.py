"""Normalized Spearman's ρ of the words that an output shares with its reference.

NSR = (ρ + 1) / 2 of Isozaki et al. (2010), over the same aligned words as their NKT. It counts
how far words have moved, and so punishes a misplaced clause harder than a misplaced word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from preorder_eval.data.arrays import Floats
from preorder_eval.metrics.nkt import RankCorrelation
from preorder_eval.metrics.shared.word_order import WordOrder


@dataclass(frozen=True)
class NormalizedSpearman(RankCorrelation):
    """Spearman's ρ of the aligned words' places as (ρ + 1) / 2, times P^`alpha`, or times BP.

    0 with fewer than two aligned words, also where a side is empty. Parameters: `alpha` from 0
    (not weighted) to 1; `bp=True` multiplies with the brevity penalty; `modifier="recall"` or
    `"fmeasure"` (with `beta`) stands in the place of P; `root` and `power` are those of `nkt`.

    >>> NormalizedSpearman().score(["Bob hit John yesterday"], ["John hit Bob yesterday"]).corpus
    0.6
    """

    name: ClassVar[str] = "nsr"
    equation: ClassVar[str] = "(ρ + 1) / 2 · P^α (section 2; alignment of Figure 1)"

    def correlation(self, order: WordOrder) -> Floats:
        return order.spearman()
