"""hLEPOR: the factors of LEPOR in a weighted harmonic mean (Han 2014, section 4.2.1).

hLEPOR = (w_LP + w_NPosPenal + w_HPR) / (w_LP/LP + w_NPosPenal/NPosPenal + w_HPR/HPR) (4-5), so
that a language pair can have factors that count more. The factors are those of `lepor`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.base import quiet
from preorder_eval.metrics.shared.lepor_base import LeporMetric, read_ratio
from preorder_eval.metrics.shared.lepor_factors import (
    length_penalty,
    ngram_harmonics,
    position_and_harmonic,
    weighted_harmonic_mean,
)
from preorder_eval.metrics.shared.lepor_pypi import position_penalty_of_pypi


@dataclass(frozen=True)
class Hlepor(LeporMetric):
    """hLEPOR of words, or of words and part-of-speech tags; 0 to 1.

    Parameters: `alpha` weighs recall, `beta` precision; `n`, how many words either side are
    neighbours in the word alignment; `system="A"`, the mean of the sentence scores, or `"B"`, the
    harmonic mean of the mean factors; `weights`, those of the factors in the order of Table 5-3,
    HPR:LP:NPosPenal (3:2:1 as tuned for most language pairs there); `mix`, the weights of words
    and of part-of-speech tags (4-12), which `score` then takes; `tag_weights` the weights of the
    factors of tags, `tag_alpha` and `tag_beta` those of their recall and precision; `ngram`, of
    blocks of how many words HPR is (section 4.1); `lower=False` lets case count. Parameters tuned
    for a pair of languages are `hlepor(pair=en-de)` (`lepor_presets`). `mode="pypi"` aligns words
    as the package hLepor does, with its faults (`lepor_pypi`); its own weights are 7:2:1.

    A segment with an empty side, or without a matching word, scores 0 (unless that factor has no
    weight).

    >>> hlepor = Hlepor()
    >>> result = hlepor.score(["A stone on a bird"], ["A bird is on a stone"])
    >>> str(hlepor), round(result.corpus, 4)
    ('hlepor(alpha=9.0,beta=1.0,n=2,system=A,weights=3:2:1)', 0.7828)
    """

    name: ClassVar[str] = "hlepor"
    paper: ClassVar[str] = "Han 2014"
    equation: ClassVar[str] = "Σw / (w_LP/LP + w_NPosPenal/NPosPenal + w_HPR/HPR) (4-5)"

    weights: str = "3:2:1"
    tag_weights: str = quiet("3:2:1")
    ngram: int = quiet(1)
    mode: Literal["thesis", "pypi"] = quiet("thesis")

    def __post_init__(self) -> None:
        super().__post_init__()
        read_ratio(self, "weights", 3)
        read_ratio(self, "tag_weights", 3)
        self.require("ngram", 1, 100)

    def factors(self, segments: Segments) -> Floats:
        position, harmonic = position_and_harmonic(segments, self.n, self.alpha, self.beta)
        if self.mode == "pypi":
            ours, references = segments.hypotheses, segments.references
            each = [position_penalty_of_pypi(ours, theirs, self.n) for theirs in references]
            position = np.max(each, axis=0)
        if self.ngram > 1:
            blocks, exist = ngram_harmonics(segments, self.ngram, self.alpha, self.beta)
            # Sentences that are all shorter than a block are compared word by word.
            harmonic = np.where(exist[:, -1] > 0, blocks[:, -1], harmonic)
        return np.column_stack([harmonic, length_penalty(segments), position])

    def combine(self, factors: Floats, of_tags: bool) -> Floats:
        weights = read_ratio(self, "tag_weights" if of_tags else "weights", 3)
        return weighted_harmonic_mean(factors, weights)
