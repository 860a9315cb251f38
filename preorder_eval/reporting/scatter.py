"""A metric against people: a point for each system, or how many outputs lie where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from preorder_eval.reporting.chart import LABEL, chart, line, spread, text, ticks, width_of
from preorder_eval.visible import visible

_WIDE, _HIGH = 420, 300  # of the field of points
_TOP, _LEFT, _BOTTOM, _RIGHT = 44, 64, 48, 16
_ROOM = 0.06  # of the range, beyond the outermost points
_COLUMNS, _ROWS = 48, 36  # cells into which many points are counted


@dataclass(frozen=True)
class Axes:
    """The ranges of both axes as places on the picture; `low` and `high` are (x, y)."""

    low: tuple[float, float]
    high: tuple[float, float]

    @classmethod
    def of(cls, x: Sequence[float], y: Sequence[float]) -> Axes:
        """Axes that hold all points with some room."""
        ends = []
        for values in (x, y):
            low, high = min(values), max(values)
            room = _ROOM * (high - low) or 0.5
            ends.append((low - room, high + room))
        return cls((ends[0][0], ends[1][0]), (ends[0][1], ends[1][1]))

    def share(self, value: float, axis: int) -> float:
        """Where a value stands between the ends of an axis, from 0 to 1."""
        return (value - self.low[axis]) / (self.high[axis] - self.low[axis])

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The pixels of a point."""
        return _LEFT + _WIDE * self.share(x, 0), _TOP + _HIGH * (1 - self.share(y, 1))

    def drawn(self, title: str, x_label: str, y_label: str) -> list[str]:
        """Heading, axes, ticks and labels."""
        bottom, right = _TOP + _HIGH, _LEFT + _WIDE
        parts = [
            text(_LEFT, 22, title, "heading"),
            line(_LEFT, bottom, right, bottom),
            line(_LEFT, _TOP, _LEFT, bottom),
            text(_LEFT + _WIDE / 2, bottom + 38, x_label, "middle"),
            text(16, _TOP + _HIGH / 2, y_label, "middle", turned=-90),
        ]
        for value in ticks(self.low[0], self.high[0]):
            x, _ = self.place(value, self.low[1])
            parts += [line(x, bottom, x, bottom + 4), text(x, bottom + 18, f"{value:g}", "middle")]
        for value in ticks(self.low[1], self.high[1]):
            _, y = self.place(self.low[0], value)
            parts += [line(_LEFT - 4, y, _LEFT, y), text(_LEFT - 8, y + 4, f"{value:g}", "end")]
        return parts


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
    """A point for each name, with its label at the right; outliers are hollow.

    >>> scatter_svg(["a", "<b>"], [0, 1], [0, 1], title="t", x_label="x", y_label="y").count(
    ...     "<circle"
    ... )
    2
    """
    axes = Axes.of(x, y)
    parts = axes.drawn(title, x_label, y_label)
    places = {name: axes.place(*point) for name, *point in zip(names, x, y, strict=True)}
    edge = _LEFT + _WIDE
    by_height = sorted(names, key=lambda name: places[name][::-1])
    baselines = spread([places[n][1] for n in by_height], _TOP)
    for name, baseline in zip(by_height, baselines, strict=True):
        px, py = places[name]
        style = "hollow" if name in outliers else "mark"
        parts += [
            f'<path class="lead" d="M{px + 5:.1f} {py:.1f} L{edge + 4:.1f} {baseline:.1f} h8"/>',
            f'<circle class="{style}" cx="{px:.1f}" cy="{py:.1f}" r="4"><title>'
            f"{escape(visible(name))}</title></circle>",
            text(edge + 16, baseline + 4, name),
        ]
    widest = max(map(width_of, names))
    low = max(_TOP + _HIGH, _TOP + LABEL * len(names))
    return chart(edge + 16 + widest + _RIGHT, low + _BOTTOM, title, parts)


def density_svg(
    x: Sequence[float], y: Sequence[float], *, title: str, x_label: str, y_label: str
) -> str:
    """How many of very many points lie where: the more, the larger the dot.

    >>> density_svg([0, 0, 1], [0, 0, 1], title="t", x_label="x", y_label="y").count("<circle")
    2
    """
    axes = Axes.of(x, y)
    cells = Counter(
        (int(axes.share(a, 0) * _COLUMNS), int(axes.share(b, 1) * _ROWS))
        for a, b in zip(x, y, strict=True)
    )
    most = max(cells.values())
    radius = min(_WIDE / _COLUMNS, _HIGH / _ROWS) / 2
    parts = axes.drawn(title, x_label, y_label)
    for (column, row), count in sorted(cells.items()):
        px = _LEFT + _WIDE * (column + 0.5) / _COLUMNS
        py = _TOP + _HIGH * (1 - (row + 0.5) / _ROWS)
        size = max(radius * (count / most) ** 0.5, 0.9)
        parts.append(
            f'<circle class="mark" cx="{px:.1f}" cy="{py:.1f}" r="{size:.1f}">'
            f"<title>{count}</title></circle>"
        )
    note = f"{len(x)} outputs; the largest dot stands for {most}"
    parts.append(text(_LEFT + _WIDE, 36, note, "end"))
    return chart(_LEFT + _WIDE + _RIGHT, _TOP + _HIGH + _BOTTOM, title, parts)
