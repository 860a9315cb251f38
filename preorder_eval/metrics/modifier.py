"""How much of a sentence its aligned words are: what Isozaki et al. weigh NKT and NSR with.

The rank correlation of few words may be high by chance. Isozaki et al. (2010, section 2.3) multiply
it with a modifier, of which their Table 1 tells how it agrees with people by itself (rows P, R, F
and BP) and their Figure 2 shows two against people: precision P = c / |h|, recall R = c / |r| and
F_β, where c counts the words that their Figure 1 aligns, or BLEU's brevity penalty of the sentence.
These are not the metrics `precision`, `recall` and `fmeasure`, which count words in common wherever
they stand: a word that occurs twice is aligned only where its neighbour tells it apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.shared.base import quiet
from preorder_eval.metrics.shared.context import align_by_context
from preorder_eval.metrics.shared.lexical import SentenceMetric
from preorder_eval.metrics.shared.word_order import Modifier, WordOrder


@dataclass(frozen=True)
class NktModifier(SentenceMetric):
    """P, R or F_β of the words that Figure 1 aligns, or the brevity penalty; 0 to 1.

    Parameters: `kind`, `precision`, `recall`, `fmeasure` (with `beta`) or `bp`. 0 where a side is
    empty (but `bp` is 1 beside an empty reference). Of several references the one with the highest
    value counts, sentence by sentence. The corpus value is the mean of the sentences.

    >>> NktModifier("precision").score(["the book was read by the boy"], ["the boy read the book"])
    <Scores modifier(kind=precision): 0.7143 over 1 sentences>
    """

    name: ClassVar[str] = "modifier"
    paper: ClassVar[str] = "Isozaki et al. 2010"
    equation: ClassVar[str] = "c / |h|, c / |r|, F_β or BP (section 2.3; alignment of Figure 1)"
    identical_is_best: ClassVar[bool] = False  # where words repeat, some are told apart by nothing

    kind: Modifier = "precision"
    beta: float = quiet(1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("beta", 0)
        if self.beta != 1 and self.kind != "fmeasure":
            raise PreorderEvalError(f"metric {self.name}: beta is for kind=fmeasure alone")

    def sentence_scores(self, segments: Segments) -> Floats:
        here = segments.hypotheses
        scores = []
        for there in segments.references:
            aligned = align_by_context(here, there, first="right", longest=2)
            scores.append(WordOrder.of(aligned, here, there).modifier(self.kind, self.beta))
        best: Floats = np.max(scores, axis=0)
        return best
