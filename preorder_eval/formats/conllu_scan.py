"""CoNLL-U read as arrays: many sentences at once, without a loop over their words.

For a file with a fault `scan_treebank` and `scan_blocks` return None; see `formats.scanning`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from preorder_eval.data.arrays import Bools, Ints, Longs, offsets_of, within
from preorder_eval.data.columns import Column
from preorder_eval.data.comments import Comments
from preorder_eval.data.interning import Interner
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.scanning import Bytes, numbers_at

BETWEEN = re.compile(r"([0-9]{1,9})([-.])[0-9]{1,9}")  # the id of a range or of an empty node
KEPT = ("lemma", "feats", "deps", "misc")

_ID, _HEAD = 0, 6
_NAMES = {
    1: "words",
    2: "lemma",
    3: "upos",
    4: "xpos",
    5: "feats",
    7: "labels",
    8: "deps",
    9: "misc",
}
_FIELDS = 10
_SHORTEST = 2 * _FIELDS  # bytes of a line, with its end
_FEW = 250  # names that codes of a byte have room for, and for another one
BLOCK = 1 << 20  # bytes at a time: what is made of them stays in the processor's cache


class _Rows(NamedTuple):
    """The lines with ten fields, int64[R, 10] where each starts and ends; `sentence` int64[R]."""

    starts: Longs
    ends: Longs
    sentence: Longs


class _Block(NamedTuple):
    """Some sentences: lengths, heads, the places of their words' fields, and comments."""

    lengths: Longs
    heads: Ints
    starts: Longs
    ends: Longs
    comments: Comments
    extra: dict[int, list[tuple[int, str]]]


def scan_treebank(data: bytes) -> Treebank | None:
    """The treebank of a file without a fault, None for any other."""
    pieces = (data[start : start + BLOCK] for start in range(0, len(data), BLOCK))
    return scan_blocks(whole_sentences(pieces), len(data))


