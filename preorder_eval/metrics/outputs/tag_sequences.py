"""Metrics that compare the tags of outputs with those of references or, without one, of sources.

F of n-grams of part-of-speech tags (Popović 2011) compares outputs with references. In MPF (Han
2014, Table 5-4) it is averaged with F of n-grams of morphemes; `tag_f` is its part of tags.

EBLEU and HPPR are quality estimates of Han (2014, chapter 7), without a reference. Their hypotheses
are the tags of translations, their references those of sources, in the same tagset (`tag_maps`).

EBLEU is BLEU of part-of-speech tags, with recall and a penalty for outputs that are too long or too
short. It was made to predict edit rates, so lower is better. The thesis prints neither N nor a
smoothing. Tags of two languages seldom share a sequence of four; so one is added to matches and
totals of all lengths from 2 on (Lin & Och 2004).

HPPR is the weighted harmonic mean of LEPOR's position penalty and of the weighted geometric means
of n-gram precisions and recalls (7-6 to 7-9). The phrase tags are converted into the universal
phrase tagset (Appendix A). The corpus value is that of the factors' means over the sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.text.tokenization import Tokenize
from preorder_eval.metrics.base import limited, quiet, ratio
from preorder_eval.metrics.needs import SystemInputs
from preorder_eval.metrics.outputs.lepor_factors import (
    geometric_mean,
    length_penalty,
    ngram_harmonics,
    position_penalty,
    weighted_harmonic_mean,
)
from preorder_eval.metrics.outputs.lexical import LexicalMetric, SentenceMetric, best_counts, share
from preorder_eval.metrics.outputs.ngrams import matched_ngrams, ngram_totals
from preorder_eval.metrics.segments import Segments

TagSmoothing = Literal["none", "add-k"]


@dataclass(frozen=True)
class TagF(LexicalMetric):
    """F of n-grams of part-of-speech tags, mean over their lengths; 0 to 1.

    Parameters: `order`, the longest n-grams. The corpus value is that of the counts of all
    segments; of several references the one with the highest F counts. A length that neither side
    reaches does not count; a segment with an empty side scores 0.

    >>> TagF().score(["DET NOUN VERB ADV"], ["DET NOUN VERB"])
    <Scores tag_f(order=4): 0.581 over 1 sentences>
    """

    name: ClassVar[str] = "tag_f"
    short_name: ClassVar[str] = "tag-F"
    paper: ClassVar[str] = "Popović 2011"
    equation: ClassVar[str] = "1/N Σ 2 matchesₙ / (n-grams of output + n-grams of reference)"
    needs: ClassVar[tuple[str, ...]] = ("hyp_tags", "ref_tags")

    order: int = limited(4, 1, 12)

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        return self.by_references(inputs.tags)

    def statistics(self, segments: Segments) -> Floats:
        """Return matches, n-grams of output and of reference by length; float64[S, 3 · order]."""
        tags, upto = self.prepared(segments), range(1, self.order + 1)
        output = ngram_totals(tags.hypotheses.lengths, self.order)
        against_each = []
        for reference in tags.references:
            matches = matched_ngrams(tags.hypotheses, [reference], upto)
            totals = ngram_totals(reference.lengths, self.order)
            against_each.append(np.column_stack([matches, output, totals]).astype(np.float64))
        return best_counts(against_each, self.finish)

    def finish(self, statistics: Floats) -> Floats:
        matches, output, reference = np.split(statistics, 3, axis=-1)
        lengths = np.maximum((output + reference > 0).sum(axis=-1), 1)
        return share(2 * matches, output + reference).sum(axis=-1) / lengths


@dataclass(frozen=True)
class Ebleu(SentenceMetric):
    """Difference of a translation's tags from the source's; 0 (the same) to 1, lower is better.

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
    short_name: ClassVar[str] = "EBLEU"
    paper: ClassVar[str] = "Han 2014"
    equation: ClassVar[str] = "1 − MLP · exp(Σ wₙ log H(αRₙ, βPₙ)) (7-4)"
    needs: ClassVar[tuple[str, ...]] = ("source_tags", "hyp_tags")
    higher_is_better: ClassVar[bool] = False

    alpha: float = limited(9.0, 0, 10**6)
    beta: float = limited(1.0, 0, 10**6)
    weights: str = ratio("1:1:1:1")
    smooth: TagSmoothing = "add-k"
    tokenize: Tokenize = quiet("none")  # tags are words already

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alpha + self.beta == 0:
            raise PreorderEvalError(f"metric {self.name}: alpha and beta must not both be 0")

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        return self.statistics(inputs.tags_of_source)

    def sentence_scores(self, segments: Segments) -> Floats:
        weights = self.read_ratio("weights")
        harmonics, exist = ngram_harmonics(
            segments, len(weights), self.alpha, self.beta, added=int(self.smooth == "add-k")
        )
        return 1 - length_penalty(segments) * geometric_mean(harmonics, exist, weights)


