"""How many n-grams of a hypothesis are in its reference, none counted twice on either side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.metrics.base import Floats
from preorder_eval.metrics.kernels.pair_columns import pairs_side_by_side
from preorder_eval.segments import Tokens
from preorder_eval.treebank import Ints

Bools = NDArray[np.bool_]


def ngram_matches(hypotheses: Tokens, references: Tokens, longest: int) -> Floats:
    """Matching n-grams of every length from 1 to `longest`; float64[S, longest].

    An n-gram that occurs h times in a hypothesis and r times in its reference matches min(h, r)
    times: the k-th occurrence in the hypothesis matches where the reference has k or more.

    >>> from preorder_eval.segments import Segments
    >>> segments = Segments.of(["a b a b"], ["a b c"])
    >>> ngram_matches(segments.hypotheses, segments.references[0], 3).tolist()
    [[2.0, 1.0, 0.0]]
    """
    matches = np.zeros((len(hypotheses), longest))
    for chosen, left, right in pairs_side_by_side(hypotheses, references):
        # Which pairs of places begin equal n-grams; of the hypothesis with itself only those
        # (later, earlier). The space after a short hypothesis begins none of its reference.
        earlier = words_earlier = _earlier_places(left)
        shared = words_shared = left[:, None] == right
        for length in range(1, min(longest, len(left), len(right)) + 1):
            if length > 1:
                earlier = earlier[:-1, :-1] & words_earlier[length - 1 :, length - 1 :]
                shared = shared[:-1, :-1] & words_shared[length - 1 :, length - 1 :]
            matched = _counts(earlier) < _counts(shared)
            matches[chosen, length - 1] = np.count_nonzero(matched, axis=0)
    return matches


def _earlier_places(words: Ints) -> Bools:
    """Whether place i has the same word as the earlier place j; bool[i, j, sentences]."""
    same: Bools = words[:, None] == words
    same &= np.tri(len(words), k=-1, dtype=np.bool_)[:, :, None]
    return same


def _counts(pairs: Bools) -> NDArray[Any]:
    """For every first place the number of second places."""
    small = np.min_scalar_type(pairs.shape[1])
    counts: NDArray[Any] = np.add.reduce(pairs.view(np.uint8), axis=1, dtype=small)
    return counts
