"""System orders and reference orders of a whole corpus as flat arrays.

A *system order* lists every source position once: `order[k]` is the source position that comes
out in place k. A *reference order* is a sequence of groups of source positions; a group of more
than one is a tie, and the order inside it is free. Both are kept as one number per token.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from preorder_eval.data.arrays import (
    Bools,
    Ints,
    Longs,
    Offsets,
    cut,
    described,
    gather,
    offsets_of,
    sums,
    within,
)
from preorder_eval.data.source_words import SourceWords
from preorder_eval.errors import PreorderEvalError


class ReferenceOrder(list[list[int]]):
    """One sentence's reference order: a list of groups of 0-based source positions.

    `aligned[i]` tells whether source position i has a link; a sentence without any carries no
    information and is left out of averages.

    >>> ReferenceOrder([[2], [0, 1]]).braces(["a", "b", "c"])
    'c {{ a b }}'
    """

    def __init__(self, groups: Iterable[Iterable[int]], aligned: Sequence[bool] | None = None):
        super().__init__([list(group) for group in groups])
        size = sum(map(len, self))
        self.aligned = [True] * size if aligned is None else list(aligned)
        if sorted(i for group in self for i in group) != list(range(size)):
            raise PreorderEvalError(f"groups {list(self)} do not hold each of 0 … {size - 1} once")

    def braces(self, words: Sequence[str]) -> str:
        """The words in reference order, ties in double braces (Talbot et al. 2011, Table 2)."""
        groups = [" ".join(words[i] for i in group) for group in self]
        return " ".join(
            f"{{{{ {text} }}}}" if len(group) > 1 else text
            for group, text in zip(self, groups, strict=True)
        )


@dataclass(frozen=True, eq=False)
class Orders:
    """The system orders of a corpus.

    `offsets` int64[S + 1]; `positions` int32[N], within the sentence.

    >>> orders = Orders.of([[1, 0], [0]])
    >>> orders, orders[0]
    (<Orders: 2 sentences, 3 tokens>, [1, 0])
    """

    offsets: Offsets
    positions: Ints

    def __repr__(self) -> str:
        return described("Orders", sentence=len(self), token=len(self.positions))

    @classmethod
    def of(cls, orders: Iterable[Sequence[int]]) -> Orders:
        """Flatten orders given as lists.

        Raises PreorderEvalError for one that is not a permutation.

        >>> Orders.of([[1, 0], [0]]).positions.tolist()
        [1, 0, 0]
        """
        listed = [list(order) for order in orders]
        for number, order in enumerate(listed, 1):
            defect = order_defect(order)
            if defect:
                raise PreorderEvalError(f"order {number}: {defect}")
        flat = np.array([i for order in listed for i in order], dtype=np.int32)
        return cls(offsets_of(map(len, listed)), flat)

    @classmethod
    def unchanged(cls, offsets: Offsets) -> Orders:
        """Every sentence in source order."""
        return cls(offsets, within(offsets).astype(np.int32))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, sentence: int) -> list[int]:
        if not 0 <= sentence < len(self):
            raise IndexError(f"sentence {sentence} of {len(self)}")
        order: list[int] = self.positions[slice(*self.offsets[sentence : sentence + 2])].tolist()
        return order

    def __iter__(self) -> Iterator[list[int]]:
        return (self[i] for i in range(len(self)))

    def part(self, first: int, last: int) -> Orders:
        """The sentences from `first` up to `last`."""
        offsets, tokens = cut(self.offsets, first, last)
        return Orders(offsets, self.positions[tokens])

    def take(self, sentences: Longs) -> Orders:
        """The sentences of these numbers, in that order, also more than once."""
        offsets, tokens = gather(self.offsets, sentences)
        return Orders(offsets, self.positions[tokens])

    @cached_property
    def places(self) -> Longs:
        """The place in its sentence in which every source token comes out; int64[N]."""
        places = np.empty(len(self.positions), dtype=np.int64)
        places[self.tokens] = within(self.offsets)
        return places

    @cached_property
    def tokens(self) -> Longs:
        """The flat index of the token that comes out in each place; int64[N]."""
        starts: Longs = np.repeat(self.offsets[:-1], np.diff(self.offsets))
        return starts + self.positions


@dataclass(frozen=True, eq=False)
class ReferenceOrders:
    """The reference orders of a corpus.

    `offsets` int64[S + 1]; `ranks` int32[N], for every source token the number of its group,
    counted from 0 in each sentence; `aligned` bool[N].

    >>> references = ReferenceOrders.of([[[2], [0, 1]]])
    >>> references, references[0]
    (<ReferenceOrders: 1 sentence, 3 tokens>, [[2], [0, 1]])
    """

    offsets: Offsets
    ranks: Ints
    aligned: Bools

    def __repr__(self) -> str:
        return described("ReferenceOrders", sentence=len(self), token=len(self.ranks))

    @classmethod
    def of(cls, references: Iterable[Sequence[Iterable[int]]]) -> ReferenceOrders:
        """Flatten reference orders given as lists of groups.

        >>> ReferenceOrders.of([[[2], [0, 1]]]).ranks.tolist()
        [1, 1, 0]
        """
        checked = [r if isinstance(r, ReferenceOrder) else ReferenceOrder(r) for r in references]
        offsets = offsets_of(len(r.aligned) for r in checked)
        ranks = np.empty(offsets[-1], dtype=np.int32)
        for start, reference in zip(offsets.tolist(), checked, strict=False):
            for rank, group in enumerate(reference):
                for i in group:
                    ranks[start + i] = rank
        return cls(offsets, ranks, np.array([a for r in checked for a in r.aligned], dtype=bool))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, sentence: int) -> ReferenceOrder:
        if not 0 <= sentence < len(self):
            raise IndexError(f"sentence {sentence} of {len(self)}")
        part = slice(self.offsets[sentence], self.offsets[sentence + 1])
        groups: list[list[int]] = []
        for i in np.argsort(self.ranks[part], kind="stable").tolist():
            if len(groups) <= self.ranks[part][i]:
                groups.append([])
            groups[-1].append(i)
        return ReferenceOrder(groups, self.aligned[part].tolist())

    def __iter__(self) -> Iterator[ReferenceOrder]:
        return (self[i] for i in range(len(self)))

    def part(self, first: int, last: int) -> ReferenceOrders:
        """The sentences from `first` up to `last`."""
        offsets, tokens = cut(self.offsets, first, last)
        return ReferenceOrders(offsets, self.ranks[tokens], self.aligned[tokens])

    def take(self, sentences: Longs) -> ReferenceOrders:
        """The sentences of these numbers, in that order, also more than once."""
        offsets, tokens = gather(self.offsets, sentences)
        return ReferenceOrders(offsets, self.ranks[tokens], self.aligned[tokens])

    @cached_property
    def informative(self) -> Bools:
        """Which sentences have a link at all; bool[S]."""
        return sums(self.aligned, self.offsets) > 0


def order_defect(order: Sequence[int]) -> str | None:
    """What keeps a list from being a permutation of 0 … n - 1, or None.

    >>> order_defect([0, 2, 2])
    'not a permutation of 0 … 2: 1 is missing, 2 stands twice'
    """
    counts = [0] * len(order)
    faults = []
    for i in order:
        if 0 <= i < len(order):
            counts[i] += 1
        else:
            faults.append(f"{i} is out of range")
    faults += [f"{i} is missing" for i, count in enumerate(counts) if count == 0]
    faults += [f"{i} stands twice" for i, count in enumerate(counts) if count > 1]
    if not faults:
        return None
    return f"not a permutation of 0 … {len(order) - 1}: " + ", ".join(faults[:4])


def aligned_only(
    orders: Orders, references: ReferenceOrders, words: SourceWords | None
) -> tuple[Orders, ReferenceOrders, SourceWords | None]:
    """Leave unaligned source tokens out of orders, references and words."""
    keep = references.aligned
    offsets = np.concatenate([[0], np.cumsum(sums(keep, references.offsets))])
    starts = references.offsets[:-1]

    new_index = np.cumsum(keep) - 1
    kept_tokens = orders.tokens[keep[orders.tokens]]
    lengths = np.diff(offsets)
    positions = new_index[kept_tokens] - np.repeat(offsets[:-1], lengths)

    # Ranks stay adjacent: number the groups that still have a member.
    slot = references.ranks + np.repeat(starts, np.diff(references.offsets))
    alive = np.zeros(len(keep) + 1, dtype=np.int64)
    alive[slot[keep] + 1] = 1
    before = np.cumsum(alive)
    ranks = (before[slot] - before[np.repeat(starts, np.diff(references.offsets))])[keep]

    fewer = ReferenceOrders(offsets, ranks.astype(np.int32), np.ones(len(ranks), dtype=bool))
    if words is not None:
        words = SourceWords.of_column(offsets, words.words.take(keep))
    return Orders(offsets, positions.astype(np.int32)), fewer, words
