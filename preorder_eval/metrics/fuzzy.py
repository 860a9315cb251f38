"""The fuzzy reordering score of Talbot et al. (2011), equation 1.

FRS = 1 - (C - 1) / (M - 1): C is the number of chunks of contiguously aligned words, M the
number of words. A sentence of one word scores 1. Figure 1 of the paper prints 0.5 for a pair of
orders where the equation gives 5/9 (C = 5, M = 10); the equation is what is computed here.

Where the reference has ties, C is the smallest over all orders that the ties allow. That is not
"same or next group counts as contiguous": the border between two groups can be crossed without
a break only once, and in a group that the system has torn into several runs, the run that is
entered first is not the run that is left last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from preorder_eval.data.arrays import Bools, Floats, Ints, Longs, Offsets, sums
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.metrics.shared.base import OrderMetric
from preorder_eval.metrics.shared.torn_groups import kept_joints


@dataclass(frozen=True)
class Fuzzy(OrderMetric):
    """Share of the joints between neighbouring words that the reference has too.

    Parameters: `match="word"` matches system words to reference words as words, the first
    unmatched instance first, as the paper does; `"position"` matches positions.

    >>> Fuzzy().score([[1, 2, 3, 4, 0]], [[[0], [1], [2], [3], [4]]]).corpus
    0.75
    """

    name: ClassVar[str] = "fuzzy"
    paper: ClassVar[str] = "Talbot et al. 2011"
    equation: ClassVar[str] = "(1): 1 − (C − 1) / (M − 1)"

    match: Literal["word", "position"] = "word"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        sequence = references.ranks[orders.tokens]
        joints = None
        if self.match == "word" and words is not None:
            sequence, places = match_words(sequence, orders, references, words)
            joints = _restricted_joints(sequence, places, orders, words)
        most = most_joints(sequence, orders.offsets)
        if joints:
            most[list(joints)] = list(joints.values())
        possible = np.maximum(np.diff(orders.offsets) - 1, 0)
        return (possible - most).astype(np.float64), possible.astype(np.float64)


def match_words(
    sequence: Ints, orders: Orders, references: ReferenceOrders, words: SourceWords
) -> tuple[Ints, Longs]:
    """Replace ranks matched by position by ranks matched by word.

    The k-th instance of a word in the system order gets the rank of its k-th instance in the
    reference order. Returns the ranks in system order, int32[N], and the places of the repeated
    words in the system order, int64[R], in the order of `words.number`.
    """
    place = np.empty(len(sequence), dtype=np.int64)
    place[orders.tokens] = np.arange(len(sequence))
    bits = len(sequence).bit_length()
    number, low = words.number << bits, (1 << bits) - 1
    in_system = np.sort(number | place[words.repeated]) & low
    in_reference = np.sort(number | references.ranks[words.repeated]) & low
    sequence[in_system] = in_reference
    return sequence, in_system


def most_joints(sequence: Ints, offsets: Offsets) -> Longs:
    """Per sentence the most neighbours in `sequence` that can be neighbours in the reference.

    `sequence` int32[N] holds the reference rank of the word in each place of the system order.
    Exact with ties, if the words of a group can stand in any order; int64[S].
    """
    step = np.diff(sequence, append=0)
    inside = np.ones(len(sequence), dtype=bool)
    inside[offsets[1:][np.diff(offsets) > 0] - 1] = False
    stays, rises = inside & (step == 0), inside & (step == 1)
    result = sums(stays | rises, offsets)

    # Only where a group is torn into several runs can two joints be in each other's way.
    starts = np.repeat(offsets[:-1], np.diff(offsets))
    group = sequence + starts
    run_start = np.ones(len(sequence), dtype=bool)
    run_start[1:] = ~stays[:-1]
    torn = np.bincount(group[run_start], minlength=len(sequence)) > 1
    sentences = np.flatnonzero(sums(torn, offsets))
    if len(sentences):
        kept_inside = sums(stays, offsets)[sentences]
        result[sentences] = kept_inside + _border_joints(
            sentences, offsets, group, np.cumsum(run_start) - 1, rises, torn
        )
    return result


def _border_joints(
    sentences: Longs, offsets: Offsets, group: Longs, run: Longs, rises: Bools, torn: Bools
) -> Longs:
    """Of the given sentences the most borders between groups that can be crossed by a joint.

    Walks over the borders from left to right, all sentences at once. What must be remembered is
    the run through which the group was entered, if only one choice is as good as the best: that
    run cannot also be the last of a torn group. With two choices, one of them is never in the way.
    """
    at = np.flatnonzero(rises)
    crossings = np.bincount(group[at], minlength=len(group))
    entered = np.bincount(group[at], weights=run[at + 1], minlength=len(group)).astype(np.int64)
    leaves = np.zeros(run[-1] + 1, dtype=bool)
    leaves[run[at]] = True

    lengths = np.diff(offsets)[sentences]
    longest_first = np.argsort(-lengths, kind="stable")
    starts, lengths = offsets[sentences][longest_first], lengths[longest_first]
    gained = np.zeros(len(sentences), dtype=np.int64)
    only = np.full(len(sentences), -1)
    for border in range(int(lengths[0]) - 1):
        active = int(np.searchsorted(-lengths, -border, side="left"))
        here, through = starts[:active] + border, only[:active]
        blocked = (through >= 0) & torn[here] & leaves[through]
        choices = crossings[here] - blocked
        gained[:active] += choices > 0
        only[:active] = np.where(choices == 1, entered[here] - blocked * (through + 1), -1)
    result = np.empty_like(gained)
    result[longest_first] = gained
    return result


def _restricted_joints(
    sequence: Ints, places: Longs, orders: Orders, words: SourceWords
) -> dict[int, int]:
    """The most joints in the sentences where matching by word restricts the order of a tie.

    If one group holds the same word twice, its first instance in the reference is matched to the
    first in the system; so when the two stand in different runs, the runs cannot swap freely.
    Such sentences are rare and are solved one by one.
    """
    left, right = places[:-1], places[1:]
    tied = (sequence[left] == sequence[right]) & (np.diff(words.number) == 0)
    left, right = left[tied], right[tied]
    if not left.size:
        return {}
    step = np.diff(sequence, prepend=0)
    run = np.cumsum(step != 0)
    starts = np.flatnonzero(step)  # of run 1, 2, …
    # Only a run that a joint could enter or leave can be in the way.
    rises_into = np.append(step[starts] == 1, False)
    apart = (run[left] != run[right]) & (rises_into[run[left]] | rises_into[run[right] - 1])
    apart = left[apart]
    result = {}
    for s in np.unique(np.searchsorted(orders.offsets, apart, side="right") - 1).tolist():
        part = slice(orders.offsets[s], orders.offsets[s + 1])
        ranks = sequence[part].tolist()
        result[s] = sum(kept_joints(ranks, words.words.codes[orders.tokens[part]].tolist()))
    return result
