"""What the ROUGE metrics have in common (Lin & Och 2004).

Units of a reference are compared with those of the output: words in the longest common
subsequence, skip-bigrams, or n-grams. Recall R is the share of the reference's units that the
output has too, precision P that of the output's, and

    F = (1 + β²) R P / (R + β² P)                                     (equations 6, 12 and 15)

With several references R and P are each the largest over the references (equations 7 and 8).
With jackknifing (section 5) each of N references is left out in turn, and the N scores against
the others are averaged, so that outputs can be compared with people, who have only N - 1.
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
from preorder_eval.metrics.shared.lexical import SentenceMetric
from preorder_eval.metrics.shared.rouge155 import as_rouge155, rounded
from preorder_eval.metrics.shared.rouge_overlap import Overlap, best_recalled, f_measure, pooled
from preorder_eval.metrics.shared.vocabulary import stemmed


@dataclass(frozen=True)
class Rouge(SentenceMetric):
    """A metric of the ROUGE family.

    Parameters: `beta` weighs recall against precision, a number from 0 to 1e6, or `"ratio"`, the
    paper's β = P/R; `stem=True` compares Porter stems of the lower-cased words;
    `jackknife=True` averages over leaving out each of several references; `mode="rouge155"`, or
    `"rouge155_best"` for its option -f B, gives the number of the program ROUGE-1.5.5.

    0 where a side is empty, or too short for what is compared. The corpus value is the mean of
    the sentences.
    """

    paper: ClassVar[str] = "Lin & Och 2004"

    beta: float | Literal["ratio"] = 1.0
    stem: bool = quiet(False)
    jackknife: bool = quiet(False)
    mode: Literal["paper", "rouge155", "rouge155_best"] = quiet("paper")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beta != "ratio":
            self.require("beta", 0, 10**6)
        if self.mode != "paper" and (self.jackknife or self.tokenize != "none"):
            other = "jackknife" if self.jackknife else "tokenize"
            raise PreorderEvalError(
                f"metric {self.name}: ROUGE-1.5.5 has no {other}; leave out {other} or mode"
            )

    @abstractmethod
    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        """What hypotheses and one stream of references have in common, in the metric's units."""

    def rescale(self, share: Floats) -> Floats:
        """Recall or precision from the share of the units that are in both."""
        return share

    def prepared(self, segments: Segments) -> Segments:
        if self.mode != "paper":
            return as_rouge155(segments, self.stem)
        segments = super().prepared(segments)
        return stemmed(segments) if self.stem else segments

    def sentence_scores(self, segments: Segments) -> Floats:
        overlaps = [self.overlap(segments.hypotheses, each) for each in segments.references]
        if self.mode != "paper":
            overlap = (pooled if self.mode == "rouge155" else best_recalled)(overlaps)
            recall, precision = (rounded(each) for each in self._recall_and_precision(overlap))
            return rounded(f_measure(recall, precision, self.beta))
        shares = np.stack([self._recall_and_precision(overlap) for overlap in overlaps])
        count = len(shares)
        left_out = range(count) if self.jackknife and count > 1 else [count]  # or none
        scores = []
        for each in left_out:
            recall, precision = np.max(shares[np.arange(count) != each], axis=0)
            scores.append(f_measure(recall, precision, self.beta))
        mean: Floats = np.mean(scores, axis=0)
        return mean

    def _recall_and_precision(self, overlap: Overlap) -> tuple[Floats, Floats]:
        return self.rescale(overlap.recall()), self.rescale(overlap.precision())
