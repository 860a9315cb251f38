"""CoNLL-U, the format of Universal Dependencies treebanks and of most parsers.

Reading and writing keeps everything: comments, multiword-token lines, empty nodes and the enhanced
column. Only the numbered words count as tokens. Files are read as arrays, many sentences at once,
without a loop over their words. A file with a fault is read again line by line to name the fault.
https://universaldependencies.org/format.html
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from preorder_eval.base.arrays import Bytes, Integers, Ints, Longs, blocks, cut, offsets_of, within
from preorder_eval.base.errors import FormatError, PreorderEvalError, argument
from preorder_eval.base.files.files import (
    WORDS,
    check_words,
    decode_text,
    held_bytes,
    is_compressed,
    read_input,
    uncompressed,
)
from preorder_eval.base.files.scanning import numbers_at
from preorder_eval.base.files.writing import write_parts
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.text.text_files import whole_number
from preorder_eval.base.visible import quantity
from preorder_eval.trees.treebank import Treebank, comment_value, tree_defect

_KEPT = ("lemma", "feats", "deps", "misc")
_COLUMNS = {1: "words", 2: "lemma", 3: "upos", 4: "xpos", 5: "feats", 7: "labels"}
_COLUMNS |= {8: "deps", 9: "misc"}
_ID, _HEAD, _FIELDS = 0, 6, 10
_FEW = 250  # names that codes of a byte have room for, and for another one
_BLOCK = 1 << 20  # bytes at a time: what is made of them stays in the processor's cache
_WRITTEN = 1 << 15  # words that are text together
_BETWEEN = re.compile(r"([0-9]{1,9})([-.])([0-9]{1,9})")  # the id of a range or of an empty node
_IDS = "ids count from 1, and a blank line ends each sentence"
_RANGES = "ranges such as 3-4 run forwards, do not overlap, and end within the sentence"


def is_conllu(path: str | Path) -> bool:
    """Return whether a file's ending is that of CoNLL-U, or of CoNLL-X, which is read alike.

    >>> is_conllu("parses.conllu.gz"), is_conllu("source.en")
    (True, False)
    """
    return uncompressed(path).suffix in (".conllu", ".conll")


def read_conllu(path: str | Path) -> Treebank:
    """Read a CoNLL-U file; `-` is standard input.

    Raises FormatError with file, line and sentence id for lines that are not CoNLL-U, and sentences
    that are no tree (no root, several, a cycle).

    >>> import preorder_eval as pe
    >>> from preorder_eval.base.resources import bundled
    >>> pe.read_conllu(bundled("reference_data") / "en-ja" / "source.conllu")[0].words[:3]
    ['Where', 'can', 'tourists']
    """
    if Path(path).is_file() and not is_compressed(path):  # which can be read again
        treebank = _scan(held_bytes(path, _BLOCK))
        if treebank is not None:
            return treebank
    return parse_conllu(read_input(path), path)


def parse_conllu(
    text: str | bytes, name: str | Path = "CoNLL-U text", first: int = 1, before: int = 0
) -> Treebank:
    r"""Read CoNLL-U from a string; see `read_conllu`.

    The other parameters are for the places that errors name: the text begins in line `first` of the
    file `name`, after `before` other sentences.

    >>> row = "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_"
    >>> parse_conllu("# sent_id = a\n" + row + "\n\n")[0].words
    ['Go']
    """
    data = text.encode() if isinstance(text, str) else text
    treebank = _scan_bytes(data)
    if treebank is None:  # perhaps for a byte-order mark or Windows line ends alone
        plain = decode_text(data, name, first=first)
        treebank = _scan_bytes(plain.encode())
        if treebank is None:
            raise _fault(plain.split("\n"), name, first, before)
    return treebank


def _fault(lines: Sequence[str], name: str | Path, first: int, before: int) -> FormatError:
    """Return the first fault in lines that are no CoNLL-U."""
    pending: list[str] = []  # comments
    heads: list[int] = []
    start, sentence = 0, before + 1
    covered, range_line = 0, 0  # the last word of the last range, and where that stands

    def fault(message: str, hint: str | None = None, line: int | None = None) -> FormatError:
        label = comment_value(pending, "sent_id") or f"number {sentence}"
        message = f"sentence {label}: {message}"
        return FormatError(message, file=name, line=line or number, hint=hint)

    for number, line in enumerate([*lines, ""], first):
        if not line:
            defect = tree_defect(heads) if heads else None
            if defect:
                return fault(defect, "every sentence must be a tree with one root", start)
            if not heads and (pending or start):
                return fault("no words")
            if covered > len(heads):
                words = f"a range to {covered}, but {quantity(len(heads), 'word')}"
                return fault(words, _RANGES, range_line)
            sentence += bool(heads)
            pending, heads, start, covered = [], [], 0, 0
            continue
        if line.startswith("#"):
            if start:
                return fault("a comment after a word", "put comments before the first word")
            pending.append(line)
            continue
        start = start or number
        fields, count = line.split("\t"), len(heads)
        if len(fields) != _FIELDS:
            hint = "CoNLL-U has ten columns, separated by tabs"
            return fault(quantity(len(fields), "field instead of 10"), hint)
        if "" in fields:
            return fault("an empty field", "write _ for an empty field")
        between = _BETWEEN.fullmatch(fields[_ID])
        if between and not _fits(between, count, covered):
            hint = _RANGES if between[2] == "-" and int(between[1]) == count + 1 else _IDS
            return fault(f"token id {fields[_ID]!r} after word {count}", hint)
        if between:
            if between[2] == "-":
                covered, range_line = int(between[3]), number
        elif fields[_ID] != str(count + 1):
            return fault(f"token id {fields[_ID]!r} where {count + 1} was expected", _IDS)
        elif (head := whole_number(fields[_HEAD])) is None:
            parse = f"parse the text with {argument('parse', 'preorder-eval parse')}"
            told = f"token {count + 1}: head {fields[_HEAD]!r} is not a number"
            return fault(told, parse if fields[_HEAD] == "_" else None)
        else:
            heads.append(head - 1)
            check_words(len(heads), name, number)
    return FormatError("no sentence", file=name)


def _fits(between: re.Match[str], words: int, covered: int) -> bool:
    """Return whether an empty node follows the last word, or a range starts with the next one.

    A range runs forwards, behind the one before it, which covers the words up to `covered`.
    """
    first, last = int(between[1]), int(between[3])
    return first == words if between[2] == "." else first == words + 1 and covered < first <= last


def format_conllu(treebank: Treebank) -> str:
    """Write a treebank as CoNLL-U; what was read from CoNLL-U comes out unchanged."""
    return "".join(conllu_parts(treebank))


def conllu_parts(treebank: Treebank) -> Iterator[str]:
    """Yield the text of `format_conllu`, some sentences at a time."""
    empty = NameColumn.same("_", len(treebank.words))
    lemma, feats, deps, misc = (treebank.columns.get(name, empty) for name in _KEPT)
    before = (treebank.words, lemma, treebank.upos, treebank.xpos, feats)
    after = (treebank.labels, deps, misc)
    for first, last in blocks(treebank.offsets, _WRITTEN):
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


def _with_extra(rows: Sequence[tuple[str, ...]], extra: Sequence[tuple[int, str]]) -> list[str]:
    """Return all lines of a sentence: words, other lines, and the blank line at its end."""
    lines = ["\t".join((str(i), *row)) for i, row in enumerate(rows, 1)]
    for place, other in reversed(extra):
        lines.insert(place, other)
    return [*lines, ""]


def write_conllu(path: Path, treebank: Treebank) -> None:
    """Write a CoNLL-U file, whole or not at all."""
    write_parts(path, conllu_parts(treebank))


class _ScannedBlock(NamedTuple):
    """Some sentences: lengths, heads, the places of their words' fields, and comments."""

    lengths: Longs
    heads: Ints
    starts: Longs
    ends: Longs
    comments: list[tuple[str, ...]]
    extra: dict[int, list[tuple[int, str]]]


