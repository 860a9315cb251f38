"""The factors of the LEPOR family and of HPPR: lengths, positions and n-grams (Han 2014).

Numbers of equations, sections and figures are those of the thesis; see `metrics.outputs.lepor`.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, Ints, within
from preorder_eval.metrics.outputs.lexical import sentence_pairs, share
from preorder_eval.metrics.outputs.ngrams import matched_ngrams, ngram_totals
from preorder_eval.metrics.segments import Segments, Tokens

UNALIGNED = -1


def length_penalty(segments: Segments) -> Floats:
    """Return LP (3-1) of each segment; float64[S], 0 to 1."""
    penalty = np.zeros(len(segments))
    for reference in segments.references:
        longer = np.maximum(segments.hypotheses.lengths, reference.lengths)
        shorter = np.minimum(segments.hypotheses.lengths, reference.lengths)
        ratio = np.divide(longer, shorter, out=np.full(len(longer), np.inf), where=shorter > 0)
        penalty = np.maximum(penalty, np.exp(1 - ratio))
    return penalty


def position_penalty(segments: Segments, n: int) -> Floats:
    """Return NPosPenal (3-2) of each segment; float64[S], 0 to 1.

    Parameters: `n`, how many words either side are neighbours in the alignment.
    """
    hypotheses, tokens = segments.hypotheses, segments.hypotheses.sentences
    here = (within(hypotheses.offsets) + 1) / hypotheses.lengths[tokens]
    distance, best = np.zeros(len(tokens)), np.full(len(tokens), np.inf)
    for reference in segments.references:
        places, with_neighbour = aligned_words(hypotheses, reference, n)
        there = (places + 1) / np.maximum(reference.lengths, 1)[tokens]
        # Places without a matching neighbour come after all that have one: distances are below 1.
        rank = np.abs(here - there) + ~with_neighbour
        better = (places != UNALIGNED) & (rank < best)
        best = np.where(better, rank, best)
        distance = np.where(better, np.abs(here - there), distance)
    total = np.bincount(tokens, weights=distance, minlength=len(segments))
    return np.exp(-total / np.maximum(hypotheses.lengths, 1))


def ngram_harmonics(
    segments: Segments, longest: int, alpha: float, beta: float, added: int = 0
) -> tuple[Floats, Floats]:
    """Return HPR of n-grams (4-3), n from 1 to `longest`, and whether each length exists.

    HPR is (α + β)/(α/R + β/P): with `alpha=0` that is the precision, with `beta=0` the recall.
    `added` is added to matches and totals of all lengths from 2 on, as in smoothed BLEU. Returns
    float64[S, longest] each: HPR from 0 to 1, and 1 or 0. A length exists if the hypothesis or one
    of its references has such n-grams; HPR of one that does not exist is 0.
    """
    output = ngram_totals(segments.hypotheses.lengths, longest)
    harmonics, exist = np.zeros(output.shape), output > 0
    more = added * (np.arange(longest) > 0).astype(np.float64)
    for reference in segments.references:
        matches = matched_ngrams(segments.hypotheses, [reference], range(1, longest + 1))
        totals = ngram_totals(reference.lengths, longest)
        matching: Floats = (alpha + beta) * (matches + more)
        of_this = share(matching, alpha * (totals + more) + beta * (output + more))
        there = (output > 0) | (totals > 0)
        harmonics, exist = np.maximum(harmonics, np.where(there, of_this, 0.0)), exist | there
    return harmonics, exist.astype(np.float64)


def geometric_mean(factors: Floats, exist: Floats, weights: tuple[float, ...]) -> Floats:
    """Return exp(Σ w log factor), with weights that sum to 1 over the factors that exist.

    Parameters: `factors` and `exist` float64[…, k], and k weights. A factor is left out if `exist`
    or its weight is 0. Returns float64[…]; 0 if a factor is 0, or none exists.
    """
    weighing = np.where(exist > 0, weights, 0.0)
    total = weighing.sum(axis=-1)
    zero = ((weighing > 0) & (factors <= 0)).any(axis=-1) | (total == 0)
    logs = np.log(factors, out=np.zeros_like(factors), where=factors > 0)
    mean = (weighing * logs).sum(axis=-1) / np.where(total > 0, total, 1)
    return np.where(zero, 0.0, np.exp(mean))


def weighted_harmonic_mean(factors: Floats, weights: tuple[float, ...]) -> Floats:
    """Return Σ w / Σ (w / factor) (4-5) over the last axis; 0 where a weighed factor is 0."""
    weighing = np.array(weights)
    shares = np.divide(weighing, factors, out=np.zeros_like(factors), where=factors > 0)
    zero = ((weighing > 0) & (factors <= 0)).any(axis=-1)
    total = shares.sum(axis=-1)
    return np.where(zero, 0.0, weighing.sum() / np.where(zero, 1.0, total))


def aligned_words(hypotheses: Tokens, references: Tokens, n: int) -> tuple[Ints, Bools]:
    """Align every word of the hypotheses with a word of its reference (3.1.2 and Figure 3-1).

    From left to right, every word of the output is aligned with the same word of the reference, one
    to one. If the reference has several free places with that word, those with a matching neighbour
    go first: some word up to `n` places from them is also up to `n` places from the output's word.
    Of these the nearest is taken, of two equally near ones the earlier. If no place has a matching
    neighbour, the nearest of all is taken, of two the later, as in the last else of the figure.
    (The author's program takes the earlier one there, too.)

    Returns the 0-based place in the reference of every hypothesis token, -1 if it is unaligned,
    int32[N]; and whether that place has a matching neighbour, bool[N].

    >>> segments = Segments.of(["a stone on a bird"], ["a bird is on a stone"])
    >>> places, _ = aligned_words(segments.hypotheses, segments.references[0], 2)
    >>> (places + 1).tolist()
    [5, 6, 4, 1, 2]
    """
    pairs = sentence_pairs(hypotheses, references)
    aligned = [place for output, reference in pairs for place in _aligned(output, reference, n)]
    places, with_neighbour = np.array(aligned, dtype=np.int32).reshape(-1, 2).T
    return places, with_neighbour == 1


def _aligned(output: list[int], reference: list[int], n: int) -> list[tuple[int, bool]]:
    """Return the place of each word in the reference, and whether it has a matching neighbour."""
    places = defaultdict(list)
    for place, word in enumerate(reference):
        places[word].append(place)
    aligned = []
    for i, word in enumerate(output):
        place, has_neighbour = UNALIGNED, False
        if free := places.get(word):
            neighbours = {*output[max(i - n, 0) : i], *output[i + 1 : i + n + 1]}
            close = [
                p
                for p in free
                if not neighbours.isdisjoint(reference[max(p - n, 0) : p])
                or not neighbours.isdisjoint(reference[p + 1 : p + n + 1])
            ]
            # min() takes the first of two: the earlier place, and without a neighbour the later.
            place = min(close or reversed(free), key=lambda p: abs(p - i))
            has_neighbour = bool(close)
            free.remove(place)
        aligned.append((place, has_neighbour))
    return aligned
