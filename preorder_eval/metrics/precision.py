"""Unigram precision: how much of the output is in the reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from preorder_eval.data.arrays import Floats
from preorder_eval.metrics.shared.unigrams import UnigramMetric


@dataclass(frozen=True)
class Precision(UnigramMetric):
    """Share of the hypotheses' words that are in the references, whatever the order.

    A word counts as often as the reference has it. An empty hypothesis scores 0. Of several
    references the one with the most words in common counts.

    >>> Precision().score(["the the cat"], ["the cat sat down"]).corpus
    0.6666666666666666
    """

    name: ClassVar[str] = "precision"
    equation: ClassVar[str] = "correct / |h|"

    def ratio(self, common: Floats, output: Floats, reference: Floats) -> tuple[Floats, Floats]:
        return common, output
