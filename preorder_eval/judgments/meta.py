"""Agreement of metrics with humans: all statistics, with intervals and groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError, require_between
from preorder_eval.base.stats import FEWEST_UNITS
from preorder_eval.base.stats.bootstrap import Bootstrap, bootstrap
from preorder_eval.base.stats.legends import few_documents, segments_drawn
from preorder_eval.base.stats.measurement import TIE
from preorder_eval.base.stats.unit import EACH_SENTENCE
from preorder_eval.base.tables import Caveat
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.joining import in_all
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.sampling import UNDRAWN
from preorder_eval.judgments.chance import FEWEST_TESTED, LEVEL, chance_p, opposite_p
from preorder_eval.judgments.correlation import outliers
from preorder_eval.judgments.human_scores import HumanScores, Judgments
from preorder_eval.judgments.judges import estimate_quality, judge_agreement
from preorder_eval.judgments.meta_result import MetaEvaluation
from preorder_eval.judgments.metric_scores import (
    MetricScores,
    by_reference,
    of_readable,
    quotient,
    scores_of_all,
    short_labels,
)
from preorder_eval.judgments.mt_metrics_eval import EvalSet, StoredMetric
from preorder_eval.judgments.permutation import p_values, units_swapped
from preorder_eval.judgments.standing import Lead, change_of, shown_groups
from preorder_eval.judgments.statistic import (
    DEFAULT,
    FEWEST_SYSTEMS,
    Conventions,
    Statistic,
    agreement,
    ratings_of_systems,
    resample,
    several_judged,
    statistic,
    statistics_for,
)
from preorder_eval.metrics import metric as metric_of
from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.given import GivenScores

_FREE = re.compile(r"[^\w.+-]")  # cannot stand in a signature

# What scores the outputs of some systems, by name, against a reference.
Score = Callable[[dict[str, Path], Path], Result]

_Value = TypeVar("_Value")


class WhenAsked(Mapping[str, _Value]):
    """What is computed of each statistic, by its name: of those asked for now, of others later.

    The first of the others that is looked up makes all of them, at once.
    """

    def __init__(
        self,
        known: Sequence[Statistic],
        compute: Callable[[Sequence[Statistic]], Sequence[_Value]],
        asked: Sequence[Statistic],
    ) -> None:
        self._compute, self._names = compute, list(map(str, known))
        self._found = dict(zip(map(str, asked), compute(asked), strict=True))
        self._later = [each for each in known if str(each) not in self._found]

    def __getitem__(self, name: str) -> _Value:
        if name not in self._found and name in self._names:
            later = self._compute(self._later)
            self._found |= zip(map(str, self._later), later, strict=True)
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def meta(
    results: Result | Sequence[Result] | Sequence[MetricScores],
    judgments: Judgments,
    metrics: Sequence[str | Metric] = (),
    *,
    by: str | Sequence[str] = DEFAULT,
    conventions: Conventions = Conventions(),
    level: float = 0.05,
    quality_estimation: bool = False,
    resamples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
) -> MetaEvaluation:
    """Find out which metrics agree with people: all statistics that judgments allow.

    Parameters: `results` of the judged systems, also of orders beside outputs (then a system has
    the same name in both), or scores of all judged systems by metrics, in the judgments' order;
    `metrics` are by default those of the results. The first statistic of `by` sorts the metrics,
    and differences in it are tested at `level`; the others are shown beside it. `jobs` processes
    share the work if there is much.

    Where the documents of results or judgments are known, intervals and tests draw documents. They
    draw segments, with a warning, if single outputs are swapped in tests (`Conventions.permuted`),
    as in mt-metrics-eval.

    Judgments of other systems and of sentences that carry no information are left out. Results on
    other references of the same source stand beside each other: a metric of orders by manual and by
    automatic alignments. Raises PreorderEvalError where no judged system is in the results, where
    they have not as many sentences as judgments have segments, for an unknown statistic, for a
    system without judgments, if the first of `by` is undefined for all metrics, and for
    `quality_estimation` without scores.

    >>> import preorder_eval as pe
    >>> import numpy as np
    >>> outputs = {"a": ["b a", "c d"], "b": ["a b", "c"]}
    >>> system, segment = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    >>> scores = np.array([1.0, 2, 2, 1])
    >>> people = pe.HumanScores(("a", "b"), 2, system, segment, scores, 0 * system)
    >>> pe.meta(pe.score(outputs, ["a b", "c d"], ["wer"]), people).people.tolist()
    [1.5, 1.5]
    """
    scores, judgments, warnings = _given(results, judgments, metrics)
    if conventions.permuted == "both":
        warnings += segments_drawn(judgments.unit)
        judgments = judgments.changed(documents=EACH_SENTENCE)
    warnings += few_documents(judgments.unit, "segment")
    if not by:
        raise PreorderEvalError("name a statistic to sort by, such as pairs.accuracy")
    require_between("level", level, 0, 1)
    by, *further = [by] if isinstance(by, str) else dict.fromkeys(by)
    chosen, *_ = [statistic(name, judgments) for name in (by, *further)]
    scores, judgments = _by_name(scores, judgments)
    scored = judgments if isinstance(judgments, HumanScores) else None
    if quality_estimation and not scored:
        raise PreorderEvalError("quality estimation needs human scores; rankings have none")
    people, known = _usable_ratings(judgments), statistics_for(judgments)
    shown, beside = _shown_statistics(chosen, further, known)
    far = [judgments.systems[s] for s in outliers(people)]
    options: dict[str, Any] = {"conventions": conventions, "resamples": resamples, "seed": seed}
    draw = partial(resample, scores, judgments, **options, jobs=jobs)
    asked = [each for each in known if str(each) in (*shown, beside)]
    if far or any(each.over_systems for each in asked):  # which share what they are resampled from
        asked = [each for each in known if each in asked or each.over_systems]
    sampled = WhenAsked(known, draw, asked)
    if np.isnan(sampled[by].values).all():
        raise PreorderEvalError(f"{by} is undefined for every metric: {chosen.undefined(people)}")
    ratings = _ratings_drawn(judgments, people, resamples, seed)
    p = p_values(chosen, scores, judgments, sampled[by], **options, jobs=jobs)
    values = of_readable(sampled[by].values, scores)
    undefined = np.isnan(values)
    p[(undefined | undefined[:, None]) & ~np.eye(len(p), dtype=bool)] = np.nan
    order = np.argsort(-values, kind="stable").tolist()  # NaN comes last
    over_systems = [each for each in known if str(each) in (by, beside) and each.about_systems]
    by_chance = partial(_chances, scores=scores, judgments=judgments, conventions=conventions)
    chances = WhenAsked(known, by_chance, asked)
    core, notes = None, list[str]()
    if far and chosen.level != "core":
        rest, judged_rest = _without(far, scores, judgments)
        core = Lead.of(chosen, rest, judged_rest, level, **options, jobs=jobs)
        for name in dict.fromkeys((*shown, "system.pearson")):
            others = agreement(name, rest, judged_rest, conventions)
            of_all, of_rest = (of_readable(each, scores) for each in (sampled[name].values, others))
            notes += change_of(name, of_all, of_rest, short_labels(scores)[0], far)
    return MetaEvaluation(
        metrics=scores,
        judgments=judgments,
        statistics=sampled,
        by=by,
        order=order,
        groups=shown_groups(p, order, level, scores),
        p=p,
        ratings=ratings,
        outliers=far,
        chances=chances,
        by_systems=_p_over_systems(over_systems, scores, judgments, seed),
        beside=beside,
        opposite=_is_opposite(chosen, over_systems, scores, judgments, sampled, chances, seed),
        agreement=judge_agreement(judgments, conventions.margin),
        estimation=estimate_quality(scores, scored) if quality_estimation and scored else [],
        standing=Lead.by(values, p, level, units_swapped(chosen, judgments, conventions)),
        core=core,
        notes=[*notes, *_undefined(scores, judgments, people)],
        unfit=warnings,
        conventions=conventions,
        level=level,
        shown=shown,
        resamples=resamples,
        seed=seed,
    )


def _given(
    results: Result | Sequence[Result] | Sequence[MetricScores],
    judgments: Judgments,
    metrics: Sequence[str | Metric],
) -> tuple[list[MetricScores], Judgments, list[Caveat]]:
    """Return the given scores or those of results, the matching judgments, and warnings."""
    given = [results] if isinstance(results, Result) else results
    scores = [each for each in given if isinstance(each, MetricScores)]
    if scores:
        return scores, judgments, []
    of_results = [each for each in given if isinstance(each, Result)]
    return _scores_of_results(of_results, judgments, metrics)


def _by_name(
    scores: Sequence[MetricScores], judgments: Judgments
) -> tuple[list[MetricScores], Judgments]:
    """Sort systems by name, so that draws and rounding do not depend on the order of rows."""
    by_name = sorted(range(len(judgments.systems)), key=lambda n: judgments.systems[n])
    judgments = judgments.chosen([judgments.systems[n] for n in by_name])
    return [metric.of_systems(by_name) for metric in scores], judgments


def _usable_ratings(judgments: Judgments) -> Floats:
    """Return people's rating of each system. Raises PreorderEvalError for one without."""
    people = ratings_of_systems(judgments)
    for name, rating in zip(judgments.systems, people, strict=True):
        if np.isnan(rating):
            raise PreorderEvalError(f"system {name} has no usable judgment")
    return people


