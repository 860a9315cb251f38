"""N-grams and skip-bigrams of many sentences as whole numbers, and how many two sides share.

A number says both which segment and which words, so that sorting the numbers of both sides
brings together what is the same in the same segment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from preorder_eval.data.arrays import Longs
from preorder_eval.data.segments import Tokens

_PAIRS = 1 << 20  # skip-bigrams at a time
_LARGEST = 1 << 61


class Shared(NamedTuple):
    """Per segment the units of both sides, as multisets; int64[S] each.

    `both` counts what occurs on both sides, `hypothesis` and `reference` all of a side.
    """

    both: Longs
    hypothesis: Longs
    reference: Longs


def shared_ngrams(hypotheses: Tokens, references: Tokens, n: int) -> Shared:
    """The n-grams of each pair of sentences.

    >>> sides = [Tokens(np.array([0, 4]), np.array(c)) for c in ([7, 7, 7, 8], [7, 8, 7, 7])]
    >>> [counts.tolist() for counts in shared_ngrams(*sides, 2)]
    [[2], [3], [3]]
    """
    sides = (hypotheses, references)
    codes, bound = _small_codes(sides, len(hypotheses))
    grams, distinct = codes, bound
    for length in range(2, n + 1):
        if distinct > _LARGEST // (bound * max(len(hypotheses), 1)):
            grams, distinct = _renumbered(grams)
        grams = [
            gram[:-1] * bound + code[length - 1 :] for gram, code in zip(grams, codes, strict=True)
        ]
        distinct *= bound
    keys = []
    for side, gram in zip(sides, grams, strict=True):
        segment = side.sentences[: len(gram)]
        inside = segment == side.sentences[len(side.codes) - len(gram) :]
        keys.append((segment * distinct + gram)[inside])
    both = _both(keys, distinct, len(hypotheses))
    return Shared(both, *(np.maximum(side.lengths - n + 1, 0) for side in sides))


def shared_skip_bigrams(
    hypotheses: Tokens, references: Tokens, skip: int | None, unigrams: int | None = None
) -> Shared:
    """The pairs of words in order, with at most `skip` words between them (any number if None).

    `unigrams`: count single words too, but for this many last words of a sentence.

    >>> sides = [Tokens(np.array([0, 4]), np.array(c)) for c in ([4, 5, 2, 3], [2, 9, 4, 5])]
    >>> [counts.tolist() for counts in shared_skip_bigrams(*sides, None)]
    [[1], [6], [6]]
    >>> [counts.tolist() for counts in shared_skip_bigrams(*sides, 0, unigrams=0)]
    [[4], [7], [7]]
    """
    counts = [_count_pairs(side.lengths, skip) for side in (hypotheses, references)]
    parts = [
        _both_pairs(hypotheses.part(a, b), references.part(a, b), skip, unigrams)
        for a, b in _parts(counts[0] + counts[1])
    ]
    if unigrams is not None:
        for count, side in zip(counts, (hypotheses, references), strict=True):
            count += np.maximum(side.lengths - unigrams, 0)
    return Shared(np.concatenate([np.zeros(0, dtype=np.int64), *parts]), *counts)


def _count_pairs(lengths: Longs, skip: int | None) -> Longs:
    """The pairs of n words, n - 1 of distance 1, n - 2 of distance 2, and so on."""
    farthest: Longs = np.maximum(lengths - 1, 0)
    if skip is not None:
        farthest = np.minimum(farthest, skip + 1)
    return farthest * lengths - farthest * (farthest + 1) // 2


def _parts(pairs: Longs) -> Iterator[tuple[int, int]]:
    """Cut segments into parts of about as many pairs as fit in memory and cache."""
    total = np.cumsum(pairs + 1)
    first = 0
    while first < len(total):
        before = total[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(total, before + _PAIRS)))
        yield first, last
        first = last


def _both_pairs(
    hypotheses: Tokens, references: Tokens, skip: int | None, unigrams: int | None
) -> Longs:
    sides = (hypotheses, references)
    codes, bound = _small_codes(sides, len(hypotheses))
    base = bound + 1  # the second "word" of a unigram is none
    keys = []
    for side, code in zip(sides, codes, strict=True):
        words = side.sentences * base + code
        found = [np.zeros(0, dtype=np.int64)]
        farthest = int(side.lengths.max(initial=1)) - 1
        for distance in range(1, (farthest if skip is None else min(farthest, skip + 1)) + 1):
            inside = side.sentences[distance:] == side.sentences[:-distance]
            found.append((words[:-distance] * base + code[distance:])[inside])
        if unigrams is not None:
            left = np.repeat(side.offsets[1:], side.lengths) - np.arange(len(code))
            found.append(words[left > unigrams] * base + bound)
        keys.append(np.concatenate(found))
    return _both(keys, base * base, len(hypotheses))


def _both(keys: list[Longs], divisor: int, segments: int) -> Longs:
    """Per segment, number // divisor, how many numbers are on both sides; int64[segments]."""
    # The side as the last bit: the same numbers stand together, hypotheses before references.
    marked = np.concatenate(keys) * 2
    marked[len(keys[0]) :] += 1
    marked.sort()
    last = np.flatnonzero((np.diff(marked) == 1) & (marked[:-1] & 1 == 0))
    hypothesis = marked[last]
    count = last + 1 - np.searchsorted(marked, hypothesis)
    other_count = np.searchsorted(marked, hypothesis + 1, side="right") - last - 1
    common = np.bincount(
        (hypothesis >> 1) // divisor, np.minimum(count, other_count), minlength=segments
    )
    return common.astype(np.int64)


def _small_codes(sides: tuple[Tokens, Tokens], segments: int) -> tuple[list[Longs], int]:
    """The words of both sides as numbers below a bound whose square fits beside a segment's."""
    codes = [side.codes.astype(np.int64) for side in sides]
    bound = max(int(code.max(initial=0)) for code in codes) + 1
    if (bound + 1) ** 2 > _LARGEST // max(segments, 1):
        return _renumbered(codes)
    return codes, bound


def _renumbered(numbers: list[Longs]) -> tuple[list[Longs], int]:
    """The same numbers, counted from 0 without gaps, and how many there are."""
    different, places = np.unique(np.concatenate(numbers), return_inverse=True)
    return np.split(places, [len(numbers[0])]), max(len(different), 1)
