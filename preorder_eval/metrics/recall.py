"""Unigram recall: how much of the reference is in the output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from preorder_eval.data.arrays import Floats
from preorder_eval.metrics.shared.unigrams import UnigramMetric


@dataclass(frozen=True)
class Recall(UnigramMetric):
    """Share of the references' words that are in the hypotheses, whatever the order.

    A word counts as often as the hypothesis has it. An empty reference scores 0. Of several
    references the one with the highest recall counts.

    >>> Recall().score(["the the cat"], ["the cat sat down"]).corpus
    0.5
    """

    name: ClassVar[str] = "recall"
    equation: ClassVar[str] = "correct / |r|"

    def ratio(self, common: Floats, output: Floats, reference: Floats) -> tuple[Floats, Floats]:
        return common, reference