def _scan_bytes(data: bytes) -> Treebank | None:
    return _scan(data[start : start + _BLOCK] for start in range(0, len(data), _BLOCK))


def _scan(pieces: Iterable[bytes]) -> Treebank | None:
    """Read a file that is given in pieces; return None if it is unusual or has a fault."""
    index = {
        name: defaultdict[bytes, int](itertools.count().__next__) for name in _COLUMNS.values()
    }
    codes: dict[str, list[Integers]] = {name: [] for name in index}
    heads: list[Ints] = []
    lengths: list[int] = []
    comments: list[tuple[str, ...]] = []
    extra: dict[int, list[tuple[int, str]]] = {}
    try:
        for data in _whole_sentences(pieces):
            block = None if b"\r" in data or b"\0" in data else _scan_block(data)
            if block is None:
                return None
            heads.append(block.heads)
            for column, name in _COLUMNS.items():
                places = block.starts[:, column].tolist(), block.ends[:, column].tolist()
                names = map(data.__getitem__, map(slice, *places))
                numbers = np.fromiter(map(index[name].__getitem__, names), dtype=np.int32)
                few = len(index[name]) <= _FEW
                codes[name].append(numbers.astype(np.uint8) if few else numbers)
            extra |= {len(lengths) + sentence: lines for sentence, lines in block.extra.items()}
            lengths += block.lengths.tolist()
            comments += block.comments
        if not lengths:
            return None
        columns = {
            name: NameColumn(
                np.concatenate(codes.pop(name)), tuple(known.decode() for known in names)
            )
            for name, names in index.items()
        }
        return Treebank(
            offsets_of(lengths),
            columns["words"],
            np.concatenate(heads),
            columns["labels"],
            columns["upos"],
            columns["xpos"],
            {name: columns[name] for name in _KEPT},
            comments,
            extra,
        )
    except FormatError:  # of the file itself: a line that is too long
        raise
    except (UnicodeDecodeError, PreorderEvalError):  # the latter of what is not a tree
        return None


