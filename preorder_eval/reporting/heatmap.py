"""How much each two of several things agree: a table of numbers, shaded."""

from __future__ import annotations

import math
from collections.abc import Sequence

from preorder_eval.reporting.chart import chart, text, width_of

_CELL = 34  # pixels
_DARKEST = 0.5  # the text stays readable on it
_MARGIN = 16


def heatmap_svg(names: Sequence[str], values: Sequence[Sequence[float]], *, title: str) -> str:
    """Correlations between -1 and 1 of every two names, NaN where undefined.

    The shade grows with the square, the variance that the two share; the number stands in the
    cell, so that the shade only helps to find it.

    >>> heatmap_svg(["a", "b"], [[1, 0.5], [0.5, 1]], title="t").count("<rect")
    4
    """
    widest = max(map(width_of, names))
    left = _MARGIN + widest + 8
    top = 40 + widest * 0.87 + 12  # names stand at 60 degrees
    size = _CELL * len(names)
    parts = [text(_MARGIN, 24, title, "heading")]
    for i, name in enumerate(names):
        middle = _CELL * (i + 0.5)
        parts.append(text(left - 8, top + middle + 4, name, "end"))
        parts.append(text(left + middle + 4, top - 8, name, turned=-60))
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            x, y = left + _CELL * j, top + _CELL * i
            shade = 0.0 if math.isnan(value) else _DARKEST * value * value
            number = "–" if math.isnan(value) else f"{value:.2f}".replace("0.", ".", 1)
            parts.append(
                f'<rect class="mark" x="{x:.1f}" y="{y:.1f}" width="{_CELL - 1}" '
                f'height="{_CELL - 1}" opacity="{shade:.2f}"/>'
            )
            parts.append(text(x + _CELL / 2, y + _CELL / 2 + 4, number, "middle"))
    wide = left + size + max(widest * 0.5, 0) + _MARGIN
    return chart(max(wide, _MARGIN * 2 + width_of(title)), top + size + _MARGIN, title, parts)
