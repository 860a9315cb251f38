"""The plane of systems by words and order: words across, order up, the reference in the corner.

All numbers are those of `words_and_order`; this is where they stand on a square of `SIDE` points,
with 0 at its top left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from preorder_eval.base.stats.bootstrap import Interval

SIDE = 240
_NEAR = 11  # points that a number is wide and high
_OFFSETS = [(7, -5), (-7, -5), (7, 13), (-7, 13), (7, -16), (-7, -16), (7, 24), (-7, 24)]


class Point(NamedTuple):
    """A system: its place, the ends of its intervals across and up, and where its number stands.

    The ends are None if there is no interval.
    """

    words: Interval
    order: Interval
    x: float
    y: float
    across: tuple[float, float] | None
    up: tuple[float, float] | None
    label: tuple[float, float]


class WordsPlane(NamedTuple):
    """The points, and the values at the lines across and up with the places of these."""

    points: Sequence[Point]
    across: Sequence[tuple[str, float]]
    up: Sequence[tuple[str, float]]


def words_plane(values: Sequence[tuple[Interval, Interval]]) -> WordsPlane | None:
    """Return where systems stand by words and order, None if there are no values.

    >>> interval = Interval(0.75, 0.7, 0.8)
    >>> plane = words_plane([(interval, interval)])
    >>> [name for name, _ in plane.across], plane.points[0].x, plane.points[0].across
    (['0.7', '0.8', '0.9', '1.0'], 40.0, (0.0, 80.0))
    """
    if not values:
        return None
    least = [
        min(0.9, math.floor(10 * min(min(of.value, of.low) for of in of_axis) + 1e-9) / 10)
        for of_axis in zip(*values, strict=True)
    ]
    (across, first), (up, second) = map(_lines, least)

    def place(value: float, low: float) -> float:
        return round(SIDE * (value - low) / (1 - low), 2)

    points = list[Point]()
    taken = [(place(w.value, first), SIDE - place(o.value, second)) for w, o in values]
    taken += [(SIDE - right, -14.0) for right in range(0, 60, _NEAR)]  # the word above the corner
    for n, (words, order) in enumerate(values):
        x, y = taken[n]
        ends = [
            None if math.isnan(of.low) else (place(of.low, low), place(of.high, low))
            for of, low in ((words, first), (order, second))
        ]
        up_ends = ends[1] and (SIDE - ends[1][0], SIDE - ends[1][1])
        label = _free(x, y, taken)
        taken.append((label[0], label[1] - 4))
        points.append(Point(words, order, x, y, ends[0], up_ends, label))
    return WordsPlane(points, across, [(name, SIDE - at) for name, at in up])


def _lines(least: float) -> tuple[list[tuple[str, float]], float]:
    """Return round values from about `least` to 1 with their places, and the least of them."""
    step = 0.05 if least > 0.79 else 0.1 if least > 0.49 else 0.2
    count = math.ceil(round((1 - least) / step, 6))
    low = 1 - count * step
    decimals = 2 if step < 0.1 else 1
    values = [1 - n * step for n in range(count, -1, -1)]
    lines = [(f"{v:.{decimals}f}", round(SIDE * (v - low) / (1 - low), 2)) for v in values]
    return lines, low


def _free(x: float, y: float, taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the first place beside a point at which no point and no number stands."""
    places = [(x + right, y + down) for right, down in _OFFSETS]

    def clear(place: tuple[float, float]) -> bool:
        return all(
            abs(place[0] - other) >= _NEAR or abs(place[1] - 4 - above) >= _NEAR
            for other, above in taken
            if (other, above) != (x, y)
        )

    return next(filter(clear, places), places[0])
