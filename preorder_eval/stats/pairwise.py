"""Every pair of systems compared: the paired bootstrap, and randomization corrected by Holm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from preorder_eval.stats.bootstrap import Bootstrap, Difference
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.multiple import holm
from preorder_eval.stats.randomization import randomization


@dataclass(frozen=True)
class Pair:
    """Two systems, by their numbers, compared by one metric.

    `difference` is that of the second minus the first; `p` is by approximate randomization, and
    `p_holm` is p corrected for all the pairs of the same metric.
    """

    first: int
    second: int
    difference: Difference
    p: float
    p_holm: float


def all_pairs(
    measurements: Sequence[Measurement],
    bootstraps: Sequence[Bootstrap],
    *,
    trials: int = 10_000,
    seed: int = 0,
) -> list[list[Pair]]:
    """The pairs of systems for each measurement, whose bootstrap stands at the same place.

    Pairs come row by row of the triangular matrix: 0-1, 0-2, …, 1-2, ….
    """
    results = []
    tests = randomization(measurements, trials=trials, seed=seed)
    for sampled, p_values in zip(bootstraps, tests, strict=True):
        pairs = list(combinations(range(len(p_values)), 2))
        p = [float(p_values[pair]) for pair in pairs]
        results.append(
            [
                Pair(*pair, sampled.difference(*pair), *values)
                for pair, *values in zip(pairs, p, holm(p).tolist(), strict=True)
            ]
        )
    return results
