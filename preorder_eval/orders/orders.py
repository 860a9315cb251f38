"""System orders, reference orders and source words of a whole corpus as flat arrays.

A *system order* lists every source position once: `order[k]` is the source position that comes out
in place k. A *reference order* is a sequence of groups of source positions. A group of more than
one is a tie: the order inside it is free. Both are kept as one number per token. A sentence may
have several reference orders (`Alternatives`).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index

import numpy as np

from preorder_eval.base.arrays import (
    Bools,
    Floats,
    Ints,
    Longs,
    Offsets,
    blocks,
    cut,
    described,
    first_of_equals,
    gather,
    in_order,
    offsets_of,
    sums,
    within,
)
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.ragged import NameColumn, Ragged, Sentences


class ReferenceOrder(list[list[int]]):
    """One sentence's reference order: a list of groups of 0-based source positions.

    `aligned[i]` is whether source position i has a link; a sentence without any carries no
    information and is left out of averages. Raises PreorderEvalError unless the groups hold each
    position once.

    >>> ReferenceOrder([[2], [0, 1]]).braces(["a", "b", "c"])
    'c {{ a b }}'
    """

    def __init__(self, groups: Iterable[Iterable[int]], aligned: Sequence[bool] | None = None):
        super().__init__([list(group) for group in groups])
        size = sum(map(len, self))
        self.aligned = [True] * size if aligned is None else list(aligned)
        if sorted(i for group in self for i in group) != list(range(size)):
            raise PreorderEvalError(
                f"groups {list(self)} do not contain each of 0 … {size - 1} once"
            )

    def braces(self, words: Sequence[str]) -> str:
        """Return the words in reference order, ties in double braces (Talbot et al., Table 2)."""
        groups = ((group, " ".join(words[i] for i in group)) for group in self)
        return " ".join(f"{{{{ {text} }}}}" if len(group) > 1 else text for group, text in groups)


@dataclass(frozen=True, eq=False, repr=False)
class Orders(Ragged[list[int]]):
    """The system orders of a corpus.

    `positions` int32[N], within the sentence.

    >>> import preorder_eval as pe
    >>> orders = pe.Orders.of([[1, 0], [0]])
    >>> orders, orders[0]
    (<Orders: 2 sentences, 3 tokens>, [1, 0])
    """

    positions: Ints

    @classmethod
    def of(cls, orders: Iterable[Sequence[int]]) -> Orders:
        """Flatten orders given as lists; PreorderEvalError for one that is no permutation."""
        try:
            listed = [[index(i) for i in order] for order in orders]
        except TypeError as error:
            hint = "give a list of positions, from 0, for each sentence, as in [[1, 0], [0]]"
            raise PreorderEvalError(f"these are not orders: {error}; {hint}") from error
        for number, order in enumerate(listed, 1):
            defect = order_defect(order)
            if defect:
                raise PreorderEvalError(f"order {number}: {defect}")
        flat = np.array([i for order in listed for i in order], dtype=np.int32)
        return cls(offsets_of(map(len, listed)), flat)

    @classmethod
    def unchanged(cls, offsets: Offsets) -> Orders:
        """Keep every sentence in source order."""
        return cls(offsets, within(offsets).astype(np.int32))

    def _sentence(self, sentence: int) -> list[int]:
        order: list[int] = self.positions[self.span(sentence)].tolist()
        return order

    @cached_property
    def places(self) -> Longs:
        """The place in its sentence in which every source token comes out; int64[N]."""
        places = np.empty(len(self.positions), dtype=np.int64)
        places[self.tokens] = within(self.offsets)
        return places

    @cached_property
    def tokens(self) -> Longs:
        """The flat index of the token that comes out in each place; int64[N]."""
        starts: Longs = np.repeat(self.offsets[:-1], self.lengths)
        return starts + self.positions


def order_defect(order: Sequence[int]) -> str | None:
    """Return the reason why a list is no permutation of 0 … n - 1, or None.

    >>> order_defect([0, 2, 2])
    'not a permutation of 0 … 2: 1 is missing, 2 occurs twice'
    """
    counts = Counter(order)
    size = len(order)
    faults = [f"{i} is out of range" for i in order if not 0 <= i < size]
    faults += [f"{i} is missing" for i in range(size) if not counts[i]]
    faults += [f"{i} occurs twice" for i in range(size) if counts[i] > 1]
    return f"not a permutation of 0 … {size - 1}: {', '.join(faults[:4])}" if faults else None


def distinct_orders(orders: Orders, group: Longs) -> tuple[Longs, Longs]:
    """Find the different orders within each group.

    Parameters: `group` int64[P] has for each order the number of its group, and never falls.
    Returns the number of the first order of each kind, int64[D], and for each of the P orders the
    number of its kind, int64[P].

    >>> kinds, of_order = distinct_orders(Orders.of([[0, 1], [1, 0], [0, 1]]), np.array([0, 0, 0]))
    >>> kinds.tolist(), of_order.tolist()
    ([0, 1], [0, 1, 0])
    """
    known: dict[tuple[int, bytes], int] = {}
    kinds: list[int] = []
    of_order: list[int] = []
    bounds = itertools.pairwise(orders.offsets.tolist())
    for number, (own, (start, stop)) in enumerate(zip(group.tolist(), bounds, strict=True)):
        key = own, orders.positions[start:stop].tobytes()
        if key not in known:
            known[key] = len(kinds)
            kinds.append(number)
        of_order.append(known[key])
    return np.array(kinds, dtype=np.int64), np.array(of_order, dtype=np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class ReferenceOrders(Ragged[ReferenceOrder]):
    """The reference orders of a corpus.

    `ranks` int32[N], for every source token the number of its group, counted from 0 in each
    sentence; `aligned` bool[N]; `aligner` the signature of the program that made the links, empty
    where people did.

    >>> import preorder_eval as pe
    >>> references = pe.ReferenceOrders.of([[[2], [0, 1]]])
    >>> references, references[0], references.ranks.tolist()
    (<ReferenceOrders: 1 sentence, 3 tokens>, [[2], [0, 1]], [1, 1, 0])
    """

    ranks: Ints
    aligned: Bools
    aligner: str = ""

    @classmethod
    def of(cls, references: Iterable[Sequence[Iterable[int]]]) -> ReferenceOrders:
        """Flatten reference orders given as lists of groups; PreorderEvalError for what is none."""
        try:
            checked = [
                r if isinstance(r, ReferenceOrder) else ReferenceOrder(r) for r in references
            ]
        except TypeError as error:
            hint = "give a list of groups of positions for each sentence, as in [[[1], [0, 2]]]"
            raise PreorderEvalError(f"these are not reference orders: {error}; {hint}") from error
        offsets = offsets_of(len(r.aligned) for r in checked)
        ranks = np.empty(offsets[-1], dtype=np.int32)
        for start, reference in zip(offsets.tolist(), checked, strict=False):
            for rank, group in enumerate(reference):
                for i in group:
                    ranks[start + i] = rank
        return cls(offsets, ranks, np.array([a for r in checked for a in r.aligned], dtype=bool))

    def _sentence(self, sentence: int) -> ReferenceOrder:
        span = self.span(sentence)
        ranks = self.ranks[span]
        groups: list[list[int]] = [[] for _ in range(int(ranks.max(initial=-1)) + 1)]
        for i, rank in enumerate(ranks.tolist()):
            groups[rank].append(i)
        return ReferenceOrder(groups, self.aligned[span].tolist())

    @cached_property
    def informative(self) -> Bools:
        """Whether each sentence has a link; bool[S]."""
        return sums(self.aligned, self.offsets) > 0

    @property
    def coverage(self) -> float:
        """The share of source tokens with a link; NaN without a token."""
        return float(self.aligned.mean()) if len(self.aligned) else math.nan


@dataclass(frozen=True, eq=False)
class Alternatives:
    """The K reference orders of S sentences, each sentence with one or several.

    `references` are all of them, sentence by sentence, and `sentence` int64[K] the number of the
    sentence that each belongs to.

    >>> several = Alternatives.of([[[[0], [1]], [[1], [0]]], [[[0]]]])
    >>> several, several.first.tolist()
    (<Alternatives: 2 sentences, 3 orders>, [0, 2])
    """

    references: ReferenceOrders
    sentence: Longs

    @classmethod
    def of(cls, sentences: Iterable[Sequence[ReferenceOrder | list[list[int]]]]) -> Alternatives:
        """Flatten the reference orders of every sentence, at least one each."""
        listed = [list(orders) for orders in sentences]
        counts = [len(orders) for orders in listed]
        return cls(
            ReferenceOrders.of(order for orders in listed for order in orders),
            np.repeat(np.arange(len(listed)), counts),
        )

    def __len__(self) -> int:
        return int(self.sentence[-1]) + 1 if len(self.sentence) else 0

    def __repr__(self) -> str:
        return described("Alternatives", sentence=len(self), order=len(self.sentence))

    @cached_property
    def offsets(self) -> Offsets:
        """The place where the tokens of each sentence start; int64[S + 1]."""
        return offsets_of(self.references.lengths[self.first])

    @cached_property
    def first(self) -> Longs:
        """The number of the first order of every sentence; int64[S]."""
        return np.flatnonzero(np.diff(self.sentence, prepend=-1))

    @cached_property
    def firsts(self) -> ReferenceOrders:
        """The first order of every sentence."""
        return self.references.take(self.first)

    @property
    def coverage(self) -> float:
        """The share of source tokens with a link in the first orders; NaN without a token."""
        return self.firsts.coverage

    @property
    def aligner(self) -> str:
        """The signature of the program that made the links, empty where people did."""
        return self.references.aligner

    @cached_property
    def counts(self) -> Longs:
        """The number of orders of each sentence; int64[S]."""
        return np.diff(self.first, append=len(self.sentence))

    @cached_property
    def informative(self) -> Bools:
        """Whether each sentence has an order that is made of links; bool[S]."""
        return np.maximum.reduceat(self.references.informative, self.first)

    def numbered(self, orders: Longs) -> Longs:
        """Return the numbers of one order of every sentence within their sentences, from 1.

        Parameters: `orders` int64[S] are their numbers among the orders of all sentences, from 0.

        >>> several = Alternatives.of([[[[0], [1]], [[1], [0]]], [[[0]]]])
        >>> several.numbered(np.array([1, 2])).tolist()
        [2, 1]
        """
        return orders - self.first + 1

    def best(self, scores: Floats) -> Longs:
        """Return the number of each sentence's highest scoring order, the first on a tie; int64[S].

        `scores` float64[K]; NaN, for an order without links, is never the best of several.

        >>> Alternatives.of([[[[0], [1]], [[1], [0]]]]).best(np.array([0.0, 1.0])).tolist()
        [1]
        """
        known = np.where(np.isnan(scores), -np.inf, scores)
        highest = np.maximum.reduceat(known, self.first)
        as_good = np.flatnonzero(known >= highest[self.sentence])
        return as_good[np.unique(self.sentence[as_good], return_index=True)[1]]

    @classmethod
    def joined(cls, parts: Sequence[Alternatives]) -> Alternatives:
        """Return the orders of all parts, one part after the other."""
        starts = offsets_of(map(len, parts))[:-1].tolist()
        owners = [part.sentence + start for part, start in zip(parts, starts, strict=True)]
        references = ReferenceOrders.joined([part.references for part in parts])
        return cls(references, np.concatenate(owners))

    def part(self, first: int, last: int) -> Alternatives:
        """Return the sentences from `first` up to `last`."""
        return self.take(np.arange(first, last))

    def take(self, sentences: Longs) -> Alternatives:
        """Return the orders of the sentences of these numbers, in that order."""
        offsets, orders = gather(np.append(self.first, len(self.sentence)), sentences)
        owner = np.repeat(np.arange(len(sentences)), np.diff(offsets))
        return Alternatives(self.references.take(orders), owner)


@dataclass(frozen=True, eq=False, repr=False)
class SourceWords(Ragged[list[str]]):
    """The words of the source sentences as numbers, interned once for all systems and metrics.

    `words` is a column of N words; `repeated` int64[R] are the flat indices of the tokens whose
    word occurs again in their sentence, sorted by sentence, word and position; `number` int32[R]
    is the same for the same word of the same sentence.

    >>> words = SourceWords.of([["the", "cat", "the"]])
    >>> words.repeated.tolist(), words.number.tolist()
    ([0, 2], [0, 0])
    """

    words: NameColumn
    repeated: Longs
    number: Ints

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> SourceWords:
        """Intern tokenised sentences."""
        interned = sentences if isinstance(sentences, Sentences) else Sentences.of(sentences)
        return cls.of_column(interned.offsets, interned.words)

    @classmethod
    def of_column(cls, offsets: Offsets, words: NameColumn) -> SourceWords:
        """Find the repeated words of a corpus that is already interned."""
        repeated, numbers, count = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int32)], 0
        for first, last in blocks(offsets):
            part, tokens = cut(offsets, first, last)
            again, number = _repeated(part, words.codes[tokens])
            repeated.append(again + tokens.start)
            numbers.append((number + count).astype(np.int32))
            count += tokens.stop - tokens.start
        return cls(offsets, words, np.concatenate(repeated), np.concatenate(numbers))

    def _sentence(self, sentence: int) -> list[str]:
        return self.words[self.span(sentence)]

    def part(self, first: int, last: int) -> SourceWords:
        """Return the sentences from `first` up to `last`."""
        offsets, tokens = cut(self.offsets, first, last)
        # Sorted by sentence first, the repeated words of a part stand together.
        here = slice(*np.searchsorted(self.repeated, [tokens.start, tokens.stop]))
        return SourceWords(
            offsets, self.words.take(tokens), self.repeated[here] - tokens.start, self.number[here]
        )

    def take(self, sentences: Longs) -> SourceWords:
        """Return the sentences of these numbers, in that order, also more than once."""
        offsets, tokens = gather(self.offsets, sentences)
        return SourceWords.of_column(offsets, self.words.take(tokens))


def _repeated(offsets: Offsets, codes: Ints) -> tuple[Longs, Longs]:
    """Return the tokens whose word occurs again in their sentence, and a number for each word."""
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = in_order(sentence, codes)
    new = first_of_equals(sentence[order], codes[order])
    chosen = ~new | ~np.append(new[1:], True)
    return order[chosen], (np.cumsum(new) - 1)[chosen]


def aligned_only(
    orders: Orders, references: ReferenceOrders, words: SourceWords | None
) -> tuple[Orders, ReferenceOrders, SourceWords | None]:
    """Return orders, references and words without the source tokens that have no link."""
    keep = references.aligned
    offsets = offsets_of(sums(keep, references.offsets))

    new_index = np.cumsum(keep) - 1
    kept_tokens = orders.tokens[keep[orders.tokens]]
    positions = new_index[kept_tokens] - np.repeat(offsets[:-1], np.diff(offsets))

    # Ranks stay adjacent: number the groups that still have a member.
    start = np.repeat(references.offsets[:-1], references.lengths)
    slot = references.ranks + start
    alive = np.zeros(len(keep) + 1, dtype=np.int64)
    alive[slot[keep] + 1] = 1
    before = np.cumsum(alive)
    ranks = (before[slot] - before[start])[keep]

    fewer = ReferenceOrders(offsets, ranks.astype(np.int32), np.ones(len(ranks), dtype=bool))
    if words is not None:
        words = SourceWords.of_column(offsets, words.words.take(keep))
    return Orders(offsets, positions.astype(np.int32)), fewer, words
