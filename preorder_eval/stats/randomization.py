"""Paired approximate randomization (Noreen 1989; Riezler & Maxwell 2005).

If two systems are equally good, it makes no difference which of them each sentence's result came
from. So the results of two systems are swapped sentence by sentence, by the toss of a coin, and
p is the share of trials in which the corpus values differ as much as they really do:
p = (1 + hits) / (1 + trials). Where all 2^S ways of swapping are no more than the trials asked
for, each is tried once instead, and p = hits / 2^S is exact.

Swapping S sentences in every trial is a product of matrices: the zeros and ones of the coins,
times the statistics of all systems and metrics side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.stats.measurement import TIE, Finish, Measurement, apart, side_by_side
from preorder_eval.stats.subsets import exhaustive, subsets


def randomization(
    measurements: Sequence[Measurement], *, trials: int = 10_000, seed: int = 0
) -> list[Floats]:
    """Two-sided p-values of all pairs of systems; float64[R, R] for each measurement.

    The matrix is symmetric, and 1 on its diagonal. All systems and metrics see the same coins,
    which depend on the number of sentences, `trials` and `seed` alone. p is NaN where a system
    has no value.

    >>> statistics = np.array([[[0.0, 1]] * 6, [[1, 1]] * 6])
    >>> [p] = randomization([Measurement(statistics, lambda s: s[..., 0] / s[..., 1])])
    >>> p[0, 1].item() == 2 / 2**6  # only with all sentences swapped is the difference as large
    True
    """
    columns = side_by_side(measurements)
    exact = exhaustive(len(columns), trials)
    taken = np.concatenate([coins @ columns for coins in subsets(len(columns), trials, seed)])
    rows = len(taken)
    total = columns.sum(axis=0)[None]
    results = []
    for measurement, original, swapped in zip(
        measurements, apart(total, measurements), apart(taken, measurements), strict=True
    ):
        p = np.eye(original.shape[1])
        for a, b in combinations(range(original.shape[1]), 2):
            moved = swapped[:, b] - swapped[:, a]
            hits = _hits(original[0, a], original[0, b], moved, measurement.finish)
            p[a, b] = p[b, a] = hits / rows if exact else (1 + hits) / (1 + rows)
        results.append(p)
    return results


def _hits(first: Floats, second: Floats, moved: Floats, finish: Finish) -> float:
    """In how many trials the values differ at least as much as they really do.

    `first` and `second` are the sums of each system, `moved` (trials × k) what the first gains
    and the second loses by the swaps. A trial without a value counts as a hit, on the safe side.
    """
    real = abs(float(finish(second) - finish(first)))
    if np.isnan(real):
        return np.nan
    differences = np.abs(finish(second - moved) - finish(first + moved))
    return int(np.count_nonzero(~(differences < real - TIE)))
