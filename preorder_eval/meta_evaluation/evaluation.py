"""Which metrics agree with people: all statistics, with intervals and groups of equal standing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.data.judgments import HumanScores, Judgments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.judges import (
    agreement_table,
    estimate_quality,
    judge_agreement,
)
from preorder_eval.meta_evaluation.scores import (
    MetricScores,
    by_reference,
    scores_of_all,
    short_labels,
)
from preorder_eval.meta_evaluation.statistic import (
    FEWEST_SYSTEMS,
    Statistic,
    p_values,
    quotient,
    ratings_of_systems,
    resample,
    statistic,
    statistics_for,
    turned,
)
from preorder_eval.metrics import metric as metric_of
from preorder_eval.metrics.base import Metric
from preorder_eval.results.comparison import in_all
from preorder_eval.results.result import Result
from preorder_eval.stats.agreement import Agreement
from preorder_eval.stats.bootstrap import Bootstrap, bootstrap
from preorder_eval.stats.correlation import groups, outliers, pearson
from preorder_eval.stats.measurement import TIE, Measurement
from preorder_eval.stats.significance import TRIALS_PER_RESAMPLE
from preorder_eval.tables import Column, Shown, Table, ends
from preorder_eval.visible import quantity

_FAR = 0.5  # standard errors: a 95% interval that is so much biased holds the truth in 92%
_MOST = 12  # metrics that fit a screen with what stands around them
_FEW = 4  # metrics, whose signatures a screen has room for
_LEVELS = {
    "system": "Over systems",
    "core": "Over systems without outliers",
    "segment": "Over all judged outputs",
    "within-system": "Over the outputs of each system, mean over systems",
    "within-segment": "Over the outputs of each segment, mean over segments",
    "pairs": "Over pairs of outputs of the same segment",
}


@dataclass(frozen=True, eq=False)
class MetaEvaluation(Shown):
    """How well M metrics agree with people, by many statistics.

    `statistics` has the values of each, float64[M], with those of resamples. The table is sorted
    by the one called `by`: `order` numbers the metrics from the best on, `groups` those of equal
    standing in that order, and `p` float64[M, M] are the p-values of the differences. `ratings` are
    how good people find each of R systems, with resampled values, `outliers` are the names of the
    systems that `core` leaves out, and `between` float64[M, M] is how metrics correlate with each
    other over the judged outputs (Pearson's r, each turned so that higher is better).
    `agreement` of judges is empty unless there are several, and `estimation` unless it was asked
    for.
    """

    metrics: Sequence[MetricScores]
    judgments: Judgments
    statistics: dict[str, Bootstrap]
    by: str
    order: list[int]
    groups: list[int]
    p: Floats
    ratings: Bootstrap
    outliers: list[str]
    between: Floats
    agreement: dict[str, Agreement]
    estimation: list[float]
    notes: list[str]
    margin: float
    resamples: int
    seed: int

    @property
    def people(self) -> Floats:
        """How good people find each system; float64[R]."""
        return self.ratings.values

    @property
    def verdict(self) -> str:
        names, _ = short_labels(self.metrics)
        value = self.statistics[self.by].values[self.order[0]]
        ties = self.groups.count(1) - 1
        beside = f"; {quantity(ties, 'other')} not significantly worse" if ties else ""
        return f"{names[self.order[0]]} agrees best with people: {self.by} {value:.3f}{beside}"

    def tables(self) -> list[Table]:
        metrics = self._metrics_table([scores.label for scores in self.metrics])
        return [self._systems_table(), metrics, agreement_table(self.agreement)]

    def view(self, whole: bool = False) -> list[Table]:
        names, _ = short_labels(self.metrics)
        systems, metrics = self._systems_table(), self._metrics_table(names)
        chosen = self.by.partition(".")[0]
        if whole:
            parts = self._levels(metrics)
        else:
            # The statistic that sorts them, and one of another level.
            beside = "segment.pearson" if chosen in ("system", "core") else "system.pearson"
            more = [name for name in (beside, "pairs.consistency") if name in self.statistics][:1]
            shown = [("statistics", name) for name in (self.by, *more)]
            parts = [metrics.select("metric", "group", *shown).head(_MOST, "… and {} more: --all")]
        if self.estimation:
            parts.append(metrics.select("metric", "delta_avg", title="Quality estimation"))
        parts += [agreement_table(self.agreement)] if self.agreement else []
        parts += [systems] if whole else []
        notes = [*parts[-1].notes, *self.size_and_method(whole)]
        return [*parts[:-1], replace(parts[-1], notes=notes)]

    def size_and_method(self, whole: bool) -> list[str]:
        """Return the notes below all tables: how much there is, and how it was resampled."""
        _, signatures = short_labels(self.metrics)
        return [
            self.size(),
            f"[95% CI, {self.resamples} bootstrap resamples of segments, seed {self.seed}; over "
            "systems symmetric]",
            "a metric that differs significantly from one above it in its group starts the next",
            f"(p ≤ 0.05, uncorrected, by {self.by})",
            "noise lowers correlations over systems, the more the fewer the segments, and those of "
            "resamples once more: so their intervals reach as far up as down, to 1 at most"
            if whole
            else "all statistics, and ratings of systems: --all",
            *([signatures] if whole or len(self.metrics) <= _FEW else []),
            *(f"note: {note}" for note in self.notes),
        ]

    def size(self) -> str:
        """Return how many systems, segments and judgments there are."""
        systems = quantity(len(self.judgments.systems), "system")
        segments = quantity(self.judgments.segments, "segment")
        return f"{systems}, {segments}, {len(self.judgments)} judgments"

    def facts(self) -> dict[str, Any]:
        return {
            "segments": self.judgments.segments,
            "judgments": len(self.judgments),
            "by": self.by,
            "margin": self.margin,
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
            "randomization": {"trials": TRIALS_PER_RESAMPLE * self.resamples, "seed": self.seed},
            "notes": self.notes,
        }

    def _metrics_table(self, names: Sequence[str]) -> Table:
        """Return a row for each metric by these names, the best first."""
        columns = [Column("metric", label=True), Column("group")]
        for name in self.statistics:
            heading = f"{name} ▼" if name == self.by else name
            columns.append(Column(("statistics", name), heading, " .3f", interval=True))
        columns += [Column(name, only="json") for name in ("p", "pearson")]
        if self.estimation:
            columns.append(Column("delta_avg", "DeltaAvg", ".3f", only="json"))
        rows = [
            [names[metric], group]
            + [ends(sampled.interval(metric)) for sampled in self.statistics.values()]
            + [self._by_metric(self.p[metric]), self._by_metric(self.between[metric])]
            + self.estimation[metric : metric + 1]
            for metric, group in zip(self.order, self.groups, strict=True)
        ]
        return Table("metrics", columns, rows)

    def _by_metric(self, values: Floats) -> dict[str, float]:
        return {self.metrics[metric].label: values[metric] for metric in self.order}

    def _levels(self, metrics: Table) -> list[Table]:
        """Return a table for each level, that of the chosen statistic first."""
        chosen = self.by.partition(".")[0]
        levels = dict.fromkeys(name.partition(".")[0] for name in self.statistics)
        if not self.outliers and chosen != "core":
            del levels["core"]  # which is the same as system
        parts = []
        for level in sorted(levels, key=lambda level: level != chosen):
            names = [name for name in self.statistics if name.partition(".")[0] == level]
            keys = [("statistics", name) for name in names]
            part = metrics.select("metric", *["group"] * (level == chosen), *keys)
            for key, name in zip(keys, names, strict=True):
                heading = name.partition(".")[2] + " ▼" * (name == self.by)
                part = part.change(key, heading=heading)
            parts.append(replace(part, title=_LEVELS[level]))
        return parts

    def _systems_table(self) -> Table:
        columns = [
            Column("system", label=True),
            Column("people", "rating", " .3f", interval=True, fields=("people", "low", "high")),
            Column("outlier", "", "outlier"),
            Column("scores", only="json"),
        ]
        scores = {metric.label: metric.system_scores() for metric in self.metrics}
        rows = [
            [
                name,
                ends(self.ratings.interval(s)),
                name in self.outliers,
                {label: of_systems[s] for label, of_systems in scores.items()},
            ]
            for s, name in enumerate(self.judgments.systems)
        ]
        return Table("systems", columns, rows, title="Systems by people", only="json")


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
    """Compute all statistics that judgments allow, with 95% intervals and significance.

    The systems of `metrics` are those of `judgments`, in the same order. Scores of people that
    differ by less than `margin` make a tie in `pairs`, and `jobs` processes share the work where
    there is much. Raises PreorderEvalError for a statistic that there is not, for a system without
    judgments, where `by` is undefined for all metrics, or for `quality_estimation` without scores.
    """
    chosen = statistic(by, judgments)
    scored = judgments if isinstance(judgments, HumanScores) else None
    if quality_estimation and not scored:
        raise PreorderEvalError("quality estimation needs scores; rankings have none")
    people = ratings_of_systems(judgments)
    unjudged = [
        name for name, value in zip(judgments.systems, people, strict=True) if np.isnan(value)
    ]
    if unjudged:
        raise PreorderEvalError(f"system {unjudged[0]} has no judgment that counts")
    known = statistics_for(judgments)
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
    judged = judged_outputs(judgments)
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
        between=_between(metrics, judged),
        agreement=judge_agreement(judgments, margin),
        estimation=estimate_quality(metrics, scored) if quality_estimation and scored else [],
        notes=[
            *_undefined(metrics, judgments, judged, people),
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

    >>> from preorder_eval.results.scoring import score
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
    kinds = {"orders" in m.needs for m in chosen or [m for r in judged for m in r.metrics]}
    if len(kinds) > 1:
        complete = in_all(judged)
        systems = [name for name in systems if name in complete]
    together = by_reference(_of_systems(judged, systems), chosen)
    scores, counted = scores_of_all(
        {name: result.chosen(systems) for name, result in together.items()}
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
    """Return the results with some of their systems, those that have any of them."""
    names = [[name for name in result.systems if name in systems] for result in results]
    return [result.chosen(there) for result, there in zip(results, names, strict=True) if there]


def judged_outputs(judgments: Judgments) -> Bools:
    """Return which outputs people judged; bool[R, S]."""
    judged: Bools = judgments.system_statistics()[..., 1] > 0
    return judged


def constant(metric: MetricScores, judged: Bools) -> bool:
    """Return whether a metric gives all judged outputs the same score."""
    return bool(np.ptp(metric.segment_scores()[judged]) <= TIE)


def _between(metrics: Sequence[MetricScores], judged: Bools) -> Floats:
    """Compute Pearson's r of every two metrics over the outputs that are judged; float64[M, M]."""
    points = turned(metrics)[:, judged]
    return np.stack([pearson(points, values) for values in points])


def _undefined(
    metrics: Sequence[MetricScores], judgments: Judgments, judged: Bools, people: Floats
) -> Iterator[str]:
    """Say what is undefined and why."""
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
    """Say whether resamples, which are noisier than the text, agree with people clearly less."""
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
