"""The fuzzy reordering score of Talbot et al. (2011), equation 1.

FRS = 1 - (C - 1) / (M - 1): C is the number of chunks of contiguously aligned words, M the number
of words. A sentence of one word scores 1. For C = 5 and M = 10 the equation, which is computed
here, gives 5/9; Figure 1 of the paper prints 0.5.

The loss are the *breaks*, C - 1: pairs of neighbours in the system order that cannot be neighbours
in the reference order. The other adjacencies are kept. If the reference has ties, C is the smallest
over all orders that the ties allow. That is not "same or next group counts as contiguous":

A *run* is a span of words of one reference group; the adjacencies inside it are kept. Between two
runs an adjacency can be kept only if the second is of the next group. This is a *crossing* of the
border between two groups. Crossings conflict only where the system has torn a group into several
runs. A border is crossed once at most. A run of a torn group cannot be the whole of its group's
first and its last words. Equal words of a group are matched in the system's order. So a run cannot
come first if an earlier run of the group has one of its words, nor last if a later one has. Such a
run must be torn, which costs as much as the crossing gains.

Dynamic programming over the borders of a sentence, from left to right, keeps as many adjacencies as
possible. Only the *gain* of a crossing is needed, as a border adds one at most. It is the best
value of a choice that ends with it, minus that of one that leaves its border uncrossed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from preorder_eval.base.arrays import Bools, Ints, Longs, Offsets, sums
from preorder_eval.metrics.orders.order import Losses, OrderMetric
from preorder_eval.orders.orders import Orders, ReferenceOrders, SourceWords


@dataclass(frozen=True)
class Fuzzy(OrderMetric):
    """Share of the adjacent pairs of words that can be adjacent in the reference too.

    Parameters: `match="word"` matches system words to reference words as words, the first
    unmatched instance first, as the paper does; `"position"` matches positions.

    >>> Fuzzy().score([[1, 2, 3, 4, 0]], [[[0], [1], [2], [3], [4]]]).corpus
    0.75
    """

    name: ClassVar[str] = "fuzzy"
    short_name: ClassVar[str] = "FRS"
    paper: ClassVar[str] = "Talbot et al. 2011"
    equation: ClassVar[str] = "(1): 1 − (C − 1) / (M − 1)"

    match: Literal["word", "position"] = "word"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Losses, Losses]:
        matched = words if self.match == "word" else None
        kept = sums(kept_by_reference(orders, references, matched), orders.offsets)
        possible = np.maximum(np.diff(orders.offsets) - 1, 0)
        return possible - kept, possible


def kept_by_reference(
    orders: Orders, references: ReferenceOrders, words: SourceWords | None
) -> Bools:
    """Return for every place whether it and the next place can be adjacent; bool[N].

    False in the last place of a sentence. Words are matched as words, the first unmatched instance
    first, or by position if `words` is None. As many adjacencies of a sentence are kept as
    possible. Equally good choices are decided by the earlier borders, then by the crossing that
    comes first.

    >>> references = ReferenceOrders.of([[[0], [1, 2], [3]]])
    >>> words = SourceWords.of([["a", "b", "c", "d"]])
    >>> kept_by_reference(Orders.of([[0, 2, 1, 3]]), references, words).tolist()
    [True, True, True, False]
    """
    sequence, twins = references.ranks[orders.tokens], None
    if words is not None:
        sequence, twins = match_words(sequence, orders, references, words)
    return kept_adjacencies(sequence, orders.offsets, twins)


def match_words(
    sequence: Ints, orders: Orders, references: ReferenceOrders, words: SourceWords
) -> tuple[Ints, tuple[Longs, Longs]]:
    """Replace ranks matched by position by ranks matched by word.

    The k-th instance of a word in the system order gets the rank of its k-th instance in the
    reference order. Returns the ranks in system order, int32[N], and the places there of repeated
    words and of their next instances, int64[T] each.
    """
    place = np.empty(len(sequence), dtype=np.int64)
    place[orders.tokens] = np.arange(len(sequence))
    bits = len(sequence).bit_length()
    number, low = words.number.astype(np.int64) << bits, (1 << bits) - 1
    in_system = np.sort(number | place[words.repeated]) & low
    in_reference = np.sort(number | references.ranks[words.repeated]) & low
    sequence[in_system] = in_reference
    same = np.diff(words.number) == 0
    return sequence, (in_system[:-1][same], in_system[1:][same])


def kept_adjacencies(
    sequence: Ints, offsets: Offsets, twins: tuple[Longs, Longs] | None = None
) -> Bools:
    """Return for every place whether it and the next one stay adjacent; bool[N].

    Parameters: `sequence` int32[N], the reference group of the word in each place of the system
    order, counted from 0 in each sentence; `twins`, places of equal words, each instance beside
    the next one (int64[T] both): two of the same group must keep the system's order.
    """
    step = np.diff(sequence, append=sequence[-1:])
    step[offsets[1:][np.diff(offsets) > 0] - 1] = -1
    kept: Bools = (step == 0) | (step == 1)
    ends = np.flatnonzero(step)  # of the runs
    group = np.repeat(offsets[:-1], sums(step != 0, offsets)) + sequence[ends]
    torn = np.bincount(group)[group] > 1
    if not torn.any():
        return kept
    # The crossings that can be in another's way, as the runs that they leave.
    left = np.flatnonzero((step[ends[:-1]] == 1) & (torn[:-1] | torn[1:]))
    size = np.diff(ends, prepend=-1)
    head, tail = (size, size) if twins is None else _heads_and_tails(sequence, ends, twins)
    alone = 1 - (tail < size)[left] - (head < size)[left + 1]
    made, cut = _best_crossings(group[left], alone, _links(left, torn, size, head, tail))
    kept[ends[left[~made]]] = False
    kept[ends[left[cut]] - (size - head)[left[cut]]] = False
    return kept


def _heads_and_tails(
    sequence: Ints, ends: Longs, twins: tuple[Longs, Longs]
) -> tuple[Longs, Longs]:
    """Count the words of each run that can stand first, and last, in its group; int64[runs] each.

    No word that an earlier run of the group has, too, can be among the first. No word that a later
    run has can be among the last. Nor can any word beyond it.
    """
    tied = sequence[twins[0]] == sequence[twins[1]]
    place, next_place = twins[0][tied], twins[1][tied]
    ended = np.zeros(len(sequence), dtype=np.int64)
    ended[ends] = 1
    run_of = np.cumsum(ended) - ended
    run, next_run = run_of[place], run_of[next_place]
    apart = run < next_run
    size = np.diff(ends, prepend=-1)
    head, tail = size.copy(), size
    start = ends + 1 - size
    np.minimum.at(head, next_run[apart], next_place[apart] - start[next_run[apart]])
    np.minimum.at(tail, run[apart], ends[run[apart]] - place[apart])
    return head, tail


def _links(left: Longs, torn: Bools, size: Longs, head: Longs, tail: Longs) -> Longs:
    """Relate each crossing to the one that enters the run that it leaves; int64[K].

    Returns 1 if they conflict, as the run would be both first and last. Returns -1 if both need the
    run torn, which costs only once. Otherwise 0, also if no crossing enters the run.
    """
    torn, size, head, tail = torn[left], size[left], head[left], tail[left]
    whole = torn & (head == size) & (tail == size)
    inside = (np.minimum(head, tail) > 0) & (np.maximum(head, tail) < size)
    links: Longs = whole.astype(np.int64) - (inside & (head + tail >= size))
    links[np.diff(left, prepend=-2) != 1] = 0
    return links


def _best_crossings(border: Longs, alone: Longs, links: Longs) -> tuple[Bools, Bools]:
    """Choose the crossings to make, and those that share a tear with the one before; bool[K] each.

    Parameters: each crossing's border number, its gain if it is `alone`, and its link to the
    crossing before it, over the border before.
    """
    borders = int(border.max(initial=-1)) + 1
    linked = np.flatnonzero(links)
    linked = linked[np.argsort(border[linked], kind="stable")]  # each depends on the border before
    gain = alone.copy()
    good = np.bincount(border[(gain == 1) & (links == 0)], minlength=borders)
    for later in linked:
        there = good[border[later - 1]]
        if gain[later - 1] == (there > 0):  # the one before is a best choice
            gain[later] += links[later] == -1
            gain[later] -= links[later] == 1 and there == 1
        good[border[later]] += gain[later] == 1

    # Of the choices over a border the first stands, unless what is made over the next forbids it.
    right_to_left = np.flatnonzero(gain == 1)[::-1]
    pick, second = np.full((2, borders), -1)
    pick[border[right_to_left]] = right_to_left  # what is written last stays
    others = right_to_left[pick[border[right_to_left]] != right_to_left]
    second[border[others]] = others
    for taken in linked[::-1]:
        if pick[border[taken]] == taken:
            before, there = taken - 1, border[taken - 1]
            if links[taken] == -1 and gain[before] == (good[there] > 0):
                pick[there] = before
            elif pick[there] == before:
                pick[there] = second[there]

    made = np.zeros(len(border), dtype=bool)
    made[pick[pick >= 0]] = True
    cut = (links == -1) & made
    cut[1:] &= made[:-1]
    return made, cut
