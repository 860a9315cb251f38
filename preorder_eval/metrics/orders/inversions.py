"""Measures of disorder: inversions, and the longest non-decreasing subsequence.

The numbers of all sentences stand in one array; `offsets` says where each sentence begins.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.arrays import Ints, Longs, Offsets, gather, within

_COLUMNS = 1024  # sentences side by side: about what the processor's cache holds
_LONG = 500  # numbers of a sentence, above which not all pairs are compared


def inversions(sequence: Ints, offsets: Offsets) -> Longs:
    """Count the pairs in which the earlier number is the larger, per sentence; int64[S].

    All pairs are compared, many sentences of about the same length at once. That is quadratic in
    the length, but a comparison costs a fraction of a nanosecond. Long sentences are halved first.
    """
    result = np.zeros(len(offsets) - 1, dtype=np.int64)
    long = np.diff(offsets) > _LONG
    for s in np.flatnonzero(long):
        result[s] = _inversions_of_long(sequence[offsets[s] : offsets[s + 1]])
    short = np.flatnonzero(~long)
    offsets, places = gather(offsets, short)
    for chosen, columns in _in_columns(sequence[places], offsets):
        small = np.uint8 if len(columns) < 256 else np.int64
        counts = np.zeros(len(chosen), dtype=np.int64)
        for place in range(len(columns) - 1):
            larger = columns[place] > columns[place + 1 :]
            counts += np.add.reduce(larger.view(np.uint8), axis=0, dtype=small)
        result[short[chosen]] = counts
    return result


def _inversions_of_long(numbers: Ints) -> int:
    if len(numbers) <= max(_LONG, 1):
        return int(np.triu(numbers[:, None] > numbers).sum())
    left, right = np.array_split(numbers, 2)
    not_larger = np.searchsorted(np.sort(left), right, side="right").sum()
    between = len(left) * len(right) - int(not_larger)
    return _inversions_of_long(left) + between + _inversions_of_long(right)


def _in_columns(sequence: Ints, offsets: Offsets) -> Iterator[tuple[Longs, Ints]]:
    """Lay sentences of about the same length side by side, so that one step works on many.

    Yields the numbers of some sentences, and `columns`, [width, sentences]: row k holds what each
    sentence has in place k. The numbers of a sentence must be below its length. The space behind a
    short sentence is filled with a number that is larger than all of them, the largest of its type.
    """
    widths = -(-np.diff(offsets) // 8) * 8
    by_width = np.argsort(widths, kind="stable")
    borders = np.flatnonzero(np.diff(widths[by_width])) + 1
    for same_width in np.split(by_width, borders):
        for first in range(0, len(same_width), _COLUMNS):
            chosen = same_width[first : first + _COLUMNS]
            width = int(widths[chosen[0]])
            small = np.int8 if width < 127 else np.int32
            columns: NDArray[np.signedinteger] = np.full(
                (width, len(chosen)), np.iinfo(small).max, dtype=small
            )
            gathered, places = gather(offsets, chosen)
            sentences = np.repeat(np.arange(len(chosen)), np.diff(gathered))
            columns[within(gathered), sentences] = sequence[places]
            yield chosen, columns


def longest_rises(sequence: Ints, offsets: Offsets) -> Longs:
    """Return the length of the longest subsequence that never falls, per sentence; int64[S].

    Patience sorting: `ends[k]` is the smallest number that a subsequence of k + 1 numbers can end
    with. A number goes after all that are not larger.
    """
    numbers, lengths = sequence.tolist(), []
    for first, last in itertools.pairwise(offsets.tolist()):
        ends: list[int] = []
        for number in numbers[first:last]:
            after = bisect_right(ends, number)
            ends[after : after + 1] = [number]
        lengths.append(len(ends))
    return np.array(lengths, dtype=np.int64)
