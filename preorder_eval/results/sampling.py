"""Resampling: intervals of systems, which pairs of them are compared, and how they differ."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import Any, Literal

import numpy as np

from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.base import Metric
from preorder_eval.results.defaults import SOURCE_ORDER
from preorder_eval.results.systems import System
from preorder_eval.stats import Test
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import TRIALS_PER_RESAMPLE, ComparedPair, compare_systems

Against = Literal["none", "baseline", "all"]


@dataclass(frozen=True)
class Sampling:
    """Intervals and tests: bootstrap resamples (ten times as many random subsets), seed and test.

    `against` names the pairs of systems that are compared: none, each with the baseline and with
    the best, or all. The baseline is the source order (rules `none`), or the best where that is
    not among the systems; of outputs it is the first. Of what is `UNDRAWN` scores have no
    intervals, and no systems are compared.
    """

    resamples: int = 1000
    seed: int = 0
    test: Test = "randomization"
    against: Against = "none"

    def facts(self) -> dict[str, Any]:
        """Return by which test systems are compared, for JSON."""
        drawn = TRIALS_PER_RESAMPLE if self.test != "koehn" else 1
        return {
            "test": self.test,
            "against": self.against,
            "samples": self.resamples * drawn,
            "seed": self.seed,
        }


UNDRAWN = Sampling(resamples=0)  # for scores whose intervals nobody sees


def drawn(
    metrics: Sequence[Metric],
    measurements: Sequence[Measurement],
    scored: Sequence[Hashable],
    compared: Sequence[tuple[int, int]],
    sampling: Sampling,
) -> tuple[list[list[Interval]], list[list[ComparedPair]]]:
    """Return the interval of every system by each metric, and by each metric the pairs compared.

    `scored` tells which sentences each metric scores: the same draws serve all that score the same.
    """
    if sampling == UNDRAWN:
        by_system = zip(*(m.values.tolist() for m in measurements), strict=True)
        undrawn = [[Interval(value, nan, nan) for value in values] for values in by_system]
        return undrawn, [[] for _ in metrics]
    systems = len(measurements[0].values)
    intervals: list[list[Interval]] = [[] for _ in metrics]
    pairs: list[list[ComparedPair]] = [[] for _ in metrics]
    for key in dict.fromkeys(scored):
        numbers = [m for m, other in enumerate(scored) if other == key]
        together = [measurements[m] for m in numbers]
        estimates = bootstrap(together, resamples=sampling.resamples, seed=sampling.seed)
        for m, of_metric in zip(numbers, estimates, strict=True):
            intervals[m] = [of_metric.interval(s) for s in range(systems)]
        if compared:
            tested = compare_systems(
                together,
                higher_is_better=[metrics[m].higher_is_better for m in numbers],
                pairs=compared,
                test=sampling.test,
                resamples=sampling.resamples,
                seed=sampling.seed,
            )
            for m, of_pairs in zip(numbers, tested, strict=True):
                pairs[m] = of_pairs
    return [list(of_system) for of_system in zip(*intervals, strict=True)], pairs


def pairs_to_compare(
    systems: Sequence[System],
    metric: Metric,
    measurement: Measurement,
    *,
    of_orders: bool,
    against: Against,
) -> list[tuple[int, int]]:
    """Return the numbers of the systems to compare in pairs, whose first metric is given.

    Raises PreorderEvalError if all pairs of a single system are to be compared.
    """
    numbers = range(len(systems))
    if against == "all" and len(systems) < 2:
        raise PreorderEvalError("significance needs at least two systems to compare")
    if against != "baseline":
        return list(combinations(numbers, 2)) if against == "all" else []
    best = best_system(metric, measurement)
    first = baseline(systems, of_orders, best)
    from_best = [(best, other) for other in numbers if other not in (first, best)]
    return [(first, other) for other in numbers if other != first] + from_best * (best != first)


def best_system(metric: Metric, measurement: Measurement) -> int:
    """Return the number of the system that is best by a metric, the first on a tie."""
    values = measurement.values if metric.higher_is_better else -measurement.values
    return int(np.argmax(np.nan_to_num(values, nan=-np.inf)))


def baseline(systems: Sequence[System], of_orders: bool, best: int) -> int:
    """Return the number of the source order, or the best without it; of outputs the first's."""
    if not of_orders:
        return 0
    return next((number for number, s in enumerate(systems) if s.rules == SOURCE_ORDER), best)
