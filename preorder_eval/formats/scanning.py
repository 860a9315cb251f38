"""Files read as arrays: the numbers and lines of a file at once, without a loop over its lines.

A scanner knows what is usual in its format and nothing else. For a file with anything else in it
it returns None, and the format's own reader goes through the file line by line: it says what is
wrong, and where, or takes what is only unusual. So both must agree where the scanner does not
return None, which the tests of each format see to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Bools, Longs, Offsets

Bytes = NDArray[np.uint8]

_LINE_END = ord("\n")
_MOST_DIGITS = 9


class Scan(NamedTuple):
    """The bytes of a file, and its numbers: stretches of one to nine digits.

    `data` uint8[B]; `starts`, `ends` and `values` int64[K] of the numbers; `lines` int64[L + 1],
    which of them stand in each line, as offsets.
    """

    data: Bytes
    starts: Longs
    ends: Longs
    values: Longs
    lines: Offsets


def numbers_at(data: Bytes, starts: Longs, ends: Longs) -> tuple[Longs, Bools]:
    """Return the numbers in these places, int64[K], and if they have one to nine digits, bool[K].

    >>> file, places = np.frombuffer(b"12x", np.uint8), np.array([[0, 1], [2, 3]])
    >>> [column.tolist() for column in numbers_at(file, *places)]
    [[12, 0], [True, False]]
    """
    sizes = ends - starts
    values = np.zeros(len(sizes), dtype=np.int64)
    legal = (sizes > 0) & (sizes <= _MOST_DIGITS)
    for place in range(min(int(sizes.max(initial=0)), _MOST_DIGITS)):
        more = slice(None) if place == 0 else np.flatnonzero(sizes > place)
        digits = data[starts[more] + place] - np.uint8(ord("0"))
        values[more] = values[more] * 10 + digits
        legal[more] &= digits < 10
    values[~legal] = 0
    return values, legal


def scan(data: bytes, others: str) -> Scan | None:
    """Return the numbers of a file of nothing but digits, line feeds and these `others`.

    None for any other file, an empty one, or one with a number of more than nine digits.

    >>> found = scan(b"0-0 12-3\\n1-0", "- ")
    >>> found.values.tolist(), found.lines.tolist()
    ([0, 0, 12, 3, 1, 0], [0, 4, 6])
    """
    if not data or data.translate(None, b"0123456789\n" + others.encode()):
        return None
    content = np.frombuffer(data, dtype=np.uint8)
    digit = np.zeros(len(content) + 2, dtype=bool)
    digit[1:-1] = content - np.uint8(ord("0")) < 10
    borders = np.flatnonzero(digit[1:] != digit[:-1])
    starts, ends = borders[::2], borders[1::2]
    if (ends - starts).max(initial=0) > _MOST_DIGITS:
        return None
    line_ends = np.flatnonzero(content == _LINE_END)
    if content[-1] != _LINE_END:
        line_ends = np.append(line_ends, len(content))
    lines = np.concatenate([[0], np.searchsorted(starts, line_ends)])
    return Scan(content, starts, ends, numbers_at(content, starts, ends)[0], lines)
