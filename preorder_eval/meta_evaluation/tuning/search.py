"""Searches for the best setting of a metric's parameters.

`line_search` is exact. Along a line of settings, each pair of outputs changes its order at most
once, where the lines of the two scores cross (see `curves`). So the number of pairs that a metric
orders as people do is a step function, which all crossings in sorted order give completely: the
maximum and every interval that reaches it. With one free parameter that is the best setting there
is. With several, the search goes through the directions one by one until none helps, from several
starts; that is how Och (2003) tuned the weights of log-linear translation models.

`hill_climb` asks for values only, and so works with every metric and statistic: greedy steps to
the best neighbour, halved where no neighbour is better, from random starts as in Birch & Osborne
(2010, section 3), who leave open how long the steps are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.meta_evaluation.tuning.space import GRID, Space, shortest
from preorder_eval.stats.measurement import TIE

Span = tuple[float, float]
# Of the way from one end of a range to the other. Searches that start on the grid stay there and
# meet: a metric that has to be computed anew for each setting is so for few of them.
_FIRST_STEP, _LAST_STEP = 1 / 4, 1 / GRID
_NARROW = 1e-9  # intervals shorter than this share of the range are rounding


@dataclass(frozen=True)
class BestIntervals:
    """Where a step function is largest: its value there and all intervals that reach it."""

    value: float
    intervals: list[Span]

    @property
    def widest(self) -> Span:
        """The widest interval, the first of equally wide ones."""
        return max(self.intervals, key=lambda ends: ends[1] - ends[0])


def line_search(starts: Floats, slopes: Floats, low: float, high: float) -> BestIntervals:
    """Where the most of N lines are above zero, between two ends.

    Parameters: `starts` float64[N], the heights at 0, and `slopes` float64[N].
    Returns open intervals, sorted: at its ends some line is zero.

    >>> line_search(np.array([-0.2, 0.6, -0.1]), np.array([1.0, -1.0, 0.0]), 0, 1)
    BestIntervals(value=2.0, intervals=[(0.2, 0.6)])
    """
    flat = np.abs(slopes) * (high - low) <= TIE
    crossings = np.divide(-starts, slopes, out=np.full_like(starts, low), where=~flat)
    moves = ~flat & (low < crossings) & (crossings < high)
    middle = starts + slopes * (low + high) / 2
    # The lines that are above zero just after the lower end.
    above = np.count_nonzero(np.where(moves, slopes < 0, middle > TIE))
    order = np.argsort(crossings[moves], kind="stable")
    borders = np.concatenate([[low], crossings[moves][order], [high]])
    changes = np.where(slopes[moves] > 0, 1, -1)[order]
    counts = above + np.concatenate([[0], np.cumsum(changes)])
    counts[np.diff(borders) <= _NARROW * (high - low)] = -1
    best = np.flatnonzero(counts == counts.max())
    intervals = list(zip(borders[best].tolist(), borders[best + 1].tolist(), strict=True))
    return BestIntervals(float(counts.max()), intervals)


@dataclass(frozen=True, eq=False)
class Optimum:
    """A setting with its value; of an exact search all best intervals too.

    An interval is a pair of points and does not hold its ends.
    """

    point: Floats
    value: float
    intervals: tuple[tuple[Floats, Floats], ...] = ()


def exact_search(space: Space, lines: Floats, starts: Sequence[Floats]) -> Optimum:
    """The setting where the most of N lines are above zero, with their share as value.

    Parameters: `lines` float64[p + 1, N], heights at the origin and slopes in each parameter;
    `starts`, the points to begin with, of which one will do where there is one direction. The
    setting is the middle of the widest best interval, rounded to as few digits as keep it inside.

    >>> space, lines = Space.of("nkt(alpha=?)"), np.array([[-0.2, 0.6], [1.0, -1.0]])
    >>> exact_search(space, lines, [space.default]).point.tolist()
    [0.4]
    """
    needed = starts[:1] if len(space.directions) == 1 else starts
    climbed = [_climb_lines(space, lines, start) for start in needed]
    return max(climbed, key=lambda optimum: optimum.value)


def _climb_lines(space: Space, lines: Floats, start: Floats) -> Optimum:
    """Search along all directions in turn until none of them helps."""
    best, unhelpful = Optimum(start, -1.0), 0
    while unhelpful < len(space.directions):
        for direction in space.directions:
            better = _along(space, lines, best.point, direction)
            unhelpful = 0 if better.value > best.value else unhelpful + 1
            best = better if better.value > best.value else best
    return best


def _along(space: Space, lines: Floats, point: Floats, direction: Floats) -> Optimum:
    """The best setting on a line through a point."""
    low, high = space.span(point, direction)
    if low == high:
        return Optimum(point, -1.0)
    best = line_search(_heights(lines, point), direction @ lines[1:], low, high)
    moved = float(point[np.argmax(direction)])  # the parameter that rises
    first, last = (moved + end for end in best.widest)
    steps = shortest((first + last) / 2, first, last) - moved
    intervals = tuple(
        (space.walk(point, direction, low), space.walk(point, direction, high))
        for low, high in best.intervals
    )
    return Optimum(space.walk(point, direction, steps), best.value / lines.shape[1], intervals)


def share_above(lines: Floats, point: Floats) -> float:
    """The share of N lines, float64[p + 1, N], that are above zero at a point.

    >>> share_above(np.array([[-0.2, 0.6], [1.0, -1.0]]), np.array([0.1]))
    0.5
    """
    return float(np.mean(_heights(lines, point) > TIE))


def _heights(lines: Floats, point: Floats) -> Floats:
    heights: Floats = lines[0] + point @ lines[1:]
    return heights


def hill_climb(
    space: Space,
    value: Callable[[Floats], float],
    starts: Sequence[Floats],
) -> Optimum:
    """The best setting that greedy steps reach from any of the points to begin with.

    `value` is asked for the value at a point, the higher the better; NaN is the worst.

    >>> space = Space.of("nkt(alpha=?)")
    >>> hill_climb(space, lambda point: -abs(point[0] - 0.75), [space.default]).point.tolist()
    [0.75]
    """
    climbed = [_climb(space, value, start) for start in starts]
    return max(climbed, key=lambda optimum: optimum.value)


def _climb(space: Space, value: Callable[[Floats], float], start: Floats) -> Optimum:
    def tried(point: Floats) -> Optimum:
        return Optimum(point, float(np.nan_to_num(value(point), nan=-np.inf)))

    current, step = tried(start), _FIRST_STEP
    while step >= _LAST_STEP:
        neighbours = []
        for direction in space.directions:
            size = step * float(np.abs(direction * (space.high - space.low)).max())
            low, high = space.span(current.point, direction)
            steps = {max(-size, low), min(size, high)} - {0.0}
            neighbours += [tried(space.walk(current.point, direction, s)) for s in sorted(steps)]
        best = max([current, *neighbours], key=lambda each: each.value)
        if best is current:
            step /= 2
        current = best
    return current


def starting_points(space: Space, count: int, seed: int) -> list[Floats]:
    """The default setting and points by chance, `count` in all.

    >>> starting_points(Space.of("ribes(alpha=?)"), count=1, seed=0)
    [array([0.25])]
    """
    rng = np.random.default_rng(seed)
    default = np.clip(space.default, space.low, space.high)
    return [default, *(space.random(rng) for _ in range(count - 1))]
