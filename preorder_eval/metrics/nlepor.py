"""nLEPOR: LEPOR with n-grams of several lengths (Han 2014, section 4.2.2).

nLEPOR = LP · NPosPenal · exp(Σ wₙ log HPRₙ) (4-8): the harmonic mean of recall and precision is
that of n-grams (4-1 to 4-3), none of them counted twice on either side. It is for languages that
request fluency. With words alone, `weights=1`, it is `lepor`; nLEPOR_baseline of WMT 2013 was that
(section 6.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.lepor_base import LeporMetric, read_ratio
from preorder_eval.metrics.shared.lepor_factors import (
    geometric_mean,
    length_penalty,
    ngram_harmonics,
    position_and_harmonic,
)


@dataclass(frozen=True)
class Nlepor(LeporMetric):
    """nLEPOR of words, or of words and part-of-speech tags; 0 to 1.

    Parameters: `alpha` weighs recall, `beta` precision; `n`, how many words either side are
    neighbours in the word alignment; `system="A"`, the mean of the sentence scores, or `"B"`, the
    formula with the mean factors; `weights`, those of the n-grams from single words up (one word
    and two by default, the longest of the thesis's example, Figure 4-1); they are divided by
    their sum; `mix`, the weights of words and of part-of-speech tags, which `score` then takes;
    `lower=False` lets case count.

    A segment with an empty side, or without a matching n-gram of some length, scores 0. Lengths
    that no side reaches do not count, so that a word is as good as the same word.

    >>> nlepor = Nlepor()
    >>> result = nlepor.score(["A stone on a bird"], ["A bird is on a stone"])
    >>> str(nlepor), round(result.corpus, 4)
    ('nlepor(alpha=9.0,beta=1.0,n=2,system=A,weights=1:1)', 0.3506)
    """

    name: ClassVar[str] = "nlepor"
    paper: ClassVar[str] = "Han 2014"
    equation: ClassVar[str] = "LP · NPosPenal · exp(Σ wₙ log HPRₙ) (4-8)"

    weights: str = "1:1"

    def __post_init__(self) -> None:
        super().__post_init__()
        read_ratio(self, "weights")

    def factors(self, segments: Segments) -> Floats:
        position, _ = position_and_harmonic(segments, self.n, self.alpha, self.beta)
        longest = len(read_ratio(self, "weights"))
        harmonics, exist = ngram_harmonics(segments, longest, self.alpha, self.beta)
        return np.column_stack([length_penalty(segments), position, harmonics, exist])

    def combine(self, factors: Floats, of_tags: bool) -> Floats:
        harmonics, exist = np.split(factors[..., 2:], 2, axis=-1)
        # The mean over the segments that have such n-grams, where these are means.
        existing = np.divide(harmonics, exist, out=np.zeros_like(harmonics), where=exist > 0)
        mean = geometric_mean(existing, exist, read_ratio(self, "weights"))
        return factors[..., 0] * factors[..., 1] * mean
