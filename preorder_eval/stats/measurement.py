"""What is resampled: the statistics that a metric gives for systems on the same sentences.

All resampling here comes down to one product of matrices, weights of sentences times statistics
of all systems and metrics side by side, so that every system meets the same draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.errors import PreorderEvalError

Finish = Callable[[Floats], Floats]
TIE = 1e-9  # differences below this are rounding
BLOCK = 1 << 16  # sentences that are drawn and summed together, here or on another machine


@dataclass(frozen=True, eq=False)
class Measurement:
    """A metric's statistics for R systems on the same S sentences.

    `statistics` float64[R, S, k] add up over sentences; `finish` turns sums of them, float64[…, k],
    into values, float64[…].

    >>> shares = Measurement(np.array([[[1.0, 2], [1, 1]]]), lambda s: s[..., 0] / s[..., 1])
    >>> shares.values.round(3).tolist()
    [0.667]
    """

    statistics: Floats
    finish: Finish

    @cached_property
    def values(self) -> Floats:
        """The corpus value of each system; float64[R]."""
        return self.finish(totals(self.statistics))


def side_by_side(measurements: Sequence[Measurement]) -> Floats:
    """All statistics as columns of one array with a row per sentence; float64[S, columns].

    Raises PreorderEvalError where there is no sentence, or where the measurements differ in their
    number.
    """
    size = sentence_count(measurements)
    columns = [m.statistics.transpose(1, 0, 2).reshape(size, -1) for m in measurements]
    return np.concatenate(columns, axis=1)


def sentence_count(measurements: Sequence[Measurement]) -> int:
    """How many sentences the measurements have; PreorderEvalError as in `side_by_side`."""
    sizes: set[int] = {m.statistics.shape[1] for m in measurements}
    if len(sizes) != 1 or 0 in sizes:
        raise PreorderEvalError(f"measurements of {sorted(sizes)} sentences cannot be resampled")
    return sizes.pop()


def apart(sums: Floats, measurements: Sequence[Measurement]) -> list[Floats]:
    """Undo `side_by_side` for sums float64[N, columns]: float64[N, R, k] for each measurement."""
    shapes = [(m.statistics.shape[0], m.statistics.shape[2]) for m in measurements]
    ends = np.cumsum([systems * k for systems, k in shapes])
    parts = np.split(sums, ends[:-1], axis=1)
    return [part.reshape(len(sums), *shape) for part, shape in zip(parts, shapes, strict=True)]


def totals(statistics: Floats) -> Floats:
    """Sums over sentences, float64[R, S, k] to float64[R, k].

    Those of more than a block are exact sums of `summable` statistics, so that parts of a corpus
    may be summed anywhere and put together in any order.

    >>> totals(np.ones((2, 3, 1))).tolist()
    [[3.0], [3.0]]
    """
    if statistics.shape[1] <= BLOCK:
        sums: Floats = statistics.sum(axis=1)
        return sums
    exact: Floats = np.sum([rows.sum(axis=1) for rows in _blocks(statistics)], axis=0)
    return exact


def summable(statistics: Floats) -> Floats:
    """Round statistics, float64[S, k], to so few digits that no sum of S of them is rounded.

    A product of matrices adds in an order that depends on the processor, on the block and on the
    columns beside. With exact sums none of that shows, and equal systems come out equal. The
    error is below the largest statistic times S / 2^52, a billionth at a million sentences.

    >>> thirds = summable(np.full((3, 1), 1 / 3))
    >>> bool(thirds.sum() - 2 * thirds[0, 0] == thirds[0, 0])
    True
    """
    return rounded(statistics, largest(statistics), len(statistics))


def summable_blocks(measurements: Sequence[Measurement]) -> Iterator[Floats]:
    """The rows of `side_by_side`, `summable` and a block at a time, so that few are in memory."""
    size = sentence_count(measurements)
    largests = [largest(m.statistics) for m in measurements]
    columns = sum(most.size for most in largests)
    for first in range(0, size, BLOCK):
        rows, column = np.empty((min(BLOCK, size - first), columns)), 0
        for m, most in zip(measurements, largests, strict=True):
            for of_system in rounded(m.statistics[:, first : first + BLOCK], most, size):
                rows[:, column : column + of_system.shape[1]] = of_system
                column += of_system.shape[1]
        yield rows
        del rows  # before the next are made


def _blocks(statistics: Floats) -> Iterator[Floats]:
    """The `summable` statistics of R systems, float64[R, S, k], some sentences at a time."""
    most, size = largest(statistics), statistics.shape[1]
    for first in range(0, size, BLOCK):
        yield rounded(statistics[:, first : first + BLOCK], most, size)


def largest(statistics: Floats) -> Floats:
    """The largest statistic of each column, without its sign; float64[…, S, k] to float64[…, k].

    >>> largest(np.array([[1.0, -3], [2, 0]])).tolist()
    [2.0, 3.0]
    """
    most, least = (end(axis=-2, initial=0.0) for end in (statistics.max, statistics.min))
    either: Floats = np.maximum(most, -least)
    return either


def rounded(statistics: Floats, most: Floats, size: int) -> Floats:
    """A part of statistics that are `summable`, of `size` sentences that are at `most` so large."""
    unit = np.ldexp(1.0, np.frexp(most * size)[1] - 52)[..., None, :]
    whole: Floats = statistics / unit
    np.rint(whole, out=whole)
    whole *= unit
    return whole
