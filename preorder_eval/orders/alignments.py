"""Word alignments, and the reference orders made from them (Talbot et al. 2011, section 3.1).

1. The key of an aligned source token is its smallest aligned target position; equal keys form
   one group.
2. An unaligned token goes immediately before the next aligned token of the source sentence, or to
   the end of the sentence if there is none. It joins the group of that next token if a member of
   the group stands before it. Otherwise it stands right before the group.
3. A sentence without links carries no information.

A reference order is made from all links, sure and possible ones alike. The guidelines ask for every
word to be aligned; omitting possible links would only leave words to rule 2. `Alignments.sure` has
the sure links alone.

A sentence has several reference orders if it has several translations, or if the language leaves
the order of some phrases open. Such *free blocks* are adjacent spans of a translation that may
stand in any order among themselves. Each such order gives the source an alternative reference
order.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import index

import numpy as np

from preorder_eval.base.arrays import (
    Bools,
    Integers,
    Ints,
    Offsets,
    blocks,
    described,
    first_of_equals,
    in_order,
    offsets_of,
    sums,
    within,
)
from preorder_eval.base.errors import PreorderEvalError, require_between
from preorder_eval.base.ragged import Ragged
from preorder_eval.base.visible import quantity
from preorder_eval.orders.orders import (
    Alternatives,
    Orders,
    ReferenceOrder,
    ReferenceOrders,
    distinct_orders,
)

MOST = 120  # reference orders of a sentence
Link = tuple[int, int]
_LONGEST = 100_000  # words of a sentence
Stretch = tuple[int, int]  # the first and the last target position
Block = tuple[Stretch, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Alignments(Ragged[list[Link]]):
    """The links of a corpus, (source position, target position), 0-based.

    `offsets` int64[S + 1] counts links per sentence; `source` and `target` int32[L];
    `possible` bool[L] marks the links that the annotators called possible rather than sure
    (Och & Ney 2003), none where it is left out. A sentence's links are a set: `of` and
    `of_arrays` sort them and merge those given twice, as a sure one if either was sure. `aligner`
    is the signature of the program that made the links, empty where people did.

    >>> Alignments.of([[(0, 1), (1, 0)], []])
    <Alignments: 2 sentences, 2 links>
    """

    source: Ints
    target: Ints
    possible: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    aligner: str = ""

    def __repr__(self) -> str:
        return described("Alignments", sentence=len(self), link=len(self.source))

    def __post_init__(self) -> None:
        if not len(self.possible):
            object.__setattr__(self, "possible", np.zeros(len(self.source), dtype=bool))

    @classmethod
    def of(
        cls, sentences: Iterable[Iterable[Link]], possible: Iterable[Iterable[Link]] = ()
    ) -> Alignments:
        """Flatten links given as lists of pairs.

        Parameters: `sentences` the links of each sentence; `possible`, if given, further links
        of each sentence, those marked possible. Raises PreorderEvalError where the two are not
        of the same number of sentences.

        >>> Alignments.of([[(1, 0)]], possible=[[(0, 0)]]).possible.tolist()
        [True, False]
        """
        try:
            sure, maybe = (
                [[(index(i), index(j)) for i, j in links] for links in given]
                for given in (sentences, possible)
            )
        except (TypeError, ValueError) as error:
            hint = "give a list of pairs of positions for each sentence, as in [[(0, 1), (1, 0)]]"
            raise PreorderEvalError(f"these are no links: {error}; {hint}") from error
        if maybe and len(maybe) != len(sure):
            raise PreorderEvalError(
                f"possible links of {quantity(len(maybe), 'sentence')}, sure ones of {len(sure)}"
            )
        listed = [*sure, *maybe]
        flat = np.array([link for links in listed for link in links], dtype=np.int32).reshape(-1, 2)
        numbers = np.concatenate([np.arange(len(sure)), np.arange(len(maybe))])
        is_possible = np.arange(len(listed)) >= len(sure)
        counts = [len(links) for links in listed]
        return cls.of_arrays(
            np.repeat(numbers, counts),
            flat[:, 0],
            flat[:, 1],
            np.repeat(is_possible, counts),
            sentences=len(sure),
        )

    @classmethod
    def of_arrays(
        cls, sentence: Integers, source: Integers, target: Integers, possible: Bools, sentences: int
    ) -> Alignments:
        """Group links by sentence.

        Parameters: for each link, in any order, the number of its sentence from 0, its source and
        its target position, and whether it is marked possible; `sentences` is the number of
        sentences.

        >>> numbers = np.array([1, 0, 1]), np.array([2, 0, 2]), np.array([1, 0, 1])
        >>> alignments = Alignments.of_arrays(*numbers, np.array([True, False, False]), sentences=2)
        >>> alignments[1], alignments.possible.tolist()
        ([(2, 1)], [False, False])
        """
        starts = offsets_of([len(sentence)])
        if (sentence[1:] >= sentence[:-1]).all():
            starts = np.searchsorted(sentence, np.arange(sentences + 1))
        sources, targets = np.empty((2, len(sentence)), dtype=np.int32)
        marks = np.zeros(len(sentence), dtype=bool)  # which takes no memory where it is not written
        counts, size = np.zeros(sentences, dtype=np.int64), 0
        for first, last in blocks(starts):
            here = slice(starts[first], starts[last])
            columns = [column[here] for column in (sentence, source, target)]
            order = in_order(*columns, possible[here].astype(np.int8))
            links = [column[order] for column in columns]
            new = first_of_equals(*links)  # of a link given twice the sure one comes first
            numbers, *positions = (column[new] for column in links)
            kept = slice(size, size := size + len(numbers))
            sources[kept], targets[kept] = positions
            if possible[here].any():
                marks[kept] = possible[here][order][new]
            counts += np.bincount(numbers, minlength=sentences)
        return cls(offsets_of(counts), sources[:size], targets[:size], marks[:size])

    def _sentence(self, sentence: int) -> list[Link]:
        span = self.span(sentence)
        return list(zip(self.source[span].tolist(), self.target[span].tolist(), strict=True))

    def marks(self, sentence: int) -> list[bool]:
        """Return for each link of a sentence whether it is marked possible."""
        marks: list[bool] = self.possible[self.span(sentence)].tolist()
        return marks

    @property
    def sure(self) -> Alignments:
        """The alignments without the links that are marked possible.

        >>> Alignments.of([[(0, 0)]], possible=[[(1, 1)]]).sure[0]
        [(0, 0)]
        """
        keep = ~self.possible
        offsets = offsets_of(sums(keep, self.offsets))
        return Alignments(offsets, self.source[keep], self.target[keep], aligner=self.aligner)


def reference_order(links: Iterable[Link], source_length: int) -> ReferenceOrder:
    """Return the reference order of one sentence.

    Parameters: `links` pairs of 0-based source and target positions, `source_length` the number
    of source tokens. Returns the groups of source positions. Raises PreorderEvalError for a
    link outside the sentence.

    >>> reference_order([(0, 2), (1, 0)], source_length=3)
    [[1], [0], [2]]
    >>> reference_order([(0, 1), (1, 0), (2, 0)], source_length=3)
    [[1, 2], [0]]
    """
    require_between("source_length", source_length, 0, _LONGEST)
    return reference_orders(Alignments.of([links]), [source_length])[0]


def reference_orders(alignments: Alignments, source_lengths: Sequence[int]) -> ReferenceOrders:
    """Return the reference orders of a corpus, from its links, sure and possible.

    Parameters: `alignments` of S sentences and `source_lengths`, the numbers of their source
    tokens. Raises PreorderEvalError for a link outside its sentence, naming both.

    >>> list(reference_orders(Alignments.of([[(0, 1), (1, 0)], []]), [2, 1]))
    [[[1], [0]], [[0]]]
    """
    if len(alignments) != len(source_lengths):
        raise PreorderEvalError(
            f"alignments of {quantity(len(alignments), 'sentence')} "
            f"for {quantity(len(source_lengths), 'sentence')}"
        )
    offsets = offsets_of(source_lengths)
    ranks, aligned = np.empty(offsets[-1], dtype=np.int32), np.empty(offsets[-1], dtype=bool)
    for first, last in blocks(offsets):
        here, tokens = offsets[first : last + 1], slice(offsets[first], offsets[last])
        part = alignments.part(first, last)
        ranks[tokens], aligned[tokens] = _part_orders(part, here - here[0], first)
    return ReferenceOrders(offsets, ranks, aligned, alignments.aligner)


def _part_orders(alignments: Alignments, offsets: Offsets, first: int) -> tuple[Ints, Bools]:
    """Return the rank of each word, and whether it is aligned; `first` sentences come before."""
    lengths = np.diff(offsets)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    of_link = np.repeat(np.arange(len(lengths)), np.diff(alignments.offsets))
    outside = (alignments.source < 0) | (alignments.source >= lengths[of_link])
    outside |= alignments.target < 0
    if outside.any():
        i = int(np.flatnonzero(outside)[0])
        s = int(of_link[i])
        raise PreorderEvalError(
            f"sentence {first + s + 1}: link {alignments.source[i]}-{alignments.target[i]} is "
            f"outside its {lengths[s]} source tokens"
        )

    size = int(offsets[-1])
    unaligned = int(alignments.target.max(initial=-1)) + 1
    key = np.full(size, unaligned)
    # Of the same types: only then is `at` fast.
    np.minimum.at(
        key, alignments.source + offsets[:-1][of_link], alignments.target.astype(np.int64)
    )
    aligned = key < unaligned

    # The next aligned token of the sentence, at or after each token; `size` where there is none.
    here = np.arange(size)
    following = np.minimum.accumulate(np.where(aligned, here, size)[::-1])[::-1]
    at_end = following >= offsets[1:][sentence]
    next_key = np.where(at_end, unaligned, np.append(key, unaligned)[following])

    # The first aligned token of each group decides whether an unaligned one joins it.
    by_key = in_order(sentence, next_key)
    group = np.empty(size, dtype=np.int64)
    group[by_key] = np.cumsum(first_of_equals(sentence[by_key], next_key[by_key])) - 1
    leader = np.full(size, size)
    leader[group[aligned][::-1]] = here[aligned][::-1]
    alone = ~aligned & (at_end | (leader[group] > here))

    # Tokens that stand alone are sorted before their group by their position, each a group.
    place = np.where(alone, within(offsets), int(lengths.max(initial=0)))
    order = in_order(group, place)
    ranks = np.empty(size, dtype=np.int64)
    ranks[order] = np.cumsum(first_of_equals(group[order], place[order])) - 1
    ranks -= np.append(ranks[order], 0)[offsets[:-1]][sentence]
    return ranks.astype(np.int32), aligned


def system_orders(alignments: Alignments, source_lengths: Sequence[int]) -> Orders:
    """Return the orders into which a translation system put the source, from its links.

    Source tokens are sorted as for a reference order. Tokens that tie there keep their source
    order.

    >>> system_orders(Alignments.of([[(0, 1), (1, 0), (2, 0)]]), [3])[0]
    [1, 2, 0]
    """
    ranked = reference_orders(alignments, source_lengths)
    places = within(ranked.offsets)
    sentence = np.repeat(np.arange(len(ranked)), ranked.lengths)
    return Orders(ranked.offsets, places[in_order(sentence, ranked.ranks)].astype(np.int32))


def alternatives(
    source_lengths: Sequence[int],
    translations: Sequence[tuple[Alignments, Sequence[Sequence[Block]]]],
) -> tuple[Alternatives, list[int]]:
    """Return the reference orders of every sentence from one or several translations.

    Parameters: the links of each translation, and its free blocks, sentence by sentence (an empty
    sequence where nothing is free). If a translation has no links for a sentence, only the other
    translations give this sentence orders.

    Returns the orders, each different one once, and the 1-based numbers of the sentences that have
    more than 120 orders. Of these sentences the first 120 orders are kept.

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
        with_links = [each for each in translations if each[0][s]]
        for links, free in with_links or translations[:1]:
            variants += free_orders(links[s], free[s] if len(free) else ())
        counts = [
            math.prod(math.factorial(len(block)) for block in free[s])
            for _, free in translations
            if len(free)
        ]
        if max([len(variants), *counts]) > MOST:
            cut.append(s + 1)
        lists += variants[:MOST]
        sentence += [s] * len(variants[:MOST])
    aligner = next((links.aligner for links, _ in translations if links.aligner), "")
    every = replace(Alignments.of(lists), aligner=aligner)
    orders = reference_orders(every, [source_lengths[s] for s in sentence])
    # Where free phrases have no links, or a translation is in the order of another, orders agree.
    owner = np.array(sentence, dtype=np.int64)
    chosen, _ = distinct_orders(Orders(orders.offsets, orders.ranks), owner)
    return Alternatives(orders.take(chosen), owner[chosen]), cut


def free_orders(links: Sequence[Link], blocks: Sequence[Block]) -> Iterable[list[Link]]:
    """Yield the links of a sentence in every order of its free blocks, the given one first.

    Two blocks are apart, or one lies within one span of the other. At most 120 orders are made.

    >>> [links for links in free_orders([(0, 0), (1, 2)], [((0, 1), (2, 2))])]
    [[(0, 0), (1, 2)], [(0, 1), (1, 0)]]
    """
    # An inner block moves its words within one span of the outer one, which then moves as a whole.
    inner_first = sorted(blocks, key=lambda block: block[-1][1] - block[0][0])
    ways = itertools.product(*(itertools.permutations(block) for block in inner_first))
    for way in itertools.islice(ways, MOST):
        moved = links
        for block, stretches in zip(inner_first, way, strict=True):
            place: dict[int, int] = {}
            start = block[0][0]
            for first, last in stretches:
                for position in range(first, last + 1):
                    place[position] = start
                    start += 1
            moved = [(i, place.get(j, j)) for i, j in moved]
        yield list(moved)
