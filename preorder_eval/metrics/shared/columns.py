"""Sentences laid out side by side, so that each step of an algorithm runs on many at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Ints, Longs, Offsets, gather, within

_ROWS = 1024  # sentences at a time: small enough to stay in the processor's cache


def side_by_side(sequence: Ints, offsets: Offsets) -> Iterator[tuple[Longs, Ints]]:
    """Numbers of sentences of about the same length as columns.

    Yields the sentences' indices and `columns`, [width, sentences]: row k holds the number in
    place k of each. The numbers of a sentence must be below its length. The space after a short
    sentence is filled with a number larger than all of them, the largest that the type holds.

    >>> [(_, columns)] = side_by_side(np.array([1, 0, 0], dtype=np.int32), np.array([0, 2, 3]))
    >>> columns[:3].tolist()
    [[1, 0], [0, 127], [127, 127]]
    """
    lengths = np.diff(offsets)
    widths = -(-lengths // 8) * 8
    by_width = np.argsort(widths, kind="stable")
    borders = np.flatnonzero(np.diff(widths[by_width])) + 1
    for same_width in np.split(by_width, borders):
        for first in range(0, len(same_width), _ROWS):
            chosen = same_width[first : first + _ROWS]
            width = int(widths[chosen[0]])
            small = np.int8 if width < 127 else np.int32
            columns: NDArray[np.signedinteger] = np.full(
                (width, len(chosen)), np.iinfo(small).max, dtype=small
            )
            rows, sentences, places = column_places(offsets, chosen)
            columns[rows, sentences] = sequence[places]
            yield chosen, columns


def column_places(offsets: Offsets, chosen: Longs) -> tuple[Longs, Longs, Longs]:
    """Where the words of some sentences stand as columns: row, column and number of each; int64[n].

    >>> [x.tolist() for x in column_places(np.array([0, 2, 3]), np.array([1, 0]))]
    [[0, 0, 1], [0, 1, 1], [2, 0, 1]]
    """
    gathered, numbers = gather(offsets, chosen)
    return within(gathered), np.repeat(np.arange(len(chosen)), np.diff(gathered)), numbers