def _ratings_drawn(judgments: Judgments, people: Floats, resamples: int, seed: int) -> Bootstrap:
    """Return people's ratings with intervals, where these can be had from the judgments."""
    ratings = judgments.unit.measurement(judgments.system_statistics(), quotient)
    [rated] = bootstrap([ratings], resamples=resamples, seed=seed)
    alike = np.allclose(rated.values, people)  # not if given, and of other scores
    return replace(rated, values=people, drawn=judgments.judged_units[0] if alike else 0)


def _shown_statistics(
    chosen: Statistic, further: Sequence[str], known: Sequence[Statistic]
) -> tuple[tuple[str, ...], str]:
    """Return the statistics to show, the chosen one first, and the one over systems beside it."""
    by, names = str(chosen), list(map(str, known))
    usual = next(name for name in ("system.spa", "system.pearson") if name in names)
    if not further:  # one of another level
        further = [DEFAULT if chosen.about_systems else usual]
    shown = (by, *further)
    beside = next((name for name in shown if name.startswith("system.") and name != by), "")
    return shown, beside or ("" if chosen.about_systems else usual)


def _without(
    systems: Sequence[str], scores: Sequence[MetricScores], judgments: Judgments
) -> tuple[list[MetricScores], Judgments]:
    """Return scores and judgments without some systems."""
    near = [s for s, name in enumerate(judgments.systems) if name not in systems]
    rest = [metric.of_systems(near) for metric in scores]
    return rest, judgments.chosen([judgments.systems[s] for s in near])


