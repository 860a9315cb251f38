"""What the ties of a reference order allow."""

from __future__ import annotations

import numpy as np

from preorder_eval.data.arrays import Longs
from preorder_eval.data.orders import ReferenceOrders


def stretches(references: ReferenceOrders) -> tuple[Longs, Longs]:
    """For every token the first place that it can take in the reference order, and how many.

    A group of tied tokens shares a stretch of places, and a token can stand anywhere in it.
    int64[N] each; the places are counted through the whole corpus.

    >>> [x.tolist() for x in stretches(ReferenceOrders.of([[[2], [0, 1]], [[0]]]))]
    [[1, 1, 0, 3], [2, 2, 1, 1]]
    """
    group = references.ranks + np.repeat(references.offsets[:-1], np.diff(references.offsets))
    size = np.bincount(group, minlength=len(group))
    first = np.cumsum(size) - size
    return first[group], size[group]
