"""Lay out heads and children by rules of pairs.

Of all pairs that fit two items, the first decides which item comes first. If no pair fits, the two
keep their order before: that of the rule of slots that fits their head, or of the source. Such
preferences may form a circle. Then as few as possible of those that a pair decides are given up,
and of the others as few as possible; among equally good orders one that inverts the fewest items
wins. Only the patterns that an item fits matter: these are its kind.

Finding the order that violates the least weight of pairwise preferences is the linear ordering
problem (`best_order`). Its strongly connected components are solved one after the other. Dynamic
programming over subsets is exact (Held & Karp 1962; for reordering Tromble & Eisner 2009, Lerner &
Petrov 2013). In components too large for that, single items are moved as long as that helps.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from preorder_eval.data.arrays import Floats, Longs, first_of_equals
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.conditions import Items, Slot, Tags
from preorder_eval.reordering.rule import Pair, Rule

Kind = frozenset[int]  # the numbers of the patterns that an item fits
MOST_EXACT = 12  # items: 2^12 subsets take about a hundredth of a second
_AT_ONCE = 24  # masks that are added to a number before numbers are counted anew


def pair_ranks(
    treebank: Treebank,
    tags: Tags,
    rules: Sequence[Rule],
    chains: Sequence[tuple[int, ...]],
    chain: Longs,
    before: tuple[Longs, Longs],
    own_before: tuple[Longs, Longs],
) -> tuple[Longs, Longs]:
    """Return the place of every item in its block, as child and as head; int64[N] each.

    Parameters: `chains` are rules of pairs by number, the most specific first, that fit a head
    together. `chain` int64[N] is for every token the number of the chain that lays out its
    children; it is -1 if none does, and then the places are 0. `before` (of items as children) and
    `own_before` (of items as heads) give the order before the rules of pairs, as two numbers
    int64[N] each: the second number decides, and the first where the second is equal.
    """
    size = len(treebank.words)
    rank, own_rank = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    child = np.flatnonzero((treebank.heads >= 0) & (chain[treebank.parents] >= 0))
    if not child.size:
        return rank, own_rank
    used = (pattern for of_chain in chains for r in of_chain for pattern in rules[r].patterns)
    patterns = {pattern: number for number, pattern in enumerate(dict.fromkeys(used))}
    kinds, as_child, as_head = _kinds(treebank, tags, list(patterns))

    heads = np.unique(treebank.parents[child])
    item = np.concatenate([child, heads])
    block = np.concatenate([treebank.parents[child], heads])
    kind = np.concatenate([as_child[child], as_head[heads]])
    stood = [np.concatenate([b[child], o[heads]]) for b, o in zip(before, own_before, strict=True)]
    in_order = np.lexsort((*stood, block))
    item, block, kind = item[in_order], block[in_order], kind[in_order]

    starts = np.append(np.flatnonzero(first_of_equals(block)), len(block))
    decisions = [
        _decisions(kinds, patterns, [pair for r in of_chain for pair in rules[r].pairs])
        for of_chain in chains
    ]
    laid_out: dict[tuple[int, bytes], Longs] = {}  # by the chain and the kinds of a block
    places_of = []
    bounds = itertools.pairwise(starts.tolist())
    for of_chain, (at, stop) in zip(chain[block[starts[:-1]]].tolist(), bounds, strict=True):
        inside = kind[at:stop]
        alike = of_chain, inside.tobytes()
        if alike not in laid_out:
            laid_out[alike] = _places(inside.tolist(), decisions[of_chain])
        places_of.append(laid_out[alike])
    places = np.concatenate(places_of)
    is_head = item == block
    rank[item[~is_head]] = places[~is_head]
    own_rank[item[is_head]] = places[is_head]
    return rank, own_rank


def _kinds(
    treebank: Treebank, tags: Tags, patterns: Sequence[Slot]
) -> tuple[list[Kind], Longs, Longs]:
    """Return the kinds of items, and the number of each token's, as child and as head."""
    children, heads = (Items(treebank, tags, heads=as_heads) for as_heads in (False, True))
    masks = [np.append(children.fitting(p), heads.fitting(p)) for p in patterns]
    codes = np.zeros(2 * len(treebank.words), dtype=np.int64)
    for begin in range(0, len(masks), _AT_ONCE):
        for mask in masks[begin : begin + _AT_ONCE]:
            codes = codes << 1 | mask
        _, codes = np.unique(codes, return_inverse=True)
    examples = np.unique(codes, return_index=True)[1].tolist()
    kinds = [frozenset(n for n, mask in enumerate(masks) if mask[i]) for i in examples]
    as_child, as_head = np.split(codes, 2)
    return kinds, as_child, as_head


