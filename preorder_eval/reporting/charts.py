"""Charts as SVG, each standing alone or inside a page: points and shades.

A chart takes the page's colours if the page has any (`--text`, `--muted`, `--line`, `--accent`,
`--raised`), and else follows the reader's light or dark ones. Nothing is told by colour alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from xml.sax.saxutils import escape

from rich.cells import cell_len

from preorder_eval.visible import visible

_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" width="{width:.0f}" \
height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">
<title>{title}</title>
<style>
.chart {{ font: 12px system-ui, "Noto Sans", "Noto Sans CJK JP", sans-serif; max-width: 100%;
  height: auto; background: var(--raised, #fff); color: var(--text, #1c2024) }}
.chart text {{ fill: currentColor }}
.chart .axis, .chart .lead {{ stroke: currentColor; fill: none; opacity: .35 }}
.chart .lead {{ stroke-width: .75 }}
.chart .mark {{ fill: var(--accent, #00588f) }}
.chart .hollow {{ fill: none; stroke: var(--accent, #00588f); stroke-width: 1.5 }}
.chart .end {{ text-anchor: end }} .chart .middle {{ text-anchor: middle }}
.chart .heading {{ font-weight: 600 }}
@media (prefers-color-scheme: dark) {{
  .chart {{ background: var(--raised, #1b1f23); color: var(--text, #e4e7e9) }}
  .chart .mark {{ fill: var(--accent, #79bdf0) }}
  .chart .hollow {{ stroke: var(--accent, #79bdf0) }}
}}
</style>
{body}
</svg>
"""
_CHARACTER = 6.6  # pixels that one column of text takes
_LABEL = 14  # from label to label
_TOP, _LEFT, _BOTTOM, _RIGHT, _MARGIN = 44, 64, 48, 16, 16  # around the field of a chart
_WIDE, _HIGH = 420, 300  # of a field of points
_ROOM = 0.06  # of the range, beyond the outermost values
_COLUMNS, _ROWS = 48, 36  # cells into which many points are counted
_CELL, _DARKEST = 34, 0.5  # pixels of a shaded cell; the text stays readable on the darkest


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from `low` to `high`, at most so many steps apart."""
    span = high - low
    if not span > 0:
        return [low]
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(k * power for k in (1, 2, 5, 10) if span / (k * power) <= most)
    digits = max(0, -math.floor(math.log10(step)))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, digits) + 0.0 for k in range(first, last + 1)]


def scatter_svg(
    names: Sequence[str],
    x: Sequence[float],
    y: Sequence[float],
    *,
    title: str,
    x_label: str,
    y_label: str,
    outliers: Collection[str] = (),
) -> str:
    """Draw a point for each name, with its label at the right; outliers are hollow."""
    parts, across, up = _field(x, y, title, x_label, y_label)
    edge = _LEFT + _WIDE
    points = sorted((up(b), across(a), name) for name, a, b in zip(names, x, y, strict=True))
    baselines = _spread([py for py, _, _ in points])
    for (py, px, name), baseline in zip(points, baselines, strict=True):
        parts.append(_dot(px, py, 4, name, "hollow" if name in outliers else "mark"))
        lead = f"M{px + 5:.1f} {py:.1f} L{edge + 4:.1f} {baseline:.1f} h8"
        parts.append(f'<path class="lead" d="{lead}"/>')
        parts.append(_text(edge + 16, baseline + 4, name))
    low = max(_TOP + _HIGH, _TOP + _LABEL * len(names))
    return _chart(edge + 16 + max(map(_width, names)) + _RIGHT, low + _BOTTOM, title, parts)


def density_svg(
    x: Sequence[float], y: Sequence[float], *, title: str, x_label: str, y_label: str
) -> str:
    """Draw how many of very many points lie where: the more, the larger the dot."""
    parts, across, up = _field(x, y, title, x_label, y_label)
    wide, high = _WIDE / _COLUMNS, _HIGH / _ROWS
    cells = Counter(
        (int((across(a) - _LEFT) / wide), int((up(b) - _TOP) / high))
        for a, b in zip(x, y, strict=True)
    )
    most = max(cells.values())
    for (column, row), count in sorted(cells.items()):
        size = max(min(wide, high) / 2 * (count / most) ** 0.5, 0.9)
        place = _LEFT + wide * (column + 0.5), _TOP + high * (row + 0.5)
        parts.append(_dot(*place, size, str(count)))
    note = f"{len(x)} outputs; the largest dot stands for {most}"
    parts.append(_text(_LEFT + _WIDE, 36, note, "end"))
    return _chart(_LEFT + _WIDE + _RIGHT, _TOP + _HIGH + _BOTTOM, title, parts)


def heatmap_svg(names: Sequence[str], values: Sequence[Sequence[float]], *, title: str) -> str:
    """Draw correlations between -1 and 1 of every two names, NaN if undefined, as shaded numbers.

    The shade grows with the square, the variance that the two share.
    """
    widest = max(map(_width, names))
    left = _MARGIN + widest + 8
    top = 40 + widest * 0.87 + 12  # names stand at 60 degrees
    size = _CELL * len(names)
    parts = [_text(_MARGIN, 24, title, "heading")]
    for i, name in enumerate(names):
        middle = _CELL * (i + 0.5)
        parts.append(_text(left - 8, top + middle + 4, name, "end"))
        parts.append(_text(left + middle + 4, top - 8, name, turned=-60))
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            x, y = left + _CELL * j, top + _CELL * i
            shade = 0.0 if math.isnan(value) else _DARKEST * value * value
            number = "–" if math.isnan(value) else f"{value:.2f}".replace("0.", ".", 1)
            parts.append(
                f'<rect class="mark" x="{x:.1f}" y="{y:.1f}" width="{_CELL - 1}" '
                f'height="{_CELL - 1}" opacity="{shade:.2f}"/>'
            )
            parts.append(_text(x + _CELL / 2, y + _CELL / 2 + 4, number, "middle"))
    wide = max(left + size + widest * 0.5 + _MARGIN, _MARGIN * 2 + _width(title))
    return _chart(wide, top + size + _MARGIN, title, parts)


_Place = Callable[[float], float]  # from values to pixels


def _chart(width: float, height: float, title: str, body: list[str]) -> str:
    return _SVG.format(
        width=width, height=height, title=escape(visible(title)), body="\n".join(body)
    )


def _field(
    x: Sequence[float], y: Sequence[float], title: str, x_label: str, y_label: str
) -> tuple[list[str], _Place, _Place]:
    """Draw the axes of a field of points; returns also the places of values on either."""
    bottom, right = _TOP + _HIGH, _LEFT + _WIDE
    across, below = _scale(x, _LEFT, right)
    up, along = _scale(y, bottom, _TOP)
    parts = [
        _text(_LEFT, _TOP - 22, title, "heading"),
        _line(_LEFT, bottom, right, bottom),
        _line(_LEFT, _TOP, _LEFT, bottom),
        _text(_LEFT + _WIDE / 2, bottom + 38, x_label, "middle"),
        _text(16, _TOP + _HIGH / 2, y_label, "middle", turned=-90),
    ]
    for value in below:
        place = across(value)
        parts.append(_line(place, bottom, place, bottom + 4))
        parts.append(_text(place, bottom + 18, f"{value:g}", "middle"))
    for value in along:
        place = up(value)
        parts.append(_line(_LEFT - 4, place, _LEFT, place))
        parts.append(_text(_LEFT - 8, place + 4, f"{value:g}", "end"))
    return parts, across, up


def _scale(values: Sequence[float], start: float, stop: float) -> tuple[_Place, list[float]]:
    """Return the places of values from one pixel to another, with some room, and round values."""
    low, high = min(values), max(values)
    room = _ROOM * (high - low) or 0.5
    low, high = low - room, high + room
    return lambda value: start + (stop - start) * (value - low) / (high - low), ticks(low, high)


def _spread(heights: Sequence[float]) -> list[float]:
    """Move rising heights so far that labels do not overlap, around where they were."""

    def start(run: Sequence[float]) -> float:
        return max(sum(run) / len(run) - _LABEL * (len(run) - 1) / 2, _TOP)

    runs: list[list[float]] = []  # of labels that touch: wanted heights
    for height in heights:
        runs.append([height])
        while len(runs) > 1 and start(runs[-2]) + _LABEL * len(runs[-2]) > start(runs[-1]):
            last = runs.pop()
            runs[-1] += last
    return [start(run) + _LABEL * i for run in runs for i in range(len(run))]


def _text(x: float, y: float, words: str, style: str = "", turned: int = 0) -> str:
    """Draw words at a place; `style` is a class, `turned` an angle in degrees."""
    attributes = f' class="{style}"' if style else ""
    if turned:
        attributes += f' transform="rotate({turned} {x:.1f} {y:.1f})"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>{escape(visible(words))}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="axis"/>'


def _dot(x: float, y: float, radius: float, title: str, style: str = "mark") -> str:
    return (
        f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.3g}">'
        f"<title>{escape(visible(title))}</title></circle>"
    )


def _width(words: str) -> float:
    return cell_len(visible(words)) * _CHARACTER
