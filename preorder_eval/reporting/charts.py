"""Charts as SVG, each standing alone or inside a page: points, shades, and lines over runs.

A chart takes the page's colours if the page has any (`--text`, `--muted`, `--line`, `--accent`,
`--raised`), and else follows the reader's light or dark ones. Nothing is told by colour alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

from rich.cells import cell_len

from preorder_eval.results.history import Entry
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
_POINTS_ROOM, _RUNS_ROOM = 0.06, 0.08  # of the range, beyond the outermost values
_COLUMNS, _ROWS = 48, 36  # cells into which many points are counted
_CELL, _DARKEST = 34, 0.5  # pixels of a shaded cell; the text stays readable on the darkest
_RUN_HIGH, _STEP, _LEAST, _GAP = 180, 56, 240, 40  # of a field of runs; from run to run; least wide
_ASLANT = 0.72  # of their width is what names of runs take below and beside an axis
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 3")  # of lines, which have a label at their end too


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from `low` to `high`, at most so many steps apart.

    >>> ticks(0.13, 0.62)
    [0.2, 0.3, 0.4, 0.5, 0.6]
    """
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
    """Draw a point for each name, with its label at the right; outliers are hollow.

    >>> svg = scatter_svg(["a", "<b>"], [0, 1], [0, 1], title="t", x_label="x", y_label="y")
    >>> svg.count("<circle")
    2
    """
    parts, across, up = _field(x, y, title, x_label, y_label)
    edge = _LEFT + _WIDE
    points = sorted((up(b), across(a), name) for name, a, b in zip(names, x, y, strict=True))
    parts += [
        _dot(px, py, 4, name, "hollow" if name in outliers else "mark") for py, px, name in points
    ]
    parts += _labels(points, edge, _TOP)
    low = max(_TOP + _HIGH, _TOP + _LABEL * len(names))
    return _chart(edge + 16 + max(map(_width, names)) + _RIGHT, low + _BOTTOM, title, parts)


def density_svg(
    x: Sequence[float], y: Sequence[float], *, title: str, x_label: str, y_label: str
) -> str:
    """Draw how many of very many points lie where: the more, the larger the dot.

    >>> density_svg([0, 0, 1], [0, 0, 1], title="t", x_label="x", y_label="y").count("<circle")
    2
    """
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

    The shade grows with the square, the variance that the two share; the number stands in the
    cell, so that the shade only helps to find it.

    >>> heatmap_svg(["a", "b"], [[1, 0.5], [0.5, 1]], title="t").count("<rect")
    4
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


def over_runs_svg(entries: Sequence[Entry]) -> str:
    """Draw scores over runs: a field for each reference and metric, a line for each system.

    Every point has its 95 % interval.

    >>> scored = [Entry(f"run-{n}", "en-ja", "none", "fuzzy", 0.3, 0.2, 0.4, 9) for n in (1, 2)]
    >>> over_runs_svg(scored).count("<circle")
    2
    """
    runs = list(dict.fromkeys(entry.run for entry in entries))
    systems = list(dict.fromkeys(entry.system for entry in entries))
    wide = max(_LEAST, _STEP * (len(runs) - 1))
    below = max(map(_width, runs)) * _ASLANT + 24
    left = max(_LEFT, _width(runs[0]) * _ASLANT - wide / len(runs) / 2 + 8)
    parts: list[str] = []
    top = 0.0
    for reference, metric in dict.fromkeys((entry.reference, entry.metric) for entry in entries):
        of_field = [
            entry
            for entry in entries
            if (entry.reference, entry.metric) == (reference, metric) and entry.value is not None
        ]
        if of_field:
            heading = f"{metric} on {reference}"
            parts += _runs_field(of_field, runs, systems, heading, left, top + _TOP, wide)
            top += _TOP + _RUN_HIGH + below + _GAP
    right = 28 + max(map(_width, systems), default=0) + _RIGHT
    return _chart(left + wide + right, top, "scores over runs", parts)


