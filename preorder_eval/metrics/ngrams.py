"""N-grams and skip-bigrams of many sentences as whole numbers, and how many of them match.

A number says which segment, which words and which side, so that sorting the numbers of all sides
brings together what is the same in the same segment. What matches is clipped (Papineni et al.
2002): it counts at most as often as the one reference of the segment that has it most often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from preorder_eval.data.arrays import Longs
from preorder_eval.data.segments import Tokens
from preorder_eval.errors import PreorderEvalError

_TOKENS = 1 << 17  # of all sides at a time: about what the processor's cache holds
_PAIRS = 1 << 20  # skip-bigrams at a time
_MOST_PAIRS = 1 << 26  # of a sentence: 11,500 words, and four gigabytes
_LARGEST = 1 << 62


def matched_ngrams(
    hypotheses: Tokens, references: Sequence[Tokens], lengths: Sequence[int]
) -> Longs:
    """How many n-grams of each hypothesis match, for each of some lengths; int64[S, len(lengths)].

    >>> sides = [Tokens(np.array([0, 4]), np.array(c)) for c in ([7, 7, 7, 8], [7, 8, 7, 7])]
    >>> matched_ngrams(sides[0], sides[1:], [1, 2, 3]).tolist()
    [[4, 2, 0]]
    """
    sides = [hypotheses, *references]
    tokens = np.sum([side.lengths for side in sides], axis=0)
    parts = [
        _matched_ngrams([side.part(*part) for side in sides], lengths)
        for part in _parts(tokens, _TOKENS)
    ]
    return np.concatenate([np.zeros((0, len(lengths)), dtype=np.int64), *parts])


def ngram_totals(lengths: Longs, longest: int) -> Longs:
    """How many n-grams sentences have, n from 1 to `longest`; int64[S, longest].

    >>> ngram_totals(np.array([3, 1]), 2).tolist()
    [[3, 2], [1, 0]]
    """
    totals: Longs = np.maximum(lengths[:, None] - np.arange(longest), 0)
    return totals


class Shared(NamedTuple):
    """Per segment the units of both sides, as multisets; int64[S] each.

    `both` counts what occurs on both sides, `hypothesis` and `reference` all of a side.
    """

    both: Longs
    hypothesis: Longs
    reference: Longs


def shared_skip_bigrams(
    hypotheses: Tokens, references: Tokens, skip: int | None, unigrams: int | None = None
) -> Shared:
    """The pairs of words in order, with at most `skip` words between them (any number if None).

    `unigrams`: count single words too, but for this many last words of a sentence. Raises
    PreorderEvalError for a sentence with more pairs than memory is likely to hold.

    >>> sides = [Tokens(np.array([0, 4]), np.array(c)) for c in ([4, 5, 2, 3], [2, 9, 4, 5])]
    >>> [counts.tolist() for counts in shared_skip_bigrams(*sides, None)]
    [[1], [6], [6]]
    >>> [counts.tolist() for counts in shared_skip_bigrams(*sides, 0, unigrams=0)]
    [[4], [7], [7]]
    """
    counts = [_count_pairs(side.lengths, skip) for side in (hypotheses, references)]
    for count, side in zip(counts, (hypotheses, references), strict=True):
        if count.max(initial=0) > _MOST_PAIRS:
            raise PreorderEvalError(
                f"a sentence of {side.lengths[count.argmax()]} words has too many pairs of words; "
                "limit how many stand between them, as in 'rouge_s(skip=4)'"
            )
    parts = [
        _both_pairs(hypotheses.part(a, b), references.part(a, b), skip, unigrams)
        for a, b in _parts(counts[0] + counts[1], _PAIRS)
    ]
    if unigrams is not None:
        for count, side in zip(counts, (hypotheses, references), strict=True):
            count += np.maximum(side.lengths - unigrams, 0)
    return Shared(np.concatenate([np.zeros(0, dtype=np.int64), *parts]), *counts)


def _matched_ngrams(sides: Sequence[Tokens], lengths: Sequence[int]) -> Longs:
    segments = len(sides[0])
    codes, bound = _small_codes(sides)
    grams, distinct = codes, bound
    counts = np.zeros((segments, len(lengths)), dtype=np.int64)
    for n in range(1, max(lengths, default=0) + 1):
        if n > 1:
            if distinct > _room(sides) // bound:
                grams, distinct = _renumbered(grams)
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


def _count_pairs(lengths: Longs, skip: int | None) -> Longs:
    """The pairs of n words, n - 1 of distance 1, n - 2 of distance 2, and so on."""
    farthest: Longs = np.maximum(lengths - 1, 0)
    if skip is not None:
        farthest = np.minimum(farthest, skip + 1)
    return farthest * lengths - farthest * (farthest + 1) // 2


def _parts(sizes: Longs, at_a_time: int) -> Iterator[tuple[int, int]]:
    """Cut segments into parts of about a size: its first segment, and that of the next part."""
    total = np.cumsum(sizes + 1)
    first = 0
    while first < len(total):
        before = total[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(total, before + at_a_time)))
        yield first, last
        first = last


def _both_pairs(
    hypotheses: Tokens, references: Tokens, skip: int | None, unigrams: int | None
) -> Longs:
    sides = (hypotheses, references)
    codes, bound = _small_codes(sides)
    base = bound + 1  # the second "word" of a unigram is none
    keys = []
    for side, code in zip(sides, codes, strict=True):
        words = side.sentences * base + code
        pairs = [np.zeros(0, dtype=np.int64)]
        farthest = int(side.lengths.max(initial=1)) - 1
        for distance in range(1, (farthest if skip is None else min(farthest, skip + 1)) + 1):
            inside = side.sentences[distance:] == side.sentences[:-distance]
            pairs.append((words[:-distance] * base + code[distance:])[inside])
        if unigrams is not None:
            left = np.repeat(side.offsets[1:], side.lengths) - np.arange(len(code))
            pairs.append(words[left > unigrams] * base + bound)
        keys.append(np.concatenate(pairs))
    return _clipped(keys, base * base, len(hypotheses))


def _clipped(keys: Sequence[Longs], divisor: int, segments: int) -> Longs:
    """Per segment, number // divisor, how many of the first side's numbers match; int64[segments].

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


def _room(sides: Sequence[Tokens]) -> int:
    """How many different numbers fit beside those of segments and sides."""
    bits = (len(sides) - 1).bit_length()
    return (_LARGEST >> bits) // max(len(sides[0]), 1)


def _small_codes(sides: Sequence[Tokens]) -> tuple[list[Longs], int]:
    """The words of all sides as numbers below a bound whose square fits beside a segment's."""
    codes = [side.codes.astype(np.int64) for side in sides]
    bound = max(int(code.max(initial=0)) for code in codes) + 1
    if (bound + 1) ** 2 > _room(sides):
        return _renumbered(codes)
    return codes, bound


def _renumbered(numbers: list[Longs]) -> tuple[list[Longs], int]:
    """The same numbers, counted from 0 without gaps, and how many there are."""
    different, places = np.unique(np.concatenate(numbers), return_inverse=True)
    borders = np.cumsum([len(each) for each in numbers[:-1]])
    return np.split(places, borders), max(len(different), 1)
