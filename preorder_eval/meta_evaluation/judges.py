"""Human judges: whether they agree, and how metrics estimate their ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from preorder_eval.data.judgments import HumanScores, Judgments
from preorder_eval.meta_evaluation.scores import MetricScores, turned_segments
from preorder_eval.meta_evaluation.statistic import Conventions, resample, statistics_for
from preorder_eval.stats.agreement import (
    Agreement,
    judgment_counts,
    pairwise_agreement,
    pooled_kappa,
)
from preorder_eval.stats.bootstrap import Bootstrap, bootstrap
from preorder_eval.stats.correlation import delta_avg
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.segment_correlation import VARIANTS
from preorder_eval.tables import Column, Table

_DRAWS = 5  # of the judge who stands for a metric
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

    DeltaAvg asks for the order alone. For the errors, a straight line puts a metric on the human
    scale. It is fitted to every other segment and applied to the rest, and the other way round. All
    are NaN for fewer than four outputs.
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
            errors[part == fold] = (others @ line - values)[part == fold]
        mean, root = np.abs(errors).mean(), np.sqrt((errors**2).mean())
        found.append((delta_avg(scores, values), float(mean), float(root)))
    return found


def judge_agreement(judgments: Judgments, margin: float = 0.0) -> dict[str, Agreement]:
    """Compute the agreement of judges with each other and with themselves, by kind.

    It is that on pairs of outputs; nothing for a single judge. Scores of judges become pairs where
    the same judge scored two outputs of a segment; a difference below `margin` is a tie.
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


def people_among_themselves(
    judgments: Judgments,
    *,
    conventions: Conventions = Conventions(),
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, Bootstrap]:
    """Compute what a judge gets by the statistics of metrics; empty where nothing is judged twice.

    Scores: for each output judged by several, one judge's score is the metric, the mean of the
    others' the human score. That judge is drawn at random, the same one for a segment if there is
    one. The statistics are means over several draws. Rankings: if two judges judge the same pair,
    one judgment is the metric's, the other the human one.
    """
    drawn = {"resamples": resamples, "seed": seed}
    if not isinstance(judgments, HumanScores):
        counts = judgment_counts(judgments)
        if not counts.any():
            return {}
        measured = [Measurement(counts[None], finish) for finish in VARIANTS.values()]
        sampled = bootstrap(measured, **drawn)
        return {f"pairs.{name}": value for name, value in zip(VARIANTS, sampled, strict=True)}
    draws = []
    for draw in range(_DRAWS if judgments.judges > 1 else 0):
        one, people = _one_judge(judgments, np.random.default_rng([seed, draw]))
        if not len(people):
            return {}
        judged = ~np.isnan(people.means)
        scores = np.stack([np.where(judged, one.means, 0.0), judged], axis=-1)
        metric = MetricScores("people", scores, lambda s: s[..., 0] / np.maximum(s[..., 1], 1))
        known = statistics_for(people)
        sampled = resample([metric], people, known, conventions=conventions, **drawn)
        draws.append(dict(zip(map(str, known), sampled, strict=True)))
    return {
        name: Bootstrap(
            np.mean([draw[name].values for draw in draws], axis=0),
            np.mean([draw[name].resampled for draw in draws], axis=0),
            bounds=draws[0][name].bounds,
        )
        for name in (draws[0] if draws else ())
    }


def _one_judge(judgments: HumanScores, rng: np.random.Generator) -> tuple[HumanScores, HumanScores]:
    """Return one judge's scores of outputs, and the others' of the systems that have several.

    The judge of highest rank in a segment is taken, by chance.
    """
    output = judgments.system * judgments.segments + judgments.segment
    _, number = np.unique(
        np.column_stack([judgments.segment, judgments.judge]), axis=0, return_inverse=True
    )
    rank = rng.permutation(len(number))[number.reshape(-1)]
    highest = np.full(len(judgments.systems) * judgments.segments, -1)
    np.maximum.at(highest, output, rank)
    first = rank == highest[output]
    systems = [judgments.systems[n] for n in np.unique(judgments.system[~first]).tolist()]
    one, others = (judgments.where(kept).chosen(systems) for kept in (first, ~first))
    return one, others


def agreement_table(agreements: Mapping[str, Agreement]) -> Table:
    """Return the agreement of judges as a table."""
    rows = [[kind, a.compared, a.agreed, a.chance, a.kappa] for kind, a in agreements.items()]
    title = "Agreement of judges on pairs of outputs"
    return Table("agreement", _AGREEMENT, rows, title=title, only="json")
