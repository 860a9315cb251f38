"""Pooled counts of the reference that scores best, segment by segment."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from preorder_eval.data.arrays import Floats


def best_counts(against_each: Sequence[Floats], value: Callable[[Floats], Floats]) -> Floats:
    """The counts against the best reference of each segment; float64[S, k].

    Parameters: for each stream of references the counts, float64[S, k], and what their value is.
    Of references with the same value the one with the lexicographically largest counts is taken,
    so that the order in which references are given does not matter.

    >>> streams = [np.array([[1.0, 2]]), np.array([[2.0, 3]])]
    >>> best_counts(streams, lambda counts: counts[..., 0] / counts[..., 1]).tolist()
    [[2.0, 3.0]]
    """
    counts = np.stack(against_each)
    best = np.lexsort((*np.moveaxis(counts, -1, 0), value(counts)), axis=0)[-1]
    chosen: Floats = counts[best, np.arange(counts.shape[1])]
    return chosen
