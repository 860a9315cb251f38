"""Whether metrics agree with humans about systems better than chance: a permutation test.

A metric may favour the better systems by chance, and would then do so on other segments, too.
Resampling segments does not reveal this. So the human scores are permuted among the systems: all
permutations of up to seven systems and 10,000 random ones of more. A metric is compared with the
best of all metrics in each permutation (Westfall & Young 1993), since the best one is chosen by its
value. Three systems have six permutations, so that p is at least 1/6: with fewer than four systems
nothing can be significant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from preorder_eval.base.arrays import Floats, Longs
from preorder_eval.base.stats.measurement import TIE
from preorder_eval.judgments.human_scores import HumanScores, Judgments
from preorder_eval.judgments.metric_scores import (
    MetricScores,
    of_readable,
    turned_segments,
    turned_systems,
)
from preorder_eval.judgments.pairwise_accuracy import flip_p
from preorder_eval.judgments.statistic import Statistic, ratings_of_systems

FEWEST_TESTED = 4  # systems that can show something
LEVEL = 0.05
DRAWS = 10_000
_ALL = 7  # systems, whose permutations are all taken
_AT_ONCE = 250  # permutations


def chance_p(
    chosen: Statistic, metrics: Sequence[MetricScores], judgments: Judgments, *, seed: int = 0
) -> Floats:
    """Return the one-sided p that each metric agrees about systems no better than chance.

    Parameters: `chosen` a statistic over systems. Returns float64[M], corrected for the number of
    metrics, and 1 where the statistic is undefined.

    >>> from preorder_eval.judgments.statistic import statistic
    >>> system = np.arange(5)
    >>> people = HumanScores(tuple("abcde"), 1, system, 0 * system, system + 0.0, 0 * system)
    >>> metric = MetricScores.mean("m", np.arange(5.0)[:, None])
    >>> (120 * chance_p(statistic("system.kendall", people), [metric], people)).round().tolist()
    [1.0]
    """
    values = of_readable(_permuted_values(chosen, metrics, judgments, seed), metrics)
    values = np.nan_to_num(values, nan=-np.inf)
    real, best = values[0], values.max(axis=1)
    p = np.mean(best[:, None] >= real - TIE, axis=0)
    return np.where(np.isinf(real), 1.0, p)


def opposite_p(
    chosen: Statistic, metrics: Sequence[MetricScores], judgments: Judgments, *, seed: int = 0
) -> float:
    """Return the one-sided p that not all metrics agree with the opposite of the human scores."""
    values = _permuted_values(chosen, metrics, judgments, seed)
    defined = ~np.isnan(values[0])
    if not defined.any():
        return 1.0
    highest = np.nan_to_num(values[:, defined], nan=np.inf).max(axis=1)
    return float(np.mean(highest <= highest[0] + TIE))


def _permuted_values(
    chosen: Statistic, metrics: Sequence[MetricScores], judgments: Judgments, seed: int
) -> Floats:
    """Return the statistic in each permutation; float64[N, M], the real one first."""
    people = ratings_of_systems(judgments)
    if chosen.distributed and isinstance(judgments, HumanScores):
        humans, of_metrics = flip_p(turned_segments(metrics), judgments.means)
        orders = permuted(len(people), seed)
        return np.concatenate([_soft(humans, of_metrics, order) for order in orders])
    systems = chosen.systems(people)
    x, y = turned_systems(metrics)[:, None, systems], people[systems]
    orders = permuted(len(systems), seed)
    every = range(len(systems))
    return np.concatenate([chosen.correlate(x, y[order], every).T for order in orders])


def permuted(size: int, seed: int) -> Iterator[Longs]:
    """Yield orders of `size` systems in blocks int64[rows, size]; the first is the real one.

    >>> [order.tolist() for order in permuted(2, seed=0)]
    [[[0, 1], [1, 0]]]
    """
    if size <= _ALL:
        every = np.array(list(permutations(range(size))), dtype=np.int64).reshape(-1, size)
        yield from np.split(every, range(_AT_ONCE, len(every), _AT_ONCE))
        return
    rng = np.random.default_rng(seed)
    yield np.arange(size)[None]
    for _ in range(0, DRAWS, _AT_ONCE):
        yield rng.permuted(np.tile(np.arange(size), (_AT_ONCE, 1)), axis=1)


def _soft(humans: Floats, of_metrics: Floats, order: Longs) -> Floats:
    """Return SPA of M metrics in each order of the systems' human scores; float64[rows, M].

    `humans` float64[R, R] and `of_metrics` float64[M, R, R] are the p that one system of a pair is
    better; NaN for pairs that are not known.
    """
    first, second = np.triu_indices(len(humans), 1)
    moved = humans[order[:, first], order[:, second]]
    distance = np.abs(moved[:, None] - of_metrics[None, :, first, second])
    known = ~np.isnan(distance)
    count = known.sum(axis=-1)
    total = np.where(known, 1 - distance, 0.0).sum(axis=-1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
