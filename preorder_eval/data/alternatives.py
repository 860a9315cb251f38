"""Several reference orders for a sentence: of several translations, or of one that leaves it open.

A language may leave the order of some phrases open. Such *free blocks* are adjacent stretches of a
translation that may stand in any order among themselves; each such order gives the source an
alternative reference order. So does each further translation.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from preorder_eval.data.alignments import Alignments, Link, reference_orders
from preorder_eval.data.arrays import Bools, Floats, Longs, Offsets, described, offsets_of
from preorder_eval.data.orders import ReferenceOrder, ReferenceOrders

MOST = 120  # alternatives of a sentence
Stretch = tuple[int, int]  # the first and the last target position
Block = tuple[Stretch, ...]


@dataclass(frozen=True, eq=False)
class Alternatives:
    """The K reference orders of S sentences, each sentence with one or several.

    `references` are all of them, sentence by sentence, and `sentence` int64[K] says whose each is.

    >>> several = Alternatives.of([[[[0], [1]], [[1], [0]]], [[[0]]]])
    >>> several, several.first.tolist()
    (<Alternatives: 2 sentences, 3 orders>, [0, 2])
    """

    references: ReferenceOrders
    sentence: Longs

    @classmethod
    def of(cls, sentences: Iterable[Sequence[ReferenceOrder | list[list[int]]]]) -> Alternatives:
        """From the reference orders of every sentence, at least one each."""
        listed = [list(orders) for orders in sentences]
        counts = [len(orders) for orders in listed]
        return cls(
            ReferenceOrders.of(order for orders in listed for order in orders),
            np.repeat(np.arange(len(listed)), counts),
        )

    def __len__(self) -> int:
        return int(self.sentence[-1]) + 1 if len(self.sentence) else 0

    @cached_property
    def offsets(self) -> Offsets:
        """Where the tokens of each sentence start; int64[S + 1]."""
        return offsets_of(np.diff(self.references.offsets)[self.first].tolist())

    def __repr__(self) -> str:
        return described("Alternatives", sentence=len(self), order=len(self.sentence))

    @cached_property
    def first(self) -> Longs:
        """The number of the first order of every sentence; int64[S]."""
        return np.flatnonzero(np.diff(self.sentence, prepend=-1))

    @cached_property
    def counts(self) -> Longs:
        """How many orders each sentence has; int64[S]."""
        return np.diff(self.first, append=len(self.sentence))

    def numbered(self, orders: Longs) -> Longs:
        """The number of an order of every sentence among the orders of that sentence, from 1."""
        return orders - self.first + 1

    @cached_property
    def informative(self) -> Bools:
        """Which sentences have an order that is made of links; bool[S]."""
        return np.maximum.reduceat(self.references.informative, self.first)

    def best(self, scores: Floats) -> Longs:
        """The number of each sentence's order that scores highest, the first on a tie; int64[S].

        `scores` float64[K]; NaN, for an order without links, is never the best of several.

        >>> Alternatives.of([[[[0], [1]], [[1], [0]]]]).best(np.array([0.0, 1.0])).tolist()
        [1]
        """
        known = np.where(np.isnan(scores), -np.inf, scores)
        highest = np.maximum.reduceat(known, self.first)
        as_good = np.flatnonzero(known >= highest[self.sentence])
        return as_good[np.unique(self.sentence[as_good], return_index=True)[1]]

    def part(self, first: int, last: int) -> Alternatives:
        """The sentences from `first` up to `last`."""
        return self.take(np.arange(first, last))

    def take(self, sentences: Longs) -> Alternatives:
        """The orders of the sentences of these numbers, in that order."""
        orders = [range(self.first[s], self.first[s] + self.counts[s]) for s in sentences.tolist()]
        numbers = np.array([n for of_sentence in orders for n in of_sentence], dtype=np.int64)
        return Alternatives(
            self.references.take(numbers), np.repeat(np.arange(len(orders)), list(map(len, orders)))
        )


def alternatives(
    source_lengths: Sequence[int],
    translations: Sequence[tuple[Alignments, Sequence[Sequence[Block]]]],
) -> tuple[Alternatives, list[int]]:
    """The reference orders of every sentence from one or several translations.

    Parameters: the links of each translation (a sentence may have none but in the first), and its
    free blocks, sentence by sentence (an empty sequence where nothing is free). Returns the
    different orders, and the 1-based numbers of the sentences that were cut to 120.

    >>> links = Alignments.of([[(0, 0), (1, 1), (2, 2)]])
    >>> several, cut = alternatives([3], [(links, [[((0, 0), (1, 1))]])])
    >>> list(several.references), cut
    ([[[0], [1], [2]], [[1], [0], [2]]], [])
    """
    lists: list[list[Link]] = []
    sentence: list[int] = []
    cut = []
    for s in range(len(source_lengths)):
        variants: list[list[Link]] = []
        for number, (links, free) in enumerate(translations):
            if links[s] or number == 0:
                variants += free_orders(links[s], free[s] if len(free) else ())
        counts = [_count(free[s]) for _, free in translations if len(free)]
        if max([len(variants), *counts]) > MOST:
            cut.append(s + 1)
        lists += variants[:MOST]
        sentence += [s] * len(variants[:MOST])
    orders = reference_orders(Alignments.of(lists), [source_lengths[s] for s in sentence])
    # Where free phrases have no links, or a translation is in the order of another, orders agree.
    seen: set[tuple[int, bytes]] = set()
    different = []
    for number, s in enumerate(sentence):
        key = (s, orders.ranks[orders.offsets[number] : orders.offsets[number + 1]].tobytes())
        if key not in seen:
            seen.add(key)
            different.append(number)
    chosen = np.array(different, dtype=np.int64)
    return Alternatives(orders.take(chosen), np.array(sentence, dtype=np.int64)[chosen]), cut


def free_orders(links: Sequence[Link], blocks: Sequence[Block]) -> Iterable[list[Link]]:
    """The links of a sentence in every order that its free blocks allow, the given one first.

    Of more than 120 orders the first ones.

    >>> [links for links in free_orders([(0, 0), (1, 2)], [((0, 1), (2, 2))])]
    [[(0, 0), (1, 2)], [(0, 1), (1, 0)]]
    """
    ways = itertools.product(*(itertools.permutations(block) for block in blocks))
    for way in itertools.islice(ways, MOST):
        place: dict[int, int] = {}
        for block, stretches in zip(blocks, way, strict=True):
            start = block[0][0]
            for first, last in stretches:
                for position in range(first, last + 1):
                    place[position] = start
                    start += 1
        yield [(i, place.get(j, j)) for i, j in links]


def _count(blocks: Sequence[Block]) -> int:
    return math.prod(math.factorial(len(block)) for block in blocks)
