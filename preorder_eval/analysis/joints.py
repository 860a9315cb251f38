"""Which joints a system order breaks, and what that says of single words.

The fuzzy reordering score counts broken joints: neighbours in the system order that cannot be
neighbours in the reference order (Talbot et al. 2011, equation 1). A word is wrongly placed if
the joint to its left or to its right is broken. A broken joint belongs half to each of its two
words, so that the halves of all words add up to what the score counts, C - 1; the ends of a
sentence are no joints.

The same can be asked of the source order. A joint of the source that the system broke though the
reference keeps it, parts two words that should have stayed together; one that the system kept
though the reference breaks it, leaves together two words of which one should have moved. Here
every token is matched with itself: the score matches words as words, so that of two equal words
the first one in the source may be matched with the other's place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Bools, Ints, Longs, Offsets
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.metrics.fuzzy import kept_by_reference
from preorder_eval.metrics.order import column_places, in_columns


@dataclass(frozen=True, eq=False)
class Placement:
    """How every source token of a corpus is placed by a system; arrays of N.

    `broken`: joints broken beside it, 0 to 2; `inversions`: words on its wrong side; `parted`:
    whether it was moved away from a source neighbour beside which the reference leaves it;
    `missed`: whether it was left beside a source neighbour from which the reference takes it away.
    """

    broken: Longs
    inversions: Longs
    parted: Bools
    missed: Bools

    @property
    def wrong(self) -> Bools:
        """Whether the token is wrongly placed; bool[N]."""
        return self.broken > 0


def placement(orders: Orders, references: ReferenceOrders, words: SourceWords) -> Placement:
    """How a system's orders place every token.

    Broken joints are those of the metric `fuzzy(match=word)`, inversions those of `kendall`, both
    exact with ties.

    >>> references = ReferenceOrders.of([[[0], [2], [1], [3]]])
    >>> words = SourceWords.of([["he", "eats", "fish", "."]])
    >>> unchanged = placement(Orders.unchanged(references.offsets), references, words)
    >>> unchanged.broken.tolist(), unchanged.inversions.tolist()
    ([1, 2, 2, 1], [0, 1, 1, 0])
    """
    unchanged = Orders.unchanged(orders.offsets)
    place = np.empty(len(orders.tokens), dtype=np.int64)
    place[orders.tokens] = np.arange(len(place))
    followed = np.diff(place, append=-1) == 1  # by its neighbour in the source, in the system order
    kept = kept_by_reference(unchanged, references, None)
    last = _last(orders.offsets)
    return Placement(
        broken=_beside(~kept_by_reference(orders, references, words) & ~last)[place],
        inversions=inversions_of(references.ranks[orders.tokens], orders.offsets)[place],
        parted=_beside(kept & ~followed & ~last) > 0,
        missed=_beside(followed & ~kept & ~last) > 0,
    )


def inversions_of(sequence: Ints, offsets: Offsets) -> Longs:
    """For every place the other places of its sentence that are out of order with it; int64[N].

    `sequence` int32[N] holds numbers below the sentence's length. Each inversion counts for both
    of its places.

    >>> inversions_of(np.array([2, 0, 1], dtype=np.int32), np.array([0, 3])).tolist()
    [2, 1, 1]
    """
    counts = np.zeros(len(sequence), dtype=np.int64)
    for chosen, columns in in_columns(sequence, offsets):
        by_column = np.zeros(columns.shape, dtype=np.int64)
        for place in range(len(columns) - 1):
            larger = columns[place] > columns[place + 1 :]
            by_column[place] += larger.sum(axis=0)
            by_column[place + 1 :] += larger
        rows, sentences, places = column_places(offsets, chosen)
        counts[places] = by_column[rows, sentences]
    return counts


def _beside(joints: Bools) -> Longs:
    """For every place how many of the joints on its two sides are marked; int64[N]."""
    marked = joints.astype(np.int64)
    marked[1:] += joints[:-1]
    return marked


def _last(offsets: Offsets) -> Bools:
    """Which places are the last of their sentence; bool[N]."""
    last = np.zeros(offsets[-1], dtype=bool)
    last[offsets[1:][np.diff(offsets) > 0] - 1] = True
    return last
