"""Hypotheses beside their references as columns, to compare all pairs of words at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from preorder_eval.data.arrays import Ints, Longs
from preorder_eval.data.segments import Tokens
from preorder_eval.metrics.shared.columns import column_places

_CELLS = 1 << 20  # pairs of words at a time: about what the processor's cache holds
_NO_HYPOTHESIS, _NO_REFERENCE = -1, -2  # space after short sentences; equal to nothing


def pairs_side_by_side(
    hypotheses: Tokens, references: Tokens
) -> Iterator[tuple[Longs, Ints, Ints]]:
    """Sentences of about the same length as columns, with their references beside them.

    Yields the sentences' indices (int64[k]), the words of the hypotheses ([places, k]) and those
    of the references ([places, k]); the space after a short sentence equals no word of the other.
    Sentences with an empty side, where nothing can match, are left out.

    >>> two = Tokens(np.array([0, 2, 3]), np.array([4, 7, 4], dtype=np.int32))
    >>> one = Tokens(np.array([0, 1, 2]), np.array([4, 4], dtype=np.int32))
    >>> [(chosen, left, right)] = pairs_side_by_side(two, one)
    >>> chosen.tolist(), left.tolist(), right.tolist()
    ([1, 0], [[4, 4], [-1, 7]], [[4, 4]])
    """
    longest = np.maximum(hypotheses.lengths, references.lengths)
    by_length = np.argsort(longest, kind="stable")
    both = np.minimum(hypotheses.lengths, references.lengths)[by_length] > 0
    by_length = by_length[both]
    cells = np.cumsum(longest[by_length] ** 2)
    first = 0
    while first < len(by_length):
        done = cells[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(cells, done + _CELLS)))
        chosen = by_length[first:last]
        yield (
            chosen,
            _columns(hypotheses, chosen, _NO_HYPOTHESIS),
            _columns(references, chosen, _NO_REFERENCE),
        )
        first = last


def _columns(tokens: Tokens, chosen: Longs, filler: int) -> Ints:
    filled = np.full((int(tokens.lengths[chosen].max()), len(chosen)), filler, dtype=np.int32)
    rows, columns, numbers = column_places(tokens.offsets, chosen)
    filled[rows, columns] = tokens.codes[numbers]
    return filled
