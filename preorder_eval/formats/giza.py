"""GIZA++ alignments (Och & Ney 2003), the files named `*.A3.final`.

Three lines per sentence: a header, the tokens of the second side, and those of the first side
after the empty word NULL, each with the tokens of the second side it is linked to, from 1:

    # Sentence pair (1) source length 2 target length 3 alignment score : 0.01
    das kleine Haus
    NULL ({ }) small ({ 2 }) house ({ 1 3 })

GIZA++ calls the first side, that of the last line, the source. What is linked to NULL is a token
without links; scores and marks for possible links are not kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from preorder_eval.errors import FormatError
from preorder_eval.formats.links import FileLinks, Format, Side
from preorder_eval.formats.text import join_tokens, split_tokens, whole_number

_HEADER = re.compile(
    r"# Sentence pair \(([0-9]{1,9})\) source length ([0-9]{1,9}) target length ([0-9]{1,9})"
    r" alignment score : [^ ]+ *"
)
_NULL, _OPEN, _CLOSE = "NULL", "({", "})"


def looks_like(line: str) -> bool:
    """Whether a line is a header."""
    return line.startswith("# Sentence pair (")


def parse(lines: Sequence[str], path: str) -> FileLinks:
    """The links of a file and the tokens of its sides."""
    sides: tuple[list[list[str]], list[list[str]]] = ([], [])
    size = -(-len(lines) // 3)
    links = FileLinks(size, line_of=lambda sentence, link: 3 * sentence + 3)
    for sentence in range(size):
        at = 3 * sentence
        header = _HEADER.fullmatch(lines[at])
        if not header:
            raise FormatError(
                f"{lines[at][:40]!r} is not the header of a sentence pair",
                file=path,
                line=at + 1,
                mend="a sentence pair takes three lines",
            )
        if int(header[1]) != sentence + 1:
            raise FormatError(
                f"sentence pair {header[1]} where {sentence + 1} was expected",
                file=path,
                line=at + 1,
                mend="merge the parts that MGIZA writes, in order",
            )
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
                        mend="positions count from 1",
                    )
                if place:
                    links.add(sentence, place, position)
        sides[0].append(first)
        sides[1].append(second)
    return replace(links, sides=(Side.of(sides[0]), Side.of(sides[1])))


def _linked_tokens(line: str, path: str, number: int) -> list[tuple[str, list[int]]]:
    """The tokens of a line such as `NULL ({ }) a ({ 1 2 })`, each with its positions."""
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
            raise FormatError(
                f"{token!r} is not followed by its links",
                file=path,
                line=number,
                mend="a token and its links are such as house ({ 1 3 })",
            )
        linked.append((token, numbers))
        at = end + 1
    if not linked or linked[0][0] != _NULL:
        raise FormatError("does not start with NULL and its links", file=path, line=number)
    return linked


def render(links: FileLinks) -> str:
    """The text of a file, which needs the tokens of both sides."""
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


FORMAT = Format((1,), False, looks_like, parse, render)
