"""Human judges: how far they agree, and how well metrics estimate their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from preorder_eval.base.arrays import matrix_product
from preorder_eval.base.tables import Column, Table
from preorder_eval.judgments.agreement import Agreement, pairwise_agreement, pooled_kappa
from preorder_eval.judgments.correlation import delta_avg
from preorder_eval.judgments.human_scores import HumanScores, Judgments
from preorder_eval.judgments.metric_scores import MetricScores, turned_segments

ESTIMATION = {"delta_avg": "DeltaAvg", "mae": "MAE", "rmse": "RMSE"}
_FEWEST_OUTPUTS = 4  # that DeltaAvg can cut into quantiles
_AGREEMENT = [
    Column("judges", "agreement of", label=True),
    Column("compared", "comparisons"),
    Column("agreed", "P(A)", ".3f"),
    Column("chance", "P(E)", ".3f"),
    Column("kappa", format=".3f"),
]


def estimate_quality(
    metrics: Sequence[MetricScores], judgments: HumanScores
) -> list[tuple[float, float, float]]:
    """Compute DeltaAvg, MAE and RMSE of each metric over the judged outputs (Han 2014, 7-1 to 7-3).

    DeltaAvg depends on the order alone. For the errors, a straight line maps a metric to the human
    scale: it is fitted to every other segment and applied to the rest, and the other way round. All
    three are NaN for fewer than four outputs.
    """
    judged = ~np.isnan(judgments.means)
    values, part = judgments.means[judged], np.nonzero(judged)[1] % 2
    if min(np.bincount(part, minlength=2)) < _FEWEST_OUTPUTS / 2:
        return [(np.nan, np.nan, np.nan)] * len(metrics)
    found = []
    for scores in (of_metric[judged] for of_metric in turned_segments(metrics)):
        errors = np.empty(len(values))
        for fold in (0, 1):
            others = np.stack([scores, np.ones(len(scores))], axis=1)
            line = np.linalg.lstsq(others[part != fold], values[part != fold], rcond=None)[0]
            errors[part == fold] = (matrix_product(others, line) - values)[part == fold]
        mean, root = np.abs(errors).mean(), np.sqrt((errors**2).mean())
        found.append((delta_avg(scores, values), float(mean), float(root)))
    return found


def judge_agreement(judgments: Judgments, margin: float = 0.0) -> dict[str, Agreement]:
    """Compute how far judges agree with each other and with themselves, by kind.

    Judgments of pairs of outputs are compared; with a single judge there are no comparisons. If a
    judge scored two outputs of a segment, the two scores are a judgment of the pair; a difference
    below `margin` is a tie.
    """
    if judgments.judges < 2:
        return {}
    if isinstance(judgments, HumanScores):
        judgments = judgments.pairs_of_judges(margin)
    inter, intra = pairwise_agreement(judgments)
    return {
        "different judges": inter,
        "the same judge": intra,
        "two judges each (Cohen)": pooled_kappa(judgments),
    }


def agreement_table(agreements: Mapping[str, Agreement]) -> Table:
    """Return the agreement of judges as a table."""
    rows = [[kind, a.compared, a.agreed, a.chance, a.kappa] for kind, a in agreements.items()]
    title = "Agreement of judges on pairs of outputs"
    return Table("agreement", _AGREEMENT, rows, title=title, only="json")
