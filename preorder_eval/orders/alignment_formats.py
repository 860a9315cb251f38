"""Formats of alignment files: how each is recognised and read, and how Pharaoh's is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from preorder_eval.base.arrays import Integers, Ints, Longs
from preorder_eval.base.errors import FormatError
from preorder_eval.base.files import scanning
from preorder_eval.base.ragged import blocks_of_lines
from preorder_eval.base.text.text_files import split_tokens, whole_number
from preorder_eval.base.visible import quantity
from preorder_eval.orders.alignments import Alignments, Link

Lengths = Sequence[int]
FileLink = tuple[int, int, int, bool]  # sentence from 0, first and second position, possible


@dataclass(frozen=True, eq=False)
class FileLinks:
    """The content of an alignment file, with the numbers that the file has.

    `size` is the number of sentences, None if the file does not contain it. `links` has for each of
    L links its sentence from 0, its positions on both sides, and its mark, as tuples or int32[L,
    4]. `sides` are the numbers of tokens of both sides, each None if the file does not contain
    them. `line_of(sentence, link)` is the line in which a link of a sentence stands, None in a file
    without a line for each sentence or link.
    """

    size: int | None
    links: Sequence[FileLink] | Integers
    sides: tuple[Lengths | None, Lengths | None] = (None, None)
    line_of: Callable[[int, int], int | None] = lambda sentence, link: sentence + 1

    @cached_property
    def columns(self) -> tuple[Integers, ...]:
        """Sentences, first and second positions, and marks; int32[L] each."""
        return tuple(np.asarray(self.links, dtype=np.int32).reshape(-1, 4).T)


@dataclass(frozen=True)
class Format:
    """An alignment format.

    `bases` are the numbers that its positions may count from, the usual one first. `looks_like`
    recognises its first line that is not blank. `parse` reads all lines; it also takes the file's
    name, for errors. `scan` reads the bytes of a file without a fault at once, and returns None for
    any other (see `base.files.scanning`). `lines` is how many lines a sentence takes, 0 if that
    differs. `aligner` is the program that writes no format but this one.
    """

    bases: tuple[int, ...]
    looks_like: Callable[[str], object]
    parse: Callable[[Sequence[str], str], FileLinks]
    scan: Callable[[bytes], FileLinks | None] = lambda data: None
    lines: int = 1
    aligner: str = ""


# Pharaoh: a line per sentence of links `source-target`, 0-based: `0-0 1-2`. A blank line is a
# sentence without links. A `p` or `?` instead of the hyphen marks a possible link, as in `1-2 3p4`
# and `3?4`; possible links are written with `p`.

_LINK = re.compile(r"([0-9]{1,9})([-p?])([0-9]{1,9})")
# The start of a line with links, not with lader's lengths or a span.
_START = re.compile(r" *-?[0-9]+[-p?][^ ,:(]*(?! +\|\|\|)(?: |$)")


def _parse_pharaoh(lines: Sequence[str], path: str) -> FileLinks:
    links = [
        (sentence, *link)
        for sentence, line in enumerate(lines)
        for link in parse_marked_links(line, path, sentence + 1)
    ]
    return FileLinks(len(lines), links)


def _scan_pharaoh(data: bytes) -> FileLinks | None:
    return _scan(data, "-p?")


def _scan(data: bytes, marks: str, bars: bytes = b"") -> FileLinks | None:
    """Return the links of a file that has only links between its spaces; None for any other file.

    Between the two positions of a link stands one of the `marks`. If there are `bars`, every line
    begins with a pair of lengths, a space and the bars.
    """
    if not data:
        return None
    size = 0
    columns: list[Ints] = []
    sides: list[Ints] = []
    for block in blocks_of_lines(data if data.endswith(b"\n") else data + b"\n"):
        numbers = scanning.scan(block, f"{marks} {bars[:1].decode()}")
        if numbers is None or len(numbers.values) % 2:
            return None
        places = numbers.ends[::2]
        # A mark between the two numbers of each pair, and no other anywhere.
        others = len(block.translate(None, b"0123456789 \n" + bars[:1]))
        if (numbers.starts[1::2] != places + 1).any() or others != len(places):
            return None
        mark = numbers.data[places]
        if any((mark == none).any() for none in b" \n"):
            return None
        pairs = numbers.values.reshape(-1, 2)
        starts = numbers.lines // 2  # by pairs
        sentence = size + np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        size += len(starts) - 1
        if bars:
            firsts = starts[:-1]
            if (firsts == starts[1:]).any() or not _barred(numbers, firsts, bars):
                return None
            sides.append(pairs[firsts].astype(np.int32))
            is_link = np.ones(len(pairs), dtype=bool)
            is_link[firsts] = False
            pairs, mark, sentence = pairs[is_link], mark[is_link], sentence[is_link]
        links = sentence, pairs[:, 0], pairs[:, 1], mark != ord("-")
        columns.append(np.stack([column.astype(np.int32) for column in links]))
    lengths = np.concatenate(sides).T.tolist() if sides else (None, None)
    return FileLinks(size, np.concatenate(columns, axis=1).T, tuple(lengths))


def _barred(numbers: scanning.Scan, firsts: Longs, bars: bytes) -> bool:
    """Return whether bars stand behind the first pair of each line, and nowhere else."""
    if np.count_nonzero(numbers.data == bars[0]) != len(bars) * len(firsts):
        return False
    after = numbers.ends[2 * firsts + 1]
    expected = [b" ", *(bytes([bar]) for bar in bars), b" \n"]
    return all(
        np.isin(numbers.data.take(after + place, mode="clip"), list(legal)).all()
        for place, legal in enumerate(expected)
    )


def parse_marked_links(text: str, path: str | Path, number: int) -> Iterator[tuple[int, int, bool]]:
    """Yield the links of a sentence, each with whether it is marked possible.

    `path` and `number`, that of the line, are for errors.
    """
    for field in text.split(" "):
        link = _LINK.fullmatch(field)
        if link:
            yield int(link[1]), int(link[3]), link[2] != "-"
        elif field:
            defect = f"link {field!r} is not two positions such as 3-4"
            raise FormatError(defect, file=path, line=number)


def format_alignments(alignments: Alignments) -> str:
    r"""Return the text of a file, sentence after sentence.

    >>> format_alignments(Alignments.of([[(0, 1), (2, 0)], []], [[], [(1, 1)]]))
    '0-1 2-0\n1p1\n'
    """
    return "".join(
        format_links(alignments[s], alignments.marks(s)) + "\n" for s in range(len(alignments))
    )


def format_links(links: Sequence[Link], possible: Sequence[bool] = ()) -> str:
    """Return one sentence's links, those marked possible with a `p`.

    >>> format_links([(0, 1), (2, 0)])
    '0-1 2-0'
    >>> format_links([(0, 1), (2, 0)], possible=[False, True])
    '0-1 2p0'
    """
    marks = possible or [False] * len(links)
    return " ".join(
        f"{source}{'p' if mark else '-'}{target}"
        for (source, target), mark in zip(links, marks, strict=True)
    )


PHARAOH = Format((0, 1), _START.match, _parse_pharaoh, _scan_pharaoh)


# What lader (Neubig et al. 2012) and topdown-btg (Nakagawa 2015) read. A line per sentence with the
# numbers of source and target tokens before 0-based links: `5-7 ||| 0-0 0-1`. There are no marks
# for possible links. https://github.com/neubig/lader

_LADER_LINE = re.compile(r" *([0-9]{1,9})-([0-9]{1,9}) +\|\|\|(?: +(.*))?")


def _parse_lader(lines: Sequence[str], path: str) -> FileLinks:
    lengths: tuple[list[int], list[int]] = ([], [])
    links: list[FileLink] = []
    for sentence, line in enumerate(lines):
        match = _LADER_LINE.fullmatch(line)
        if not match:
            hint = "a line has the form 5-7 ||| 0-0 0-1"
            defect = f"{line[:40]!r} does not start with two lengths"
            raise FormatError(defect, file=path, line=sentence + 1, hint=hint)
        for side in (0, 1):
            lengths[side].append(int(match[side + 1]))
        for first, second, _ in parse_marked_links(match[3] or "", path, sentence + 1):
            links.append((sentence, first, second, False))
    return FileLinks(len(lines), links, lengths)


def _scan_lader(data: bytes) -> FileLinks | None:
    return _scan(data, "-", b"|||")


LADER = Format((0,), _LADER_LINE.match, _parse_lader, _scan_lader)


# The shared tasks of NAACL 2003 and ACL 2005 (Mihalcea & Pedersen 2003). A line per link: sentence,
# position on the first side, position on the second side, all counted from 1, then `S` or `P` for a
# sure or possible link (sure if left out) and perhaps a confidence between 0 and 1, which is not
# kept: `18 1 1 S`. A sentence without links has no line, so that the number of sentences is only
# known from the text.

_CONFIDENCE = r"(?:0?\.[0-9]+|[01](?:\.[0-9]*)?)(?:[eE]-[0-9]+)?"
_NAACL_LINE = re.compile(
    r"[ \t]*([0-9]{1,9})[ \t]+([0-9]{1,9})[ \t]+([0-9]{1,9})(?:[ \t]+([SP]))?"
    rf"(?:[ \t]+{_CONFIDENCE})?[ \t]*"
)


def _parse_naacl(lines: Sequence[str], path: str) -> FileLinks:
    links: list[FileLink] = []
    before = 1
    for number, line in enumerate(lines, 1):
        match = _NAACL_LINE.fullmatch(line)
        if not match:
            hint = "a line has the form 18 1 2 S: sentence, two positions from 1, S or P"
            raise FormatError(f"{line[:40]!r} is not a link", file=path, line=number, hint=hint)
        sentence = int(match[1])
        if sentence < before:
            hint = "sentences count from 1 and must be in order"
            defect = f"sentence {sentence} after sentence {before}" if before > 1 else "sentence 0"
            raise FormatError(defect, file=path, line=number, hint=hint)
        before = sentence
        links.append((sentence - 1, int(match[2]), int(match[3]), match[4] == "P"))
    return FileLinks(None, links, line_of=lambda sentence, link: link + 1)


NAACL = Format((1, 0), _NAACL_LINE.fullmatch, _parse_naacl, lines=0)


# The notation of Talbot et al. (2011), Table 2. A line per sentence with one field per target
# token, separated by commas: the 0-based source positions it is aligned to, joined by `_`, or
# nothing: `6,6,7_8,,4`. There are no marks for possible links.

_FIELD = re.compile(r"(?:[0-9]{1,9}(?:_[0-9]{1,9})*)?")
_TALBOT_START = re.compile(r" *(?:[0-9_]*,|[0-9_]+ *$)")


def _parse_talbot(lines: Sequence[str], path: str) -> FileLinks:
    rows = [line.strip(" ").split(",") for line in lines]
    links: list[FileLink] = []
    for sentence, fields in enumerate(rows):
        for second, field in enumerate(fields):
            if not _FIELD.fullmatch(field):
                defect = f"field {second + 1} {field!r} is not positions such as 7 or 7_8"
                raise FormatError(defect, file=path, line=sentence + 1)
            links += ((sentence, int(first), second, False) for first in field.split("_") if first)
    return FileLinks(len(rows), links, (None, [len(fields) for fields in rows]))


TALBOT = Format((0,), _TALBOT_START.match, _parse_talbot)


# GIZA++ and MGIZA (Och & Ney 2003), the files named `*.A3.final`. Three lines per sentence: a
# header, the tokens of the second side, and those of the first side after the empty word NULL, each
# with the tokens of the second side it is linked to, from 1:
#
#     # Sentence pair (1) source length 2 target length 3 alignment score : 0.01
#     das kleine Haus
#     NULL ({ }) small ({ 2 }) house ({ 1 3 })
#
# GIZA++ calls the first side, that of the last line, the source: in this direction a token of the
# second side has one link at most. What is linked to NULL is a token without links; scores are not
# kept, and there are no marks for possible links.

_A3_HEADER = re.compile(
    r"# Sentence pair \(([0-9]{1,9})\) source length ([0-9]{1,9}) target length ([0-9]{1,9})"
    r" alignment score : [^ ]+ *"
)
# What stands before an opening bracket is a token, even if it is a bracket itself.
_A3_TOKEN = re.compile(r" *([^ ]+) +\(\{((?: +[0-9]{1,9})*) +\}\)(?= |$)")
_A3_LINES = 3


def _parse_giza(lines: Sequence[str], path: str) -> FileLinks:
    sides: tuple[list[int], list[int]] = ([], [])
    links: list[FileLink] = []
    for at in range(0, len(lines), _A3_LINES):
        sentence = at // _A3_LINES
        lengths = _a3_lengths(lines[at], sentence + 1, path, at + 1)
        if at + _A3_LINES > len(lines):
            raise FormatError("ends inside a sentence pair", file=path, line=len(lines))
        second = split_tokens(lines[at + 1], path, at + 2)
        linked = _a3_tokens(lines[at + 2], len(second), path, at + 3)
        counts = len(linked) - 1, len(second)
        for count, length, number in zip(counts, lengths, (at + 3, at + 2), strict=True):
            if count != length:
                defect = f"{quantity(count, 'token')}, but the header says {length}"
                raise FormatError(defect, file=path, line=number)
        links += [(sentence, n, p, False) for n, places in enumerate(linked) if n for p in places]
        for side, count in zip(sides, counts, strict=True):
            side.append(count)
    return FileLinks(len(sides[0]), links, sides, lambda sentence, link: _A3_LINES * (sentence + 1))


def _a3_lengths(line: str, expected: int, path: str, number: int) -> tuple[int, int]:
    """Read the header of the sentence pair that is expected: the lengths of both sides."""
    header = _A3_HEADER.fullmatch(line)
    if not header:
        hint = "a sentence pair has three lines"
        defect = f"{line[:40]!r} is not the header of a sentence pair"
        raise FormatError(defect, file=path, line=number, hint=hint)
    if int(header[1]) != expected:
        hint = "merge the parts written by MGIZA, in order"
        defect = f"sentence pair {int(header[1])} where {expected} was expected"
        raise FormatError(defect, file=path, line=number, hint=hint)
    return int(header[2]), int(header[3])


def _a3_tokens(line: str, size: int, path: str, number: int) -> list[list[int]]:
    """Read a line such as `NULL ({ }) a ({ 1 2 })`: the positions that each token is linked to.

    They are at most `size`, the number of tokens on the other side.
    """
    linked: list[list[int]] = []
    line, at = line.rstrip(" "), 0
    while at < len(line):
        match = _A3_TOKEN.match(line, at)
        if match is None:
            hint = "a token and its links have the form house ({ 1 3 })"
            defect = f"{line[at:].lstrip(' ').partition(' ')[0]!r} is not followed by its links"
            raise FormatError(defect, file=path, line=number, hint=hint)
        if not linked and match[1] != "NULL":
            break
        linked.append([int(position) for position in match[2].split()])
        if wrong := [position for position in linked[-1] if not 1 <= position <= size]:
            raise FormatError(
                f"{match[1]!r} is linked to {wrong[0]}, but the other side has "
                f"{quantity(size, 'token')}",
                file=path,
                line=number,
                hint="positions count from 1",
            )
        at = match.end()
    if not linked:
        raise FormatError("does not start with NULL and its links", file=path, line=number)
    return linked


GIZA = Format(
    (1,), re.compile(r"# Sentence pair \(").match, _parse_giza, lines=_A3_LINES, aligner="giza++"
)


# Parallel UD treebanks (Nikolaev et al. 2020): JSON, a list with an object for each sentence, whose
# keys are ids of source words and whose values are lists of ids of target words: `[{"3": ["1"]}]`.
# `X` stands for no word.

_ID_HINT = 'a list with an object for each sentence is needed, such as [{"3": ["1", "2"]}]'


def _parse_ids(lines: Sequence[str], path: str) -> FileLinks:
    try:
        sentences = json.loads("\n".join(lines))
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", file=path, line=error.lineno) from error
    except (ValueError, RecursionError) as error:  # of numbers too long, of lists too deep
        raise FormatError("not JSON with links", file=path, hint=_ID_HINT) from error
    if not isinstance(sentences, list) or not sentences:
        raise FormatError("no list of sentences", file=path, hint=_ID_HINT)
    links: list[FileLink] = []
    for sentence, linked in enumerate(sentences):
        if not isinstance(linked, dict) or not all(isinstance(v, list) for v in linked.values()):
            defect = f"sentence {sentence + 1} is not an object of lists"
            raise FormatError(defect, file=path, hint=_ID_HINT)
        for first, second in ((a, b) for a, ids in linked.items() for b in ids):
            places = [whole_number(str(word)) for word in (first, second)]
            if "X" in (first, second):
                continue
            if places[0] is None or places[1] is None:
                defect = f"sentence {sentence + 1}: {first!r} and {second!r} are not word ids"
                raise FormatError(
                    defect, file=path, hint="an id is a number such as 3, or X for no word"
                )
            links.append((sentence, places[0], places[1], False))
    return FileLinks(len(sentences), links, line_of=lambda sentence, link: None)


IDS = Format((1,), re.compile(r"\s*\[").match, _parse_ids, lines=0)
