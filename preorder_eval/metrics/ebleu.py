"""EBLEU: estimating quality without a reference from tags of source and translation.

EBLEU = 1 − MLP · exp(Σ wₙ log H(αRₙ, βPₙ)) (Han 2014, equations 7-4 and 7-5): BLEU with recall and
a penalty for length in either direction, of the translation's sequence of tags against that of
the source. It was made to predict edit rates, so lower is better. Both sides must have the same
tagset, such as the 12 universal part-of-speech tags (`tag_maps`).

The thesis prints neither N nor a smoothing. Tags of two languages seldom have a sequence of four in
common, and without smoothing every such sentence would score 1; so one is added to matches and
totals of all lengths from 2 on, as in smoothed BLEU (Lin & Och 2004).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

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

Smooth = Literal["none", "add-k"]


@dataclass(frozen=True)
class Ebleu(SentenceMetric):
    """Difference of a translation's tags from the source's; 0 (the same) to 1, lower is better.

    The hypotheses to score are the tags of the translations, the references those of the sources.

    Parameters: `alpha` weighs recall, `beta` precision; `weights`, those of the n-grams from
    single tags up, as many as the longest has tags; they are divided by their sum; `smooth`, or
    `"none"`. The thesis does not print them: α and β are LEPOR's, the weights BLEU's.

    A segment with an empty side, or without a matching tag, scores 1; with `smooth="none"` also
    one without a matching n-gram of some length. Lengths that neither side reaches do not count.

    >>> ebleu = Ebleu()
    >>> result = ebleu.score(["DET NOUN VERB ADV ."], ["DET NOUN VERB NOUN ."])
    >>> str(ebleu), round(result.corpus, 4)
    ('ebleu(alpha=9.0,beta=1.0,weights=1:1:1:1,smooth=add-k)', 0.4682)
    >>> bigrams = Ebleu(weights="1:1", smooth="none")
    >>> round(bigrams.score(["DET NOUN VERB ."], ["DET NOUN VERB"]).corpus, 4)
    0.3121
    """

    name: ClassVar[str] = "ebleu"
    paper: ClassVar[str] = "Han 2014"
    equation: ClassVar[str] = "1 − MLP · exp(Σ wₙ log H(αRₙ, βPₙ)) (7-4)"
    higher_is_better: ClassVar[bool] = False

    alpha: float = 9.0
    beta: float = 1.0
    weights: str = "1:1:1:1"
    smooth: Smooth = "add-k"

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
        harmonics, exist = ngram_harmonics(
            segments, len(weights), self.alpha, self.beta, added=int(self.smooth == "add-k")
        )
        return 1 - length_penalty(segments) * geometric_mean(harmonics, exist, weights)
