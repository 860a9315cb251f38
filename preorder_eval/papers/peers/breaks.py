"""Breaks between neighbours of the system order, as both tools count them."""

from __future__ import annotations

import numpy as np

from preorder_eval.data.arrays import Ints, Longs, Offsets, sums


def breaks(sequence: Ints, offsets: Offsets) -> Longs:
    """Per sentence the places where the ranks do not go on, its two borders included; int64[S].

    `sequence` holds the ranks in system order. They go on from a word to the next if that has
    the same rank or the next; at the borders if the first rank is 0 and the last the largest.

    >>> breaks(np.array([1, 2, 3, 4, 0], dtype=np.int32), np.array([0, 5])).tolist()
    [3]
    """
    filled = np.flatnonzero(np.diff(offsets))
    firsts, lasts = offsets[:-1][filled], offsets[1:][filled] - 1
    step = np.diff(sequence, append=0)
    broken = (step < 0) | (step > 1)
    broken[lasts] = False
    result = sums(broken, offsets)
    if filled.size:
        largest = np.maximum.reduceat(sequence, firsts)
        result[filled] += (sequence[firsts] != 0).astype(np.int64) + (sequence[lasts] != largest)
    return result
