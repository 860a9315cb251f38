"""Files read as arrays: all their numbers or words at once, without a loop over the lines.

A scanner handles only the usual form of its format. For a file with anything else in it, it returns
None, and the format's own reader goes through the file line by line: that reader reports faults
with their places, and accepts unusual but valid files. Whenever a scanner does not return None,
both must agree; the tests of each format check that. Text has only this reader, because whatever
stands between spaces is a word.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import count
from typing import NamedTuple

import numpy as np

from preorder_eval.base.arrays import Bools, Bytes, Ints, Longs, Offsets, offsets_of
from preorder_eval.base.ragged import NameColumn, Sentences, blocks_of_lines

_LINE_END = ord("\n")
_SPACE = ord(" ")
_MOST_DIGITS = 9
_SLOTS = 18  # bits of the slot of a word in a table
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)


class Scan(NamedTuple):
    """The bytes of a file, and the numbers in it, of one to nine digits each.

    `data` uint8[B] are the bytes; `starts`, `ends` and `values` int64[K] belong to the numbers.
    `lines` int64[L + 1] are offsets: line i has the numbers from lines[i] up to lines[i + 1].
    """

    data: Bytes
    starts: Longs
    ends: Longs
    values: Longs
    lines: Offsets


def numbers_at(data: Bytes, starts: Longs, ends: Longs) -> tuple[Longs, Bools]:
    """Return the numbers in these places, int64[K], and whether they are legal, bool[K].

    A legal number has one to nine digits and nothing else; in the place of any other is 0.

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
    """Return the numbers of a file that has only digits, line feeds and the characters `others`.

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


def scan_sentences(data: bytes) -> Sentences:
    """Return the words of every line of UTF-8: what stands between spaces.

    A blank line has no words. No word may hold a NUL, which `base.files.files` refuses.

    >>> scan_sentences(b"a b\\n\\na\\n")
    <Sentences: 3 sentences, 3 tokens>
    """
    data = data if data.endswith(b"\n") else data + b"\n"
    index: defaultdict[str, int] = defaultdict(count().__next__)
    parts = [_words(block, index) for block in blocks_of_lines(data)]
    codes, lengths = map(np.concatenate, zip(*parts, strict=True))
    return Sentences(offsets_of(lengths), NameColumn(codes, tuple(index)))


def _words(block: bytes, index: defaultdict[str, int]) -> tuple[Ints, Longs]:
    """Return the numbers of the words of some lines, and how many words each line has.

    Between two spaces, at the ends of a line and in a blank line is an empty word, which is left
    out at the end.

    Words of up to 16 bytes are compared as two whole numbers, in which a shorter word ends with
    zeros. Only the first of equal words, the longer ones and those that share the slot of another
    are looked up in the index.
    """
    content = np.frombuffer(block + bytes(16), dtype=np.uint8)
    ends = np.flatnonzero((content == _SPACE) | (content == _LINE_END))
    starts = np.concatenate([[0], ends[:-1] + 1])
    sizes, numbers = ends - starts, np.arange(len(ends), dtype=np.int32)
    eights = np.ndarray(len(block) + 9, "<u8", content, strides=(1,))  # from every byte on
    first = eights[starts] & _MASKS[np.minimum(sizes, 8)]
    then = eights[starts + 8] & _MASKS[np.clip(sizes - 8, 0, 8)]
    mixed = first * np.uint64(0x9E3779B97F4A7C15) ^ then * np.uint64(0xBF58476D1CE4E5B9)
    slots = mixed >> np.uint64(64 - _SLOTS)
    table = np.empty(1 << _SLOTS, dtype=np.int32)
    table[slots[::-1]] = numbers[::-1]  # the last that is written is the first in the text
    like = table[slots]
    # Of longer words only the beginnings are equal: such a word is never taken for another one,
    # nor a word of 16 bytes for a longer one.
    unlike = (first != first[like]) | (then != then[like]) | (sizes > 16) | (sizes[like] > 16)
    like[unlike] = numbers[unlike]
    filled = sizes > 0
    own = filled & (like == numbers)
    codes = np.empty(len(ends), dtype=np.int32)
    words = content[:-16][np.repeat(own, sizes + 1)].tobytes().decode()
    codes[own] = list(map(index.__getitem__, words.replace("\n", " ").split(" ")[:-1]))
    counts = np.cumsum(filled)[content[ends] == _LINE_END]
    return codes[like][filled], np.diff(counts, prepend=0)
