"""The order of a few items that goes against the least weight of pairwise preferences.

This is the linear ordering problem. The pairs that everything agrees on cut it into parts that
can be solved one after the other (strongly connected components of the preferences); a part is
solved exactly by dynamic programming over subsets (Held & Karp 1962, as Tromble & Eisner 2009 and
Lerner & Petrov 2013 use it for reordering), or, where it is too large, by moving single items.
"""

from __future__ import annotations

import numpy as np

from preorder_eval.data.arrays import Floats, Longs

MOST_EXACT = 12  # 2^12 subsets take about a hundredth of a second


def best_order(cost: Floats) -> tuple[list[int], bool]:
    """The order of n items of the least total cost, and whether that is proven.

    `cost[i, j]` float64[n, n], at least 0, is what it costs that item i stands somewhere before
    item j. Of several such orders it is one with the fewest items turned round against 0 … n - 1.
    It is proven unless more than `MOST_EXACT` items are tangled up in each other.

    >>> best_order(np.array([[0, 2, 0], [1, 0, 0], [3, 0, 0]]))
    ([1, 0, 2], True)
    """
    excess = _excess(cost)
    wins = (excess < 0).sum(axis=1)
    ranked = np.argsort(-wins, kind="stable")
    if (wins[ranked] == np.arange(len(cost))[::-1]).all():  # nothing goes round in a circle
        return ranked.tolist(), True
    order: list[int] = []
    proven = True
    for part in _parts(wins, ranked):
        inside = excess[np.ix_(part, part)]
        exact = len(part) <= MOST_EXACT
        chosen = _by_subsets(inside) if exact else _by_moves(inside)
        order += [part[i] for i in chosen]
        proven &= exact
    return order, proven


def order_cost(cost: Floats, order: list[int]) -> float:
    """What an order costs.

    >>> order_cost(np.array([[0, 2], [1, 0]]), [1, 0])
    1.0
    """
    return float(np.triu(cost[np.ix_(order, order)], 1).sum())


def _excess(cost: Floats) -> Floats:
    """What i before j costs more than j before i; no pair is left undecided.

    Where both cost the same the source order is a little cheaper, by so little that all the
    pairs together never outweigh a difference between costs of the size of a rounding error.
    """
    excess: Floats = np.subtract(cost, cost.T, dtype=np.float64)
    largest = np.abs(excess).max(initial=0) or 1.0
    excess[np.abs(excess) < 1e-9 * largest] = 0
    source = np.sign(np.arange(len(cost))[:, None] - np.arange(len(cost))[None, :])
    excess += source * (1e-10 * largest / max(len(cost) ** 2, 1))
    return excess


def _parts(wins: Longs, ranked: Longs) -> list[list[int]]:
    """The items cut into parts, such that all of a part are preferred before the next part.

    Every pair has a preference, so that the items by falling number of preferences are in the
    order of the parts, and a part ends where nothing that follows is preferred to it.
    """
    parts, part, total = [], [], 0
    for done, item in enumerate(ranked.tolist(), 1):
        part.append(item)
        total += int(wins[item])
        if total == done * (done - 1) // 2 + done * (len(ranked) - done):
            parts.append(sorted(part))
            part = []
    return parts


def _by_subsets(excess: Floats) -> list[int]:
    """The cheapest order, built up item by item over all subsets of items that may come first."""
    size = len(excess)
    if size == 1:
        return [0]
    if size == 2:
        return [0, 1] if excess[0, 1] < 0 else [1, 0]
    subsets = np.arange(1 << size)
    members = (subsets[:, None] >> np.arange(size)) & 1 == 1
    # What it costs to put an item behind a subset: the subset's members stand before it.
    behind = members @ excess
    least = np.full(1 << size, np.inf)
    least[0] = 0.0
    last = np.zeros(1 << size, dtype=np.int64)
    by_count = np.argsort(members.sum(axis=1), kind="stable")
    bounds = np.searchsorted(members.sum(axis=1)[by_count], np.arange(size + 2))
    for count in range(1, size + 1):
        chosen = by_count[bounds[count] : bounds[count + 1]]
        without = chosen[:, None] ^ (1 << np.arange(size))
        options = np.where(
            members[chosen], least[without] + behind[without, np.arange(size)], np.inf
        )
        last[chosen] = np.argmin(options, axis=1)
        least[chosen] = options.min(axis=1)
    order = []
    left = (1 << size) - 1
    while left:
        order.append(int(last[left]))
        left ^= 1 << order[-1]
    return order[::-1]


def _by_moves(excess: Floats) -> list[int]:
    """An order that moving no single item makes cheaper, starting from the source order."""
    order = list(range(len(excess)))
    better = True
    while better:
        better = False
        for item in range(len(excess)):
            rest = [x for x in order if x != item]
            before = np.concatenate([[0.0], np.cumsum(excess[rest, item])])
            after = np.concatenate([np.cumsum(excess[item, rest][::-1])[::-1], [0.0]])
            at = int(np.argmin(before + after))
            moved = [*rest[:at], item, *rest[at:]]
            if (before + after)[at] < (before + after)[order.index(item)] - 1e-12:
                order, better = moved, True
    return order
