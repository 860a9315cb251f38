"""All statistics of all metrics, with intervals, and which metrics differ significantly.

All statistics are resampled with the same draws of segments. Two metrics differ significantly by
Williams' test for Pearson's r over systems, by the paired bootstrap for other statistics over
systems, and else by approximate randomization, which swaps what two metrics contribute on a
segment by the toss of a coin: a permutation test, also for acc_eq and soft pairwise accuracy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.judgments import HumanScores, Judgments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.people import estimate_quality, judge_agreement
from preorder_eval.meta_evaluation.result import MetaEvaluation, constant, judged_outputs
from preorder_eval.meta_evaluation.scores import MetricScores, by_reference, scores_of_all
from preorder_eval.meta_evaluation.statistic import (
    FEWEST_SYSTEMS,
    Statistic,
    quotient,
    resample,
    statistic,
    statistics_for,
    system_scores,
    turned,
)
from preorder_eval.metrics import metric as metric_of
from preorder_eval.metrics.base import Metric
from preorder_eval.results.result import Result
from preorder_eval.results.together import in_all
from preorder_eval.stats.bootstrap import Bootstrap, bootstrap
from preorder_eval.stats.correlation import pearson, williams
from preorder_eval.stats.measurement import TIE, Measurement
from preorder_eval.stats.randomization import randomization
from preorder_eval.stats.subsets import TRIALS_PER_RESAMPLE
from preorder_eval.stats.system_correlation import groups, outliers
from preorder_eval.visible import quantity

_FAR = 0.5  # standard errors: a 95 % interval that is so much biased holds the truth in 92 %


def meta_evaluate(
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    *,
    by: str = "pairs.consistency",
    margin: float = 0.0,
    quality_estimation: bool = False,
    resamples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
) -> MetaEvaluation:
    """Compute all statistics that judgments allow, with 95 % intervals and significance.

    The systems of `metrics` are those of `judgments`, in the same order. Scores of people that
    differ by less than `margin` make a tie in `pairs`, and `jobs` processes share the work where
    there is much. Raises PreorderEvalError for a statistic that there is not, for a system without
    judgments, where `by` is undefined for all metrics, or for `quality_estimation` without scores.
    """
    chosen = statistic(by, judgments)
    scored = judgments if isinstance(judgments, HumanScores) else None
    if quality_estimation and not scored:
        raise PreorderEvalError("quality estimation needs scores; rankings have none")
    people = system_scores(judgments)
    unjudged = [
        name for name, value in zip(judgments.systems, people, strict=True) if np.isnan(value)
    ]
    if unjudged:
        raise PreorderEvalError(f"system {unjudged[0]} has no judgment that counts")
    known = [s for s in statistics_for(judgments) if not s.costly or str(s) == by]
    drawn = resample(
        metrics, judgments, known, margin=margin, resamples=resamples, seed=seed, jobs=jobs
    )
    sampled = dict(zip(map(str, known), drawn, strict=True))
    if np.isnan(sampled[by].values).all():
        few = len(chosen.systems(people)) < chosen.fewest_systems
        reason = f"it needs {chosen.fewest_systems} systems" if few else "nothing to tell apart"
        raise PreorderEvalError(f"{by} is undefined for every metric: {reason}")
    ratings = Measurement(judgments.system_statistics(), quotient)
    [rated] = bootstrap([ratings], resamples=resamples, seed=seed)
    p = p_values(
        chosen, metrics, judgments, sampled[by], margin=margin, resamples=resamples, seed=seed
    )
    order = np.argsort(-sampled[by].values, kind="stable").tolist()  # NaN comes last
    return MetaEvaluation(
        metrics=metrics,
        judgments=judgments,
        statistics=sampled,
        by=by,
        order=order,
        groups=groups(p, order),
        p=p,
        ratings=rated,
        outliers=[judgments.systems[s] for s in outliers(people)],
        between=_between(metrics, judgments),
        agreement=judge_agreement(judgments, margin) if judgments.judges > 1 else {},
        estimation=estimate_quality(metrics, scored) if quality_estimation and scored else [],
        notes=[
            *_notes(metrics, judgments, people),
            *_attenuated(chosen, sampled[by], judgments.segments),
        ],
        margin=margin,
        resamples=resamples,
        seed=seed,
    )


def meta(
    results: Result | Sequence[Result],
    judgments: Judgments,
    metrics: Sequence[str | Metric] = (),
    *,
    by: str = "pairs.consistency",
    margin: float = 0.0,
    quality_estimation: bool = False,
    resamples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
) -> MetaEvaluation:
    """Find out which metrics agree with people: all statistics that judgments allow.

    Parameters: `results` of the judged systems, also of orders beside outputs (then a system has
    the same name in both); `metrics` are by default those of the results; the others are those of
    `meta_evaluate`. Judgments of other systems and of sentences that carry no information are left
    out. Results on other references of the same source stand beside each other: a metric of orders
    by manual and by automatic alignments. Raises PreorderEvalError where no judged system is in
    the results, and what `meta_evaluate` raises.

    >>> from preorder_eval.results.evaluation import score
    >>> outputs = {"a": ["b a", "c d"], "b": ["a b", "c"]}
    >>> system, segment = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    >>> people = HumanScores(("a", "b"), 2, system, segment, np.array([1.0, 2, 2, 1]), 0 * system)
    >>> meta(score(outputs, ["a b", "c d"], ["wer"]), people).people.tolist()
    [1.5, 1.5]
    """
    scored = [results] if isinstance(results, Result) else results
    scored_systems = dict.fromkeys(name for result in scored for name in result.systems)
    systems = [name for name in judgments.systems if name in scored_systems]
    if not systems:
        raise PreorderEvalError(
            f"none of the judged systems ({', '.join(judgments.systems)}) is among those scored "
            f"({', '.join(scored_systems)})"
        )
    # What a system that nobody judged was not given is nobody's concern.
    judged = _of_systems(scored, systems)
    chosen = [metric_of(m) if isinstance(m, str) else m for m in metrics]
    kinds = {"orders" in metric.needs for metric in chosen or _metrics_of(judged)}
    if len(kinds) > 1:
        complete = in_all(judged)
        systems = [name for name in systems if name in complete]
    together = by_reference(_of_systems(judged, systems), chosen)
    scores, counted = scores_of_all(
        {name: replace(result.chosen(systems), jobs=jobs) for name, result in together.items()}
    )
    return meta_evaluate(
        scores,
        judgments.chosen(systems).on(counted),
        by=by,
        margin=margin,
        quality_estimation=quality_estimation,
        resamples=resamples,
        seed=seed,
        jobs=jobs,
    )


def _of_systems(results: Sequence[Result], systems: Sequence[str]) -> list[Result]:
    """The results with some of their systems, those that have any of them."""
    names = [[name for name in result.systems if name in systems] for result in results]
    return [result.chosen(own) for result, own in zip(results, names, strict=True) if own]


def _metrics_of(results: Sequence[Result]) -> list[Metric]:
    return [metric for result in results for metric in result.metrics]


def p_values(
    chosen: Statistic,
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    sampled: Bootstrap,
    *,
    margin: float = 0.0,
    resamples: int = 1000,
    seed: int = 0,
) -> Floats:
    """Two-sided p-values that metrics agree differently with the same people; float64[M, M].

    The correlations depend on each other, as they share people's scores: Williams' test knows
    that, and swapping the standardised scores of two metrics segment by segment leaves people's as
    they are (PERM-INPUTS, Deutsch et al. 2021), also where outputs of a segment are alike.
    `sampled` are the values of the statistic in resamples (`resample`).
    """
    if not chosen.over_systems:
        measurement = chosen.measure(turned(metrics), judgments, margin)
        trials = TRIALS_PER_RESAMPLE * resamples
        return randomization([measurement], trials=trials, seed=seed)[0]
    p = np.eye(len(metrics))
    people = system_scores(judgments)
    systems = chosen.systems(people)
    scores = [(metric.sign * metric.systems)[systems] for metric in metrics]
    for a, b in combinations(range(len(metrics)), 2):
        if chosen.coefficient == "pearson":
            between = float(pearson(scores[a], scores[b]))
            p[a, b] = williams(sampled.values[a], sampled.values[b], between, len(systems))
        else:
            p[a, b] = two_sided(sampled.resampled[:, b] - sampled.resampled[:, a])
        p[b, a] = p[a, b]
    return p


def two_sided(differences: Floats) -> float:
    """p of a difference, from its values in resamples; one without a value is on either side.

    >>> two_sided(np.array([0.1] * 3 + [-0.1]))
    0.5
    """
    won, lost = float(np.mean(differences > TIE)), float(np.mean(differences < -TIE))
    return min(1.0, 2 * min(1 - won, 1 - lost))


def _between(metrics: Sequence[MetricScores], judgments: Judgments) -> Floats:
    """Pearson's r of every two metrics over the outputs that are judged; float64[M, M]."""
    points = turned(metrics)[:, judged_outputs(judgments)]
    return np.stack([pearson(points, values) for values in points])


