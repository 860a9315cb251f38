"""Flat arrays for whole corpora: their types, and how they are cut into sentences.

A corpus of S sentences and N tokens is arrays of N values and an array of S + 1 *offsets*, where
the sentences start.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.visible import in_number

Bytes = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Offsets = NDArray[np.int64]  # S + 1 of them, from 0 to N


def offsets_of(lengths: Iterable[int]) -> Offsets:
    """Return the start of each sentence in a flat array, with the total at the end.

    >>> offsets_of([3, 1]).tolist()
    [0, 3, 4]
    """
    if not isinstance(lengths, np.ndarray):
        lengths = np.fromiter(lengths, dtype=np.int64)
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def cut(offsets: Offsets, first: int, last: int) -> tuple[Offsets, slice]:
    """Return the offsets of the sentences from `first` up to `last`, and where their tokens are.

    >>> part, tokens = cut(np.array([0, 2, 5, 6]), 1, 3)
    >>> part.tolist(), tokens
    ([0, 3, 4], slice(2, 6, None))
    """
    start, stop = int(offsets[first]), int(offsets[last])
    return offsets[first : last + 1] - start, slice(start, stop)


def gather(offsets: Offsets, sentences: Longs) -> tuple[Offsets, Longs]:
    """Return the offsets and token indices of a corpus made of the sentences of these numbers.

    The same sentence may be taken more than once.

    >>> offsets, tokens = gather(offsets_of([2, 1]), np.array([1, 0, 1]))
    >>> offsets.tolist(), tokens.tolist()
    ([0, 1, 3, 4], [2, 0, 1, 2])
    """
    starts = offsets[sentences]
    lengths = offsets[sentences + 1] - starts  # of these alone: they may be few of many
    gathered = offsets_of(lengths)
    return gathered, np.arange(gathered[-1]) + np.repeat(starts - gathered[:-1], lengths)


def within(offsets: Offsets) -> Longs:
    """Return for every token its position in its sentence; int64[N].

    >>> within(offsets_of([2, 1])).tolist()
    [0, 1, 0]
    """
    return np.arange(offsets[-1]) - np.repeat(offsets[:-1], np.diff(offsets))


def sums(values: NDArray[np.generic], offsets: Offsets) -> Longs:
    """Return per sentence the sum of a flat array of integers or truth values; int64[S].

    >>> sums(np.array([True, True, False]), offsets_of([2, 1])).tolist()
    [2, 0]
    """
    totals = np.zeros(len(offsets) - 1, dtype=np.int64)
    for first, last in blocks(offsets):  # because `reduceat` makes int64 of all it is given
        part, tokens = cut(offsets, first, last)
        # Of an empty stretch it would give the first value.
        filled = np.flatnonzero(part[1:] > part[:-1])
        if len(filled):
            totals[first + filled] = np.add.reduceat(values[tokens], part[filled], dtype=np.int64)
    return totals


def in_order(*columns: Integers) -> Longs:
    """Return the indices that sort rows by the first column, equal ones by the next, and so on.

    The sort is stable. Rows are packed into one number each, of which numpy sorts 16 bits at a time
    by radix, in linear time: two to four times as fast as `np.lexsort`, which sorts longer rows.

    >>> in_order(np.array([1, 0, 1]), np.array([2, 5, 0])).tolist()
    [1, 2, 0]
    """
    bits = [int(column.max(initial=0)).bit_length() for column in columns]
    if sum(bits) > 63 or any(column.min(initial=0) < 0 for column in columns):
        return np.lexsort(columns[::-1])
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, size in zip(columns, bits, strict=True):
        key <<= size
        key |= column
    order = np.argsort(key.astype(np.uint16), kind="stable")
    for done in range(16, sum(bits), 16):
        order = order[np.argsort((key[order] >> done).astype(np.uint16), kind="stable")]
    return order


def first_of_equals(*columns: Integers) -> Bools:
    """Return which rows differ from the one before; bool[N].

    >>> first_of_equals(np.array([4, 4, 5]), np.array([1, 1, 1])).tolist()
    [True, False, True]
    """
    new = np.zeros(len(columns[0]), dtype=bool)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return new


def blocks(offsets: Offsets, size: int = 1 << 18) -> Iterator[tuple[int, int]]:
    """Divide a corpus into stretches of about `size` tokens, so that memory stays bounded.

    Yields for each stretch the number of its first sentence, and of the sentence behind its last.

    >>> list(blocks(offsets_of([2, 1, 2, 0]), size=2))
    [(0, 1), (1, 3), (3, 4)]
    """
    borders = np.searchsorted(offsets, np.arange(0, offsets[-1], size)).tolist()
    return itertools.pairwise(sorted({0, *borders, len(offsets) - 1}))


def matrix_product(left: NDArray[Any], right: NDArray[Any]) -> Any:
    """Return left @ right of finite numbers, without numpy's warnings.

    Some BLAS libraries raise the processor's flags of invalid or overflowing operations though all
    numbers are finite and the product is right (numpy's issues 24067 and 28687). numpy then warns.

    >>> matrix_product(np.array([[1.0, 2]]), np.array([[3.0], [4]])).tolist()
    [[11.0]]
    """
    with np.errstate(all="ignore"):
        return left @ right


def described(what: str, **counts: int) -> str:
    """Return one line for a container: its name, and how many of what it holds.

    >>> described("Orders", sentence=1, token=12)
    '<Orders: 1 sentence, 12 tokens>'
    """
    parts = [f"{count:,} {in_number(count, name)}" for name, count in counts.items()]
    return f"<{what}: {', '.join(parts)}>"
