"""LEPOR: length penalty, precision, position difference penalty and recall.

LEPOR = LP · NPosPenal · Harmonic(αR, βP) (Han 2014, equation 3-7): the output's length, the places
of its words and which words it has, compared with a reference. The factors are in
`lepor_factors`, the word alignment of Figure 3-1 in `lepor_alignment`, the system level and the
variant with part-of-speech tags in `lepor_base`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.lepor_base import LeporMetric
from preorder_eval.metrics.shared.lepor_factors import length_penalty, position_and_harmonic


@dataclass(frozen=True)
class Lepor(LeporMetric):
    """LEPOR of words, or of words and part-of-speech tags; 0 to 1.

    Parameters: `alpha` weighs recall, `beta` precision (9 and 1 as tuned for all language pairs
    but Czech to English, section 5.2.1); `n`, how many words either side are neighbours in the
    word alignment; `system="A"`, the mean of the sentence scores, or `"B"`, the product of the
    mean factors; `mix`, the weights of words and of part-of-speech tags (4-11), which `score`
    then takes; `lower=False` lets case count.

    A segment with an empty side, or without a matching word, scores 0.

    >>> lepor = Lepor()
    >>> result = lepor.score(["A stone on a bird"], ["A bird is on a stone"])
    >>> str(lepor), round(result.corpus, 4)
    ('lepor(alpha=9.0,beta=1.0,n=2,system=A)', 0.4125)
    """

    name: ClassVar[str] = "lepor"
    paper: ClassVar[str] = "Han 2014"
    equation: ClassVar[str] = "LP · NPosPenal · (α + β)/(α/R + β/P) (3-7)"

    def factors(self, segments: Segments) -> Floats:
        position, harmonic = position_and_harmonic(segments, self.n, self.alpha, self.beta)
        return np.column_stack([length_penalty(segments), position, harmonic])

    def combine(self, factors: Floats, of_tags: bool) -> Floats:
        product: Floats = factors.prod(axis=-1)
        return product
