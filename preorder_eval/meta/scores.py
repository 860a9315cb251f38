"""What metrics say about the same outputs of several systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.metrics.shared.base import Metric, Scores
from preorder_eval.results.scoring import Texts, score_each
from preorder_eval.results.scoring_inputs import Inputs, OutputMetric
from preorder_eval.stats.measurement import Finish


@dataclass(frozen=True, eq=False)
class MetricScores:
    """What a metric says of R systems on S segments: additive statistics, float64[R, S, k].

    `finish` turns sums of them into values; `metric` is the signature.
    """

    metric: str
    statistics: Floats
    finish: Finish
    higher_is_better: bool = True

    @classmethod
    def of(
        cls, metric: Metric, scores: Sequence[Scores], kept: Bools | None = None
    ) -> MetricScores:
        """From the scores of each system, on the segments that are `kept` or on all."""
        statistics = np.stack([own.statistics for own in scores])
        if kept is not None:
            statistics = statistics[:, kept]
        return cls(str(metric), statistics, metric.finish, metric.higher_is_better)

    @cached_property
    def segments(self) -> Floats:
        """The score of each segment; float64[R, S]."""
        return self.finish(self.statistics)

    @cached_property
    def systems(self) -> Floats:
        """The corpus score of each system; float64[R]."""
        return self.finish(self.statistics.sum(axis=1))

    @property
    def sign(self) -> int:
        """1, or -1 for a metric for which lower is better."""
        return 1 if self.higher_is_better else -1


def score_systems(
    outputs: Sequence[Texts],
    references: Sequence[Texts],
    metrics: Sequence[OutputMetric],
    inputs: Inputs | None = None,
    advance: Callable[[int], None] | None = None,
) -> list[MetricScores]:
    """Score R outputs with every metric; `advance` is told of each system that is done.

    Raises PreorderEvalError where something is missing that a metric needs.

    >>> texts = [Texts(name, ["a b c", text], {}) for name, text in (("ref", "b c"), ("out", "c"))]
    >>> from preorder_eval.metrics import metric
    >>> [scores] = score_systems(texts[1:], texts[:1], [metric("wer")])
    >>> scores.segments.tolist()
    [[0.0, 0.5]]
    """
    scores = score_each(outputs, references, metrics, inputs, advance)
    return [MetricScores.of(metric, [own[m] for own in scores]) for m, metric in enumerate(metrics)]