def _chances(
    statistics: Iterable[Statistic],
    scores: Sequence[MetricScores],
    judgments: Judgments,
    conventions: Conventions,
) -> list[Floats]:
    """Return the value of each statistic for metrics that know nothing; float64[M]."""
    return [each.chance(scores, judgments, conventions) for each in statistics]


def _p_over_systems(
    statistics: Sequence[Statistic], scores: Sequence[MetricScores], judgments: Judgments, seed: int
) -> dict[str, Floats]:
    """Return how probable each metric's agreement over systems is by chance; NaN of one segment."""
    if not several_judged(judgments):
        return {str(each): np.full(len(scores), np.nan) for each in statistics}
    return {str(each): chance_p(each, scores, judgments, seed=seed) for each in statistics}


def _is_opposite(
    chosen: Statistic,
    over_systems: Sequence[Statistic],
    scores: Sequence[MetricScores],
    judgments: Judgments,
    sampled: Mapping[str, Bootstrap],
    chances: Mapping[str, Floats],
    seed: int,
) -> bool:
    """Return whether all metrics agree with the opposite of the judgments."""
    told = [
        m for m, metric in enumerate(scores) if metric.readable and not _flat(metric, judgments)
    ]
    by = str(chosen)
    below = (sampled[by].interval(metric).high < chances[by][metric] for metric in told)
    if not told or not (chosen.about_systems or all(below)):
        return False
    if chosen.about_systems or len(judgments.systems) >= FEWEST_TESTED:
        telling = [scores[m] for m in told]
        return opposite_p(over_systems[0], telling, judgments, seed=seed) <= LEVEL
    return True


def _flat(metric: MetricScores, judgments: Judgments) -> bool:
    """Return whether a metric gives all judged outputs the same score."""
    judged = judgments.system_statistics()[..., 1] > 0
    return bool(np.ptp(metric.segment_scores()[judged]) <= TIE)


