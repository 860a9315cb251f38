"""Scoring one version of a rule set after the other on the same parsed sentences.

All that does not change between versions is made once: the parses, the reference orders and the
numbers of the words. A version is compared with the one before and with the first one, on the
same random half-samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import sums
from preorder_eval.data.orders import Orders, SourceWords
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.base import Scores
from preorder_eval.metrics.order import OrderMetric
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.results.comparison import MetricComparison, Moved, Texts, shown_reference
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import compare_systems


@dataclass(frozen=True, eq=False)
class Version:
    """A rule set with the orders that it gives and their scores by every metric."""

    rules: RuleSet
    orders: Orders
    scores: list[Scores]


@dataclass(frozen=True, eq=False)
class Save:
    """A version compared with the one before it, and with the first, by every metric."""

    version: Version
    before: Version
    since_last: list[MetricComparison]
    since_start: list[MetricComparison]

    @property
    def reordered(self) -> int:
        """The number of sentences that come out in another order than before."""
        one, other = self.before.orders, self.version.orders
        return int(np.count_nonzero(sums(one.positions != other.positions, one.offsets)))


class Session:
    """Versions of a rule set on the sentences of a reference set, whose parses are `trees`.

    Raises PreorderEvalError where no sentence has a link.
    """

    def __init__(
        self,
        reference: ReferenceSet,
        trees: Treebank,
        metrics: Sequence[OrderMetric],
        *,
        resamples: int = 1000,
        seed: int = 0,
    ) -> None:
        self.reference, self.trees, self.metrics = reference, trees, list(metrics)
        self.resamples, self.seed = resamples, seed
        self.start: Version | None = None
        self.last: Version | None = None
        self._words = SourceWords.of(reference.source)
        if not reference.informative.any():
            raise PreorderEvalError(
                f"{reference.name}: no sentence has a link, nothing can be scored"
            )

    def save(self, rules: RuleSet) -> Save:
        """Score the next version; the first one is compared with itself.

        Raises PreorderEvalError for trees that the rules cannot read, and forgets that version.
        """
        orders, references = rules.reorder(self.trees), self.reference.allowed
        scores = [metric.score(orders, references, self._words) for metric in self.metrics]
        version = Version(rules, orders, scores)
        start, last = self.start or version, self.last or version
        comparisons = self._compare(start, last, version)
        self.start, self.last = start, version
        return Save(version, last, *comparisons)

    def _compare(
        self, start: Version, last: Version, version: Version
    ) -> tuple[list[MetricComparison], list[MetricComparison]]:
        """The version compared with the last one and with the first, by every metric."""
        scored = self.reference.informative
        versions = (start, last, version)
        measurements = [
            Measurement(np.stack([v.scores[m].statistics[scored] for v in versions]), metric.finish)
            for m, metric in enumerate(self.metrics)
        ]
        compared = compare_systems(
            measurements,
            higher_is_better=[metric.higher_is_better for metric in self.metrics],
            pairs=[(0, 2), (1, 2)],
            resamples=self.resamples,
            seed=self.seed,
        )

        def since(number: int) -> list[MetricComparison]:
            return [
                MetricComparison.of(
                    str(metric),
                    (float(measurement.values[number]), float(measurement.values[2])),
                    pairs[number].difference,
                    versions[number].scores[m].sentence,
                    version.scores[m].sentence,
                )
                for m, (metric, measurement, pairs) in enumerate(
                    zip(self.metrics, measurements, compared, strict=True)
                )
            ]

        return since(1), since(0)

    def moved(self, step: Save, most: int) -> tuple[list[Moved], list[Moved]]:
        """Up to `most` sentences that gained and lost most since the last version."""

        def texts(sentence: int) -> Texts:
            words = self.reference.source[sentence]
            orders = (step.before.orders[sentence], step.version.orders[sentence])
            before, after = (" ".join(words[i] for i in order) for order in orders)
            right = shown_reference(self.reference, sentence, orders[1])
            return " ".join(words), before, after, *right

        return step.since_last[0].moved(most, texts)
