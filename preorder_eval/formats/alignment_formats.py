"""Alignment files of GIZA++, lader, the shared tasks of NAACL 2003, and Talbot et al. (2011)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from preorder_eval.errors import FormatError
from preorder_eval.formats.alignment import FileLinks, Format, Side
from preorder_eval.formats.text import join_tokens, split_tokens, whole_number

# GIZA++ (Och & Ney 2003), the files named `*.A3.final`. Three lines per sentence: a header, the
# tokens of the second side, and those of the first side after the empty word NULL, each with the
# tokens of the second side it is linked to, from 1:
#
#     # Sentence pair (1) source length 2 target length 3 alignment score : 0.01
#     das kleine Haus
#     NULL ({ }) small ({ 2 }) house ({ 1 3 })
#
# GIZA++ calls the first side, that of the last line, the source. What is linked to NULL is a token
# without links; scores are not kept, and there are no marks for possible links.

_HEADER = re.compile(
    r"# Sentence pair \(([0-9]{1,9})\) source length ([0-9]{1,9}) target length ([0-9]{1,9})"
    r" alignment score : [^ ]+ *"
)
_NULL, _OPEN, _CLOSE = "NULL", "({", "})"


def _looks_like_giza(line: str) -> bool:
    return line.startswith("# Sentence pair (")


def _parse_giza(lines: Sequence[str], path: str) -> FileLinks:
    """Read the links of a file and the tokens of its sides."""
    sides: tuple[list[list[str]], list[list[str]]] = ([], [])
    size = -(-len(lines) // 3)
    links = FileLinks(size, line_of=lambda sentence, link: 3 * sentence + 3)
    for sentence in range(size):
        at = 3 * sentence
        header = _HEADER.fullmatch(lines[at])
        if not header:
            hint = "a sentence pair takes three lines"
            defect = f"{lines[at][:40]!r} is not the header of a sentence pair"
            raise FormatError(defect, file=path, line=at + 1, hint=hint)
        if int(header[1]) != sentence + 1:
            hint = "merge the parts that MGIZA writes, in order"
            defect = f"sentence pair {header[1]} where {sentence + 1} was expected"
            raise FormatError(defect, file=path, line=at + 1, hint=hint)
        if at + 3 > len(lines):
            raise FormatError("ends within a sentence pair", file=path, line=len(lines))
        second = split_tokens(lines[at + 1], path, at + 2)
        linked = _linked_tokens(lines[at + 2], path, at + 3)
        first = [token for token, _ in linked[1:]]
        for side, length in ((first, int(header[2])), (second, int(header[3]))):
            if len(side) != length:
                line = at + 3 if side is first else at + 2
                told = f"{len(side)} tokens, but the header says {length}"
                raise FormatError(told, file=path, line=line)
        for place, (token, positions) in enumerate(linked):
            for position in positions:
                if not 1 <= position <= len(second):
                    raise FormatError(
                        f"{token!r} is linked to {position}, but the other side has "
                        f"{len(second)} tokens",
                        file=path,
                        line=at + 3,
                        hint="positions count from 1",
                    )
                if place:
                    links.add(sentence, place, position)
        sides[0].append(first)
        sides[1].append(second)
    return replace(links, sides=(Side.of(sides[0]), Side.of(sides[1])))


def _linked_tokens(line: str, path: str, number: int) -> list[tuple[str, list[int]]]:
    """Read a line such as `NULL ({ }) a ({ 1 2 })` as tokens, each with its positions."""
    fields = [field for field in line.split(" ") if field]
    linked: list[tuple[str, list[int]]] = []
    at = 0
    while at < len(fields):
        # What stands before an opening bracket is a token, even if it is a bracket itself.
        token, end = fields[at], at + 2
        while end < len(fields) and fields[end] != _CLOSE:
            end += 1
        positions = [whole_number(field) for field in fields[at + 2 : end]]
        numbers = [position for position in positions if position is not None]
        if fields[at + 1 : at + 2] != [_OPEN] or end == len(fields) or numbers != positions:
            hint = "a token and its links are such as house ({ 1 3 })"
            defect = f"{token!r} is not followed by its links"
            raise FormatError(defect, file=path, line=number, hint=hint)
        linked.append((token, numbers))
        at = end + 1
    if not linked or linked[0][0] != _NULL:
        raise FormatError("does not start with NULL and its links", file=path, line=number)
    return linked


def _render_giza(links: FileLinks) -> str:
    """Write a file, which takes the tokens of both sides."""
    out = []
    rows = zip(links.sentences(), links.words(0), links.words(1), strict=True)
    for number, (sentence, first, second) in enumerate(rows, 1):
        positions: list[list[int]] = [[] for _ in range(len(first) + 1)]
        for place, position, _ in sentence:
            positions[place].append(position)
        linked = {position for _, position, _ in sentence}
        positions[0] = [i for i in range(1, len(second) + 1) if i not in linked]
        tokens = zip([_NULL, *first], positions, strict=True)
        out += [
            f"# Sentence pair ({number}) source length {len(first)} "
            f"target length {len(second)} alignment score : 1",
            join_tokens(second),
            join_tokens([x for token, at in tokens for x in (token, _OPEN, *map(str, at), _CLOSE)]),
        ]
    return "".join(line + "\n" for line in out)


GIZA = Format((1,), False, _looks_like_giza, _parse_giza, _render_giza)


# What lader (Neubig et al. 2012) and topdown-btg (Nakagawa 2015) read. A line per sentence with the
# numbers of source and target tokens before 0-based links: `5-7 ||| 0-0 0-1`. There are no marks
# for possible links. https://github.com/neubig/lader

_LADER_LINE = re.compile(r" *([0-9]{1,9})-([0-9]{1,9}) +\|\|\|(?: +(.*))?")
_LADER_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def _looks_like_lader(line: str) -> bool:
    return _LADER_LINE.match(line) is not None


def _parse_lader(lines: Sequence[str], path: str) -> FileLinks:
    """Read the links of a file and the lengths of its sides."""
    lengths: tuple[list[int], list[int]] = ([], [])
    links = FileLinks(len(lines), sides=(Side(lengths[0]), Side(lengths[1])))
    for sentence, line in enumerate(lines):
        match = _LADER_LINE.fullmatch(line)
        if not match:
            hint = "a line is such as 5-7 ||| 0-0 0-1"
            defect = f"{line[:40]!r} does not start with two lengths"
            raise FormatError(defect, file=path, line=sentence + 1, hint=hint)
        for side in (0, 1):
            lengths[side].append(int(match[side + 1]))
        for field in (match[3] or "").split(" "):
            link = _LADER_LINK.fullmatch(field)
            if link:
                links.add(sentence, int(link[1]), int(link[2]))
            elif field:
                defect = f"link {field!r} is not two positions such as 3-4"
                raise FormatError(defect, file=path, line=sentence + 1)
    return links


def _render_lader(links: FileLinks) -> str:
    """Write a file, which takes the lengths of both sides."""
    lines = zip(links.sentences(), links.lengths(0), links.lengths(1), strict=True)
    return "".join(
        " ".join([f"{source}-{target} |||", *(f"{a}-{b}" for a, b, _ in sentence)]) + "\n"
        for sentence, source, target in lines
    )


LADER = Format((0,), False, _looks_like_lader, _parse_lader, _render_lader)


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


def _looks_like_naacl(line: str) -> bool:
    return _NAACL_LINE.fullmatch(line) is not None


def _parse_naacl(lines: Sequence[str], path: str) -> FileLinks:
    """Read the links of a file; it does not tell the number of sentences."""
    links = FileLinks(None, line_of=lambda sentence, link: link + 1)
    before = 1
    for number, line in enumerate(lines, 1):
        match = _NAACL_LINE.fullmatch(line)
        if not match:
            hint = "a line is such as 18 1 2 S: sentence, two positions from 1, S or P"
            raise FormatError(f"{line[:40]!r} is not a link", file=path, line=number, hint=hint)
        sentence = int(match[1])
        if sentence < before:
            hint = "sentences count from 1 and stand in order"
            defect = f"sentence {sentence} after sentence {before}" if before > 1 else "sentence 0"
            raise FormatError(defect, file=path, line=number, hint=hint)
        before = sentence
        links.add(sentence - 1, int(match[2]), int(match[3]), match[4] == "P")
    return links


def _render_naacl(links: FileLinks) -> str:
    """Write a file, every link with its mark."""
    return "".join(
        f"{number} {first} {second} {'P' if possible else 'S'}\n"
        for number, sentence in enumerate(links.sentences(), 1)
        for first, second, possible in sentence
    )


NAACL = Format((1, 0), True, _looks_like_naacl, _parse_naacl, _render_naacl)


# The notation of Talbot et al. (2011), Table 2. A line per sentence with one field per target
# token, separated by commas: the 0-based source positions it is aligned to, joined by `_`, or
# nothing: `6,6,7_8,,4`. There are no marks for possible links.

_FIELD = re.compile(r"(?:[0-9]{1,9}(?:_[0-9]{1,9})*)?")
_TALBOT_START = re.compile(r" *(?:[0-9_]*,|[0-9_]+ *$)")


def _looks_like_talbot(line: str) -> bool:
    return _TALBOT_START.match(line) is not None


def _parse_talbot(lines: Sequence[str], path: str) -> FileLinks:
    """Read the links of a file and the lengths of its second side."""
    rows = [line.strip(" ").split(",") for line in lines]
    links = FileLinks(len(rows), sides=(None, Side([len(fields) for fields in rows])))
    for sentence, fields in enumerate(rows):
        for second, field in enumerate(fields):
            if not _FIELD.fullmatch(field):
                defect = f"field {second + 1} {field!r} is not positions such as 7 or 7_8"
                raise FormatError(defect, file=path, line=sentence + 1)
            for first in field.split("_"):
                if first:
                    links.add(sentence, int(first), second)
    return links


def _render_talbot(links: FileLinks) -> str:
    """Write a file, which takes the lengths of the second side."""
    lines = []
    for sentence, length in zip(links.sentences(), links.lengths(1), strict=True):
        fields: list[list[str]] = [[] for _ in range(length)]
        for first, second, _ in sentence:
            fields[second].append(str(first))
        lines.append(",".join("_".join(positions) for positions in fields) + "\n")
    return "".join(lines)


TALBOT = Format((0,), False, _looks_like_talbot, _parse_talbot, _render_talbot)
