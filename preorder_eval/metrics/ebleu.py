"""EBLEU: estimating quality without a reference from tags of source and translation.

EBLEU = 1 − MLP · exp(Σ wₙ log H(αRₙ, βPₙ)) (Han 2014, equations 7-4 and 7-5): BLEU with recall and
a penalty for length in either direction, of the translation's sequence of tags against that of
the source. It was made to predict edit rates, so lower is better. Both sides must have the same
tagset, such as the 12 universal part-of-speech tags (`universal_tags`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from preorder_eval.data.arrays import Floats
from preorder_eval.data.inputs import SystemInputs
from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.shared.lepor_base import read_ratio
from preorder_eval.metrics.shared.lepor_factors import (
    geometric_mean,
    length_penalty,
    ngram_harmonics,
)
from preorder_eval.metrics.shared.lexical import SentenceMetric


@dataclass(frozen=True)
class Ebleu(SentenceMetric):
    """Difference of a translation's tags from the source's; 0 (the same) to 1, lower is better.

    The hypotheses to score are the tags of the translations, the references those of the sources.

    Parameters: `alpha` weighs recall, `beta` precision; `weights`, those of the n-grams from
    single tags up; they are divided by their sum. The thesis does not print them: α and β are
    LEPOR's, the weights BLEU's.

    A segment with an empty side, or without a matching n-gram of some length, scores 1. Lengths
    that neither side reaches do not count.

    >>> ebleu = Ebleu()
    >>> result = ebleu.score(["DET NOUN VERB ADV ."], ["DET NOUN VERB NOUN ."])
    >>> str(ebleu), result.corpus
    ('ebleu(alpha=9.0,beta=1.0,weights=1:1:1:1)', 1.0)
    >>> round(Ebleu(weights="1:1").score(["DET NOUN VERB ."], ["DET NOUN VERB"]).corpus, 4)
    0.3121
    """

    name: ClassVar[str] = "ebleu"
    paper: ClassVar[str] = "Han 2014"
    equation: ClassVar[str] = "1 − MLP · exp(Σ wₙ log H(αRₙ, βPₙ)) (7-4)"
    higher_is_better: ClassVar[bool] = False

    alpha: float = 9.0
    beta: float = 1.0
    weights: str = "1:1:1:1"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("alpha", 0, 10**6)
        self.require("beta", 0, 10**6)
        if self.alpha + self.beta == 0:
            raise PreorderEvalError(f"metric {self.name}: alpha and beta must not both be 0")
        read_ratio(self, "weights")

    @property
    def needs(self) -> tuple[str, ...]:
        return ("source_tags", "hyp_tags")

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        return self.statistics(inputs.tags_of_source)

    def sentence_scores(self, segments: Segments) -> Floats:
        weights = read_ratio(self, "weights")
        harmonics, exist = ngram_harmonics(segments, len(weights), self.alpha, self.beta)
        return 1 - length_penalty(segments) * geometric_mean(harmonics, exist, weights)
