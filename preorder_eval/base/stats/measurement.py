"""Measurements: the statistics that a metric gives for systems on the same sentences.

All resampling is one product of matrices: weights of sentences times statistics of all systems and
metrics side by side. So every system meets the same draws. More than 4,096 sentences are first
summed in as many groups, and the groups are drawn. A hash of the sentence's number assigns them, as
taking turns would stratify over a sorted file. So the cost of resampling stops growing with the
corpus. In simulations widths differ by less than 1% for it, and p by less than .01.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from preorder_eval.base.arrays import Floats, Longs, matrix_product
from preorder_eval.base.errors import PreorderEvalError

Finish = Callable[[Floats], Floats]
TIE = 1e-9  # differences below this are rounding
DRAWN_TOGETHER = 1 << 12  # of sentences that are drawn together
_GROUP_BITS = 12


@dataclass(frozen=True, eq=False)
class Measurement:
    """A metric's statistics for R systems on the same S sentences, or groups of sentences.

    `statistics` float64[R, S, k] add up over sentences; `finish` turns sums of them, float64[…, k],
    into values, float64[…]. `values` float64[R] are the corpus values.

    >>> shares = Measurement(np.array([[[1.0, 2], [1, 1]]]), lambda s: s[..., 0] / s[..., 1])
    >>> shares.values.round(3).tolist()
    [0.667]
    """

    statistics: Floats
    finish: Finish
    values: Floats = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", self.finish(self.statistics.sum(axis=1)))


def grouped(measurement: Measurement) -> Measurement:
    """Return the statistics of at most 4,096 groups of sentences; each sentence if they are few."""
    statistics = measurement.statistics
    size = statistics.shape[1]
    if size <= DRAWN_TOGETHER:
        return measurement
    sums = [group_sums(rows, largest(rows), 0, size) for rows in statistics]
    return Measurement(np.stack(sums), measurement.finish)


def group_sums(statistics: Floats, most: Floats, first: int, size: int) -> Floats:
    """Return sums over groups of sentences, for a part of the `size` sentences of a corpus.

    Parameters: `statistics` float64[S, k] of the part; `first`, the number of its first sentence in
    the corpus; `most` float64[k], the largest absolute values of the statistics in the whole
    corpus. Returns float64[groups, k]. The sums are exact (`rounded`), so that parts can be summed
    anywhere and added in any order. Up to 4,096 sentences, each is a group.
    """
    if size <= DRAWN_TOGETHER:
        sums = np.zeros((size, statistics.shape[1]))
        sums[first : first + len(statistics)] = statistics
        return sums
    group = group_numbers(first, len(statistics))
    exact = rounded(statistics, most, size)
    return np.column_stack([np.bincount(group, column, DRAWN_TOGETHER) for column in exact.T])


def group_numbers(first: int, count: int) -> Longs:
    """Return the groups of sentences by their numbers, from `first`; int64[count].

    The first 12 bits of SplitMix64 (Steele, Lea & Flood 2014) of the sentence's number.

    >>> group_numbers(0, 3).tolist(), group_numbers(2, 1).tolist()
    ([3618, 1767, 108], [108])
    """
    mixed = np.arange(first + 1, first + count + 1, dtype=np.uint64)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return (mixed >> np.uint64(64 - _GROUP_BITS)).astype(np.int64)


def side_by_side(measurements: Sequence[Measurement]) -> Floats:
    """Return all statistics as columns of one array with a row per sentence; float64[S, columns].

    They are rounded so that sums are exact (`rounded`). Raises PreorderEvalError if there is no
    sentence, or if the measurements differ in their number.
    """
    sizes: set[int] = {m.statistics.shape[1] for m in measurements}
    if len(sizes) != 1 or 0 in sizes:
        raise PreorderEvalError(f"measurements of {sorted(sizes)} sentences cannot be resampled")
    [size] = sizes
    columns = [m.statistics.transpose(1, 0, 2).reshape(size, -1) for m in measurements]
    together = np.concatenate(columns, axis=1)
    return rounded(together, largest(together), size)


def apart(sums: Floats, measurements: Sequence[Measurement]) -> list[Floats]:
    """Undo `side_by_side` for sums float64[N, columns]: float64[N, R, k] for each measurement."""
    shapes = [(m.statistics.shape[0], m.statistics.shape[2]) for m in measurements]
    ends = np.cumsum([systems * k for systems, k in shapes])
    parts = np.split(sums, ends[:-1], axis=1)
    return [part.reshape(len(sums), *shape) for part, shape in zip(parts, shapes, strict=True)]


def products(weights: Iterable[Floats], statistics: Floats) -> Floats:
    """Multiply blocks of weights, float64[n, S] each, by statistics that are `side_by_side`.

    Returns float64[N, columns]. The weights of a row are whole numbers from 0, of which the sum is
    at most S. Equal columns, such as the lengths of references, are multiplied once: all sums are
    exact (`rounded`).
    """
    first = {column.tobytes(): c for c, column in reversed([*enumerate(statistics.T)])}
    kept = sorted(first.values())
    where = {c: number for number, c in enumerate(kept)}
    back = [where[first[column.tobytes()]] for column in statistics.T]
    distinct = statistics[:, kept]
    return np.concatenate([matrix_product(block, distinct) for block in weights])[:, back]


def largest(statistics: Floats) -> Floats:
    """Return the largest absolute value of each column; float64[k]."""
    most, least = (end(axis=0, initial=0.0) for end in (statistics.max, statistics.min))
    return np.maximum(most, -least)


def rounded(statistics: Floats, most: Floats, size: int) -> Floats:
    """Round statistics, float64[S, k], so that sums of `size` of them are exact.

    `most` float64[k] are their largest absolute values. A product of matrices adds in an order that
    depends on the processor and on the other columns. If sums are exact, none of that shows, and
    equal systems get equal values. The error is below the largest statistic times size / 2^52.

    >>> thirds = rounded(np.full((3, 1), 1 / 3), np.array([1 / 3]), 3)
    >>> bool(thirds.sum() - 2 * thirds[0, 0] == thirds[0, 0])
    True
    """
    unit = np.ldexp(1.0, np.frexp(most * size)[1] - 52)[None, :]
    whole: Floats = statistics / unit
    np.rint(whole, out=whole)
    whole *= unit
    return whole


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return mean, standard deviation, minimum and maximum of a score, as of several trainings.

    The deviation is that of the sample (n - 1 in the denominator); NaN for a single value.

    >>> {name: round(value, 4) for name, value in spread([0.70, 0.72, 0.74]).items()}
    {'mean': 0.72, 'sd': 0.02, 'min': 0.7, 'max': 0.74}
    """
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
    return {"mean": float(np.mean(values)), "sd": deviation, "min": min(values), "max": max(values)}
