"""Words of encoded texts as numbers, without a string for every word.

Words are told apart eight bytes at a time: eight bytes are a number, and numbers can be sorted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Bools, Ints, Longs

Bytes = NDArray[np.uint8]

_WIDTH = 8
_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(_WIDTH + 1)], dtype=np.uint64)
_BLOCK = 1 << 22  # bytes at a time: what is made of them stays in the processor's cache


class Split(NamedTuple):
    """Where the words of a text are, and how many stand in each of its lines; int64[…] each."""

    starts: Longs
    ends: Longs
    counts: Longs


class Interner:
    """Numbers words from 0 in the order in which they first occur.

    >>> interner = Interner()
    >>> interner.codes(b"a bc\\na", *split_words(b"a bc\\na")[:2]).tolist(), interner.names()
    ([0, 1, 0], ('a', 'bc'))
    """

    def __init__(self) -> None:
        self._index: dict[bytes, int] = {}

    def codes(self, data: bytes, starts: Longs, ends: Longs) -> Ints:
        """The numbers of the words that start and end in these places of some UTF-8; int32[N].

        No word may hold the character NUL.
        """
        padded = np.frombuffer(data + bytes(_WIDTH), dtype=np.uint8)
        firsts, codes = _distinct(padded, starts, ends)
        places = zip(starts[firsts].tolist(), ends[firsts].tolist(), strict=True)
        words = (data[start:end] for start, end in places)
        numbers = [self._index.setdefault(word, len(self._index)) for word in words]
        return np.array(numbers, dtype=np.int32)[codes]

    def names(self) -> tuple[str, ...]:
        """The words by their numbers; raises UnicodeDecodeError for what is not UTF-8."""
        return tuple(word.decode() for word in self._index)


def split_words(data: bytes) -> Split:
    r"""The words of a text, which spaces and line feeds separate.

    >>> split_words(b" a  bc\n\nd").counts.tolist()
    [2, 0, 1]
    """
    content = np.frombuffer(data, dtype=np.uint8)
    inside = np.zeros(len(content) + 2, dtype=bool)
    inside[1:-1] = (content != ord(" ")) & (content != ord("\n"))
    borders = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = borders[::2], borders[1::2]
    line_ends = np.flatnonzero(content == ord("\n"))
    if not len(content) or content[-1] != ord("\n"):
        line_ends = np.append(line_ends, len(content))
    return Split(starts, ends, np.diff(np.searchsorted(starts, line_ends), prepend=0))


def blocks_of_lines(data: bytes, size: int = _BLOCK) -> Iterator[bytes]:
    """A text in parts of whole lines, each of at least `size` bytes but for the last one."""
    start = 0
    while start < len(data):
        stop = data.find(b"\n", min(start + size, len(data)) - 1) + 1 or len(data)
        yield data if stop - start == len(data) else data[start:stop]
        start = stop


def _distinct(padded: Bytes, starts: Longs, ends: Longs) -> tuple[Longs, Longs]:
    """The first token of every different word, and for each token which of these it equals."""
    sizes = ends - starts
    size, codes = _numbered(_eight_bytes(padded, starts, sizes))
    longer, done = np.flatnonzero(sizes > _WIDTH), _WIDTH
    while len(longer):
        _, tail = _numbered(_eight_bytes(padded, starts[longer] + done, sizes[longer] - done))
        more, numbers = _numbered(codes[longer] * len(longer) + tail)
        codes[longer] = size + numbers
        size, done = size + more, done + _WIDTH
        longer = longer[sizes[longer] > done]
    first = np.full(size, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of equal indices the last one counts
    firsts = np.sort(first[first < len(codes)])
    place = np.empty(size, dtype=np.int64)
    place[codes[firsts]] = np.arange(len(firsts))
    return firsts, place[codes]


def _eight_bytes(padded: Bytes, starts: Longs, sizes: Longs) -> NDArray[np.uint64]:
    """The first eight bytes of every word as a number, filled up with NUL."""
    view = np.ndarray((len(padded) - _WIDTH + 1,), "<u8", padded, strides=(1,))
    numbers: NDArray[np.uint64] = view[starts] & _MASKS[np.minimum(sizes, _WIDTH)]
    return numbers


def _numbered(keys: NDArray[np.uint64] | Longs) -> tuple[int, Longs]:
    """How many different keys there are, and the number of each, from 0; int64[N]."""
    order = np.argsort(keys)
    ordered = keys[order]
    new: Bools = np.zeros(len(keys), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    numbers = np.cumsum(new)
    codes = np.empty(len(keys), dtype=np.int64)
    codes[order] = numbers
    return int(numbers[-1]) + 1 if len(numbers) else 0, codes
