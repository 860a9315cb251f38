"""The alignment notation of Talbot et al. (2011), Table 2.

A line per sentence with one field per target token, separated by commas: the 0-based source
positions it is aligned to, joined by `_`, or nothing: `6,6,7_8,,4`. There are no marks for
possible links.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from preorder_eval.errors import FormatError
from preorder_eval.formats import scanning
from preorder_eval.formats.links import FileLinks, Format, Side, scan_by_line

_FIELD = re.compile(r"(?:[0-9]{1,9}(?:_[0-9]{1,9})*)?")
_START = re.compile(r" *(?:[0-9_]*,|[0-9_]+ *$)")


def looks_like(line: str) -> bool:
    """Whether a line starts with a field, or is one."""
    return _START.match(line) is not None


def parse(lines: Sequence[str], path: str) -> FileLinks:
    """The links of a file; it tells the lengths of its second side."""
    rows = [line.strip(" ").split(",") for line in lines]
    links = FileLinks(len(rows), sides=(None, Side([len(fields) for fields in rows])))
    for sentence, fields in enumerate(rows):
        for second, field in enumerate(fields):
            if not _FIELD.fullmatch(field):
                raise FormatError(
                    f"field {second + 1} {field!r} is not positions such as 7 or 7_8",
                    file=path,
                    line=sentence + 1,
                )
            for first in field.split("_"):
                if first:
                    links.add(sentence, int(first), second)
    return links


def scan(data: bytes) -> FileLinks | None:
    """The links of a file without a fault, None for any other; see `formats.scanning`."""
    return scan_by_line(data, _scan)


def _scan(data: bytes) -> FileLinks | None:
    found = scanning.scan(data, ",_")
    if found is None:
        return None
    joined = found.find("_")
    # What is joined is a number on both sides.
    if not (np.isin(joined, found.ends).all() and np.isin(joined + 1, found.starts).all()):
        return None
    commas = found.find(",")
    before = np.concatenate([[0], np.searchsorted(commas, found.line_ends)])
    sentence = np.repeat(np.arange(len(found.line_ends)), np.diff(found.lines))
    second = np.searchsorted(commas, found.starts) - before[sentence]
    lengths = np.diff(before) + 1
    links = FileLinks(len(lengths), sides=(None, Side(lengths.tolist())))
    return links.all_at_once(sentence, found.values, second)


def render(links: FileLinks) -> str:
    """The text of a file, which needs the lengths of the second side."""
    lines = []
    for sentence, length in zip(links.sentences(), links.lengths(1), strict=True):
        fields: list[list[str]] = [[] for _ in range(length)]
        for first, second, _ in sentence:
            fields[second].append(str(first))
        lines.append(",".join("_".join(positions) for positions in fields) + "\n")
    return "".join(lines)


FORMAT = Format((0,), False, looks_like, parse, render, scan)