@dataclass(frozen=True)
class Hppr(LexicalMetric):
    """Similarity of a translation's phrase tags to the source's; 0 to 1.

    It reads trees in brackets as the phrases that the words stand in (`tag_lines`).

    Parameters: `n`, how many tags either side are neighbours in the alignment (N₁); `weights`,
    those of position penalty, precision and recall; `precision` and `recall`, those of their
    n-grams from single tags up (N₂ and N₃ of them). The defaults are those of Table 7-2.
    `smooth="add-k"` adds one to matches and totals of all lengths from 2 on. Without it every
    segment without a matching trigram scores 0. The thesis has none, and means over a corpus do
    without.

    A segment with an empty side, or without a matching n-gram of some length, scores 0. Lengths
    that neither side reaches do not count.

    >>> hppr = Hppr()
    >>> result = hppr.score(["NP VP AJP VP"], ["NP VP AJP PP"])
    >>> str(hppr), round(result.corpus, 4)
    ('hppr(n=2,weights=1:8:1,precision=8:1:1,recall=1:1:8)', 0.7089)
    """

    name: ClassVar[str] = "hppr"
    short_name: ClassVar[str] = "HPPR"
    paper: ClassVar[str] = "Han 2014"
    equation: ClassVar[str] = "Σw / (w_Ps/N₁PsDif + w_Pr/N₂Pre + w_Rc/N₃Rec) (7-6)"
    needs: ClassVar[tuple[str, ...]] = ("source_tags", "hyp_tags")

    n: int = limited(2, 0)
    weights: str = ratio("1:8:1", 3)
    precision: str = ratio("8:1:1")
    recall: str = ratio("1:1:8")
    smooth: TagSmoothing = quiet("none")

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        return self.statistics(inputs.phrases_of_source)

    def statistics(self, segments: Segments) -> Floats:
        """Return position penalty, n-gram precisions and recalls, which of them exist, and 1."""
        tags, added = self.prepared(segments), int(self.smooth == "add-k")
        position = position_penalty(tags, self.n)
        of_precision, of_recall = (len(self.read_ratio(each)) for each in ("precision", "recall"))
        precisions = ngram_harmonics(tags, of_precision, alpha=0, beta=1, added=added)
        recalls = ngram_harmonics(tags, of_recall, alpha=1, beta=0, added=added)
        return np.column_stack([position, *precisions, *recalls, np.ones(len(tags))])

    def finish(self, statistics: Floats) -> Floats:
        factors = [statistics[..., 0] / statistics[..., -1]]
        first = 1
        for weights in map(self.read_ratio, ("precision", "recall")):
            last = first + 2 * len(weights)
            total, exist = np.split(statistics[..., first:last], 2, axis=-1)
            factors.append(geometric_mean(share(total, exist), exist, weights))
            first = last
        return weighted_harmonic_mean(np.stack(factors, axis=-1), self.read_ratio("weights"))
