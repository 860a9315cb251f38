"""The n-grams that hypotheses share with any of their references, length by length.

An n-gram is clipped (Papineni et al. 2002): it matches at most as often as the one reference of
the segment that has it most often. As an n-gram matches only where its first n - 1 words do, each
length goes on with the places that the length before has left; few of them are long.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from preorder_eval.data.arrays import Longs, within
from preorder_eval.data.segments import Segments


class Matches(NamedTuple):
    """The different n-grams of one length that match, segment by segment; int64[m] each.

    `segment` is the segment's number and `matched` how often the n-gram matches in it.
    `occurrences` counts the n-gram in all references of the corpus, and `before` its first n - 1
    words there (for single words: all words).
    """

    segment: Longs
    matched: Longs
    occurrences: Longs
    before: Longs


def clipped_ngrams(segments: Segments, longest: int) -> Iterator[Matches]:
    """The matching n-grams of length 1, 2, … `longest`.

    >>> for matches in clipped_ngrams(Segments.of(["a b a"], [["a b c"], ["a a d"]]), 2):
    ...     print(matches.matched.tolist(), matches.occurrences.tolist(), matches.before.tolist())
    [2, 1] [3, 1] [6, 6]
    [1] [1] [3]
    """
    sides = 1 + len(segments.references)
    codes, ends, side = _one_after_another(segments)
    bound = int(codes.max(initial=0)) + 1
    place = np.arange(len(codes))
    key = codes
    occurrences = np.array([sum(len(each.codes) for each in segments.references)])
    previous = np.zeros_like(place)
    for length in range(1, longest + 1):
        if length > 1:
            inside = place + length <= ends[place]
            place, previous = place[inside], previous[inside]
            key = previous * bound + codes[place + length - 1]
        key, place = _sorted(key, place)
        new = np.diff(key, prepend=-1) != 0
        number = np.cumsum(new) - 1
        before = occurrences[key[new] // bound]
        # Stretches of the same n-gram in the same sentence, and of the same in the same segment.
        there = side[place]
        start = np.flatnonzero(new | (np.diff(there, prepend=-1) != 0))
        count = np.diff(start, append=len(place))
        gram, there = number[start], there[start]
        in_reference = np.where(there % sides > 0, count, 0)
        occurrences = np.bincount(gram, in_reference, minlength=len(before)).astype(np.int64)
        new_segment = np.diff(gram, prepend=-1) != 0
        new_segment |= np.diff(there // sides, prepend=-1) != 0
        first = np.flatnonzero(new_segment)
        in_hypothesis = (count - in_reference)[first]
        most = np.maximum.reduceat(in_reference, first) if first.size else first
        matched = np.minimum(in_hypothesis, most)
        some = matched > 0
        gram, segment = gram[first[some]], there[first[some]] // sides
        yield Matches(segment, matched[some], occurrences[gram], before[gram])
        alive = np.zeros(len(before), dtype=bool)
        alive[gram] = True
        kept = alive[number]
        place, previous = place[kept], number[kept]


def _one_after_another(segments: Segments) -> tuple[Longs, Longs, Longs]:
    """Every hypothesis followed by its references: codes, the end of the token's sentence, and
    the number of its sentence; int64[N] each."""
    all_sides = (segments.hypotheses, *segments.references)
    lengths = np.stack([side.lengths for side in all_sides], axis=1).ravel()
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    codes = np.empty(offsets[-1], dtype=np.int64)
    for number, side in enumerate(all_sides):
        starts = offsets[number : -1 : len(all_sides)]
        codes[np.repeat(starts, side.lengths) + within(side.offsets)] = side.codes
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    return codes, offsets[1:][sentence], sentence


def _sorted(key: Longs, place: Longs) -> tuple[Longs, Longs]:
    """Both in order of key, then place."""
    bits = int(place.max(initial=0)).bit_length()
    if int(key.max(initial=0)).bit_length() + bits > 62:
        order = np.lexsort((place, key))
        return key[order], place[order]
    # Key and place in one number: sorting numbers is faster than sorting indices.
    both = key << bits | place
    both.sort()
    return both >> bits, both & ((1 << bits) - 1)
