"""ROUGE-N: the n-grams that an output has in common with its reference.

Lin (2004): as multisets, so that an n-gram counts as often as it is on both sides. The recall of
that paper and the precision make the F that is also used for the other ROUGE metrics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.segments import Tokens
from preorder_eval.metrics.shared.ngrams import matched_ngrams
from preorder_eval.metrics.shared.rouge_base import Rouge
from preorder_eval.metrics.shared.rouge_overlap import Overlap


@dataclass(frozen=True)
class RougeN(Rouge):
    """F of the n-grams in common.

    Parameters: `n` from 1 to 100. See `Rouge` for `beta`, `stem`, `jackknife` and `mode`, several
    references, and what is undefined.

    >>> RougeN(n=2).score(["the cat sat"], ["the cat lay"]).corpus
    0.5
    """

    name: ClassVar[str] = "rouge_n"
    paper: ClassVar[str] = "Lin 2004"
    equation: ClassVar[str] = "F of the shares of n-grams in common (equation 1)"

    n: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("n", 1, 100)

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        both = matched_ngrams(hypotheses, [references], [self.n])[:, 0]
        totals = (np.maximum(side.lengths - self.n + 1, 0) for side in (hypotheses, references))
        return Overlap.of(both, *totals)
