"""Normalized Kendall's τ of the words that an output shares with its reference.

Isozaki et al. (2010), section 2: words are aligned one to one (their Figure 1), and the share of
aligned pairs that stand in the reference's order is NKT = (τ + 1) / 2. As it says nothing about
words that are not aligned, it is multiplied with a power of the precision, or of the recall or
F-measure (sections 2.3 and 4.2), or with the brevity penalty of BLEU. These factors by themselves,
rows of their Table 1, are the metric `modifier`.

Section 5 and Table 3 take functions of the value: √NKT is `power=0.5`, Birch et al.'s
b(NKT) = 1 - √(1 - NKT) is `root=true`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.shared.base import quiet
from preorder_eval.metrics.shared.context import align_by_context
from preorder_eval.metrics.shared.lexical import SentenceMetric
from preorder_eval.metrics.shared.word_order import WordOrder


@dataclass(frozen=True)
class RankCorrelation(SentenceMetric):
    """A rank correlation of the aligned words, times a modifier^`alpha`, times BP if `bp`.

    The `modifier` is P, the share of the hypothesis's words that are aligned, or recall or F_β, as
    in `modifier`. Of the product x `root=True` makes 1 - √(1 - x), and that is raised to `power`.
    With fewer than two aligned words the value is 0, also for an empty side. Of several references
    the best counts, sentence by sentence. The corpus value is the mean of the sentences.
    """

    paper: ClassVar[str] = "Isozaki et al. 2010"

    alpha: float = 0.0
    bp: bool = False
    modifier: Literal["precision", "recall", "fmeasure"] = quiet("precision")
    beta: float = quiet(1.0)
    root: bool = quiet(False)
    power: float = quiet(1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("alpha", 0, 1)
        self.require("beta", 0)
        self.require("power", 0.01)
        if self.beta != 1 and self.modifier != "fmeasure":
            raise PreorderEvalError(f"metric {self.name}: beta is for modifier=fmeasure alone")

    @abstractmethod
    def correlation(self, order: WordOrder) -> Floats:
        """The correlation between 0 and 1 of each sentence's word order; float64[S]."""

    def sentence_scores(self, segments: Segments) -> Floats:
        scores = [self._against(segments.hypotheses, each) for each in segments.references]
        best: Floats = np.max(scores, axis=0)
        return best

    def _against(self, hypotheses: Tokens, references: Tokens) -> Floats:
        aligned = align_by_context(hypotheses, references, first="right", longest=2)
        order = WordOrder.of(aligned, hypotheses, references)
        score = self.correlation(order) * order.modifier(self.modifier, self.beta) ** self.alpha
        if self.bp:
            score = score * order.modifier("bp")
        if self.root:
            score = 1 - np.sqrt(1 - score)
        powered: Floats = score**self.power
        return powered


@dataclass(frozen=True)
class NormalizedKendall(RankCorrelation):
    """Share of the aligned word pairs in the reference's order, times P^`alpha`, or times BP.

    0 with fewer than two aligned words, also where a side is empty. Parameters: `alpha` from 0
    (not weighted) to 1; `bp=True` multiplies with the brevity penalty; `modifier="recall"` or
    `"fmeasure"` (with `beta`) stands in the place of P; `root` and `power` as in Table 3.

    >>> NormalizedKendall().score(["Bob hit John yesterday"], ["John hit Bob yesterday"]).corpus
    0.5
    """

    name: ClassVar[str] = "nkt"
    equation: ClassVar[str] = "(τ + 1) / 2 · P^α (section 2; alignment of Figure 1)"

    def correlation(self, order: WordOrder) -> Floats:
        return order.kendall()
