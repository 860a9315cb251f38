"""CoNLL-U, the format of Universal Dependencies treebanks and of most parsers.

Reading and writing keeps everything: comments, multiword-token lines, empty nodes and the
enhanced column. Only the numbered words count as tokens.
https://universaldependencies.org/format.html

CoNLL-U read as arrays: many sentences at once, without a loop over their words.

For a file with a fault `scan_treebank` and `scan_blocks` return None; see `formats.scanning`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from preorder_eval.data.arrays import Bools, Ints, Longs, blocks, cut, offsets_of, within
from preorder_eval.data.ragged import Column, Comments, Interner
from preorder_eval.data.treebank import Treebank, broken_trees, comment_value, tree_defect
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.files import (
    decode_lines,
    file_name,
    is_compressed,
    iterate_bytes,
    read_bytes,
    read_input,
    uncompressed,
)
from preorder_eval.formats.scanning import Bytes, numbers_at
from preorder_eval.formats.text import whole_number
from preorder_eval.formats.writing import write_parts

_IDS = "ids count from 1, and a blank line ends each sentence"
_WORDS = 1 << 15  # that are text together


def is_conllu(path: str | Path) -> bool:
    """Whether a file is CoNLL-U by its ending, or CoNLL-X, which is read alike.

    >>> is_conllu("parses.conllu.gz"), is_conllu("source.en")
    (True, False)
    """
    return uncompressed(path).suffix in (".conllu", ".conll")


def read_conllu(path: str | Path) -> Treebank:
    """Read a CoNLL-U file; `-` is standard input.

    Raises FormatError with file, line and sentence id for a line that is not CoNLL-U, and for
    a sentence that is not a tree (no root, several roots, a cycle).

    >>> from preorder_eval.resources import bundled
    >>> read_conllu(bundled("reference_data") / "en-ja" / "source.conllu")[0].words[:3]
    ['Where', 'can', 'tourists']
    """
    if Path(path).is_file() and not is_compressed(path):  # which can be read again
        parts = whole_sentences(iterate_bytes(path, BLOCK))
        scanned = scan_blocks(parts, Path(path).stat().st_size)
        return scanned or parse_lines(decode_lines(read_bytes(path), file_name(path)), str(path))
    data = read_input(path)
    return scan_treebank(data) or parse_lines(decode_lines(data, file_name(path)), str(path))


def parse_conllu(text: str, name: str = "CoNLL-U text") -> Treebank:
    r"""Read CoNLL-U from a string.

    >>> row = "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_"
    >>> parse_conllu("# sent_id = a\n" + row + "\n\n")[0].words
    ['Go']
    """
    data = text.encode()
    return scan_treebank(data) or parse_lines(decode_lines(data, name), name)


def parse_lines(lines: Sequence[str], name: str, first: int = 1, before: int = 0) -> Treebank:
    """Read CoNLL-U from lines, of which the first has this number in the file `name`.

    So many sentences stand `before` them.
    """
    rows: list[list[str]] = []
    heads: list[int] = []
    lengths: list[int] = []
    comments: list[tuple[str, ...]] = []
    extra: dict[int, list[tuple[int, str]]] = {}
    starts: list[int] = []
    pending: list[str] = []
    start = length = 0

    def error(message: str, mend: str | None = None) -> FormatError:
        label = comment_value(pending, "sent_id") or f"number {before + len(lengths) + 1}"
        return FormatError(f"sentence {label}: {message}", file=name, line=number, mend=mend)

    for number, line in enumerate([*lines, ""], first):
        if not line:
            if length:
                lengths.append(length)
                starts.append(start)
                comments.append(tuple(pending))
            elif pending or start:
                raise error("no words")
            pending, start, length = [], 0, 0
        elif line.startswith("#"):
            if start:
                raise error("a comment after a word", "comments stand before the first word")
            pending.append(line)
        else:
            start = start or number
            fields = line.split("\t")
            if len(fields) != 10:
                raise error(
                    f"{len(fields)} fields instead of 10",
                    "CoNLL-U has ten columns separated by tabs",
                )
            if "" in fields:
                raise error("an empty field", "write _ where there is nothing to say")
            between = None if fields[0].isdigit() else BETWEEN.fullmatch(fields[0])
            if between:
                # A range starts with the next word, an empty node follows the last one.
                expected = length + 1 if between[2] == "-" else length
                if int(between[1]) != expected:
                    raise error(f"token id {fields[0]!r} after word {length}", _IDS)
                extra.setdefault(len(lengths), []).append((length, line))
                continue
            length += 1
            if fields[0] != str(length):
                raise error(f"token id {fields[0]!r} where {length} was expected", _IDS)
            head = whole_number(fields[6])
            if head is None:
                raise error(f"token {length}: head {fields[6]!r} is not a number")
            rows.append(fields)
            heads.append(head - 1)

    if not lengths:
        raise FormatError("no sentence", file=name)
    offsets = offsets_of(lengths)
    head_array = np.array(heads, dtype=np.int32)
    bad = np.flatnonzero(broken_trees(head_array, offsets))
    if bad.size:
        s = int(bad[0])
        label = comment_value(comments[s], "sent_id") or f"number {before + s + 1}"
        raise FormatError(
            f"sentence {label}: {tree_defect(heads[offsets[s] : offsets[s + 1]])}",
            file=name,
            line=starts[s],
            mend="every sentence must be a tree with one root",
        )
    _, words, lemmas, upos, xpos, feats, _, labels, deps, misc = zip(*rows, strict=True)
    return Treebank(
        offsets,
        Column.of(words),
        head_array,
        Column.of(labels),
        Column.of(upos),
        Column.of(xpos),
        dict(zip(KEPT, map(Column.of, (lemmas, feats, deps, misc)), strict=True)),
        comments,
        extra,
    )


def format_conllu(treebank: Treebank) -> str:
    """The treebank as CoNLL-U; what was read from CoNLL-U comes out unchanged."""
    return "".join(conllu_parts(treebank))


def conllu_parts(treebank: Treebank) -> Iterator[str]:
    """The text of `format_conllu`, some sentences at a time, so that few are in memory as text."""
    empty = Column(np.zeros(len(treebank.words), dtype=np.int32), ("_",))
    lemma, feats, deps, misc = (treebank.columns.get(name, empty) for name in KEPT)
    before = (treebank.words, lemma, treebank.upos, treebank.xpos, feats)
    after = (treebank.labels, deps, misc)
    for first, last in blocks(treebank.offsets, _WORDS):
        offsets, tokens = cut(treebank.offsets, first, last)
        heads = map(str, (treebank.heads[tokens] + 1).tolist())
        columns = [c[tokens] for c in before], [c[tokens] for c in after]
        rows = list(zip(*columns[0], heads, *columns[1], strict=True))
        lines: list[str] = []
        for s, (start, stop) in enumerate(itertools.pairwise(offsets.tolist()), first):
            if treebank.comments:
                lines.extend(treebank.comments[s])
            lines += _with_extra(rows[start:stop], treebank.extra_lines.get(s, []))
        yield "\n".join([*lines, ""])


def _with_extra(rows: Sequence[tuple[str, ...]], extra: Sequence[tuple[int, str]]) -> Iterator[str]:
    """The lines of a sentence, with those that are no words, and the blank one at its end."""
    others = iter(extra)
    place, other = next(others, (None, ""))
    for i, row in enumerate([*rows, None]):
        while place == i:
            yield other
            place, other = next(others, (None, ""))
        yield "" if row is None else "\t".join((str(i + 1), *row))


def write_conllu(path: Path, treebank: Treebank) -> None:
    """Write a CoNLL-U file, whole or not at all."""
    write_parts(path, conllu_parts(treebank))


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
            offsets_of(np.concatenate([of_block.lengths for of_block in comments])),
            np.concatenate([of_block.text for of_block in comments]),
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
    comments = Comments(offsets_of(sizes), np.frombuffer(commented, dtype=np.uint8))
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
