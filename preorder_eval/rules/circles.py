"""Circles of preferences, such as a before b, b before c, and c before a."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import pairwise
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def shortest_way(
    steps: Mapping[Item, Iterable[Item]], start: Item, end: Item
) -> list[tuple[Item, Item]]:
    """Return the steps of a shortest path between two items; no steps if there is no path.

    `steps` lists, for each item, the items that it is preferred before.

    >>> shortest_way({"a": ["b"], "b": ["c", "d"], "c": ["d"]}, "a", "d")
    [('a', 'b'), ('b', 'd')]
    """
    came_from, waiting = {start: start}, [start]
    for item in waiting:
        for after in steps.get(item, ()):
            if after not in came_from:
                came_from[after] = item
                waiting.append(after)
    if end not in came_from:
        return []
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return [*pairwise(reversed(way))]
