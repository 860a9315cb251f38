"""Matching n-grams of many sentences at once; each n-gram is coded as an integer.

Each number holds segment, words and side. So sorting the numbers of all sides brings equal n-grams
of a segment together. Matches are clipped (Papineni et al. 2002): an n-gram counts at most as often
as in the reference of the segment that has it most often.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.base.arrays import Longs, blocks, offsets_of
from preorder_eval.metrics.segments import Tokens

_TOKENS = 1 << 17  # of all sides at a time: about what the processor's cache holds
_LARGEST = 1 << 62


def ngram_totals(lengths: Longs, longest: int) -> Longs:
    """Count the n-grams of sentences, n from 1 to `longest`; int64[S, longest]."""
    return np.maximum(lengths[:, None] - np.arange(longest), 0)


def matched_ngrams(
    hypotheses: Tokens, references: Sequence[Tokens], lengths: Sequence[int]
) -> Longs:
    """Count the n-grams of these lengths that match, for each hypothesis.

    Returns int64[S, len(lengths)].
    """
    sides = [hypotheses, *references]
    sizes = offsets_of(np.sum([side.lengths + 1 for side in sides], axis=0))
    parts = [
        _matched_ngrams([side.part(first, last) for side in sides], lengths)
        for first, last in blocks(sizes, _TOKENS)
    ]
    return np.concatenate([np.zeros((0, len(lengths)), dtype=np.int64), *parts])


def _matched_ngrams(sides: Sequence[Tokens], lengths: Sequence[int]) -> Longs:
    segments = len(sides[0])
    # How many different numbers fit beside those of segments and sides.
    room = (_LARGEST >> (len(sides) - 1).bit_length()) // segments
    codes = [side.codes.astype(np.int64) for side in sides]
    bound = max(int(code.max(initial=0)) for code in codes) + 1
    if bound ** max(lengths, default=0) > room:
        codes, bound = renumbered(codes)
    grams, distinct = codes, bound
    counts = np.zeros((segments, len(lengths)), dtype=np.int64)
    for n in range(1, max(lengths, default=0) + 1):
        if n > 1:
            if distinct > room // bound:
                grams, distinct = renumbered(grams)
            grams = [
                gram[:-1] * bound + code[n - 1 :] for gram, code in zip(grams, codes, strict=True)
            ]
            distinct *= bound
        if n in lengths:
            keys = []
            for side, gram in zip(sides, grams, strict=True):
                segment = side.sentences[: len(gram)]
                inside = segment == side.sentences[len(side.codes) - len(gram) :]
                keys.append((segment * distinct + gram)[inside])
            counts[:, lengths.index(n)] = _clipped(keys, distinct, segments)
    return counts


def renumbered(numbers: list[Longs]) -> tuple[list[Longs], int]:
    """Return the numbers recoded from 0 without gaps, and how many different ones there are."""
    different, places = np.unique(np.concatenate(numbers), return_inverse=True)
    borders = np.cumsum([len(each) for each in numbers[:-1]])
    return np.split(places, borders), max(len(different), 1)


def _clipped(keys: Sequence[Longs], divisor: int, segments: int) -> Longs:
    """Count the first side's numbers that match, per segment, number // divisor; int64[segments].

    Parameters: the numbers of the hypotheses and of each stream of references.
    """
    # The side as the last bits: the same numbers stand together, hypotheses before references.
    bits = (len(keys) - 1).bit_length()
    marked = np.concatenate([key << bits | side for side, key in enumerate(keys)])
    marked.sort()
    step = np.diff(marked)
    last = np.flatnonzero((step > 0) & (step < len(keys)))  # before other sides' same numbers
    last = last[marked[last] & ((1 << bits) - 1) == 0]
    number, end = marked[last], last + 1
    count, most = end - np.searchsorted(marked, number), np.zeros_like(end)
    for side in range(1, len(keys)):
        start, end = end, np.searchsorted(marked, number + side, side="right")
        most = np.maximum(most, end - start)
    segment = (number >> bits) // divisor
    return np.bincount(segment, np.minimum(count, most), minlength=segments).astype(np.int64)
