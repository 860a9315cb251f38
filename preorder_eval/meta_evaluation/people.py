"""Whether judges agree, and how well metrics hit or rank the very numbers that they gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.judgments import HumanScores, Judgments
from preorder_eval.formats.tables import known
from preorder_eval.meta_evaluation.scores import MetricScores
from preorder_eval.results.text import UNDEFINED
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


def agreement_rows(agreements: Mapping[str, Agreement]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a table for people; a dash for what is undefined."""
    rows = []
    for name, agreement in agreements.items():
        shares = (agreement.agreed, agreement.chance, agreement.kappa)
        cells = (UNDEFINED if np.isnan(share) else f"{share:.4f}" for share in shares)
        rows.append([name, str(agreement.compared), *cells])
    return ["agreement of", "comparisons", "P(A)", "P(E)", "kappa"], rows


def agreement_summary(agreements: Mapping[str, Agreement]) -> list[dict[str, object]]:
    """The same as plain values, None for what is undefined."""
    return [
        {
            "judges": judges,
            "compared": agreement.compared,
            **{name: known(getattr(agreement, name)) for name in ("agreed", "chance", "kappa")},
        }
        for judges, agreement in agreements.items()
    ]


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
