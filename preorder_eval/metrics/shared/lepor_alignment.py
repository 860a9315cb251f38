"""The context-dependent word alignment of LEPOR (Han 2014, section 3.1.2 and Figure 3-1).

Every word of the output is aligned with the same word of the reference, from left to right and one
to one. Where several places of the reference are left for it, those with a matching neighbour come
first: some word up to n places to the left or right of it is the same as some word up to n places
from the output's word. Of these the nearest is taken, the earlier one if two are equally near, and
the nearest of all if none has such a neighbour, the later one of two, as the figure's last else
has it. (The author's program takes the earlier one there, too.)

All sentences take the same step at once, but for very long ones (`lepor_long`). Preference is a
small number for every pair of equal words, twice the distance, one more for the worse of two
equally near, and more than any distance without a matching neighbour, so that a step is the
minimum over the places not yet taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Ints
from preorder_eval.data.segments import Tokens
from preorder_eval.metrics.shared.columns import column_places
from preorder_eval.metrics.shared.lepor_long import align_long
from preorder_eval.metrics.shared.pair_columns import pairs_side_by_side

Bools = NDArray[np.bool_]
UNALIGNED = -1
_LONG = 1 << 22  # pairs of words of two sentences, of which no table is made any more


def align(hypotheses: Tokens, references: Tokens, n: int) -> tuple[Ints, Bools]:
    """Align every word of the hypotheses with a word of its reference.

    Parameters: `n`, how many words either side count as neighbours; 0 leaves the nearest place.

    Returns for every token of the hypotheses its place in the reference, 0-based, int32[N], -1 if
    unaligned, and whether that place has a matching neighbour, bool[N].

    >>> from preorder_eval.data.segments import Segments
    >>> segments = Segments.of(["a stone on a bird"], ["a bird is on a stone"])
    >>> places, _ = align(segments.hypotheses, segments.references[0], 2)
    >>> (places + 1).tolist()
    [5, 6, 4, 1, 2]
    """
    places = np.full(len(hypotheses.codes), UNALIGNED, dtype=np.int32)
    with_neighbour = np.zeros(len(hypotheses.codes), dtype=np.bool_)
    for chosen, left, right in pairs_side_by_side(hypotheses, references):
        if len(left) * len(right) > _LONG:  # which stands alone
            one, beside = align_long(left[:, 0], right[:, 0], n, UNALIGNED)
            aligned, neighbours = one[:, None], beside[:, None]
        else:
            aligned, neighbours = _align_columns(left, right, n)
        rows, columns, numbers = column_places(hypotheses.offsets, chosen)
        places[numbers] = aligned[rows, columns]
        with_neighbour[numbers] = neighbours[rows, columns]
    return places, with_neighbour


def _align_columns(left: Ints, right: Ints, n: int) -> tuple[Ints, Bools]:
    preferences, lonely = _preferences(left, right, n)
    never = preferences.dtype.type(np.iinfo(preferences.dtype).max)
    taken = np.zeros(right.shape, dtype=preferences.dtype)  # all bits where a place is taken
    best = np.empty(left.shape, dtype=preferences.dtype)
    columns = np.arange(left.shape[1])
    places = np.empty(left.shape, dtype=np.int32)
    for i, preference in enumerate(preferences):
        np.bitwise_or(preference, taken).min(axis=0, out=best[i])
        twice = (best[i] % lonely).astype(np.int32)
        is_right = (twice & 1) == (best[i] < lonely)
        places[i] = i + np.where(is_right, twice >> 1, -(twice >> 1))
        aligned = best[i] != never
        taken[places[i, aligned], columns[aligned]] = never
    places[best == never] = UNALIGNED
    return places, best < lonely


def _preferences(left: Ints, right: Ints, n: int) -> tuple[NDArray[Any], int]:
    """The preference for every pair of places, [left, right, sentences], and the lonely's extra."""
    n = min(n, max(len(left), len(right)))  # no neighbour is farther away
    steps = np.arange(len(right)) - np.arange(len(left))[:, None]
    lonely = 2 * max(len(left), len(right))  # above every distance
    small = np.min_scalar_type(2 * lonely)
    same = np.zeros((len(left) + 2 * n, len(right) + 2 * n, left.shape[1]), dtype=np.bool_)
    inside = same[n : n + len(left), n : n + len(right)]
    np.equal(left[:, None], right, out=inside)
    neighbours = _beside(_beside(same, n).swapaxes(0, 1), n).swapaxes(0, 1)
    beside = (2 * np.abs(steps) + (steps > 0)).astype(small)[:, :, None]
    alone = (lonely + 2 * np.abs(steps) + (steps < 0)).astype(small)[:, :, None]
    preferences = np.where(neighbours, beside, alone)
    preferences |= np.where(inside, small.type(0), small.type(np.iinfo(small).max))
    return preferences, lonely


def _beside(same: Bools, n: int) -> Bools:
    """For every place but the n at either end, whether one of the n on either side is true."""
    size = len(same) - 2 * n
    beside = np.zeros_like(same[:size])
    for shift in (*range(n), *range(n + 1, 2 * n + 1)):
        beside |= same[shift : shift + size]
    return beside
