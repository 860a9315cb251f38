"""Lay out heads and children by rules of pairs.

Of all pairs that fit two items, the first decides which item comes first. If no pair fits, the two
keep their order before: that of the rule of slots that fits their head, or of the source. Such
preferences may form a circle. Then the best order violates the fewest preferences that a pair
decides; among these orders, it violates the fewest other preferences; then it turns the fewest
pairs of items round. Of orders that are still equally good, one wins that keeps the items in source
order that the pair decides which comes first in the file; then one in which as many children as
possible stay on their side of the head; then the one whose last item stood first among the items
that could be last, and so on from the end. Other items of the head make no difference. Only the
patterns that an item fits matter: these are its kind.

This is a linear ordering problem (`linear_ordering`). If more than a dozen items are in one circle,
single items are moved until no further move makes the order better by these criteria; another order
may be better. Among thousands of items in one circle each is moved a few times only, so that the
time stays bounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.arrays import (
    Bools,
    Bytes,
    Longs,
    blocks,
    first_of_equals,
    gather,
    offsets_of,
    sums,
)
from preorder_eval.rules.circles import shortest_way
from preorder_eval.rules.linear_ordering import MOST_EXACT, by_moves, by_subsets, parts_by_wins

Signs = NDArray[np.int16]
_MOST = 1 << 18  # pairs of items that are decided together
_FEW = 32  # kinds, for which it takes longer to look for equal ones than to keep all
_CASES = 1 << 15  # pairs of kinds that are decided together
_LARGE = 256  # numbers for each that is looked up, for which a table takes longer than a search
_UNDECIDED = np.iinfo(np.int16).max  # a number above those of all pairs
LeftOut = Mapping[int, Sequence[int]]  # the numbers of pairs, counted from 1, of some chains
_NONE: LeftOut = MappingProxyType({})
_BIT = np.packbits(np.eye(8, dtype=bool))
_HIGHEST = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).argmax(axis=1)  # of bytes
Numbered = tuple[int, int, str]  # a pair: the numbers of its patterns, and its order


class PairOrder:
    """How rules of pairs order the items of blocks, a block being a head and its children.

    Items are numbered as they stand before; `bounds` int64[B + 1] are where the blocks begin, and
    `is_head` bool[M] is true for the heads. `kind` int64[M] is the kind of each item, and `fits`
    bool[kinds, patterns] which patterns the items of a kind fit. `chain` int64[B] is the number of
    the chain that lays out each block. Each of the `chains` lists pairs by priority, each with the
    numbers of its two patterns and its order.
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
        self._bounds, self._is_head, self._chain = bounds, is_head, chain
        # From here on a kind is that of the items of one chain that fit the same patterns of it.
        by_chain = np.repeat(chain, np.diff(bounds)) * len(fits) + kind
        of_chain, kind = numbered(by_chain, len(chains) * len(fits))
        begins = np.searchsorted(of_chain, np.arange(len(chains) + 1) * len(fits))
        made = [
            _Chain.of(pairs, fits[of_chain[begin:end] - number * len(fits)])
            for number, (pairs, begin, end) in enumerate(
                zip(chains, begins[:-1], begins[1:], strict=True)
            )
        ]
        self._chains = [of for of, _ in made]
        self._begins = offsets_of(len(of.first) for of in self._chains)
        same = [begin + number for begin, (_, number) in zip(self._begins, made, strict=False)]
        self._kind = np.concatenate([np.zeros(0, dtype=np.int64), *same])[kind]
        behind = _behind(bounds)
        self._first = offsets_of(behind)  # of the twos in which an item stands in front
        self._turn = np.empty(self._first[-1], dtype=np.int16)
        self._wins = behind
        for first, last in blocks(self._first, _MOST):
            one, other = two_of_each(bounds, first, last)
            turn = self._turn[self._first[first] : self._first[last]]
            turn[:] = self._decide(one, other)
            turned = np.flatnonzero(turn > 0)
            self._wins = _with_turned(self._wins, one[turned], other[turned])

    @cached_property
    def items(self) -> Longs:
        """The items as they come out; int64[M]."""
        return _laid_out(self._bounds, self._is_head, self._turn, self._wins)

    def without(self, left_out: LeftOut) -> PairOrder:
        """Return the order without some pairs of some chains, by the number of the chain.

        Pairs are counted from 1. Only blocks in which one of them decides are laid out anew.
        """
        most = max((len(chain.reverse) for chain in self._chains), default=0)
        out = np.zeros((len(self._chains), most + 1), dtype=bool)
        for chain, numbers in left_out.items():
            out[chain, numbers] = True
        by, anywhere = np.abs(self._turn), np.asarray(out.any(axis=0))
        twos = np.flatnonzero(anywhere[by])
        one = np.searchsorted(self._first, twos, "right") - 1
        block = np.searchsorted(self._bounds, one, "right") - 1
        here = out[self._chain[block], by[twos]]
        twos, one, block = twos[here], one[here], block[here]
        block = block[first_of_equals(block)]
        fewer, turn, items = copy(self), self._turn.copy(), self.items.copy()
        other = twos - self._first[one] + one + 1
        turn[twos] = self._decide(one, other, left_out)
        # As if they had been turned the other way round before, where they were.
        wins, before, now = self._wins, self._turn[twos] > 0, turn[twos] > 0
        wins = _with_turned(wins, other[before], one[before])
        wins = _with_turned(wins, one[now], other[now])
        bounds, at = gather(self._bounds, block)
        _, inside = gather(self._first[self._bounds], block)
        items[at] = at[_laid_out(bounds, self._is_head[at], turn[inside], wins[at])]
        vars(fewer).update(_turn=turn, _wins=wins, items=items)
        return fewer

    def circles(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each circle that pairs make: the number of its chain, and those of its pairs.

        The first pair, counted from 1, is given up for two items, the others stand against it.
        """
        place = np.argsort(self.items)
        for at in self._given_up(place):
            start, stop = self._bounds[at : at + 2]
            one, other = two_of_each(np.array([0, stop - start]))
            turn = self._turn[slice(*self._first[[start, stop]])]
            front, behind = np.where(turn > 0, (other, one), (one, other))
            kept = (place[start:stop][front] < place[start:stop][behind]) | (turn == 0)
            decide = np.flatnonzero(turn)
            steps = zip(front[decide].tolist(), behind[decide].tolist(), strict=True)
            pair_of = dict(zip(steps, np.abs(turn[decide]).tolist(), strict=True))
            preferred = defaultdict[int, list[int]](list)
            for first, second in pair_of:
                preferred[first].append(second)
            for n in np.flatnonzero(~kept).tolist():
                way = shortest_way(preferred, int(behind[n]), int(front[n]))
                if way:  # none in a rough order of many items
                    yield int(self._chain[at]), [abs(int(turn[n])), *(pair_of[s] for s in way)]

    def _given_up(self, place: Longs) -> list[int]:
        """List the blocks in which two items do not stand as the pair that decides wants."""
        found = set[int]()
        for first, last in blocks(self._first, _MOST):
            one, other = two_of_each(self._bounds, first, last)
            turn = self._turn[slice(*self._first[[first, last]])]
            given_up = (turn != 0) & ((place[one] < place[other]) != (turn < 0))
            found.update((np.searchsorted(self._bounds, one[given_up], "right") - 1).tolist())
        return sorted(found)

    def _decide(self, one: Longs, other: Longs, left_out: LeftOut = _NONE) -> Signs:
        """Return for every two items the number of the pair that decides, and its sign.

        Numbers are counted from 1; a number below 0 is of a pair that keeps the items as they
        stand, and 0 is where none decides. `left_out` is as for `without`. The deciding pair is
        looked up once for each two kinds of items.
        """
        many = np.diff(self._begins)
        rows = offsets_of(np.repeat(many, many))  # the cases in which a kind stands in front
        before = rows[:-1] - np.repeat(self._begins[:-1], many)
        case = before[self._kind[one]] + self._kind[other]
        cases = _distinct(case, int(rows[-1]))
        front = np.searchsorted(rows, cases, "right") - 1
        behind = cases - before[front]
        decided = np.zeros(len(cases), dtype=np.int16)
        ends = np.searchsorted(front, self._begins).tolist()
        for number, (chain, begin) in enumerate(zip(self._chains, self._begins, strict=False)):
            for start in range(ends[number], ends[number + 1], _CASES):
                at = slice(start, min(start + _CASES, ends[number + 1]))
                two = front[at] - begin, behind[at] - begin
                decided[at] = chain.decides(*two, left_out.get(number, ()))
        if rows[-1] > _LARGE * len(cases):
            return decided[np.searchsorted(cases, case)]
        of_case = np.empty(rows[-1], dtype=np.int16)
        of_case[cases] = decided
        return of_case[case]


@dataclass(frozen=True)
class _Chain:
    """Pairs in order of priority: the first pair that fits two items decides their order.

    `first` and `second` uint8[kinds, bytes] have one bit for each pair, the highest first: whether
    a kind of items fits its pattern. `by_place` uint8[bytes] marks the pairs that keep or reverse
    the order of two items, `reverse` bool[pairs] those that reverse it.
    """

    first: Bytes
    second: Bytes
    by_place: Bytes
    reverse: Bools

    @classmethod
    def of(cls, pairs: Sequence[Numbered], fits: Bools) -> tuple[_Chain, Longs]:
        """Return a chain, and the kind in it of each kind of `fits`."""
        first, second, order = map(np.array, zip(*pairs, strict=True))
        one, other = (np.packbits(fits[:, side], axis=1) for side in (first, second))
        here = which = np.arange(len(fits))
        if len(fits) > _FEW:
            here, which = _different(np.hstack([one, other]))
        by_place, reverse = np.packbits(order != "first"), order == "reverse"
        return cls(one[here], other[here], by_place, reverse), which

    def decides(self, one: Longs, other: Longs, left_out: Sequence[int]) -> Signs:
        """Return the pair that decides for every two kinds, the first in front; see `_decide`."""
        keep = self.first[one] & self.second[other]
        turned = self.first[other] & self.second[one]
        decides = (keep ^ turned) | (keep & self.by_place)
        if left_out:
            stays = np.ones(8 * decides.shape[1], dtype=bool)
            stays[np.array(left_out) - 1] = False
            decides &= np.packbits(stays)
        byte, rows = (decides != 0).argmax(axis=1), np.arange(len(one))
        bits = decides[rows, byte]
        place = _HIGHEST[bits]
        by = np.minimum(byte * 8 + place, len(self.reverse) - 1)
        by_place = self.by_place[byte] & _BIT[place] != 0
        turns = np.where(by_place, self.reverse[by], turned[rows, byte] & _BIT[place] != 0)
        return np.where(bits != 0, np.where(turns, by + 1, -by - 1), 0).astype(np.int16)


def kinds(kind: Longs, fits: Bools, fitting: Iterable[tuple[int, Longs]]) -> tuple[Longs, Bools]:
    """Divide kinds of items by further patterns; return the new kinds, and what these fit.

    `kind` int64[M] has the kind of each item, `fits` bool[kinds, patterns] which patterns each kind
    fits; `fitting` yields the number of each further pattern with the items that fit it.
    """
    kind, many = kind.copy(), len(fits)
    # Each kind that is new here is an earlier one that fits one more pattern.
    earlier, pattern = [np.arange(many)], [np.zeros(many, dtype=np.int64)]
    for number, items in fitting:
        if not len(items):
            continue
        before = kind[items]
        there = np.zeros(many, dtype=bool)
        there[before] = True
        old = np.flatnonzero(there)
        renamed = np.empty(many, dtype=np.int64)
        renamed[old] = np.arange(many, many + len(old))
        kind[items] = renamed[before]
        earlier.append(old)
        pattern.append(np.full(len(old), number))
        many += len(old)
    used, kind = numbered(kind, many)
    earlier_of, pattern_of = np.concatenate(earlier), np.concatenate(pattern)
    fits_of = np.zeros((len(used), fits.shape[1]), dtype=bool)
    rows = np.flatnonzero(used >= len(fits))
    at = used.copy()
    while len(rows):
        fits_of[rows, pattern_of[at[rows]]] = True
        at[rows] = earlier_of[at[rows]]
        rows = rows[at[rows] >= len(fits)]
    return kind, fits_of | fits[at]


def numbered(codes: Longs, size: int) -> tuple[Longs, Longs]:
    """Return the distinct codes, sorted, and the index of each code among them.

    All codes are below `size`.
    """
    different = _distinct(codes, size)
    if size > _LARGE * len(different):
        return different, np.searchsorted(different, codes)
    number = np.empty(size, dtype=np.int64)
    number[different] = np.arange(len(different))
    return different, number[codes]


def _distinct(codes: Longs, size: int) -> Longs:
    """Return the distinct codes, sorted; all are below `size`."""
    if size > 16 * max(len(codes), 1 << 16):
        return np.unique(codes)
    there = np.zeros(size, dtype=bool)
    there[codes] = True
    return np.flatnonzero(there)


def _different(rows: Bytes | NDArray[np.int8]) -> tuple[Longs, Longs]:
    """Return where each different row first stands, and for every row which of these it is."""
    as_one = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}").ravel()
    _, here, which = np.unique(as_one, return_index=True, return_inverse=True)
    return here, which


def _behind(bounds: Longs) -> Longs:
    """Count the items behind each item in its block."""
    return np.repeat(bounds[1:], np.diff(bounds)) - np.arange(bounds[-1]) - 1


def two_of_each(bounds: Longs, first: int = 0, last: int | None = None) -> tuple[Longs, Longs]:
    """Return every two items of each block, by number; `bounds` are where the blocks begin.

    With `first` and `last`, only those pairs are returned whose first item is in that range.

    >>> one, other = two_of_each(np.array([0, 2, 5]))
    >>> one.tolist(), other.tolist()
    ([0, 2, 2, 3], [1, 3, 4, 4])
    """
    behind = _behind(bounds)[first:last]
    one = np.repeat(np.arange(first, first + len(behind)), behind)
    other = one - np.repeat(np.cumsum(behind) - behind, behind)
    other += np.arange(1, len(one) + 1)
    return one, other


def _with_turned(wins: Longs, one: Longs, other: Longs) -> Longs:
    """Return how many items each is preferred before, where `one` lose to `other` what they won."""
    size = len(wins)
    return wins - np.bincount(one, minlength=size) + np.bincount(other, minlength=size)


def _laid_out(bounds: Longs, is_head: Bools, turn: Signs, wins: Longs) -> Longs:
    """Return the items of blocks in the order that violates the fewest preferences.

    `turn` has for every two items the number of the pair that decides, as `PairOrder._decide`;
    `wins` is for each item the number of those before which it is preferred.
    """
    behind = _behind(bounds)
    first, items = offsets_of(behind), np.arange(len(wins))
    # The other blocks stand as they are. Without a circle each number of wins occurs once.
    of_moved, moved = gather(bounds, np.flatnonzero(sums(wins != behind, bounds)))
    ends = np.repeat(of_moved[1:], np.diff(of_moved))
    by_wins = np.full(len(moved), -1)
    by_wins[ends - 1 - wins[moved]] = moved
    items[moved] = by_wins
    in_circle = np.flatnonzero(sums(by_wins < 0, of_moved))
    bounds, at = gather(of_moved, in_circle)
    moved = moved[at]
    order, parts = parts_by_wins(bounds, wins[moved])
    order, sizes = moved[order], np.diff(parts)
    for size in sorted({*sizes[sizes > 1].tolist()}):
        places = parts[:-1][sizes == size, None] + np.arange(size)
        if size > MOST_EXACT:
            for part in places:
                best = _untangled_roughly(order[part], first, turn, is_head)
                order[part] = order[part][best]
            continue
        here, (upper, lower) = order[places], np.triu_indices(size, 1)
        one, other = here[:, upper], here[:, lower]
        signs = _preferences(turn[first[one] + other - one - 1], is_head[one] | is_head[other])
        order[places] = np.take_along_axis(here, _untangled(size, signs), axis=1)
    items[moved] = order
    return items


def _preferences(turn: Signs, of_head: Bools) -> NDArray[np.int8]:
    """Return the preference for each two items of a row, in the same codes for equivalent circles.

    It is 1 where the first of the row's pairs turns them round, 2 where another does, and negative
    where these keep them. It is 3 for the head and a child that no pair decides, and 0 for others.
    """
    number = np.abs(turn)
    first = np.where(number, number, _UNDECIDED).min(axis=1, keepdims=True)
    decided = np.sign(turn) * np.where(number == first, 1, 2)
    counts: NDArray[np.int8] = np.where((number == 0) & of_head, 3, decided).astype(np.int8)
    return counts


def _untangled(size: int, preferences: NDArray[np.int8]) -> Longs:
    """Return the best orders of so many items each, whose preferences form circles.

    `preferences` has rows of `_preferences`. One integer holds all penalties of an order, the most
    important in the highest digits: pairs given up; other items turned round; all items turned
    round; one bit for every two items of the first pair, whether they are turned round; and last,
    how many children change their side of the head undecided.
    """
    here, which = _different(preferences)
    numbers = preferences[here]
    many = numbers.shape[1] + 1  # more than there are of anything that is counted
    by_first = np.abs(numbers) == 1
    place = by_first.sum(axis=1, keepdims=True) - by_first.cumsum(axis=1)
    bits = int(by_first.sum(axis=1).max())
    exact = np.int64 if bits + 4 * many.bit_length() < 63 else object
    undecided = (numbers == 0) | (numbers == 3)
    against = (
        np.where(undecided, many, np.where(numbers > 0, -(many**2), many**2)).astype(exact) + 1
    )
    against = (against << bits) + (by_first.astype(exact) << place.astype(exact))
    against = against * many + (numbers == 3)
    upper, lower = np.triu_indices(size, 1)
    excess = np.zeros((len(numbers), size, size), dtype=exact)
    excess[:, lower, upper], excess[:, upper, lower] = against, -against
    return by_subsets(excess)[which]


def _untangled_roughly(items: Longs, first: Longs, turn: Signs, is_head: Bools) -> Longs:
    """Return an order of many items of a block that no move of one item makes better.

    Orders are compared as `_untangled` compares them.
    """
    size, of_head = len(items), is_head[items]
    begins = first[items] - items - 1  # of the pairs of each item, less the number of the other

    def turns(item: int) -> Signs:
        """Return what decides between an item and each other, and 0 for itself."""
        in_front = turn[begins[:item] + items[item]]
        behind = turn[begins[item] + items[item + 1 :]]
        return np.concatenate([in_front, [0], behind])

    numbers = (np.abs(turns(item)[item + 1 :]) for item in range(size - 1))
    number = min(int(each[each > 0].min(initial=_UNDECIDED)) for each in numbers)
    many = 2 * size  # more than sums of what is counted can differ

    def moved(item: int, rest: Longs, place: int) -> int:
        of_item = turns(item)
        against = np.where(of_item == 0, many, -(many**2) * np.sign(of_item, dtype=np.int64)) + 1
        against[item:] *= -1
        saved = np.empty(size, dtype=np.int64)  # by standing behind so many of the rest
        saved[0] = 0
        against[rest].cumsum(out=saved[1:])
        ties = np.flatnonzero(saved == saved.max()).tolist()
        if len(ties) == 1:
            return int(ties[0])
        turned, source = of_item[rest], np.where(rest < item, 1, -1)
        beside_head = (turned == 0) & (of_head[rest] | of_head[item])
        kept_side = np.append(0, np.cumsum(beside_head * source))
        # Two items of the first pair count more, the further in front the first of them stands.
        by_first = np.where(np.abs(turned) == number, np.minimum(rest, item) * size, size * size)
        by_first += np.maximum(rest, item)

        def behind_is_better(front: int, behind: int) -> bool:
            least = front + int(by_first[front:behind].argmin())
            if by_first[least] < size * size:
                return bool(source[least] > 0)
            return bool(kept_side[behind] > kept_side[front])

        best = place if place in ties else ties[0]
        for at in ties:
            if at != best and (at > best) == behind_is_better(*sorted((at, best))):
                best = at
        return best

    return by_moves(size, moved)
