"""RIBES as it was released, version 1.03.1.

Isozaki et al.'s measure grew after the paper of 2010: RIBES = NKT · P^α · BP^β with α = 0.25 and
β = 0.1 (Hirao et al. 2014), the context of repeated words is widened to longer n-grams, left
first and then right, and letters are lower-cased. Where the reference is a single word, one
aligned word is enough. The paper's own definitions are `nkt` and `nsr`.

RIBES.py refuses an empty reference, or with its option -z leaves it out. Here it scores 0, which
among several references leaves it out too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.metrics.shared.base import quiet
from preorder_eval.metrics.shared.context import align_by_context
from preorder_eval.metrics.shared.lexical import SentenceMetric
from preorder_eval.metrics.shared.word_order import WordOrder, brevity_penalty


@dataclass(frozen=True)
class Ribes(SentenceMetric):
    """Share of aligned word pairs in the reference's order, times P^`alpha`, times BP^`beta`.

    0 with fewer than two aligned words (unless the reference is a single word), also where a side
    is empty. Of several references the best counts, sentence by sentence; the corpus value is the
    mean of the sentences. Lower-cases unless `lower=False` (RIBES.py's -c).

    >>> round(Ribes().score(["he ate the red fish"], ["The fish he ate"]).corpus, 6)
    0.315247
    """

    name: ClassVar[str] = "ribes"
    paper: ClassVar[str] = "Isozaki et al. 2010; Hirao et al. 2014; RIBES 1.03.1"
    equation: ClassVar[str] = "NKT · P^α · BP^β"

    alpha: float = 0.25
    beta: float = 0.1
    lower: bool = quiet(True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("alpha", 0, 10**6)
        self.require("beta", 0, 10**6)

    def sentence_scores(self, segments: Segments) -> Floats:
        scores = [self._against(segments.hypotheses, each) for each in segments.references]
        best: Floats = np.max(scores, axis=0)
        return best

    def _against(self, hypotheses: Tokens, references: Tokens) -> Floats:
        aligned = align_by_context(hypotheses, references, first="left")
        order = WordOrder.of(aligned, hypotheses, references)
        one_word = (order.count == 1) & (references.lengths == 1)
        kendall = np.where(one_word, 1.0, order.kendall())
        precision = order.count / np.maximum(hypotheses.lengths, 1)
        penalty = brevity_penalty(hypotheses, references)
        score: Floats = kendall * precision**self.alpha * penalty**self.beta
        return score
