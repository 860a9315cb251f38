"""Plots of two parsers side by side: errors by gold label, and correct cells by group.

A strip shows the two parsers of a row as marks with their 95% intervals. The numbers are those of
the tables of the comparison (`analyse_parsers`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from preorder_eval.analysis.analyse_parsers import ParsersApart
from preorder_eval.base.tables.table import Key, Table

Ends = tuple[float, float, float]
_TITLES = {
    "head": "Wrong heads, as share of words",
    "label": "Wrong labels at right heads, as share of words",
}


class Strips(NamedTuple):
    """Rows of strips below a title: their name, how many `units` they are of, and an interval each.

    `ends` are the ends of the axis.
    """

    title: str
    units: str
    rows: Sequence[tuple[str, int, Sequence[Ends]]]
    ends: tuple[float, float]


def parser_strips(apart: ParsersApart) -> list[Strips]:
    """Return the available strips of two parsers: by gold label, and by construction.

    A kind of error that neither makes has none.
    """
    found = []
    if apart.errors is not None:
        table = apart.errors.by_label
        for error, title in _TITLES.items():
            keys = [f"{error} wrong {ab}" for ab in "AB"]
            found.append(_strips(title, "words", table, "label", keys))
    if apart.constructions is not None:
        [groups] = (t for t in apart.constructions.tables() if t.key == "groups")
        right = [("right", name) for name in apart.constructions.names]
        title = "Correct orders, as share of orders"
        found.append(_strips(title, "sentences", groups, "group", right))
    return [strips for strips in found if strips.rows]


def _strips(title: str, units: str, table: Table, name: str, keys: Sequence[Key]) -> Strips:
    """Return the rows of a table, without rows that are empty for both parsers."""
    counts = table.cells("words" if units == "words" else "of")
    pairs = zip(*(table.cells(key) for key in keys), strict=True)
    rows = [
        (label, count, pair)
        for label, count, pair in zip(table.cells(name), counts, pairs, strict=True)
        if all(pair)
    ]
    if units == "words":
        rows = [row for row in rows if any(value for value, _, _ in row[2])]
    ends = [end for _, _, pair in rows for interval in pair for end in interval]
    return Strips(title, units, rows, _axis(ends))


def _axis(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the round shares around all numbers.

    >>> _axis([0.02, 0.31]), _axis([0.76, 0.98]), _axis([])
    ((0.0, 0.4), (0.7, 1.0), (0.0, 1.0))
    """
    if not numbers:
        return 0.0, 1.0
    low, high = math.floor(10 * min(numbers)) / 10, math.ceil(10 * max(numbers)) / 10
    return low, max(high, low + 0.1)
