"""The order of items that violates the least weight of pairwise preferences.

This is the linear ordering problem. Its strongly connected components are solved one after the
other. Dynamic programming over subsets is exact (Held & Karp 1962; for reordering Tromble & Eisner
2009, Lerner & Petrov 2013), and it solves many problems of one size together. In larger components,
single items are moved as long as that makes the order better.

Costs are given as *excess*: `excess[i, j]` is the cost of item i before item j, anywhere, minus the
cost of item i behind item j. So `excess[j, i] == -excess[i, j]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.arrays import Floats, Longs, in_order, within

MOST_EXACT = 12  # items: 2^12 subsets take about a thousandth of a second
_COMPARED = 1 << 28  # pairs of items while items are moved
_MOST = 1 << 20  # numbers for subsets of items that are in memory together


def best_order(cost: Floats) -> tuple[list[int], bool]:
    """Return the order of n items with the least total cost, and whether that is proven.

    `cost[i, j]` float64[n, n], at least 0, is the cost of item i before item j, anywhere. Among
    several such orders, one with the fewest pairs inverted relative to 0 … n - 1 is returned. The
    order is proven to be best unless more than `MOST_EXACT` items depend on each other.

    >>> best_order(np.array([[0, 2, 0], [1, 0, 0], [3, 0, 0]]))
    ([1, 0, 2], True)
    """
    excess = _excess(cost)
    order, parts = parts_by_wins(np.array([0, len(cost)]), (excess < 0).sum(axis=1))
    proven = True
    for start, stop in tangled(parts):
        part = order[start:stop]
        inside = excess[np.ix_(part, part)]
        if exact := stop - start <= MOST_EXACT:
            [best] = by_subsets(inside[None])
        else:
            best = by_moves(len(part), _cheaper(inside))
        order[start:stop] = part[best]
        proven &= exact
    return order.tolist(), proven


def tangled(parts: Longs) -> Iterator[tuple[int, int]]:
    """Yield the begin and the end of each part of several items."""
    for part in np.flatnonzero(np.diff(parts) > 1).tolist():
        yield int(parts[part]), int(parts[part + 1])


def order_cost(cost: Floats, order: list[int]) -> float:
    """Return the total cost of an order."""
    return float(np.triu(cost[np.ix_(order, order)], 1).sum())


def _excess(cost: Floats) -> Floats:
    """Return the extra cost of i before j over j before i; the source order decides ties."""
    excess: Floats = np.subtract(cost, cost.T, dtype=np.float64)
    largest = np.abs(excess).max(initial=0) or 1.0
    excess[np.abs(excess) < 1e-9 * largest] = 0
    source = np.sign(np.arange(len(cost))[:, None] - np.arange(len(cost))[None, :])
    excess += source * (1e-10 * largest / max(len(cost) ** 2, 1))
    return excess


def parts_by_wins(bounds: Longs, wins: Longs) -> tuple[Longs, Longs]:
    """Split blocks into parts: each item of a part is preferred before all items of later parts.

    `wins` int64[N] is the number of items of its block before which each item is preferred. Returns
    the items of all parts, those of one part in source order, and where the parts begin.
    """
    block = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    size, done = np.diff(bounds)[block], within(bounds) + 1
    items = in_order(block, size - 1 - wins)
    won = np.cumsum(wins[items])
    won -= np.append(0, won)[bounds[block]]
    # They have won against each other, once for each two, and against all the rest.
    last = won == done * (done - 1) // 2 + done * (size - done)
    parts = np.append(0, np.flatnonzero(last) + 1)
    part = np.repeat(np.arange(len(parts) - 1), np.diff(parts))
    several = np.flatnonzero(np.diff(parts)[part] > 1)
    items[several] = items[several][in_order(part[several], items[several])]
    return items, parts


def by_subsets(excess: NDArray[Any]) -> Longs:
    """Return the cheapest order of each problem, by dynamic programming over subsets of items.

    `excess` [P, n, n] holds floats or integers. Integers may have any size, and are added up
    exactly. The result is int64[P, n]. If several orders are cheapest, choose the one whose last
    item has the lowest number, then the one whose last item but one has the lowest number, and so
    on.
    """
    many, size = excess.shape[:2]
    orders = np.empty((many, size), dtype=np.int64)
    step = max(1, _MOST // (size << size))
    for start in range(0, many, step):
        some = excess[start : start + step]
        # What it costs to put an item behind a subset: the subset's members stand before it.
        behind = np.zeros((len(some), 1, size), dtype=excess.dtype)
        for item in range(size):
            behind = np.concatenate([behind, behind + some[:, item, None]], axis=1)
        least, last = behind[:, :, 0].copy(), np.zeros(behind.shape[:2], dtype=np.int64)
        for subsets, members, without in _layers(size):
            options = least[:, without] + behind[:, without, members]
            best = options.argmin(axis=2)
            least[:, subsets] = options.min(axis=2)
            last[:, subsets] = members[np.arange(len(subsets)), best]
        here, left = np.arange(len(some)), np.full(len(some), (1 << size) - 1)
        for place in reversed(range(size)):
            orders[start + here, place] = item_there = last[here, left]
            left ^= 1 << item_there
    return orders


@cache
def _layers(size: int) -> list[tuple[Longs, Longs, Longs]]:
    """Return the subsets of `size` items by their size from 1 on, as bit masks.

    With each subset come its members, in ascending order, and the subsets without each member.
    """
    subsets = np.arange(1 << size)
    inside = (subsets[:, None] >> np.arange(size)) & 1 == 1
    count = inside.sum(axis=1)
    layers = []
    for many in range(1, size + 1):
        [chosen] = np.nonzero(count == many)
        members = np.nonzero(inside[chosen])[1].reshape(-1, many)
        layers.append((chosen, members, chosen[:, None] ^ (1 << members)))
    return layers


# Given an item, the others in their order, and the item's place among them: a place at which the
# order is better, or else the same place.
Move = Callable[[int, Longs, int], int]


def by_moves(size: int, moved: Move) -> Longs:
    """Return an order that no move of a single item makes better, starting at the source order.

    Of thousands of items each is moved only a few times, so that the time stays bounded: two items
    are compared at most `_COMPARED` times in all, or each item is moved once.
    """
    order = np.arange(size)
    for _ in range(max(1, _COMPARED // size**2)):
        better = False
        for item in range(size):
            place = int((order == item).argmax())
            rest = np.concatenate([order[:place], order[place + 1 :]])
            if (at := moved(item, rest, place)) != place:
                order, better = np.insert(rest, at, item), True
        if not better:
            break
    return order


def _cheaper(excess: Floats) -> Move:
    """Return a function that finds a cheaper place for an item."""

    def moved(item: int, rest: Longs, place: int) -> int:
        saved = np.append(
            0, np.cumsum(excess[item, rest])
        )  # by standing behind so many of the rest
        at = int(np.argmax(saved))
        return at if saved[at] > saved[place] + 1e-12 else place

    return moved
