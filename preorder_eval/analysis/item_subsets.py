"""The items of a block put together so that the most joints between them are kept.

All that matters of how an item is arranged inside is its *ends*, the classes of its first and of
its last word, and how many joints it breaks; of an end that nothing outside can be joined to, not
even the class. The items are put together by dynamic programming over their subsets (Held & Karp
1962), with the ends of what stands there so far.

An end can win one joint at most. So of two ways to arrange an item that differ in one end, only
the one that breaks less is kept, and of those that differ in both, none that breaks two more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from preorder_eval.data.arrays import Bools, Ints

NO_JOINT = -1  # the class of an end that nothing outside can be joined to
Ends = tuple[int, int]  # the class of the first word, and that of the last
Ways = dict[Ends, int]  # the ends that an item can have, and how many joints that breaks
_NEVER = 1 << 20


class Subsets:
    """The best arrangements of all subsets of some items.

    Parameters: the `ways` of every item; `joins[a, b]` bool[classes, classes] whether the joint of
    a last word of class a and a first one of class b is kept; `opens` and `closes` bool[classes]
    which first words something before all the items could be joined to, and which last words
    something behind them.

    >>> joins = np.array([[False, True], [False, False]])
    >>> items = Subsets([{(1, 1): 0}, {(0, 0): 0}], joins, np.zeros(2, bool), np.zeros(2, bool))
    >>> items.ways, items.arrangement((NO_JOINT, NO_JOINT))
    ({(-1, -1): 0}, [(1, (0, 0)), (0, (1, 1))])
    """

    def __init__(self, ways: Sequence[Ways], joins: Bools, opens: Bools, closes: Bools) -> None:
        self._closes = closes
        self._opens = opens
        self._firsts = sorted({self._opening(first) for of in ways for first, _ in of})
        self._lasts = sorted({last for of in ways for _, last in of})
        self._items = [_Item(of, self._lasts, joins) for of in ways]
        self._least = self._combined()
        self.ways = self._pruned()

    def _opening(self, first: int) -> int:
        return first if first != NO_JOINT and self._opens[first] else NO_JOINT

    def _closing(self, last: int) -> int:
        return last if last != NO_JOINT and self._closes[last] else NO_JOINT

    def _combined(self) -> Ints:
        """What each subset breaks at least, by its ends; int32[2^items, firsts, lasts]."""
        count = len(self._items)
        shape = (1 << count, len(self._firsts), len(self._lasts))
        least = np.full(shape, _NEVER, dtype=np.int32)
        for number, item in enumerate(self._items):
            for (first, last), broken in item.ways.items():
                at = 1 << number, self._firsts.index(self._opening(first)), self._lasts.index(last)
                least[at] = min(least[at], broken)
        subsets = np.arange(1 << count)
        sizes = np.bitwise_count(subsets)
        for size in range(1, count):
            layer = subsets[sizes == size]
            for number, item in enumerate(self._items):
                before = layer[layer >> number & 1 == 0]
                after = np.ix_(before | 1 << number, range(len(self._firsts)), item.lasts)
                least[after] = np.minimum(least[after], item.behind(least[before]))
        return least

    def _pruned(self) -> Ways:
        """The ways to arrange all the items that some surroundings may need."""
        broken: Ways = {}
        for f, first in enumerate(self._firsts):
            for at, last in enumerate(self._lasts):
                ends = first, self._closing(last)
                value = int(self._least[-1, f, at])
                broken[ends] = min(broken.get(ends, _NEVER), value)
        return pruned(broken)

    def arrangement(self, ends: Ends) -> list[tuple[int, Ends]]:
        """The items in order, each with its own ends, for one of the `ways`."""
        first = self._firsts.index(ends[0])
        left = len(self._least) - 1
        total = self.ways[ends]
        [last, *_] = [
            at
            for at, last in enumerate(self._lasts)
            if self._closing(last) == ends[1] and self._least[left, first, at] == total
        ]
        backwards = []
        while left:
            number, own, last_before = self._step(left, first, last)
            backwards.append((number, (own, self._lasts[last])))
            left ^= 1 << number
            last = last_before
        return backwards[::-1]

    def _step(self, subset: int, first: int, last: int) -> tuple[int, int, int]:
        """The item that comes last in a subset, its first word, and the last one before it.

        Of several that break as few, the one that comes last in the source.
        """
        total = self._least[subset, first, last]
        for number in reversed(range(len(self._items))):
            rest = subset ^ 1 << number
            if rest > subset:
                continue
            for (own, own_last), broken in self._items[number].ways.items():
                if own_last != self._lasts[last]:
                    continue
                if rest == 0:
                    if self._opening(own) == self._firsts[first] and broken == total:
                        return number, own, 0
                    continue
                before = self._least[rest, first]
                breaks = before + broken + ~self._items[number].joined(own)
                if breaks.min() == total:
                    return number, own, int(breaks.argmin())
        raise AssertionError("what was combined can be taken apart")


class _Item:
    """One of the items, in arrays for appending it to what stands there so far."""

    def __init__(self, ways: Ways, all_lasts: list[int], joins: Bools) -> None:
        self.ways = ways
        self._firsts = sorted({first for first, _ in ways})
        lasts = sorted({last for _, last in ways})
        self.lasts = [all_lasts.index(last) for last in lasts]
        self._broken = np.full((len(self._firsts), len(lasts)), _NEVER, dtype=np.int32)
        for (first, last), broken in ways.items():
            self._broken[self._firsts.index(first), lasts.index(last)] = broken
        known = np.array(all_lasts)
        self._joined = [
            (known != NO_JOINT) & joins[known, first] & (first != NO_JOINT)
            for first in self._firsts
        ]

    def joined(self, first: int) -> Bools:
        """Which of all last words the first one can follow with the joint kept."""
        joined: Bools = self._joined[self._firsts.index(first)]
        return joined

    def behind(self, least: Ints) -> Ints:
        """What breaks with the item appended; int32[subsets, firsts, own lasts]."""
        any_before = least.min(axis=2) + 1
        before = np.stack(
            [
                np.minimum(any_before, least[:, :, joined].min(axis=2, initial=_NEVER))
                for joined in self._joined
            ],
            axis=2,
        )
        both: Ints = (before[:, :, :, None] + self._broken).min(axis=2)
        return both


def pruned(ways: Ways) -> Ways:
    """Without the ways that others are as good as in all surroundings.

    >>> pruned({(1, 2): 0, (1, 3): 1, (4, 3): 1, (NO_JOINT, 2): 0, (5, 6): 2})
    {(1, 2): 0, (4, 3): 1}
    """
    least = min(ways.values())
    of_first: dict[int, int] = {}
    of_last: dict[int, int] = {}
    for (first, last), broken in ways.items():
        of_first[first] = min(of_first.get(first, broken), broken)
        of_last[last] = min(of_last.get(last, broken), broken)
    kept = {
        ends: broken
        for ends, broken in ways.items()
        if broken <= least + 1 and broken == of_first[ends[0]] == of_last[ends[1]]
    }
    return {
        (first, last): broken
        for (first, last), broken in kept.items()
        if not any(
            (first, last) != outer
            and other == broken
            and first in (outer[0], NO_JOINT)
            and last in (outer[1], NO_JOINT)
            for outer, other in kept.items()
        )
    }


def bound(ways: Sequence[Ways], joins: Bools, opens: Bools, closes: Bools) -> Ways:
    """What no arrangement of all the items can beat, where there are too many for `Subsets`.

    Every item is arranged as well as it can be by itself, and as many are joined as can be if each
    is joined to one behind it and one before it.

    >>> joins = np.array([[False, True], [False, False]])
    >>> bound([{(1, 1): 0}, {(0, 0): 0}], joins, np.zeros(2, bool), np.zeros(2, bool))
    {(-1, -1): 0}
    """
    firsts = [sorted({first for first, _ in of} - {NO_JOINT}) for of in ways]
    lasts = [sorted({last for _, last in of} - {NO_JOINT}) for of in ways]
    possible = np.array(
        [[bool(joins[np.ix_(one, other)].any()) for other in firsts] for one in lasts]
    )
    np.fill_diagonal(possible, False)
    joined = int((maximum_bipartite_matching(csr_array(possible)) >= 0).sum())
    broken = sum(min(of.values()) for of in ways) + len(ways) - 1 - joined
    outer_firsts = {first for of in firsts for first in of if opens[first]} or {NO_JOINT}
    outer_lasts = {last for of in lasts for last in of if closes[last]} or {NO_JOINT}
    return {(first, last): broken for first in sorted(outer_firsts) for last in sorted(outer_lasts)}
