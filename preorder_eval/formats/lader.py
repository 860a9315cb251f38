"""The alignments that lader (Neubig et al. 2012) and topdown-btg (Nakagawa 2015) read.

A line per sentence with the numbers of source and target tokens before 0-based links:
`5-7 ||| 0-0 0-1`. There are no marks for possible links. https://github.com/neubig/lader
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from preorder_eval.errors import FormatError
from preorder_eval.formats import scanning
from preorder_eval.formats.links import FileLinks, Format, Side, scan_by_line

_LINE = re.compile(r" *([0-9]{1,9})-([0-9]{1,9}) +\|\|\|(?: +(.*))?")
_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def looks_like(line: str) -> bool:
    """Whether a line starts with two lengths."""
    return _LINE.match(line) is not None


def parse(lines: Sequence[str], path: str) -> FileLinks:
    """The links of a file and the lengths of its sides."""
    lengths: tuple[list[int], list[int]] = ([], [])
    links = FileLinks(len(lines), sides=(Side(lengths[0]), Side(lengths[1])))
    for sentence, line in enumerate(lines):
        match = _LINE.fullmatch(line)
        if not match:
            raise FormatError(
                f"{line[:40]!r} does not start with two lengths",
                file=path,
                line=sentence + 1,
                mend="a line is such as 5-7 ||| 0-0 0-1",
            )
        for side in (0, 1):
            lengths[side].append(int(match[side + 1]))
        for field in (match[3] or "").split(" "):
            link = _LINK.fullmatch(field)
            if link:
                links.add(sentence, int(link[1]), int(link[2]))
            elif field:
                raise FormatError(
                    f"link {field!r} is not two positions such as 3-4",
                    file=path,
                    line=sentence + 1,
                )
    return links


def scan(data: bytes) -> FileLinks | None:
    """The links of a file without a fault, None for any other; see `formats.scanning`."""
    return scan_by_line(data, _scan)


def _scan(data: bytes) -> FileLinks | None:
    found = scanning.scan(data, "-| ")
    if found is None or len(found) % 2:
        return None
    # Every pair of numbers has its hyphen.
    hyphens, bars, size = found.ends[::2], found.find("|"), len(found.line_ends)
    if (found.starts[1::2] != hyphens + 1).any() or (found.data[hyphens] != ord("-")).any():
        return None
    if found.count("-") != len(hyphens) or len(bars) != 3 * size:
        return None
    # Every line has three bars, by themselves, after its first two numbers.
    left, middle, right = bars.reshape(size, 3).T
    if (middle != left + 1).any() or (right != left + 2).any():
        return None
    text, gaps = np.append(found.data, ord(" ")), (ord(" "), ord("\n"))
    if (text[left - 1] != ord(" ")).any() or not np.isin(text[right + 1], gaps).all():
        return None
    first = found.lines[:-1]
    if (found.line_of(left) != np.arange(size)).any():
        return None
    if (np.searchsorted(found.starts, left) != first + 2).any():
        return None
    is_link = np.ones(len(found), dtype=bool)
    is_link[first] = is_link[first + 1] = False
    values = found.values[is_link]
    sentence = np.repeat(np.arange(size), np.diff(found.lines) // 2 - 1)
    sides = Side(found.values[first].tolist()), Side(found.values[first + 1].tolist())
    return FileLinks(size, sides=sides).all_at_once(sentence, values[::2], values[1::2])


def render(links: FileLinks) -> str:
    """The text of a file, which needs the lengths of both sides."""
    lines = zip(links.sentences(), links.lengths(0), links.lengths(1), strict=True)
    return "".join(
        " ".join([f"{source}-{target} |||", *(f"{a}-{b}" for a, b, _ in sentence)]) + "\n"
        for sentence, source, target in lines
    )


FORMAT = Format((0,), False, looks_like, parse, render, scan)
