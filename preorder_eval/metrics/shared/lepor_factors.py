"""The factors that the LEPOR family is made of (Han 2014, sections 3.1 and 4.1).

- Length penalty LP (3-1): exp(1 − longer / shorter) of the two lengths, 1 if they are equal.
- Position penalty NPosPenal = exp(−NPD) (3-2, 3-3): NPD is the mean over the output's words of
  |i/c − a(i)/r|, the difference between the place of a word and that of its aligned word, both
  counted from 1 and divided by their sentence's length; 0 for a word that is not aligned.
- Harmonic mean HPR of recall and precision (3-4 to 3-6, for n-grams 4-1 to 4-3):
  (α + β)/(α/R + β/P), 0 where nothing matches.

The thesis shows for several references how words are aligned (section 3.1.2, Figure 3-4): the
alignments with each reference compete for every word, those with a matching neighbour come first,
and of these the one with the smallest |i/c − a(i)/r| is taken. It does not say what the other
factors are: here each is that of the reference for which it is largest.

LP is 0 where a side is empty, which is its limit, and NPosPenal 1 where no word is aligned.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from preorder_eval.data.arrays import Floats, sums, within
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.lepor_alignment import UNALIGNED, align
from preorder_eval.metrics.shared.ngrams import matched_ngrams, ngram_totals


def length_penalty(segments: Segments) -> Floats:
    """LP (3-1) of each segment; float64[S], 0 to 1.

    >>> length_penalty(Segments.of(["a b", "a", ""], ["c d", "a b", "a"])).round(3).tolist()
    [1.0, 0.368, 0.0]
    """
    penalty = np.zeros(len(segments))
    for reference in segments.references:
        longer = np.maximum(segments.hypotheses.lengths, reference.lengths)
        shorter = np.minimum(segments.hypotheses.lengths, reference.lengths)
        ratio = np.divide(longer, shorter, out=np.full(len(longer), np.inf), where=shorter > 0)
        penalty = np.maximum(penalty, np.exp(1 - ratio))
    return penalty


def position_and_harmonic(
    segments: Segments, n: int, alpha: float, beta: float
) -> tuple[Floats, Floats]:
    """NPosPenal (3-2) and HPR of words (3-4) of each segment; float64[S] each, 0 to 1.

    Parameters: `n`, how many words either side are neighbours in the alignment; `alpha` weighs
    the recall, `beta` the precision.

    >>> segments = Segments.of(["a stone on a bird"], ["a bird is on a stone"])
    >>> position, harmonic = position_and_harmonic(segments, 2, alpha=9, beta=1)
    >>> (-np.log(position)).round(6).tolist(), harmonic.round(3).tolist()
    ([0.52], [0.847])
    """
    hypotheses, tokens = segments.hypotheses, segments.hypotheses.sentences
    here = (within(hypotheses.offsets) + 1) / hypotheses.lengths[tokens]
    distance, best = np.zeros(len(tokens)), np.full(len(tokens), np.inf)
    harmonic = np.zeros(len(segments))
    for reference in segments.references:
        places, with_neighbour = align(hypotheses, reference, n)
        there = (places + 1) / np.maximum(reference.lengths, 1)[tokens]
        # Places without a matching neighbour come after all that have one: distances are below 1.
        rank = np.abs(here - there) + ~with_neighbour
        better = (places != UNALIGNED) & (rank < best)
        best = np.where(better, rank, best)
        distance = np.where(better, np.abs(here - there), distance)
        matches = sums(places != UNALIGNED, hypotheses.offsets)
        of_this = harmonic_mean(matches, hypotheses.lengths, reference.lengths, alpha, beta)
        harmonic = np.maximum(harmonic, of_this)
    total = np.bincount(tokens, weights=distance, minlength=len(segments))
    position: Floats = np.exp(-total / np.maximum(hypotheses.lengths, 1))
    return position, harmonic


def ngram_harmonics(
    segments: Segments, longest: int, alpha: float, beta: float, added: int = 0
) -> tuple[Floats, Floats]:
    """HPR of n-grams (4-3), n from 1 to `longest`, and whether a side has n-grams at all.

    `added` is added to matches and totals of all lengths from 2 on, as in smoothed BLEU. Returns
    float64[S, longest] each; HPR is 0 to 1, and a length that neither a hypothesis nor any of its
    references reaches has HPR 0.

    >>> harmonics, exist = ngram_harmonics(Segments.of(["a b c"], ["a b"]), 4, alpha=1, beta=1)
    >>> harmonics.round(3).tolist(), exist.tolist()
    ([[0.8, 0.667, 0.0, 0.0]], [[1.0, 1.0, 1.0, 0.0]])
    """
    output = ngram_totals(segments.hypotheses.lengths, longest)
    harmonics, exist = np.zeros(output.shape), output > 0
    more = added * (np.arange(longest) > 0)
    for reference in segments.references:
        matches = matched_ngrams(segments.hypotheses, [reference], range(1, longest + 1))
        totals = ngram_totals(reference.lengths, longest)
        of_this = harmonic_mean(matches + more, output + more, totals + more, alpha, beta)
        there = (output > 0) | (totals > 0)
        harmonics, exist = np.maximum(harmonics, np.where(there, of_this, 0.0)), exist | there
    return harmonics, exist.astype(np.float64)


def harmonic_mean(
    matches: ArrayLike, output: ArrayLike, reference: ArrayLike, alpha: float, beta: float
) -> Floats:
    """(α + β)/(α/R + β/P) with R = matches/reference, P = matches/output (3-4); 0 without any.

    With `alpha=0` it is the precision, with `beta=0` the recall.

    >>> harmonic_mean([2, 0], [4, 4], [2, 0], alpha=9, beta=1).round(3).tolist()
    [0.909, 0.0]
    """
    weighted = alpha * np.asarray(reference) + beta * np.asarray(output)
    matching = (alpha + beta) * np.asarray(matches, dtype=np.float64)
    mean: Floats = np.divide(matching, weighted, out=np.zeros_like(matching), where=matching > 0)
    return mean


def geometric_mean(factors: Floats, exist: Floats, weights: tuple[float, ...]) -> Floats:
    """exp(Σ w log factor), the weights summing to 1 over the factors that exist.

    Parameters: `factors` and `exist` float64[…, k], one weight for each of the k; a factor is
    left out where `exist` is 0, or where its weight is. Returns float64[…]; 0 where a factor is
    0 or none exists.

    >>> geometric_mean(np.array([0.25, 1.0, 0.0]), np.array([1.0, 1.0, 0.0]), (1, 1, 2)).tolist()
    0.5
    """
    weighing = np.where(exist > 0, weights, 0.0)
    total = weighing.sum(axis=-1)
    zero = ((weighing > 0) & (factors <= 0)).any(axis=-1) | (total == 0)
    logs = np.log(factors, out=np.zeros_like(factors), where=factors > 0)
    mean = (weighing * logs).sum(axis=-1) / np.where(total > 0, total, 1)
    return np.where(zero, 0.0, np.exp(mean))


def weighted_harmonic_mean(factors: Floats, weights: tuple[float, ...]) -> Floats:
    """Σ w / Σ (w / factor) (4-5) over the last axis; 0 where a factor that has a weight is 0.

    >>> weighted_harmonic_mean(np.array([[1.0, 0.5], [1.0, 0.0]]), (1, 1)).round(3).tolist()
    [0.667, 0.0]
    """
    weighing = np.array(weights)
    shares = np.divide(weighing, factors, out=np.zeros_like(factors), where=factors > 0)
    zero = ((weighing > 0) & (factors <= 0)).any(axis=-1)
    total = shares.sum(axis=-1)
    return np.where(zero, 0.0, weighing.sum() / np.where(zero, 1.0, total))