def _decisions(
    kinds: Sequence[Kind], patterns: dict[Slot, int], pairs: Sequence[Pair]
) -> Callable[[int, int], bool | None]:
    """Return what decides by pairs, of the kinds of two items, to turn them round; or None."""
    numbered = [(patterns[pair.first], patterns[pair.second], pair.order) for pair in pairs]

    @cache
    def turn(one: int, other: int) -> bool | None:
        for first, second, order in numbered:
            keep = first in kinds[one] and second in kinds[other]
            turned = first in kinds[other] and second in kinds[one]
            if order == "first" and keep != turned:
                return turned
            if order != "first" and (keep or turned):
                return order == "reverse"
        return None

    return turn


def _places(kinds: Sequence[int], turn: Callable[[int, int], bool | None]) -> Longs:
    """Return the place in which each item of a block comes out."""
    size = len(kinds)
    cost = np.zeros((size, size))
    undecided = 1 / max(size * size, 1)  # all of them together weigh less than one decision
    for i in range(size):
        for j in range(i + 1, size):
            turned = turn(kinds[i], kinds[j])
            if turned:
                cost[i, j] = 1
            else:
                cost[j, i] = undecided if turned is None else 1
    order, _ = best_order(cost)
    places = np.empty(size, dtype=np.int64)
    places[order] = np.arange(size)
    return places


def best_order(cost: Floats) -> tuple[list[int], bool]:
    """Return the order of n items with the least total cost, and whether that is proven.

    `cost[i, j]` float64[n, n], at least 0, is what it costs that item i stands anywhere before item
    j. Of several such orders it is one with the fewest pairs of items turned round against 0 … n -
    1. The order is proven to be best unless more than `MOST_EXACT` items depend on each other.

    >>> best_order(np.array([[0, 2, 0], [1, 0, 0], [3, 0, 0]]))
    ([1, 0, 2], True)
    """
    excess = _excess(cost)
    wins = (excess < 0).sum(axis=1)
    order: list[int] = []
    proven = True
    for part in _parts(wins):
        if len(part) == 1:
            order += part
            continue
        inside = excess[np.ix_(part, part)]
        exact = len(part) <= MOST_EXACT
        chosen = _by_subsets(inside) if exact else _by_moves(inside)
        order += [part[i] for i in chosen]
        proven &= exact
    return order, proven


def order_cost(cost: Floats, order: list[int]) -> float:
    """Return the total cost of an order."""
    return float(np.triu(cost[np.ix_(order, order)], 1).sum())


def _excess(cost: Floats) -> Floats:
    """Return what i before j costs more than j before i; the source order decides ties."""
    excess: Floats = np.subtract(cost, cost.T, dtype=np.float64)
    largest = np.abs(excess).max(initial=0) or 1.0
    excess[np.abs(excess) < 1e-9 * largest] = 0
    source = np.sign(np.arange(len(cost))[:, None] - np.arange(len(cost))[None, :])
    excess += source * (1e-10 * largest / max(len(cost) ** 2, 1))
    return excess


def _parts(wins: Longs) -> list[list[int]]:
    """Cut the items into parts, such that all of a part are preferred before the next part.

    `wins` int64[n] is the number of items before which each item is preferred.
    """
    parts, part, total = [], [], 0
    for done, item in enumerate(np.argsort(-wins, kind="stable").tolist(), 1):
        part.append(item)
        total += int(wins[item])
        # They have won against each other, once for each two, and against all the rest.
        if total == done * (done - 1) // 2 + done * (len(wins) - done):
            parts.append(sorted(part))
            part = []
    return parts


def _by_subsets(excess: Floats) -> list[int]:
    """Return the cheapest order, built up item by item over all subsets that may come first."""
    size = len(excess)
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
    """Return an order that moving no single item makes cheaper, from the source order on."""
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
