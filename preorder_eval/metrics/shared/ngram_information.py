"""How much the n-grams that hypotheses share with their references tell (Doddington 2002).

The information of an n-gram is log2 of how often its first n - 1 words occur in the references of
the whole corpus, over how often all of it does. So unlike in `ngrams` the same n-gram must have the
same number in all segments. As an n-gram matches only where its first n - 1 words do, each length
goes on with the places that the length before has left; few of them are long.
"""

from __future__ import annotations

import numpy as np

from preorder_eval.data.arrays import Floats, Longs, within
from preorder_eval.data.segments import Segments


def matched_information(segments: Segments, longest: int) -> Floats:
    """Per segment the information of the matching n-grams, n from 1 up; float64[S, longest].

    An n-gram matches at most as often as the one reference that has it most often.

    >>> matched_information(Segments.of(["a b a"], [["a b c"], ["a a d"]]), 2).round(3).tolist()
    [[4.585, 1.585]]
    """
    sides = 1 + len(segments.references)
    codes, ends, side = _one_after_another(segments)
    bound = int(codes.max(initial=0)) + 1
    place, key = np.arange(len(codes)), codes
    occurrences = np.array([sum(len(each.codes) for each in segments.references)])
    previous = np.zeros_like(place)  # the number of the n-gram before its last word
    information = np.zeros((len(segments), longest))
    for n in range(1, longest + 1):
        if n > 1:
            inside = place + n <= ends[place]
            place, previous = place[inside], previous[inside]
            key = previous * bound + codes[place + n - 1]
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
        most = np.maximum.reduceat(in_reference, first) if first.size else first
        matched = np.minimum((count - in_reference)[first], most)
        gram, segment = gram[first[matched > 0]], there[first[matched > 0]] // sides
        each = matched[matched > 0] * np.log2(before[gram] / occurrences[gram])
        information[:, n - 1] = np.bincount(segment, each, minlength=len(segments))
        alive = np.zeros(len(before), dtype=bool)
        alive[gram] = True
        kept = alive[number]
        place, previous = place[kept], number[kept]
    return information


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
