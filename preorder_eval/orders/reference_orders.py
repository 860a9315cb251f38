"""The reference orders that word alignments make (Talbot et al. 2011, section 3.1).

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
from dataclasses import replace

import numpy as np

from preorder_eval.base.arrays import (
    Bools,
    Ints,
    Offsets,
    blocks,
    first_of_equals,
    in_order,
    offsets_of,
    within,
)
from preorder_eval.base.errors import PreorderEvalError, require_between
from preorder_eval.base.visible import quantity
from preorder_eval.orders.alignments import Alignments, Link
from preorder_eval.orders.orders import (
    Alternatives,
    Orders,
    ReferenceOrder,
    ReferenceOrders,
    distinct_orders,
)

MOST = 120  # reference orders of a sentence
Stretch = tuple[int, int]  # the first and the last target position
Block = tuple[Stretch, ...]
_LONGEST = 100_000  # words of a sentence


def reference_order(links: Iterable[Link], source_length: int) -> ReferenceOrder:
    """Return the reference order of one sentence.

    Parameters: `links` pairs of 0-based source and target positions, `source_length` the number
    of source tokens. Returns the groups of source positions. Raises PreorderEvalError for a
    link outside the sentence.

    >>> import preorder_eval as pe
    >>> pe.reference_order([(0, 2), (1, 0)], source_length=3)
    [[1], [0], [2]]
    >>> pe.reference_order([(0, 1), (1, 0), (2, 0)], source_length=3)
    [[1, 2], [0]]
    """
    require_between("source_length", source_length, 0, _LONGEST)
    return reference_orders(Alignments.of([links]), [source_length])[0]


def reference_orders(alignments: Alignments, source_lengths: Sequence[int]) -> ReferenceOrders:
    """Return the reference orders of a corpus, from its links, sure and possible.

    Parameters: `alignments` of S sentences and `source_lengths`, the numbers of their source
    tokens. Raises PreorderEvalError for a link outside its sentence, naming both.

    >>> import preorder_eval as pe
    >>> list(pe.reference_orders(pe.Alignments.of([[(0, 1), (1, 0)], []]), [2, 1]))
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
    """Return the rank of each word, and whether it is aligned; `first` sentences precede these."""
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
    listed = [(list(links), free) for links, free in translations]
    for s in range(len(source_lengths)):
        variants: list[list[Link]] = []
        with_links = [each for each in listed if each[0][s]]
        for links, free in with_links or listed[:1]:
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