def scan_blocks(blocks: Iterable[bytes], size: int) -> Treebank | None:
    """The treebank of such a file in blocks of whole sentences, `size` bytes in all."""
    try:
        return _scan(blocks, size // _SHORTEST + 1)
    except (UnicodeDecodeError, PreorderEvalError):  # the latter for what is not a tree
        return None


def _scan(blocks: Iterable[bytes], room: int) -> Treebank | None:
    interners = {name: Interner() for name in _NAMES.values()}
    # Room that is never written to takes no memory, nor does a column of one name.
    codes = {name: np.zeros(room, dtype=np.int32) for name in interners}
    heads = np.zeros(room, dtype=np.int32)
    lengths: list[int] = []
    comments: list[Comments] = []
    extra: dict[int, list[tuple[int, str]]] = {}
    words = 0
    for data in blocks:
        block = None if b"\r" in data or b"\0" in data else _scan_block(data)
        if block is None or words + len(block.heads) > room:  # a file that grows while it is read
            return None
        own = slice(words, words + len(block.heads))
        heads[own] = block.heads
        for column, name in _NAMES.items():
            places = block.starts[:, column], block.ends[:, column]
            numbers = interners[name].codes(data, *places)
            if numbers.any():
                codes[name][own] = numbers
        extra |= {len(lengths) + sentence: lines for sentence, lines in block.extra.items()}
        lengths += block.lengths.tolist()
        comments.append(block.comments)
        words = own.stop
    if not lengths:
        return None
    columns = {
        name: _column(codes.pop(name)[:words], interner.names())
        for name, interner in interners.items()
    }
    return Treebank(
        offsets_of(lengths),
        columns["words"],
        heads[:words],
        columns["labels"],
        columns["upos"],
        columns["xpos"],
        {name: columns[name] for name in KEPT},
        Comments(
            b"".join(of_block.text for of_block in comments),
            offsets_of(np.concatenate([np.diff(of_block.offsets) for of_block in comments])),
        ),
        extra,
    )


def _column(codes: Ints, names: tuple[str, ...]) -> Column:
    """A column of few names, such as tags, in a byte a word; of one it is not written at all."""
    return Column(codes.astype(np.uint8) if 1 < len(names) <= _FEW else codes, names)


def whole_sentences(pieces: Iterable[bytes]) -> Iterator[bytes]:
    r"""Pieces of a file put together to blocks of whole sentences.

    >>> list(whole_sentences([b"a\n", b"\nb", b"\n\nc\n\n"]))
    [b'a\n\n', b'b\n\nc\n\n']
    """
    block = bytearray()
    for piece in pieces:
        start = max(0, len(block) - 1)
        block += piece
        border = block.rfind(b"\n\n", start) + 2
        if border > 1:
            yield bytes(block[:border])
            del block[:border]
    if block:
        yield bytes(block)


def _scan_block(data: bytes) -> _Block | None:
    content = np.frombuffer(data, dtype=np.uint8)
    line_ends = np.flatnonzero(content == ord("\n"))
    if content[-1] != ord("\n"):
        line_ends = np.append(line_ends, len(content))
    line_starts = np.concatenate([[0], line_ends[:-1] + 1])
    blank = line_starts == line_ends
    comment = ~blank & (content[line_starts] == ord("#"))
    paragraph = np.cumsum(blank)
    if (comment[1:] & ~(comment | blank)[:-1]).any():
        return None  # a comment after a word
    rows = _rows(content, line_starts, line_ends, ~(blank | comment))
    if rows is None:
        return None
    ids, is_word = numbers_at(content, rows.starts[:, _ID], rows.ends[:, _ID])
    counts = np.bincount(paragraph[rows.sentence[is_word]], minlength=paragraph[-1] + 1)
    if (counts[paragraph[~blank]] == 0).any():
        return None  # no words
    number = np.cumsum(counts > 0) - 1  # of the sentence that a paragraph is
    lengths = counts[counts > 0]
    offsets = offsets_of(lengths)
    starts, ends = rows.starts[is_word], rows.ends[is_word]
    heads, is_head = numbers_at(content, starts[:, _HEAD], ends[:, _HEAD])
    zero = content[starts[:, _ID]] == ord("0")
    if zero.any() or not is_head.all() or (ids[is_word] != within(offsets) + 1).any():
        return None
    lines = np.flatnonzero(comment)
    commented = b"".join(
        data[start : end + 1]
        for start, end in zip(line_starts[lines].tolist(), line_ends[lines].tolist(), strict=True)
    )
    commented.decode()  # for its error
    sizes = np.zeros(len(lengths), dtype=np.int64)
    np.add.at(sizes, number[paragraph[lines]], line_ends[lines] + 1 - line_starts[lines])
    extra: dict[int, list[tuple[int, str]]] = {}
    words_before = np.cumsum(is_word)
    for row in np.flatnonzero(~is_word).tolist():
        text = data[rows.starts[row, 0] : rows.ends[row, -1]].decode()
        sentence = int(number[paragraph[rows.sentence[row]]])
        before = int(words_before[row] - offsets[sentence])
        between = BETWEEN.fullmatch(text.partition("\t")[0])
        if between is None or int(between[1]) != before + (between[2] == "-"):
            return None
        extra.setdefault(sentence, []).append((before, text))
    comments = Comments(commented, offsets_of(sizes))
    return _Block(lengths, (heads - 1).astype(np.int32), starts, ends, comments, extra)


def _rows(content: Bytes, line_starts: Longs, line_ends: Longs, is_row: Bools) -> _Rows | None:
    """The fields of the lines that have any; None if one has not ten, or an empty one."""
    tabs = np.flatnonzero(content == ord("\t"))
    lines = np.flatnonzero(is_row)
    first, last = line_starts[lines], line_ends[lines]
    low = np.searchsorted(tabs, first)
    if (np.searchsorted(tabs, last) != low + _FIELDS - 1).any():
        return None
    inner = tabs[low[:, None] + np.arange(_FIELDS - 1)]
    starts, ends = np.column_stack([first, inner + 1]), np.column_stack([inner, last])
    return _Rows(starts, ends, lines) if (starts < ends).all() else None