def _runs_field(
    entries: Sequence[Entry],
    runs: Sequence[str],
    systems: Sequence[str],
    title: str,
    left: float,
    top: float,
    wide: float,
) -> list[str]:
    """Draw one field, by its left edge, top and width: axes, and a line for each system."""
    bottom = top + _RUN_HIGH
    at = {run: left + wide * (n + 0.5) / len(runs) for n, run in enumerate(runs)}
    ends = [end for e in entries for end in (e.low, e.value, e.high) if end is not None]
    parts = _frame(left, top, wide, _RUN_HIGH, title)
    height, marks = _scale(ends, _RUNS_ROOM, 0.05, bottom, top)
    parts += _left_ticks(left, height, marks)
    for run, x in at.items():
        parts += [_line(x, bottom, x, bottom + 4), _text(x, bottom + 18, run, "end", turned=-45)]
    lasts = []
    for number, system in enumerate(systems):
        own = [(e, e.value) for e in entries if e.system == system and e.value is not None]
        points = [(at[e.run], height(value)) for e, value in own]
        dash = _DASHES[number % len(_DASHES)]
        for (x1, y1), (x2, y2) in pairwise(points):
            parts.append(
                f'<path class="lead" style="stroke-width: 1.5" stroke-dasharray="{dash}" '
                f'd="M{x1:.1f} {y1:.1f} L{x2:.1f} {y2:.1f}"/>'
            )
        for (x, y), (e, value) in zip(points, own, strict=True):
            if e.low is not None and e.high is not None:
                parts.append(_line(x, height(e.low), x, height(e.high)))
            parts.append(_dot(x, y, 4, f"{system}, {e.run}: {value:.4f}"))
        if points:
            lasts.append((points[-1][1], points[-1][0], system))
    return parts + _labels(sorted(lasts), left + wide, top)


# Parts of charts.

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
    across, below = _scale(x, _POINTS_ROOM, 0.5, _LEFT, right)
    up, beside = _scale(y, _POINTS_ROOM, 0.5, bottom, _TOP)
    parts = _frame(_LEFT, _TOP, _WIDE, _HIGH, title)
    parts.append(_text(_LEFT + _WIDE / 2, bottom + 38, x_label, "middle"))
    parts.append(_text(16, _TOP + _HIGH / 2, y_label, "middle", turned=-90))
    for value in below:
        place = across(value)
        parts.append(_line(place, bottom, place, bottom + 4))
        parts.append(_text(place, bottom + 18, f"{value:g}", "middle"))
    return parts + _left_ticks(_LEFT, up, beside), across, up


def _scale(
    values: Sequence[float], share: float, least: float, start: float, stop: float
) -> tuple[_Place, list[float]]:
    """Return the places of values from one pixel to another, with some room, and round values."""
    low, high = min(values), max(values)
    room = share * (high - low) or least
    low, high = low - room, high + room
    return lambda value: start + (stop - start) * (value - low) / (high - low), ticks(low, high)


def _frame(left: float, top: float, wide: float, high: float, title: str) -> list[str]:
    return [
        _text(left, top - 22, title, "heading"),
        _line(left, top + high, left + wide, top + high),
        _line(left, top, left, top + high),
    ]


def _left_ticks(left: float, height: _Place, values: Sequence[float]) -> list[str]:
    parts = []
    for value in values:
        y = height(value)
        parts += [_line(left - 4, y, left, y), _text(left - 8, y + 4, f"{value:g}", "end")]
    return parts


def _labels(points: Sequence[tuple[float, float, str]], edge: float, top: float) -> list[str]:
    """Draw names right of a field, each led to its point (y, x, name); the points rise in y."""
    parts = []
    baselines = _spread([y for y, _, _ in points], top)
    for (y, x, name), baseline in zip(points, baselines, strict=True):
        parts.append(
            f'<path class="lead" d="M{x + 5:.1f} {y:.1f} L{edge + 4:.1f} {baseline:.1f} h8"/>'
        )
        parts.append(_text(edge + 16, baseline + 4, name))
    return parts


def _spread(heights: Sequence[float], top: float) -> list[float]:
    """Move rising heights so far that labels do not overlap, around where they were."""

    def start(run: Sequence[float]) -> float:
        return max(sum(run) / len(run) - _LABEL * (len(run) - 1) / 2, top)

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
    """Return about how many pixels words take."""
    return cell_len(visible(words)) * _CHARACTER
