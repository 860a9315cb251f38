"""How much the n-grams that hypotheses share with their references tell (Doddington 2002).

The information of an n-gram is log2 of how often its first n - 1 words occur in the references of
the whole corpus, over how often all of it does. So unlike in `ngrams` the same n-gram must have the
same number in all segments. As an n-gram matches only where its first n - 1 words do, each length
goes on with the places that the length before has left; few of them are long. And as n-grams with
different first words have nothing in common, some first words are done at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from preorder_eval.data.arrays import Floats, Ints, Longs, Offsets, blocks
from preorder_eval.data.segments import Segments

_TOKENS = 1 << 20  # of all sides at a time


def matched_information(segments: Segments, longest: int) -> Floats:
    """Per segment the information of the matching n-grams, n from 1 up; float64[S, longest].

    An n-gram matches at most as often as the one reference that has it most often.

    >>> matched_information(Segments.of(["a b a"], [["a b c"], ["a a d"]]), 2).round(3).tolist()
    [[4.585, 1.585]]
    """
    information = np.zeros((longest, len(segments)))
    codes, offsets = _one_after_another(segments)
    words = sum(len(each.codes) for each in segments.references)
    for place in _places(codes):
        _add(information, codes, offsets, place, words, 1 + len(segments.references))
    return information.T


def _add(
    information: Floats, codes: Ints, offsets: Offsets, place: Longs, words: int, sides: int
) -> None:
    """Add what matches of the n-grams that begin at some places, which are all of their kind.

    Parameters: `information` float64[longest, S]; `codes` and `offsets` as `_one_after_another`
    has them; how many `words` all references have, and of how many `sides` a segment is.
    """
    sentence = (np.searchsorted(offsets, place, side="right") - 1).astype(np.int32)
    bound = int(codes.max(initial=0)) + 1
    index, key = np.arange(len(place)), codes[place].astype(np.int64)
    occurrences = np.array([words])
    previous = np.zeros_like(index)  # the number of the n-gram before its last word
    for n, row in enumerate(information, 1):
        if n > 1:
            inside = place[index] + n <= offsets[1:][sentence[index]]
            index, previous = index[inside], previous[inside]
            key = previous * bound + codes[place[index] + n - 1]
        key, index = _sorted(key, index)
        new = np.diff(key, prepend=-1) != 0
        number = np.cumsum(new) - 1
        before = occurrences[key[new] // bound]
        # Stretches of the same n-gram in the same sentence, and of the same in the same segment.
        there = sentence[index]
        start = np.flatnonzero(new | (np.diff(there, prepend=-1) != 0))
        count = np.diff(start, append=len(index))
        gram, there = number[start], there[start]
        in_reference = np.where(there % sides > 0, count, 0)
        occurrences = np.bincount(gram, in_reference, minlength=len(before)).astype(np.int64)
        new_segment = np.diff(gram, prepend=-1) != 0
        new_segment |= np.diff(there // sides, prepend=-1) != 0
        first = np.flatnonzero(new_segment)
        most = np.maximum.reduceat(in_reference, first) if first.size else first
        matched = np.minimum((count - in_reference)[first], most)
        gram, segment = gram[first[matched > 0]], there[first[matched > 0]] // sides
        each = matched[matched > 0] * np.log2(before[gram] / occurrences[gram])
        np.add.at(row, segment, each)
        alive = np.zeros(len(before), dtype=bool)
        alive[gram] = True
        kept = alive[number]
        index, previous = index[kept], number[kept]


def _places(codes: Ints) -> Iterator[Longs]:
    """The places of some words at a time, of all words in the order of their codes.

    >>> [places.tolist() for places in _places(np.array([1, 0, 1]))]
    [[0, 1, 2]]
    """
    until = np.cumsum(np.bincount(codes))
    first = 0
    while first < len(until):
        done = until[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(until, done + _TOKENS, side="right")))
        yield np.flatnonzero((codes >= first) & (codes < last))
        first = last


def _one_after_another(segments: Segments) -> tuple[Ints, Offsets]:
    """Every hypothesis followed by its references: the codes of the words, and where the
    sentences begin."""
    all_sides = (segments.hypotheses, *segments.references)
    lengths = np.stack([side.lengths for side in all_sides], axis=1).ravel()
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    codes = np.empty(offsets[-1], dtype=np.int32)
    for number, side in enumerate(all_sides):
        moved = offsets[number : -1 : len(all_sides)] - side.offsets[:-1]
        for first, last in blocks(side.offsets):
            here = np.arange(side.offsets[first], side.offsets[last])
            codes[here + np.repeat(moved[first:last], side.lengths[first:last])] = side.codes[here]
    return codes, offsets


def _sorted(key: Longs, index: Longs) -> tuple[Longs, Longs]:
    """Both in order of key, then index."""
    bits = int(index.max(initial=0)).bit_length()
    if int(key.max(initial=0)).bit_length() + bits > 62:
        order = np.lexsort((index, key))
        return key[order], index[order]
    # Key and index in one number: sorting numbers is faster than sorting indices.
    both = key << bits
    both |= index
    both.sort()
    key = both >> bits
    both &= (1 << bits) - 1
    return key, both