def _notes(metrics: Sequence[MetricScores], judgments: Judgments, people: Floats) -> Iterator[str]:
    """What is undefined and why."""
    judged = judged_outputs(judgments)
    flat = [metric.label for metric in metrics if constant(metric, judged)]
    if flat:
        gives, its = ("gives", "its") if len(flat) == 1 else ("give", "their")
        yield (
            f"{', '.join(flat)} {gives} all judged outputs the same score; {its} correlations are "
            "undefined"
        )
    if len(people) < FEWEST_SYSTEMS:
        there = quantity(len(people), "system")
        yield f"{there}: correlations over systems need {FEWEST_SYSTEMS}"
    elif len(people) - len(outliers(people)) < FEWEST_SYSTEMS:
        yield f"without outliers too few systems are left; core needs {FEWEST_SYSTEMS}"
    if isinstance(judgments, HumanScores) and np.ptp(judgments.score) <= TIE:
        yield "people gave all outputs the same score; no metric can agree with them"


def _attenuated(chosen: Statistic, sampled: Bootstrap, segments: int) -> Iterator[str]:
    """Whether resamples, which are noisier than the text, agree with people clearly less."""
    if not chosen.over_systems:
        return
    known = ~np.isnan(sampled.values) & ~np.isnan(sampled.resampled).any(axis=0)
    lower = (sampled.values - sampled.resampled.mean(axis=0))[known]
    errors = sampled.resampled.std(axis=0)[known]
    if (lower > _FAR * errors).any():
        yield (
            f"resamples of these {segments} segments agree with people less than all of them, by "
            f"up to {lower.max():.3f}: noise lowers {chosen}, and the truth is rather above it"
        )
