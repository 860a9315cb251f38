"""Lay out heads and children by rules of pairs.

Of all pairs that fit two items, the first decides which item comes first. If no pair fits, the two
keep their order before: that of the rule of slots that fits their head, or of the source. Such
preferences may form a circle. Then as few as possible of those that a pair decides are given up,
and of the others as few as possible, and as few items as possible are turned round. Of orders that
are still equally good, one wins that keeps the items in source order that the pair decides which
comes first in the file; then one in which as many children as possible stay on their side of the
head; then the one whose last item stood in front of those that could be last as well, and so on
from behind. What else a head has makes no difference. Only the patterns that an item fits matter:
these are its kind.

Finding the order that violates the least weight of pairwise preferences is the linear ordering
problem (`best_order`). Its strongly connected components are solved one after the other. Dynamic
programming over subsets is exact (Held & Karp 1962; for reordering Tromble & Eisner 2009, Lerner &
Petrov 2013). In components too large for that, single items are moved as long as that helps.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.arrays import (
    Bools,
    Floats,
    Longs,
    blocks,
    gather,
    in_order,
    offsets_of,
    within,
)

MOST_EXACT = 12  # items: 2^12 subsets take about a hundredth of a second
Signs = NDArray[np.int16]
_MOST = 1 << 20  # pairs of items that are decided together, and numbers that a table is made for
_CASES = 1 << 15  # pairs of kinds that are decided together
_NEVER = (0, 0, "first")  # a pair that decides nothing
Numbered = tuple[int, int, str]  # a pair: the numbers of its patterns, and its order


class PairOrder:
    """How rules of pairs order the items of blocks, a block being a head and its children.

    Items are numbered as they stand before; `bounds` int64[B + 1] are where the blocks begin, and
    `is_head` bool[M] is true for the heads. `kind` int64[M] is the kind of each item, and `fits`
    bool[kinds, patterns] which patterns the items of a kind fit. `chain` int64[B] is by which of
    the `chains` a block is laid out: pairs, the first decides, each as the numbers of its two
    patterns and its order.
    """

    def __init__(
        self,
        bounds: Longs,
        is_head: Bools,
        kind: Longs,
        fits: Bools,
        chain: Longs,
        chains: Sequence[Sequence[Numbered]],
    ) -> None:
        self._bounds, self._is_head, self._fits = bounds, is_head, fits
        self._chains, self._chain = chains, chain
        # Items of one kind in blocks of different chains are told apart from here on.
        by_chain = np.repeat(chain, np.diff(bounds)) * len(fits) + kind
        self._kinds, self._kind = numbered(by_chain, len(chains) * len(fits))
        self._first = offsets_of(_behind(bounds))  # of the twos in which an item stands in front
        decided = [
            self._decide(*two_of_each(bounds, *some), chains) for some in blocks(self._first, _MOST)
        ]
        self._turn = np.concatenate([np.zeros(0, dtype=np.int16), *decided])

    @cached_property
    def items(self) -> Longs:
        """The items as they come out; int64[M]."""
        return _laid_out(self._bounds, self._is_head, self._turn)

    def without(self, left_out: Mapping[int, int]) -> PairOrder:
        """Return the order without one pair of some chains, by the number of the chain.

        Pairs are counted from 1. Only blocks in which one of them decides are laid out anew.
        """
        out = np.zeros(len(self._chains), dtype=np.int16)
        out[[*left_out]] = [*left_out.values()]
        twos = np.flatnonzero(np.isin(np.abs(self._turn), out[out > 0]))
        one = np.searchsorted(self._first, twos, "right") - 1
        block = np.searchsorted(self._bounds, one, "right") - 1
        here = np.abs(self._turn[twos]) == out[self._chain[block]]
        twos, one, block = twos[here], one[here], np.unique(block[here])
        chains = [
            [_NEVER if number == out[chain] else pair for number, pair in enumerate(pairs, 1)]
            for chain, pairs in enumerate(self._chains)
        ]
        fewer, turn, items = copy(self), self._turn.copy(), self.items.copy()
        turn[twos] = self._decide(one, twos - self._first[one] + one + 1, chains)
        bounds, at = gather(self._bounds, block)
        _, inside = gather(self._first[self._bounds], block)
        items[at] = at[_laid_out(bounds, self._is_head[at], turn[inside])]
        vars(fewer).update(_turn=turn, _chains=chains, items=items)
        return fewer

    def circles(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each circle that pairs make: the number of its chain, and those of its pairs.

        The first pair, counted from 1, is given up for two items, the others stand against it.
        """
        import networkx as nx

        place = np.argsort(self.items)
        for at in np.flatnonzero(np.diff(self._first[self._bounds])).tolist():
            start, stop = self._bounds[at : at + 2]
            one, other = two_of_each(np.array([0, stop - start]))
            turn = self._turn[slice(*self._first[[start, stop]])]
            front, behind = np.where(turn > 0, (other, one), (one, other))
            kept = (place[start:stop][front] < place[start:stop][behind]) | (turn == 0)
            if kept.all():
                continue
            decide = np.flatnonzero(turn)
            steps = zip(front[decide].tolist(), behind[decide].tolist(), strict=True)
            pair_of = dict(zip(steps, np.abs(turn[decide]).tolist(), strict=True))
            preferred = nx.DiGraph([*pair_of])
            for n in np.flatnonzero(~kept).tolist():
                last, first = int(behind[n]), int(front[n])
                if not nx.has_path(preferred, last, first):  # a rough order of many items
                    continue
                path = nx.shortest_path(preferred, last, first)
                others = [pair_of[step] for step in itertools.pairwise(path)]
                yield int(self._chain[at]), [abs(int(turn[n])), *others]

    def _decide(self, one: Longs, other: Longs, chains: Sequence[Sequence[Numbered]]) -> Signs:
        """Return for every two items the number of the pair that decides, and its sign.

        Numbers are counted from 1; a number below 0 is of a pair that keeps the items as they
        stand, and 0 is where none decides.
        """
        many, size = len(self._kinds), len(self._fits)
        cases, case = numbered(self._kind[one] * many + self._kind[other], many * many)
        (chain, first), second = np.divmod(self._kinds[cases // many], size), cases % many
        second = self._kinds[second] % size
        decided = np.zeros(len(cases), dtype=np.int16)
        for number, pairs in enumerate(chains):
            here = np.flatnonzero(chain == number)
            for at in np.split(here, range(_CASES, len(here), _CASES)):
                decided[at] = _decided(self._fits[first[at]], self._fits[second[at]], pairs)
        return decided[case]


def kinds(fitting: Sequence[Longs], size: int) -> tuple[Longs, Bools]:
    """Return the kind of each of so many items, and which patterns the items of each kind fit.

    `fitting` are for each pattern the items that fit it.
    """
    patterns_of: list[list[int]] = [[]]
    kind = np.zeros(size, dtype=np.int64)
    for number, fits in enumerate(fitting):
        old = np.flatnonzero(np.bincount(kind[fits]))
        renamed = np.zeros(len(patterns_of), dtype=np.int64)
        renamed[old] = np.arange(len(patterns_of), len(patterns_of) + len(old))
        patterns_of += [[*patterns_of[each], number] for each in old.tolist()]
        kind[fits] = renamed[kind[fits]]
    used, kind = numbered(kind, len(patterns_of))
    fits_of = np.zeros((len(used), len(fitting)), dtype=bool)
    for row, each in enumerate(used.tolist()):
        fits_of[row, patterns_of[each]] = True
    return kind, fits_of


def numbered(codes: Longs, size: int) -> tuple[Longs, Longs]:
    """Return the different ones of codes below a size, sorted, and which of them each code is."""
    if size > 16 * max(len(codes), 1 << 16):
        different, number = np.unique(codes, return_inverse=True)
        return different, number
    number = np.zeros(size, dtype=np.int64)
    number[codes] = 1
    different = np.flatnonzero(number)
    number[different] = np.arange(len(different))
    return different, number[codes]


def _behind(bounds: Longs) -> Longs:
    """Count the items behind each item in its block."""
    return np.repeat(bounds[1:], np.diff(bounds)) - np.arange(bounds[-1]) - 1


def two_of_each(bounds: Longs, first: int = 0, last: int | None = None) -> tuple[Longs, Longs]:
    """Return every two items of each block, by number, if blocks have those between `bounds`.

    With `first` and `last` they are those two of which the one that stands in front is in between.

    >>> one, other = two_of_each(np.array([0, 2, 5]))
    >>> one.tolist(), other.tolist()
    ([0, 2, 2, 3], [1, 3, 4, 4])
    """
    behind = _behind(bounds)[first:last]
    one = np.repeat(np.arange(first, first + len(behind)), behind)
    return one, one + 1 + within(offsets_of(behind))


def _decided(one: Bools, other: Bools, pairs: Sequence[Numbered]) -> Signs:
    """Decide every two items that fit these patterns, as `PairOrder._decide` returns it.

    `one` and `other` are bool[items, patterns].
    """
    first, second, order = map(np.array, zip(*pairs, strict=True))
    keep, turned = one[:, first] & other[:, second], other[:, first] & one[:, second]
    decides = (keep ^ turned) | (keep & (order != "first"))
    by, rows = decides.argmax(axis=1), np.arange(len(one))
    turns = np.where(order[by] == "first", turned[rows, by], order[by] == "reverse")
    return np.where(decides[rows, by], np.where(turns, by + 1, -by - 1), 0).astype(np.int16)


def _laid_out(bounds: Longs, is_head: Bools, turn: Signs) -> Longs:
    """Return the items of blocks in the order that gives up as little as possible.

    `turn` has for every two items the number of the pair that decides, as `PairOrder._decide`.
    """
    behind = _behind(bounds)
    first = offsets_of(behind)  # of the pairs in which an item stands in front
    wins = behind.copy()
    for start in range(0, len(turn), _MOST):
        turned = start + np.flatnonzero(turn[start : start + _MOST] > 0)
        one = np.searchsorted(first, turned, "right") - 1
        wins -= np.bincount(one, minlength=len(wins))
        wins += np.bincount(turned - first[one] + one + 1, minlength=len(wins))
    items, parts = parts_by_wins(bounds, wins)
    sizes = np.diff(parts)
    for size in np.unique(sizes[sizes > 1]).tolist():
        places = parts[:-1][sizes == size, None] + np.arange(size)
        if size > MOST_EXACT:
            for part in places:
                items[part] = items[part][_untangled_roughly(items[part], first, turn)]
            continue
        here, (upper, lower) = items[places], np.triu_indices(size, 1)
        one, other = here[:, upper], here[:, lower]
        signs = _preferences(turn[first[one] + other - one - 1], is_head[one] | is_head[other])
        order = np.array([_untangled(size, row.tobytes()) for row in signs])
        items[places] = np.take_along_axis(here, order, axis=1)
    return items


def _preferences(turn: Signs, of_head: Bools) -> NDArray[np.int8]:
    """Return the preference for each two items of a row, so that like circles look alike.

    It is 1 where the first of the row's pairs turns them round, 2 where another does, and negative
    where these keep them. It is 3 for the head and a child that no pair decides, and 0 for others.
    """
    number = np.abs(turn)
    first = np.where(number, number, np.iinfo(np.int16).max).min(axis=1, keepdims=True)
    decided = np.sign(turn) * np.where(number == first, 1, 2)
    counts: NDArray[np.int8] = np.where((number == 0) & of_head, 3, decided).astype(np.int8)
    return counts


@lru_cache(maxsize=1 << 14)
def _untangled(size: int, preferences: bytes) -> Longs:
    """Return the best order of some of a block's items, whose preferences form circles.

    `preferences` has an int8 of `_preferences` for every two items. One whole number holds all that
    counts against an order, the more important in front: pairs given up; other items turned round;
    all items turned round; one bit for every two items of the first pair, whether they are turned
    round; and last, how many children change their side of the head undecided.
    """
    numbers = np.frombuffer(preferences, dtype=np.int8).tolist()
    many = len(numbers)
    excess = np.zeros((size, size), dtype=object)  # more for i before j than for j before i
    two = itertools.combinations(range(size), 2)
    for at, ((i, j), number) in enumerate(zip(two, numbers, strict=True), 1):
        undecided = number in (0, 3)
        against = (many + 1) if undecided else (many + 1) ** 2 * (-1 if number > 0 else 1)
        by_first = (abs(number) == 1) << many - at
        excess[j, i] = ((against + 1 << many) + by_first) * (many + 1) + (number == 3)
        excess[i, j] = -excess[j, i]
    return np.array(_by_subsets(excess))


def _untangled_roughly(items: Longs, first: Longs, turn: Signs) -> Longs:
    """Return a good order of many of a block's items, whose preferences form circles."""
    size = len(items)
    decided = size * size  # all others weigh together less than one decision

    def excess(item: int) -> Longs:
        """Return the extra cost of the item in front of each other one over behind it."""
        one, other = np.minimum(items, items[item]), np.maximum(items, items[item])
        other[item] += other[item] == one[item]
        turned = turn[first[one] + other - one - 1].astype(np.int64)
        cost = np.where(turned == 0, -1, np.sign(turned) * decided)
        cost[:item] *= -1
        cost[item] = 0
        return cost

    return _by_moves(size, excess)


def best_order(cost: Floats) -> tuple[list[int], bool]:
    """Return the order of n items with the least total cost, and whether that is proven.

    `cost[i, j]` float64[n, n], at least 0, is what it costs that item i stands anywhere before item
    j. Of several such orders it is one with the fewest pairs of items turned round against 0 … n -
    1. The order is proven to be best unless more than `MOST_EXACT` items depend on each other.

    >>> best_order(np.array([[0, 2, 0], [1, 0, 0], [3, 0, 0]]))
    ([1, 0, 2], True)
    """
    excess = _excess(cost)
    order, parts = parts_by_wins(np.array([0, len(cost)]), (excess < 0).sum(axis=1))
    proven = True
    for start, stop in tangled(parts):
        part = order[start:stop]
        inside = excess[np.ix_(part, part)]
        exact = stop - start <= MOST_EXACT
        order[start:stop] = part[
            _by_subsets(inside) if exact else _by_moves(len(part), inside.__getitem__)
        ]
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
    """Cut blocks into parts, such that all items of a part are preferred before the next part.

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
    return items[in_order(part, items)], parts


def _by_subsets(excess: NDArray[Any]) -> list[int]:
    """Return the cheapest order, built up item by item over all subsets that may come first.

    `excess` [n, n] is of floats, or of integers of any size, which are added up exactly.
    """
    size = len(excess)
    subsets = np.arange(1 << size)
    members = (subsets[:, None] >> np.arange(size)) & 1 == 1
    # What it costs to put an item behind a subset: the subset's members stand before it.
    behind = members @ excess
    least = np.full(1 << size, np.inf, dtype=excess.dtype)
    least[0] = 0
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


def _by_moves(size: int, excess: Callable[[int], Floats | Longs]) -> Longs:
    """Return an order that moving no single item makes cheaper, from the source order on.

    `excess` returns for an item what it costs more in front of each other item than behind it.
    """
    order = np.arange(size)
    better = True
    while better:
        better = False
        for item in range(size):
            [place] = np.flatnonzero(order == item)
            rest = np.delete(order, place)
            # What is saved by standing behind so many of the rest.
            saved = np.append(0, np.cumsum(excess(item)[rest]))
            at = int(np.argmax(saved))
            if saved[at] > saved[place] + 1e-12:
                order, better = np.insert(rest, at, item), True
    return order
