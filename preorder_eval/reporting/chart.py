"""The frame that charts share: an SVG that stands alone or inside a page.

It takes the page's colours where the page has any (`--text`, `--muted`, `--line`, `--accent`,
`--raised`), and else follows the reader's light or dark ones. Nothing is told by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from preorder_eval.visible import display_width, visible

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
CHARACTER = 6.6  # pixels that one column of text takes
LABEL = 14  # from label to label


def chart(width: float, height: float, title: str, body: list[str]) -> str:
    """A chart of some size from its parts, which are SVG already; `title` is plain text."""
    return _SVG.format(
        width=width, height=height, title=escape(visible(title)), body="\n".join(body)
    )


def text(x: float, y: float, words: str, style: str = "", turned: int = 0) -> str:
    """Words at a place, escaped; `style` is a class, `turned` an angle in degrees.

    >>> text(1, 2, "a < b", "end")
    '<text x="1.0" y="2.0" class="end">a &lt; b</text>'
    """
    attributes = f' class="{style}"' if style else ""
    if turned:
        attributes += f' transform="rotate({turned} {x:.1f} {y:.1f})"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>{escape(visible(words))}</text>'


def line(x1: float, y1: float, x2: float, y2: float, style: str = "axis") -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{style}"/>'


def width_of(words: str) -> float:
    """About how many pixels words take."""
    return display_width(visible(words)) * CHARACTER


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from `low` to `high`, at most so many steps apart.

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


def spread(heights: Sequence[float], top: float) -> list[float]:
    """Heights in rising order moved so far that labels do not overlap, around where they were.

    >>> spread([50, 52], 0)
    [44.0, 58.0]
    """
    placed: list[list[float]] = []  # runs of labels that touch: wanted heights
    for height in heights:
        placed.append([height])
        while len(placed) > 1 and _start(placed[-2], top) + LABEL * len(placed[-2]) > _start(
            placed[-1], top
        ):
            last = placed.pop()
            placed[-1] += last
    return [_start(run, top) + LABEL * i for run in placed for i in range(len(run))]


def _start(run: Sequence[float], top: float) -> float:
    """Where the first label of a run stands so that the run is centred on its points."""
    return max(sum(run) / len(run) - LABEL * (len(run) - 1) / 2, top)
