"""Pharaoh alignments: a line per sentence of links `source-target`, 0-based: `0-0 1-2`.

A blank line is a sentence without links. A `p` or `?` instead of the hyphen marks a possible
link, as in `1-2 3p4` and `3?4`; possible links are written with `p`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from preorder_eval.data.alignments import Link
from preorder_eval.errors import FormatError
from preorder_eval.formats import scanning
from preorder_eval.formats.links import FileLink, FileLinks, Format, scan_by_line

_LINK = re.compile(r"([0-9]{1,9})([-p?])([0-9]{1,9})")
_START = re.compile(r" *-?[0-9]+[-p?][^ ]*(?! +\|\|\|)(?: |$)")


def looks_like(line: str) -> bool:
    """Whether a line starts with a link, and not with lader's lengths."""
    return _START.match(line) is not None


def parse(lines: Sequence[str], path: str) -> FileLinks:
    """The links of a file, as they stand."""
    links = FileLinks(len(lines))
    for sentence, line in enumerate(lines):
        for first, second, possible in parse_marked_links(line, path, sentence + 1):
            links.add(sentence, first, second, possible)
    return links


def scan(data: bytes) -> FileLinks | None:
    """The links of a file without a fault, None for any other; see `formats.scanning`."""
    return scan_by_line(data, _scan)


def _scan(data: bytes) -> FileLinks | None:
    found = scanning.scan(data, "-p? ")
    if found is None or len(found) % 2:
        return None
    marks = found.ends[::2]
    # A mark between the two numbers of each link, and no other anywhere.
    if (found.starts[1::2] != marks + 1).any() or found.count("-p?") != len(marks):
        return None
    mark = found.data[marks]
    if (mark == ord(" ")).any() or (mark == ord("\n")).any():
        return None
    sentence = np.repeat(np.arange(len(found.line_ends)), np.diff(found.lines) // 2)
    values = found.values
    links = FileLinks(len(found.line_ends))
    return links.all_at_once(sentence, values[::2], values[1::2], mark != ord("-"))


def parse_marked_links(text: str, path: str | Path, number: int) -> Iterator[FileLink]:
    """One sentence's links with whether they are marked possible; `number` is their line."""
    for field in text.split(" "):
        link = _LINK.fullmatch(field)
        if link:
            yield int(link[1]), int(link[3]), link[2] != "-"
        elif field:
            raise FormatError(
                f"link {field!r} is not two positions such as 3-4", file=path, line=number
            )


def parse_links(text: str, path: str | Path, number: int) -> list[Link]:
    """One sentence's links, those marked possible among them; `number` is their line.

    >>> parse_links("0-1 2p0", "a.align", 1)
    [(0, 1), (2, 0)]
    """
    return [(first, second) for first, second, _ in parse_marked_links(text, path, number)]


def check_links(
    links: Sequence[Link],
    source_length: int,
    target_length: int | None,
    path: str | Path,
    number: int,
) -> None:
    """Raise FormatError for a link that lies outside its sentence."""
    for source, target in links:
        for side, position, length in (
            ("source", source, source_length),
            ("target", target, target_length),
        ):
            if length is not None and position >= length:
                raise FormatError(
                    f"link {source}-{target}: {side} position {position}, but the {side} "
                    f"sentence has {length} tokens",
                    file=path,
                    line=number,
                    mend="positions count from 0, source first",
                )


def render(links: FileLinks) -> str:
    """The text of a file."""
    return "".join(
        format_links([link[:2] for link in sentence], [link[2] for link in sentence]) + "\n"
        for sentence in links.sentences()
    )


def format_links(links: Sequence[Link], possible: Sequence[bool] = ()) -> str:
    """One sentence's links, those marked possible with a `p`.

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


FORMAT = Format((0, 1), True, looks_like, parse, render, scan)
