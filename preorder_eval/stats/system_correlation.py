"""Correlation of metrics with people over systems: which systems are outliers, and which metrics
are not significantly different.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.stats.correlation import accuracy, kendall, pearson, spearman
from preorder_eval.stats.measurement import TIE

COEFFICIENTS = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "accuracy": accuracy,
}


def outliers(scores: Floats, cutoff: float = 2.5) -> list[int]:
    """The systems that stand far from the others, by number.

    Those with |x - median| / (1.483 · MAD) > `cutoff`, where MAD is the median of |x - median|:
    a single very bad system can lift Pearson's r of any metric near 1 (Mathur et al. 2020, whose
    rule the metrics tasks of WMT took over).

    >>> outliers(np.array([0.1, 0.2, 0.0, 0.1, -1.3]))
    [4]
    """
    distance = np.abs(scores - np.median(scores))
    spread = 1.483 * float(np.median(distance))
    if spread <= TIE:
        return []
    return np.flatnonzero(distance / spread > cutoff).tolist()


def groups(p: Floats, order: Sequence[int], level: float = 0.05) -> list[int]:
    """The group of each metric in a table sorted by `order`, counted from 1.

    Going down the table, a metric starts a new group if it differs significantly from one that
    stands above it in the current group (as the metrics task of WMT 2022 ranks). `p` float64[M, M]
    are p-values of the differences; one that is NaN is not significant.

    >>> p = np.array([[1, 0.2, 0.01], [0.2, 1, 0.3], [0.01, 0.3, 1]])
    >>> groups(p, [0, 1, 2])
    [1, 1, 2]
    """
    numbers: list[int] = []
    current: list[int] = []
    for metric in order:
        if not current or np.any(p[metric, current] <= level):
            current = []
            numbers.append(numbers[-1] + 1 if numbers else 1)
        else:
            numbers.append(numbers[-1])
        current.append(metric)
    return numbers
