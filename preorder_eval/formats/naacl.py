"""The alignments of the shared tasks of NAACL 2003 and ACL 2005 (Mihalcea & Pedersen 2003).

A line per link: sentence, position on the first side, position on the second side, all counted
from 1, then `S` or `P` for a sure or possible link (sure if left out) and perhaps a confidence
between 0 and 1, which is not kept: `18 1 1 S`. A sentence without links has no line, so that the
number of sentences is only known from the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from preorder_eval.errors import FormatError
from preorder_eval.formats import scanning
from preorder_eval.formats.links import FileLinks, Format

_CONFIDENCE = r"(?:0?\.[0-9]+|[01](?:\.[0-9]*)?)(?:[eE]-[0-9]+)?"
_LINE = re.compile(
    r"[ \t]*([0-9]{1,9})[ \t]+([0-9]{1,9})[ \t]+([0-9]{1,9})(?:[ \t]+([SP]))?"
    rf"(?:[ \t]+{_CONFIDENCE})?[ \t]*"
)


def looks_like(line: str) -> bool:
    """Whether a line is one link."""
    return _LINE.fullmatch(line) is not None


def parse(lines: Sequence[str], path: str) -> FileLinks:
    """The links of a file; it does not tell the number of sentences."""
    links = FileLinks(None, line_of=lambda sentence, link: link + 1)
    before = 1
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if not match:
            raise FormatError(
                f"{line[:40]!r} is not a link",
                file=path,
                line=number,
                mend="a line is such as 18 1 2 S: sentence, two positions from 1, S or P",
            )
        sentence = int(match[1])
        if sentence < before:
            raise FormatError(
                f"sentence {sentence} after sentence {before}" if before > 1 else "sentence 0",
                file=path,
                line=number,
                mend="sentences count from 1 and stand in order",
            )
        before = sentence
        links.add(sentence - 1, int(match[2]), int(match[3]), match[4] == "P")
    return links


def scan(data: bytes) -> FileLinks | None:
    """The links of a file without a fault or a confidence, None for any other.

    See `formats.scanning`.
    """
    found = scanning.scan(data, " \tSP")
    size = 0 if found is None else len(found.line_ends)
    if found is None or not np.array_equal(found.lines, np.arange(0, 3 * size + 1, 3)):
        return None
    sentence, first, second = found.values.reshape(size, 3).T
    if sentence[0] < 1 or (np.diff(sentence) < 0).any():
        return None
    # A mark stands alone at the end of its line.
    marks = np.sort(np.concatenate([found.find("S"), found.find("P")]))
    lines = found.line_of(marks)
    gap = np.isin(found.data[marks - 1], (ord(" "), ord("\t")))
    if (np.diff(lines) == 0).any() or not gap.all() or (marks < found.ends[3 * lines + 2]).any():
        return None
    possible = np.zeros(size, dtype=bool)
    possible[lines] = found.data[marks] == ord("P")
    links = FileLinks(None, line_of=lambda sentence, link: link + 1)
    return links.all_at_once(sentence - 1, first, second, possible)


def render(links: FileLinks) -> str:
    """The text of a file, every link with its mark."""
    return "".join(
        f"{number} {first} {second} {'P' if possible else 'S'}\n"
        for number, sentence in enumerate(links.sentences(), 1)
        for first, second, possible in sentence
    )


FORMAT = Format((1, 0), True, looks_like, parse, render, scan)
