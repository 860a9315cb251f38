"""Systems compared by the references of each annotator, to see whether all agree on the verdict.

A reference set with layers `first` and `second` was annotated twice, and adjudicated. Systems are
compared by both, on the sentences that all three have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from preorder_eval.metrics.base import Metric
from preorder_eval.results.inputs import Inputs
from preorder_eval.results.sampling import Sampling, Standing, measured
from preorder_eval.stats.significance import ComparedPair, Difference, compare_systems


class ByAnnotator(NamedTuple):
    """Pairs of systems, by number, compared by the references of each annotator.

    `sentences` is how many sentences all annotators have.
    """

    pairs: Mapping[str, Sequence[ComparedPair]]
    sentences: int


def between(pairs: Iterable[ComparedPair], first: int, second: int) -> Difference | None:
    """Return the second of two systems minus the first; None if they were not compared."""
    for pair in pairs:
        if (pair.first, pair.second) == (first, second):
            return pair.difference
        if (pair.second, pair.first) == (first, second):
            return pair.difference.reversed()
    return None


def by_annotator(
    inputs: Inputs, metric: Metric, standing: Standing, sampling: Sampling
) -> ByAnnotator | None:
    """Compare the best system with each other one by each annotator, if there are several."""
    reference = inputs.reference
    if reference is None or not reference.annotators or sampling.against == "none":
        return None
    sets = reference.annotators
    common = np.logical_and.reduce([data.informative for data in (reference, *sets.values())])
    pairs = [(n, standing.best) for n in sorted({*standing.entrants} - {standing.best})]
    if not pairs or not common.any():
        return None
    found = {}
    for who, data in sets.items():
        own = replace(inputs, reference=data)
        scores = [metric.score_system(own.of(n)) for n in range(len(inputs.systems))]
        counted = common & ~np.isnan(scores[0].sentence)
        statistics = [one.statistics for one in scores]
        measurement = measured(metric, statistics, counted, data.name, inputs.documents)
        [found[who]] = compare_systems(
            [measurement],
            higher_is_better=[metric.higher_is_better],
            pairs=pairs,
            test=sampling.test,
            resamples=sampling.resamples,
            seed=sampling.seed,
        )
    return ByAnnotator(found, int(common.sum()))
