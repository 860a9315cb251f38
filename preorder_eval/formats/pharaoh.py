"""Pharaoh alignments: a line per sentence of links `source-target`, 0-based: `0-0 1-2`.

A blank line is a sentence without links. A `p` or `?` instead of the hyphen marks a possible
link, as in `1-2 3p4` and `3?4`; possible links are written with `p`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from preorder_eval.data.alignments import Alignments, Link
from preorder_eval.data.ragged import blocks_of_lines
from preorder_eval.errors import FormatError
from preorder_eval.formats import scanning
from preorder_eval.formats.alignment import FileLink, FileLinks, Format

_LINK = re.compile(r"([0-9]{1,9})([-p?])([0-9]{1,9})")
# The start of a line with links, not with lader's lengths or a span.
_START = re.compile(r" *-?[0-9]+[-p?][^ ,:(]*(?! +\|\|\|)(?: |$)")


def parse(lines: Sequence[str], path: str) -> FileLinks:
    """Return the links of a file, as they stand."""
    links = FileLinks(len(lines))
    for sentence, line in enumerate(lines):
        for first, second, possible in parse_marked_links(line, path, sentence + 1):
            links.add(sentence, first, second, possible)
    return links


def scan(data: bytes) -> FileLinks | None:
    """Return the links of a file without a fault, None for any other; see `formats.scanning`."""
    links, size = FileLinks(None), 0
    for block in blocks_of_lines(data):
        lines = _scan(block, size, links)
        if lines is None:
            return None
        size += lines
    return replace(links, size=size) if size else None


def _scan(data: bytes, before: int, links: FileLinks) -> int | None:
    """Note the links of some lines, `before` lines after the first; the number of these lines."""
    found = scanning.scan(data, "-p? ")
    if found is None or len(found.values) % 2:
        return None
    marks = found.ends[::2]
    # A mark between the two numbers of each link, and no other anywhere.
    others = len(data.translate(None, b"0123456789 \n"))
    if (found.starts[1::2] != marks + 1).any() or others != len(marks):
        return None
    mark = found.data[marks]
    if (mark == ord(" ")).any() or (mark == ord("\n")).any():
        return None
    lines = len(found.lines) - 1
    sentence = before + np.repeat(np.arange(lines), np.diff(found.lines) // 2)
    links.all_at_once(sentence, found.values[::2], found.values[1::2], mark != ord("-"))
    return lines


def parse_marked_links(text: str, path: str | Path, number: int) -> Iterator[FileLink]:
    """Yield one sentence's links with whether they are marked possible; `number` is their line."""
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


FORMAT = Format((0, 1), _START.match, parse, scan)
