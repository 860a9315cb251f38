"""Systems compared by the references of each annotator, to see whether all agree on the verdict.

A reference set with layers `first` and `second` was annotated twice, and adjudicated. Systems are
compared by all three, on the sentences that all three have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.results.inputs import Inputs
from preorder_eval.results.measuring import measured
from preorder_eval.results.sampling import Sampling, Standing
from preorder_eval.stats.significance import Difference, compare_systems

ADJUDICATED = "adjudicated"


@dataclass(frozen=True)
class ByAnnotator:
    """Pairs of systems, by number, compared by the references of several annotators.

    `differences` has for each annotator the difference of each of `pairs`: the second system minus
    the first. `sentences` is how many sentences all annotators have.
    """

    pairs: Sequence[tuple[int, int]]
    differences: Mapping[str, Sequence[Difference]]
    sentences: int

    def of(self, first: int, second: int) -> dict[str, Difference]:
        """Return the difference of a pair by each annotator; empty if it was not compared."""
        for n, pair in enumerate(self.pairs):
            if pair == (first, second):
                return {who: each[n] for who, each in self.differences.items()}
            if pair == (second, first):
                return {who: each[n].reversed() for who, each in self.differences.items()}
        return {}


def by_annotator(
    inputs: Inputs, metric: Metric, scores: Sequence[Scores], standing: Standing, sampling: Sampling
) -> ByAnnotator | None:
    """Compare the best system with each other one by each annotator, if there are several."""
    reference = inputs.reference
    if reference is None or not reference.annotators or sampling.against == "none":
        return None
    sets = {ADJUDICATED: replace(reference, annotators={}), **reference.annotators}
    common = np.logical_and.reduce([data.informative for data in sets.values()])
    pairs = [(n, standing.best) for n in sorted({*standing.entrants} - {standing.best})]
    if not pairs or not common.any():
        return None
    found = {}
    for who, data in sets.items():
        own, by = replace(inputs, reference=data), scores
        if who != ADJUDICATED:
            by = [metric.score_system(own.of(n)) for n in range(len(inputs.systems))]
        counted = common & ~np.isnan(by[0].sentence)
        statistics = [one.statistics for one in by]
        measurement = measured(metric, statistics, counted, data.name, inputs.documents)
        [compared] = compare_systems(
            [measurement],
            higher_is_better=[metric.higher_is_better],
            pairs=pairs,
            test=sampling.test,
            resamples=sampling.resamples,
            seed=sampling.seed,
        )
        found[who] = [pair.difference for pair in compared]
    return ByAnnotator(pairs, found, int(common.sum()))
