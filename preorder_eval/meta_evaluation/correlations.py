"""Some statistics of metrics against people, with the significance of their differences in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from preorder_eval.data.arrays import Floats
from preorder_eval.data.judgments import Judgments
from preorder_eval.meta_evaluation.evaluation import p_values
from preorder_eval.meta_evaluation.scores import MetricScores
from preorder_eval.meta_evaluation.statistic import resample, statistic
from preorder_eval.stats.bootstrap import Bootstrap


@dataclass(frozen=True, eq=False)
class Correlations:
    """How M metrics agree with people on S segments.

    `statistics` has the values of each statistic, float64[M], with those of resamples, and `p`,
    float64[M, M], the two-sided p-values of their differences.
    """

    metrics: Sequence[MetricScores]
    segments: int
    statistics: dict[str, Bootstrap]
    p: dict[str, Floats]

    def __repr__(self) -> str:
        return f"<Correlations: {len(self.metrics)} metrics by {', '.join(self.statistics)}>"


def correlate(
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    statistics: Sequence[str],
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Correlations:
    """The statistics of those names, with resampled values and p-values of differences.

    The systems of `metrics` are those of `judgments`, in the same order.
    """
    chosen = [statistic(name, judgments) for name in statistics]
    drawn = resample(metrics, judgments, chosen, resamples=resamples, seed=seed)
    return Correlations(
        metrics,
        judgments.segments,
        dict(zip(statistics, drawn, strict=True)),
        {
            str(each): p_values(each, metrics, judgments, sampled, resamples=resamples, seed=seed)
            for each, sampled in zip(chosen, drawn, strict=True)
        },
    )
