"""Source and result of a sentence on two lines, with links between them that show what crosses."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len

from preorder_eval.base.visible import visible

_GAP = 2  # columns between pieces


class _Link(NamedTuple):
    """The columns of a piece of the sentence in the two lines."""

    above: int
    below: int

    @property
    def ends(self) -> tuple[int, int]:
        return min(self), max(self)


def crossing(words: Sequence[str], order: Sequence[int], width: int) -> str:
    """Return the two lines with links; empty if no word moves or they do not fit the width.

    Words that stay neighbours are one piece with one link. It is also empty for words written from
    right to left, as terminals differ in where they put these.

    >>> print(crossing(["She", "reads", "old", "books", "."], [0, 2, 3, 1, 4], 80))
    She  reads  old books  .
     │     └────────┼─┐    │
     │       ┌──────┘ │    │
    She  old books  reads  .
    """
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for word in words for letter in word):
        return ""
    pieces = _pieces(order)
    texts = {piece[0]: " ".join(visible(words[i]) for i in piece) for piece in pieces}
    above, pins = _line([(first, texts[first]) for first in sorted(texts)], {})
    below, ends = _line([(piece[0], texts[piece[0]]) for piece in pieces], pins)
    if len(pieces) == 1 or max(map(cell_len, (above, below))) > width:
        return ""
    links = [_Link(pins[first], ends[first]) for first in texts]
    return "\n".join([above, *_drawn(links), below])


def _pieces(order: Sequence[int]) -> list[list[int]]:
    """Divide an order between words that are not neighbours in the source."""
    pieces = [[order[0]]]
    for before, position in pairwise(order):
        if position == before + 1:
            pieces[-1].append(position)
        else:
            pieces.append([position])
    return pieces


def _line(pieces: Sequence[tuple[int, str]], taken: dict[int, int]) -> tuple[str, dict[int, int]]:
    """Place pieces on a line; return it, and the column of each piece's link.

    A link is put in the column that is `taken` by its piece on the other line if possible, so that
    the link is straight; it is never put in a column taken by another piece.
    """
    line, columns, at = "", dict[int, int](), 0
    for first, text in pieces:
        size = max(1, cell_len(text))
        others = {column for piece, column in taken.items() if piece != first}
        while not (free := [c for c in range(at, at + size) if c not in others]):
            at += 1
        middle = at + (size - 1) // 2
        own = taken.get(first)
        columns[first] = own if own in free else min(free, key=lambda c: abs(c - middle))
        line += " " * (at - cell_len(line)) + text
        at += size + _GAP
    return line, columns


def _drawn(links: Sequence[_Link]) -> list[str]:
    """Return the rows between the lines; a link that is not straight has a row for its way across.

    Links share a row where they do not overlap.
    """
    row: dict[_Link, int] = {}
    right: list[int] = []  # the end of the last link in each row
    for link in sorted(links, key=lambda link: link.ends):
        if link.above != link.below:
            low, high = link.ends
            n = next((n for n, end in enumerate(right) if end < low), len(right))
            right[n:] = [high] if n == len(right) else [high, *right[n + 1 :]]
            row[link] = n
    rows = [[" "] * (1 + max(max(link) for link in links)) for _ in range(max(1, len(right)))]
    for link in links:
        for n, cells in enumerate(rows):
            cells[link.above if n < row.get(link, len(rows)) else link.below] = "│"
    for link, n in row.items():
        low, high = link.ends
        cells = rows[n]
        for column in range(low, high + 1):
            cells[column] = "┼" if cells[column] == "│" else "─"
        towards_right = link.above < link.below
        cells[link.above] = "└" if towards_right else "┘"
        cells[link.below] = "┐" if towards_right else "┌"
    return ["".join(cells).rstrip() for cells in rows]
