"""Whether judges agree, and how well metrics hit or rank the very numbers that they gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.judgments import HumanScores, Judgments
from preorder_eval.meta_evaluation.scores import MetricScores
from preorder_eval.stats.agreement import Agreement, pairwise_agreement, pooled_kappa
from preorder_eval.stats.quality_estimation import delta_avg, mae, rmse

_FEWEST_OUTPUTS = 4  # that DeltaAvg can cut into quantiles


@dataclass(frozen=True)
class QualityEstimation:
    """A metric as an estimate of people's scores of segments (WMT 2012).

    DeltaAvg asks for the order alone; the errors make sense for a metric on the scale of people.
    """

    delta_avg: float
    mae: float
    rmse: float


def judge_agreement(judgments: Judgments, margin: float = 0.0) -> dict[str, Agreement]:
    """Agreement of judges with each other and with themselves on pairs of outputs, by kind.

    Scores of judges become pairs where the same judge scored two outputs of a segment; a
    difference below `margin` is a tie.
    """
    if isinstance(judgments, HumanScores):
        judgments = judgments.pairs_of_judges(margin)
    inter, intra = pairwise_agreement(judgments)
    return {
        "different judges": inter,
        "the same judge": intra,
        "two judges each (Cohen)": pooled_kappa(judgments),
    }


def estimate_quality(
    metrics: Sequence[MetricScores], judgments: HumanScores
) -> list[QualityEstimation]:
    """DeltaAvg, MAE and RMSE of each metric over the judged outputs.

    The errors compare the metric as it is printed, DeltaAvg ranks by it from the best on.
    """
    judged = ~np.isnan(judgments.means)
    values = judgments.means[judged]
    estimations = []
    for metric in metrics:
        scores = metric.segments[judged]
        ranked = (
            delta_avg(metric.sign * scores, values) if len(scores) >= _FEWEST_OUTPUTS else np.nan
        )
        estimations.append(QualityEstimation(ranked, mae(scores, values), rmse(scores, values)))
    return estimations
