"""Pharaoh alignments: a line per sentence of links `source-target`, 0-based: `0-0 1-2`.

A blank line is a sentence without links. A `p` or `?` instead of the hyphen marks a possible
link, as in `1-2 3p4` and `3?4`; possible links are written with `p`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from preorder_eval.data.alignments import Alignments, Link
from preorder_eval.data.arrays import Ints
from preorder_eval.data.ragged import blocks_of_lines
from preorder_eval.errors import FormatError
from preorder_eval.formats import scanning
from preorder_eval.formats.file_links import FileLinks, Format

MarkedLink = tuple[int, int, bool]

_LINK = re.compile(r"([0-9]{1,9})([-p?])([0-9]{1,9})")
# The start of a line with links, not with lader's lengths or a span.
_START = re.compile(r" *-?[0-9]+[-p?][^ ,:(]*(?! +\|\|\|)(?: |$)")


def parse(lines: Sequence[str], path: str) -> FileLinks:
    """Return the links of a file, as they stand."""
    return FileLinks(
        len(lines),
        [
            (sentence, *link)
            for sentence, line in enumerate(lines)
            for link in parse_marked_links(line, path, sentence + 1)
        ],
    )


def scan(data: bytes) -> FileLinks | None:
    """Return the links of a file without a fault; None for any other file.

    See `formats.scanning`.
    """
    size = 0
    columns: list[Ints] = []
    for block in blocks_of_lines(data):
        part = _scan(block, size)
        if part is None:
            return None
        size += part[0]
        columns.append(part[1])
    return FileLinks(size, np.concatenate(columns, axis=1).T) if size else None


def _scan(data: bytes, before: int) -> tuple[int, Ints] | None:
    """Return the number of some lines, `before` lines after the first, and their links, [4, L]."""
    numbers = scanning.scan(data, "-p? ")
    if numbers is None or len(numbers.values) % 2:
        return None
    marks = numbers.ends[::2]
    # A mark between the two numbers of each link, and no other anywhere.
    others = len(data.translate(None, b"0123456789 \n"))
    if (numbers.starts[1::2] != marks + 1).any() or others != len(marks):
        return None
    mark = numbers.data[marks]
    if (mark == ord(" ")).any() or (mark == ord("\n")).any():
        return None
    lines = len(numbers.lines) - 1
    sentence = before + np.repeat(np.arange(lines), np.diff(numbers.lines) // 2)
    columns = sentence, numbers.values[::2], numbers.values[1::2], mark != ord("-")
    return lines, np.stack([column.astype(np.int32) for column in columns])


def parse_marked_links(text: str, path: str | Path, number: int) -> Iterator[MarkedLink]:
    """Yield the links of a sentence, each with whether it is marked possible.

    `path` and `number`, that of the line, are for errors.
    """
    for field in text.split(" "):
        link = _LINK.fullmatch(field)
        if link:
            yield int(link[1]), int(link[3]), link[2] != "-"
        elif field:
            raise FormatError(
                f"link {field!r} is not two positions such as 3-4", file=path, line=number
            )


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


PHARAOH = Format((0, 1), _START.match, parse)
