"""Weighted longest common subsequences of many sentence pairs at once (Lin & Och 2004, 3.3).

Consecutive matches weigh more: a run of k of them adds f(k), such as k^a. The paper defines the
weight by a dynamic program, which is followed here to the letter. Where a word is repeated it is
not always the largest weight of a common subsequence: it takes every match, even one that breaks
a longer run. For sentences without repeated words it is.

Sentences of about the same lengths stand side by side, and the table is filled by its diagonals:
on a diagonal no cell depends on another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Floats, Longs, within
from preorder_eval.data.segments import Tokens

_CELLS = 1 << 13  # of a diagonal: small enough to stay in the processor's cache
_MATCH, _UP, _LEFT = 0, 1, 2

Codes = NDArray[np.int32]


class _Batch(NamedTuple):
    """Some segments as columns: row i of `rows` is the i-th reference word, -1 where none is;
    row j of `columns` the j-th hypothesis word, -2 where none is.
    """

    segments: Longs
    heights: Longs
    widths: Longs
    rows: Codes
    columns: Codes


def weighted_common(
    hypotheses: Tokens, references: Tokens, weigh: Callable[[Longs], Floats]
) -> Floats:
    """WLCS of each pair of sentences, where `weigh` is f, with f(0) = 0; float64[S].

    >>> sides = [Tokens(np.array([0, 4]), np.array(c)) for c in ([7, 8, 9, 2], [7, 8, 1, 2])]
    >>> weighted_common(*sides, lambda k: k**2.0).tolist()
    [5.0]
    """
    result = np.zeros(len(hypotheses))
    for batch in _batches(hypotheses, references):
        result[batch.segments] = _fill(batch, weigh, None)
    return result


def reference_runs(hypotheses: Tokens, references: Tokens, exponent: float) -> Floats:
    """Like `weighted_common`, but runs are counted in the reference alone; float64[S].

    The words of the weighted common subsequence that stand side by side in the reference make a
    run, whether or not they do in the hypothesis, as in ROUGE-1.5.5.
    """
    result = np.zeros(len(hypotheses))
    for batch in _batches(hypotheses, references):
        height, width, count = len(batch.rows), len(batch.columns), len(batch.segments)
        moves = np.empty((height + width + 1, height + 1, count), dtype=np.int8)
        _fill(batch, lambda k: k.astype(np.float64) ** exponent, moves)
        result[batch.segments] = _run_weights(_matched_rows(batch, moves), exponent)
    return result


def _fill(
    batch: _Batch, weigh: Callable[[Longs], Floats], moves: NDArray[np.int8] | None
) -> Floats:
    """The weight of each pair. If `moves` is given, the move into cell (i, d - i) goes there at
    [d, i].

    Cell (i, j) is in row i of diagonal d = i + j; `one` and `two` are the last diagonals. Of these
    the rows with i = 0 or j = 0 are read too: no diagonal has written there yet, so they are zero.
    """
    height, width, count = len(batch.rows), len(batch.columns), len(batch.segments)
    weights = weigh(np.arange(min(height, width) + 1))
    backwards = batch.columns[::-1]
    one, two, best = (np.zeros((height + 1, count)) for _ in range(3))
    run_one, run_two, run = (np.zeros((height + 1, count), dtype=np.int32) for _ in range(3))
    ends = batch.heights + batch.widths
    by_end = np.argsort(ends, kind="stable")
    borders = np.searchsorted(ends[by_end], np.arange(height + width + 2))
    result = np.zeros(count)
    for diagonal in range(2, height + width + 1):
        first, last = max(1, diagonal - width), min(height, diagonal - 1) + 1
        up, left = one[first - 1 : last - 1], one[first:last]
        # Row i of the table meets column diagonal - i, which is a window of the columns reversed.
        window = backwards[width - diagonal + first : width - diagonal + last]
        match = np.flatnonzero(batch.rows[first - 1 : last - 1] == window)
        np.maximum(up, left, out=best[first:last])
        if moves is not None:
            moves[diagonal, first:last] = np.where(up >= left, _UP, _LEFT)
            moves[diagonal, first:last].reshape(-1)[match] = _MATCH
        length = run_two[first - 1 : last - 1].reshape(-1)[match]
        before = two[first - 1 : last - 1].reshape(-1)[match]
        # In this order, so that sums that ROUGE-1.5.5 takes for equal are equal here.
        best[first:last].reshape(-1)[match] = before + weights[length + 1] - weights[length]
        run[first:last] = 0
        run[first:last].reshape(-1)[match] = length + 1
        ended = by_end[borders[diagonal] : borders[diagonal + 1]]
        result[ended] = best[batch.heights[ended], ended]
        one, two, best = best, one, two
        run_one, run_two, run = run, run_one, run_two
    return result


def _matched_rows(batch: _Batch, moves: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Which reference words are on the path through the table; bool[height, segments]."""
    matched = np.zeros((len(batch.rows), len(batch.segments)), dtype=np.bool_)
    i, j = batch.heights.copy(), batch.widths.copy()
    walking = np.flatnonzero((i > 0) & (j > 0))
    while walking.size:
        row, column = i[walking], j[walking]
        move = moves[row + column, row, walking]
        on_path = move == _MATCH
        matched[row[on_path] - 1, walking[on_path]] = True
        i[walking] -= move != _LEFT
        j[walking] -= move != _UP
        walking = walking[(i[walking] > 0) & (j[walking] > 0)]
    return matched


def _run_weights(matched: NDArray[np.bool_], exponent: float) -> Floats:
    """The sum of f over the runs of each column."""
    weights = np.arange(len(matched) + 1, dtype=np.float64) ** exponent
    run = np.zeros(matched.shape[1], dtype=np.int64)
    total = np.zeros(matched.shape[1])
    for row in matched:
        total += np.where(row, 0.0, weights[run])
        run = (run + 1) * row
    return total + weights[run]


def _batches(hypotheses: Tokens, references: Tokens) -> Iterator[_Batch]:
    """Segments of about the same lengths; those with an empty side are left out."""
    heights, widths = references.lengths, hypotheses.lengths
    filled = np.flatnonzero((heights > 0) & (widths > 0))
    left = filled[np.lexsort((widths[filled], heights[filled] // 8))]
    while left.size:
        part = left[: max(1, _CELLS // int(heights[left[0]] + 8))]
        left = left[len(part) :]
        yield _Batch(
            part,
            heights[part],
            widths[part],
            _columns(references, part, -1),
            _columns(hypotheses, part, -2),
        )


def _columns(tokens: Tokens, segments: Longs, filler: int) -> Codes:
    lengths = tokens.lengths[segments]
    columns: Codes = np.full((int(lengths.max()), len(segments)), filler, dtype=np.int32)
    column = np.repeat(np.arange(len(segments)), lengths)
    places = within(np.concatenate([[0], np.cumsum(lengths)]))
    columns[places, column] = tokens.codes[places + tokens.offsets[segments][column]]
    return columns