def _scores_of_results(
    results: Sequence[Result], judgments: Judgments, metrics: Sequence[str | Metric]
) -> tuple[list[MetricScores], Judgments, list[Caveat]]:
    """Return the scores of the judged systems, the judgments of what is scored, and warnings."""
    scored = [result.with_sampling(UNDRAWN) for result in results]  # no intervals of systems
    if len({len(result) for result in scored}) == 1:  # else they do not go together, either
        judgments.require_segments(len(scored[0]))
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
    kinds = {"orders" in m.needs for m in chosen or [m for r in judged for m in r.metrics]}
    if len(kinds) > 1:
        complete = in_all(judged)
        systems = [name for name in systems if name in complete]
    together = by_reference(_of_systems(judged, systems), chosen)
    of_judged = {name: result.chosen(systems) for name, result in together.items()}
    scores, counted = scores_of_all(of_judged)
    units = (result.unit for result in scored if result.unit.documents)
    judgments = judgments.chosen(systems).by_documents_of(next(units, EACH_SENTENCE))
    return scores, judgments.on(counted), _unfit(together.values())


def _unfit(results: Iterable[Result]) -> list[Caveat]:
    """Return the warnings of metrics unfit for the texts, each once."""
    return list(dict.fromkeys(chain.from_iterable(result.unfit for result in results)))


def _of_systems(results: Sequence[Result], systems: Sequence[str]) -> list[Result]:
    """Return the results with some of their systems, those that have any of them."""
    named = ((result, [n for n in result.systems if n in systems]) for result in results)
    return [result.chosen(names) for result, names in named if names]


def meta_of_stored(
    eval_set: EvalSet,
    human: str = "",
    reference: str = "",
    *,
    without: Sequence[str] = (),
    score: Score | None = None,
    conventions: Conventions = Conventions(),
    **options: Any,
) -> MetaEvaluation:
    """Find out which of the stored metrics agree with people.

    Parameters: `human` is the name of a human score, `reference` that of the metrics' reference,
    both by default as in the metrics tasks. Systems `without` are left out; `score` scores outputs
    by further metrics; the others are those of `meta`. Metrics without scores of segments are left
    out, and scores are compared as they are stored, to the last digit, as mt-metrics-eval does.
    Raises FormatError and UnknownNameError for data that are missing or not in the format of
    mt-metrics-eval, and the errors of `meta`.
    """
    human, reference = human or eval_set.standard_score, reference or eval_set.standard_reference
    judgments = eval_set.judgments(human, reference, without)
    stored = eval_set.stored_metrics(judgments.systems, reference)
    metrics = list(map(_stored_scores, stored))
    warnings = list[Caveat]()
    if score is not None:
        outputs = {name: eval_set.outputs[name] for name in judgments.systems}
        of_outputs = score(outputs, eval_set.references[reference])
        scored, counted = scores_of_all({"": of_outputs})
        warnings += of_outputs.unfit
        metrics = [metric.on(counted) for metric in metrics] + scored
        judgments = judgments.on(counted)
    exact = replace(conventions, exact=True)
    result = meta(metrics, judgments, conventions=exact, **options)
    notes = [f"human score {human}, reference {reference}"]
    notes += [
        f"{metric.name} has no scores for {', '.join(metric.filled)}: 0, as in mt-metrics-eval"
        for metric in stored
        if metric.filled
    ]
    return replace(result, notes=[*notes, *result.notes], unfit=[*warnings, *result.unfit])


def _stored_scores(metric: StoredMetric) -> MetricScores:
    signature = str(GivenScores(of=_FREE.sub("_", metric.name)))
    return MetricScores.mean(signature, metric.segments, metric.systems)


def _undefined(
    metrics: Sequence[MetricScores], judgments: Judgments, people: Floats
) -> Iterator[str]:
    """Yield a note for each undefined statistic, with the reason."""
    flat = [m.label for m in metrics if _flat(m, judgments)]
    if flat:
        gives, its = ("gives", "its") if len(flat) == 1 else ("give", "their")
        yield (
            f"{', '.join(flat)} {gives} all judged outputs the same score; {its} correlations and "
            "statistics over systems are undefined"
        )
    alike = [m.label for m in metrics if np.ptp(m.system_scores()) <= TIE and m.label not in flat]
    if alike and len(people) > 1:
        by = ", ".join(alike)
        yield f"all systems have the same score by {by}; correlations over systems are undefined"
    judged, name = judgments.judged_units
    if judged < FEWEST_UNITS:
        there = f"only {quantity(judged, name)} judged"
        yield f"{there}: no 95% intervals (at least {FEWEST_UNITS} are needed)"
    if len(people) < FEWEST_SYSTEMS:
        there = quantity(len(people), "system")
        yield f"{there}: correlations over systems need at least {FEWEST_SYSTEMS}"
    if isinstance(judgments, HumanScores) and np.ptp(judgments.score) <= TIE:
        yield "humans gave all outputs the same score; no metric can agree with them"
