"""What metrics say about the same outputs of several systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.shared.base import Metric, Scores
from preorder_eval.results.inputs import first_difference
from preorder_eval.results.result import Result
from preorder_eval.results.systems import System
from preorder_eval.results.together import check_same
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

    def __repr__(self) -> str:
        return f"<MetricScores {self.metric}: {len(self.systems)} systems>"

    @classmethod
    def of(
        cls, metric: Metric, scores: Sequence[Scores], kept: Bools | None = None
    ) -> MetricScores:
        """From the scores of each system, on the segments that are `kept` or on all."""
        statistics = np.stack([of_system.statistics for of_system in scores])
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


def scores_of(result: Result) -> tuple[list[MetricScores], Bools]:
    """What each metric of a result says of its systems, and of which sentences; bool[S].

    Those are the sentences that all of its metrics score.

    >>> from preorder_eval.results.evaluation import score
    >>> [scores], counted = scores_of(score({"mt": ["a b c", "c"]}, ["a b c", "b c"], ["wer"]))
    >>> scores.segments.tolist(), counted.tolist()
    ([[0.0, 0.5]], [True, True])
    """
    counted = np.all([result.counted(m) for m in range(len(result.metrics))], axis=0)
    return [
        MetricScores.of(metric, [by_metric[m] for by_metric in result.scores], counted)
        for m, metric in enumerate(result.metrics)
    ], counted


def joined(results: Sequence[Result], metrics: Sequence[Metric] = ()) -> Result:
    """One result of several over the same sentences, a system being the same in all of them.

    So metrics of orders and of outputs come together. `metrics` are by default all that the
    results have. Raises PreorderEvalError where the sentences differ, and where a system has
    other orders, outputs, links or tags in another result; FormatError where a run folder's scores
    are not those of what it holds.
    """
    first = results[0]
    inputs = first.inputs
    check_same(*results)
    for result in results[1:]:
        known = {system.name: system for system in inputs.systems}
        for system in result.inputs.systems:
            other = known.get(system.name)
            if other is not None and _contradict(system, other):
                raise PreorderEvalError(f"two systems are called {system.name}; leave out a run")
        inputs = inputs.joined(result.inputs)
    chosen = metrics or tuple(dict.fromkeys(m for result in results for m in result.metrics))
    if len(results) == 1 and not metrics:
        return first
    for result in results:
        if result.stored is not None:
            result.scores  # noqa: B018
    return Result(inputs, tuple(chosen), first.sampling)


def _contradict(one: System, other: System) -> bool:
    """Whether two systems have other orders, other outputs, or other links or tags of them."""
    first, second = (
        {"orders": system.orders, "hyp": system.hyp, **system.inputs} for system in (one, other)
    )
    return any(
        value is not None
        and second.get(name) is not None
        and first_difference(value, second[name]) is not None
        for name, value in first.items()
    )
