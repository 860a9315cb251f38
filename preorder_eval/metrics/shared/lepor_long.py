"""LEPOR's alignment of one long pair of sentences, without a table of all pairs of words.

The same as in `lepor_alignment`, word by word: of the places of a word in the reference those near
its own place are looked at, and more of them only where these do not decide.
"""

from __future__ import annotations

import numpy as np

from preorder_eval.data.arrays import Bools, Ints, Longs

_NEAR = 64  # places on either side that are looked at first


def align_long(left: Ints, right: Ints, n: int, unaligned: int) -> tuple[Ints, Bools]:
    """For every word of `left` its place in `right`, and if that has a matching neighbour.

    >>> places, neighbours = align_long(np.array([1, 2, 1]), np.array([1, 1, 2]), 1, unaligned=-1)
    >>> places.tolist(), neighbours.tolist()
    ([1, 2, 0], [True, True, False])
    """
    farthest = max(len(left), len(right))
    n = min(n, farthest)
    steps = np.array([step for step in range(-n, n + 1) if step], dtype=np.int64)
    by_word = np.argsort(right, kind="stable")
    starts = np.searchsorted(right[by_word], left, side="left").tolist()
    ends = np.searchsorted(right[by_word], left, side="right").tolist()
    # Beyond its ends each side has words that equal none of the other.
    beside_left = np.pad(left, n, constant_values=-1)
    beside_right = np.pad(right, n, constant_values=-2)
    taken = np.zeros(len(right), dtype=bool)
    places = np.full(len(left), unaligned, dtype=np.int32)
    with_neighbour = np.zeros(len(left), dtype=bool)
    for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if start == end:
            continue
        around = beside_left[i + n + steps]
        at = start + int(np.searchsorted(by_word[start:end], i))
        near = _NEAR
        while True:
            first, last = max(start, at - near), min(end, at + near)
            free = by_word[first:last]
            free = free[~taken[free]]
            matching = np.isin(beside_right[free[:, None] + n + steps], around).any(axis=1)
            # Up to here, everything nearer has been looked at.
            seen = min(
                i - int(by_word[first]) if first > start else farthest,
                int(by_word[last - 1]) - i if last < end else farthest,
            )
            chosen = _nearest(free[matching], i)
            if chosen is not None and abs(chosen - i) <= seen:
                with_neighbour[i] = True
                break
            if first == start and last == end:
                chosen = _nearest(free[::-1], i)
                break
            near *= 4
        if chosen is not None:
            places[i] = chosen
            taken[chosen] = True
    return places, with_neighbour


def _nearest(places: Longs, i: int) -> int | None:
    """The nearest of some places, of two the one that stands first; None without any."""
    return int(places[np.argmin(np.abs(places - i))]) if len(places) else None
