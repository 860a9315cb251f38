"""Scores over runs: a field for each reference and metric, a line for each system."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

from preorder_eval.reporting.chart import chart, line, spread, text, ticks, width_of
from preorder_eval.results.history import Entry
from preorder_eval.visible import visible

_HIGH, _STEP, _LEAST = 180, 56, 240  # of a field; from run to run; the least that a field is wide
_TOP, _LEFT, _RIGHT, _GAP = 44, 64, 16, 40
_ASLANT = 0.72  # of their width is what names of runs take below and beside an axis
_ROOM = 0.08  # of the range, above and below the intervals
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 3")  # told by the line, and by the label at its end


def over_runs_svg(entries: Sequence[Entry]) -> str:
    """The picture, as an SVG that stands alone; every point has its 95 % interval.

    >>> scored = [Entry(f"run-{n}", "en-ja", "none", "fuzzy", 0.3, 0.2, 0.4, 9) for n in (1, 2)]
    >>> over_runs_svg(scored).count("<circle")
    2
    """
    runs = list(dict.fromkeys(entry.run for entry in entries))
    systems = list(dict.fromkeys(entry.system for entry in entries))
    wide = max(_LEAST, _STEP * (len(runs) - 1))
    below = max(map(width_of, runs)) * _ASLANT + 24
    left = max(_LEFT, width_of(runs[0]) * _ASLANT - wide / len(runs) / 2 + 8)
    parts: list[str] = []
    top = 0.0
    for reference, metric in dict.fromkeys((entry.reference, entry.metric) for entry in entries):
        of_field = [
            entry
            for entry in entries
            if (entry.reference, entry.metric) == (reference, metric) and entry.value is not None
        ]
        if of_field:
            parts += _field(of_field, runs, systems, f"{metric} on {reference}", (left, top, wide))
            top += _TOP + _HIGH + below + _GAP
    right = 28 + max(map(width_of, systems), default=0) + _RIGHT
    return chart(left + wide + right, top, "scores over runs", parts)


def _field(
    entries: Sequence[Entry],
    runs: Sequence[str],
    systems: Sequence[str],
    title: str,
    place: tuple[float, float, float],
) -> list[str]:
    """One field, by its left edge, top and width: axes, and a line for each system."""
    left, top, wide = place
    ends = [end for e in entries for end in (e.low, e.value, e.high) if end is not None]
    room = _ROOM * (max(ends) - min(ends)) or 0.05
    low, high = min(ends) - room, max(ends) + room
    head, bottom = top + _TOP, top + _TOP + _HIGH
    at = {run: left + wide * (n + 0.5) / len(runs) for n, run in enumerate(runs)}

    def height(value: float) -> float:
        return head + _HIGH * (1 - (value - low) / (high - low))

    parts = [
        text(left, top + 22, title, "heading"),
        line(left, bottom, left + wide, bottom),
        line(left, head, left, bottom),
    ]
    for value in ticks(low, high):
        y = height(value)
        parts += [line(left - 4, y, left, y), text(left - 8, y + 4, f"{value:g}", "end")]
    for run, x in at.items():
        parts += [line(x, bottom, x, bottom + 4), text(x, bottom + 18, run, "end", turned=-45)]
    lasts = []
    for number, system in enumerate(systems):
        points = [
            (at[e.run], height(e.value), e)
            for e in entries
            if e.system == system and e.value is not None
        ]
        dash = _DASHES[number % len(_DASHES)]
        for (x1, y1, _), (x2, y2, _) in pairwise(points):
            parts.append(
                f'<path class="lead" style="stroke-width: 1.5" stroke-dasharray="{dash}" '
                f'd="M{x1:.1f} {y1:.1f} L{x2:.1f} {y2:.1f}"/>'
            )
        for x, y, e in points:
            if e.low is not None and e.high is not None:
                parts.append(line(x, height(e.low), x, height(e.high)))
            told = escape(visible(f"{system}, {e.run}: {e.value:.4f}"))
            parts.append(
                f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="4">'
                f"<title>{told}</title></circle>"
            )
        if points:
            lasts.append((points[-1][1], points[-1][0], system))
    lasts.sort()
    edge = left + wide
    baselines = spread([y for y, _, _ in lasts], head)
    for (y, x, system), baseline in zip(lasts, baselines, strict=True):
        parts.append(
            f'<path class="lead" d="M{x + 5:.1f} {y:.1f} L{edge + 4:.1f} {baseline:.1f} h8"/>'
        )
        parts.append(text(edge + 16, baseline + 4, system))
    return parts