def _whole_sentences(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Put pieces of a file together to blocks of whole sentences."""
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


def _scan_block(data: bytes) -> _ScannedBlock | None:
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
    rows = np.flatnonzero(~(blank | comment))
    fields = _fields(content, line_starts, line_ends, rows)
    if fields is None:
        return None
    starts, ends = fields
    ids, is_word = numbers_at(content, starts[:, _ID], ends[:, _ID])
    counts = np.bincount(paragraph[rows[is_word]], minlength=paragraph[-1] + 1)
    if (counts[paragraph[~blank]] == 0).any():
        return None  # no words
    number = np.cumsum(counts > 0) - 1  # of the sentence that a paragraph is
    lengths = counts[counts > 0]
    if lengths.max(initial=0) > WORDS:
        return None
    offsets = offsets_of(lengths)
    starts, ends = starts[is_word], ends[is_word]
    heads, is_head = numbers_at(content, starts[:, _HEAD], ends[:, _HEAD])
    zero = content[starts[:, _ID]] == ord("0")
    if zero.any() or not is_head.all() or (ids[is_word] != within(offsets) + 1).any():
        return None
    comments: list[list[str]] = [[] for _ in lengths]
    lines = np.flatnonzero(comment)
    for line, sentence in zip(lines.tolist(), number[paragraph[lines]].tolist(), strict=True):
        comments[sentence].append(data[line_starts[line] : line_ends[line]].decode())
    extra: dict[int, list[tuple[int, str]]] = {}
    covered: dict[int, int] = {}
    words_before = np.cumsum(is_word)
    for row in np.flatnonzero(~is_word).tolist():
        text = data[line_starts[rows[row]] : line_ends[rows[row]]].decode()
        sentence = int(number[paragraph[rows[row]]])
        before = int(words_before[row] - offsets[sentence])
        between = _BETWEEN.fullmatch(text.partition("\t")[0])
        if between is None or not _fits(between, before, covered.get(sentence, 0)):
            return None
        if between[2] == "-":
            covered[sentence] = int(between[3])
            if covered[sentence] > lengths[sentence]:
                return None
        extra.setdefault(sentence, []).append((before, text))
    return _ScannedBlock(
        lengths, (heads - 1).astype(np.int32), starts, ends, list(map(tuple, comments)), extra
    )


def _fields(
    content: Bytes, line_starts: Longs, line_ends: Longs, lines: Longs
) -> tuple[Longs, Longs] | None:
    """Return the starts and ends of the fields of some lines, int64[R, 10] each.

    None if a line has not ten fields, or an empty one.
    """
    tabs = np.flatnonzero(content == ord("\t"))
    first, last = line_starts[lines], line_ends[lines]
    low = np.searchsorted(tabs, first)
    if (np.searchsorted(tabs, last) != low + _FIELDS - 1).any():
        return None
    inner = tabs[low[:, None] + np.arange(_FIELDS - 1)]
    starts, ends = np.column_stack([first, inner + 1]), np.column_stack([inner, last])
    return (starts, ends) if (starts < ends).all() else None
