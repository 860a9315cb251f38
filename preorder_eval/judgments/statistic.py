"""The statistics of meta-evaluation by their names, for any metrics and judgments.

All statistics are resampled with the same draws of the judgments' unit, segments or documents
(`permutation` tests differences).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import UnknownNameError
from preorder_eval.base.processes import Processes
from preorder_eval.base.stats.bootstrap import Bootstrap, bootstrap
from preorder_eval.base.stats.measurement import Measurement
from preorder_eval.judgments import correlation, segment_correlation
from preorder_eval.judgments.human_scores import HumanScores, Judgments
from preorder_eval.judgments.metric_scores import (
    MetricScores,
    quotient,
    turned_segments,
    turned_systems,
)
from preorder_eval.judgments.pairwise_accuracy import (
    calibrated_by_chance,
    sign_flip_p,
    soft_measurement,
    soft_pairwise_accuracy,
    tie_calibrated,
)
from preorder_eval.judgments.segment_correlation import Constant

Permuted = Literal["inputs", "both"]

FEWEST_SYSTEMS = 3  # any two systems correlate perfectly
_OVER_SYSTEMS = ("system", "core")
_OVER_SEGMENTS = ("segment", "within-system", "within-segment")
SOFT = "spa"  # soft pairwise accuracy of systems, from their scores of segments
TIE_CALIBRATED = "acc_eq"
_LARGE = (SOFT, TIE_CALIBRATED)  # what takes so much memory that metrics come one by one
DEFAULT = "pairs.accuracy"  # what sorts metrics, and is fitted
_ENOUGH = 1 << 17  # scores, of which fewer are done before others have started


MEANINGS = {
    "pairs.accuracy": "share of pairs of outputs in the human order; a tie of the metric counts "
    "half",
    "pearson": "Pearson's r with human scores",
    "spearman": "Spearman's ρ with human scores",
    "kendall": "Kendall's τ-b with human scores",
    "accuracy": "share of pairs of systems in the human order",
    "spa": "1 - |p of humans - p of the metric|, mean over pairs of systems",
    "acc_eq": "share of pairs of outputs that the metric and humans rank in the same order, or "
    "that both tie",
    "consistency": "share of pairs of outputs, human ties omitted, in the human order",
    "wmt12": "pairs in the human order - others, as a share",
    "wmt13": "pairs in the human order - in the other, as a share of these",
    "wmt14": "pairs in the human order - in the other, as a share of all",
}


@dataclass(frozen=True)
class Conventions:
    """The conventions that statistics leave open.

    Human scores that differ by at least `margin` decide a pair of outputs. `constant` is how a
    group of outputs counts to which a metric gives one and the same score. `permuted` is what two
    metrics swap when their difference is tested: the scores of whole segments ("inputs"), or of
    single outputs ("both"; see `permutation`). Scores of segments that differ by no more than
    rounding are equal, unless they are `exact`.
    """

    margin: float = 0.0
    constant: Constant = "zero"
    permuted: Permuted = "inputs"
    exact: bool = False


@dataclass(frozen=True)
class Statistic:
    """One way to measure how well metrics agree with people."""

    level: str
    coefficient: str

    def __str__(self) -> str:
        return f"{self.level}.{self.coefficient}"

    @property
    def about_systems(self) -> bool:
        """Whether it evaluates metrics on systems, rather than on segments."""
        return self.level in _OVER_SYSTEMS

    @property
    def over_systems(self) -> bool:
        """Whether it compares scores of systems, rather than of segments."""
        return self.about_systems and not self.distributed

    @property
    def fewest_systems(self) -> int:
        """The smallest number of systems for which it is defined."""
        if self.over_systems:
            return FEWEST_SYSTEMS
        return 1 if self.level in ("segment", "within-system") else 2

    @property
    def by_tangent(self) -> bool:
        """Whether sums over segments give only the tangent of its value (`Influence`)."""
        return self.level in ("segment", "within-system") and self.coefficient != "pearson"

    @property
    def distributed(self) -> bool:
        """Whether random draws give its value, which sums over segments only approximate."""
        return self.coefficient == SOFT

    def systems(self, people: Floats) -> list[int]:
        """Return the numbers of the systems that it is computed over."""
        left_out = correlation.outliers(people) if self.level == "core" else []
        return [system for system in range(len(people)) if system not in left_out]

    def undefined(self, people: Floats) -> str:
        """Explain why it is undefined for every metric; `people` are human scores of systems."""
        few = len(people) < self.fewest_systems
        return f"it needs {self.fewest_systems} systems" if few else "all scores are equal"

    def correlate(self, x: Floats, people: Floats, systems: Sequence[int]) -> Floats:
        """Compute the coefficient of systems' scores, along the last axis; NaN for too few."""
        if len(systems) < FEWEST_SYSTEMS:
            return np.full(x.shape[:-1], np.nan)
        coefficient = correlation.COEFFICIENTS[self.coefficient]
        return coefficient(x[..., systems], people[..., systems])

    def measure(
        self, x: Floats, judgments: Judgments, conventions: Conventions = Conventions()
    ) -> Measurement:
        """Compute what adds up over segments for scores of segments, float64[M, R, S]."""
        scale = self.scale(conventions)
        x = scale * x
        if isinstance(judgments, HumanScores):
            means, constant = scale * judgments.means, conventions.constant
            if self.distributed:
                return soft_measurement(x, means)
            if self.level == "segment":
                return segment_correlation.over_all(self.coefficient, x, means)
            if self.level == "within-system":
                return segment_correlation.within_systems(self.coefficient, x, means, constant)
            if self.level == "within-segment" and self.coefficient != TIE_CALIBRATED:
                return segment_correlation.within_segments(self.coefficient, x, means, constant)
        pairs = judgments.pairs(conventions.margin)
        if self.coefficient == TIE_CALIBRATED:
            return tie_calibrated(x, pairs).measurement
        return segment_correlation.pairwise(self.coefficient, x, pairs)

    def values(self, x: Floats, judgments: Judgments, conventions: Conventions) -> Floats:
        """Compute it for scores of segments, float64[M, R, S]."""
        return self.measure(x, judgments, conventions).values

    def scale(self, conventions: Conventions) -> float:
        """Return the factor of scores that makes exact ones whole numbers, free of rounding.

        The scale changes neither their order nor their ties.
        """
        exact = conventions.exact and self.coefficient not in ("pearson", SOFT)
        return 2.0**40 if exact else 1.0

    def simulated(self, x: Floats, judgments: Judgments) -> Floats | None:
        """Return its values by random draws, for scores float64[M, R, S]; None if it needs none."""
        if self.distributed and isinstance(judgments, HumanScores):
            return soft_pairwise_accuracy(x, judgments.means)
        return None

    def chance(
        self,
        metrics: Sequence[MetricScores],
        judgments: Judgments,
        conventions: Conventions = Conventions(),
    ) -> Floats:
        """Return the expected value of each metric if its scores carry no information, float64[M].

        That is 0 for coefficients. For pairs, such a metric keeps its share of ties t and orders
        the remaining pairs at random. So it agrees in (1 - t) / 2 of the pairs if a tie is an
        error. For acc_eq, it is the acc_eq of its shuffled scores. For SPA, the metric's p is
        assumed to be uniform between 0 and 1.
        """
        if self.distributed and isinstance(judgments, HumanScores):
            p = sign_flip_p(judgments.means)
            p = p[~np.isnan(p)]
            value = float(np.mean(1 - (p**2 + (1 - p) ** 2) / 2)) if len(p) else np.nan
            return np.full(len(metrics), value)
        if self.over_systems and self.coefficient == "accuracy":
            people = ratings_of_systems(judgments)
            some = self.systems(people)
            return correlation.accuracy_by_chance(turned_systems(metrics)[:, some], people[some])
        if self.coefficient == TIE_CALIBRATED:
            pairs = judgments.pairs(conventions.margin)
            x = self.scale(conventions) * turned_segments(metrics)
            return calibrated_by_chance(x, pairs, judgments.system_statistics()[..., 1] > 0)
        if self.level == "pairs":
            measured = self.measure(turned_segments(metrics), judgments, conventions)
            counts = measured.statistics.sum(axis=1)
            counts[:, :2] = counts[:, :2].mean(axis=1, keepdims=True)
            return measured.finish(counts)
        return np.zeros(len(metrics))


def statistics_for(judgments: Judgments) -> list[Statistic]:
    """Return the statistics that judgments allow; comparisons do not rate single segments."""
    coefficients = {level: tuple(correlation.COEFFICIENTS) for level in _OVER_SYSTEMS}
    if isinstance(judgments, HumanScores):
        coefficients["system"] += (SOFT,)
        coefficients |= dict.fromkeys(_OVER_SEGMENTS, segment_correlation.SEGMENT_COEFFICIENTS)
        coefficients["within-segment"] += (TIE_CALIBRATED,)
    coefficients["pairs"] = tuple(segment_correlation.VARIANTS)
    return [Statistic(level, name) for level, names in coefficients.items() for name in names]


def statistic(name: str, judgments: Judgments) -> Statistic:
    """Return a statistic by its name.

    Raises UnknownNameError, with the legal names, for one that the judgments do not allow.
    """
    known = {str(choice): choice for choice in statistics_for(judgments)}
    if name not in known:
        raise UnknownNameError("statistic of these judgments", name, known)
    return known[name]


@dataclass(frozen=True)
class Protocol:
    """The method of a metrics task: its statistics, by the first of which metrics are ranked.

    Ranks come from tests at `level`, two-sided: those of mt-metrics-eval are one-sided at 0.05.
    """

    statistics: tuple[str, ...]
    conventions: Conventions = Conventions()
    level: float = 0.05


_DARR = Conventions(margin=25.0)
_MTME: dict[str, Any] = {
    "conventions": Conventions(constant="dropped", permuted="both"),
    "level": 0.10,
}
PROTOCOLS = {
    # Rankings; Callison-Burch et al. 2012, Macháček & Bojar 2013, 2014
    "wmt12": Protocol(("pairs.wmt12",)),
    "wmt13": Protocol(("pairs.wmt13",)),
    "wmt14": Protocol(("pairs.wmt14",)),
    # Relative rankings from raw direct assessments (daRR), those that differ by 25 or more;
    # Bojar et al. 2017 to Mathur et al. 2020
    "wmt17-darr": Protocol(("pairs.wmt12",), _DARR),
    "wmt20-darr": Protocol(("pairs.wmt12",), _DARR),
    # As mt-metrics-eval has them. Accuracy of systems (Kocmi et al. 2021); Freitag et al. 2022
    "wmt22": Protocol(("system.accuracy", "system.pearson"), **_MTME),
    "wmt22-segment": Protocol(
        ("segment.kendall", "within-system.kendall", "within-segment.kendall"), **_MTME
    ),
    # Tie-calibrated accuracy within segments (Deutsch et al. 2023); Freitag et al. 2023
    "wmt23": Protocol(("system.accuracy", "system.pearson"), **_MTME),
    "wmt23-segment": Protocol(("within-segment.acc_eq", "segment.pearson"), **_MTME),
    # Soft pairwise accuracy (Thompson et al. 2024); Freitag et al. 2024
    "wmt24": Protocol(("system.spa",), **_MTME),
    "wmt24-segment": Protocol(("within-segment.acc_eq",), **_MTME),
}


def protocol(name: str) -> Protocol:
    """Return a protocol by its name; raise UnknownNameError, with the legal names, for another."""
    if name not in PROTOCOLS:
        raise UnknownNameError("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]


def ratings_of_systems(judgments: Judgments) -> Floats:
    """Return the human rating of each system, NaN without a judgment; float64[R].

    That is the rating given, the mean over a system's judged segments, or the share of its
    comparisons that it wins.
    """
    if isinstance(judgments, HumanScores) and judgments.ratings is not None:
        return judgments.ratings
    return quotient(judgments.system_statistics().sum(axis=1))


def agreement(
    name: str,
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    conventions: Conventions = Conventions(),
) -> Floats:
    """Compute how well each metric agrees with people, by one statistic; float64[M].

    The systems of `metrics` are those of `judgments`, in the same order. NaN where the statistic is
    undefined, as it is for a metric that gives all the same score.

    >>> import preorder_eval as pe
    >>> system, segment = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> scores = np.array([1.0, 2, 3, 4])
    >>> people = pe.HumanScores(("a", "b"), 2, system, segment, scores, 0 * system)
    >>> metric = MetricScores.mean("m", np.array([[0.1, 0.2], [0.4, 0.1]]))
    >>> agreement("pairs.consistency", [metric], people).tolist()
    [0.5]
    """
    chosen = statistic(name, judgments)
    if not chosen.over_systems:
        x = turned_segments(metrics)
        simulated = chosen.simulated(x, judgments)
        if simulated is not None:
            return simulated
        return chosen.values(x, judgments, conventions)
    people = ratings_of_systems(judgments)
    return chosen.correlate(turned_systems(metrics), people, chosen.systems(people))


@dataclass(frozen=True, eq=False)
class _Sampler:
    """The sampler of statistics over segments: turned scores float64[M, R, S], and judgments."""

    x: Floats
    judgments: Judgments
    conventions: Conventions
    resamples: int
    seed: int

    def sampled(self, piece: tuple[Statistic, slice]) -> Bootstrap:
        """Resample a statistic of some of the metrics."""
        statistic, some = piece
        x = self.x[some]
        by_unit = self.judgments.unit.sums(statistic.measure(x, self.judgments, self.conventions))
        [sampled] = bootstrap([by_unit], resamples=self.resamples, seed=self.seed)
        simulated = statistic.simulated(x, self.judgments)
        if simulated is None:
            return sampled
        return Bootstrap(simulated, sampled.resampled)  # the jackknife is of what adds up


def resample(
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    statistics: Sequence[Statistic],
    *,
    conventions: Conventions = Conventions(),
    resamples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
) -> list[Bootstrap]:
    """Compute each statistic of all metrics, with its values in resamples of the judgments' unit.

    All statistics use the same draws. Statistics over systems compare the metrics' and the human
    scores of the systems on the drawn segments; outliers are always those of the whole text. Fewer
    than six judged segments or documents have no intervals. `jobs` processes share the work where
    there is much.
    """
    # As it is sent: how an array lies in memory shows in the last digits of sums.
    x = np.ascontiguousarray(turned_segments(metrics))
    jobs = jobs if x.size >= _ENOUGH else 1
    together = Processes(jobs, _Sampler, x, judgments, conventions, resamples, seed)
    whole, single = [slice(None)], [slice(metric, metric + 1) for metric in range(len(metrics))]
    pieces = [
        (statistic, some)
        for statistic in statistics
        if not statistic.over_systems
        for some in (single if statistic.coefficient in _LARGE else whole)
    ]
    parts: dict[Statistic, list[Bootstrap]] = {}
    for (statistic, _), part in zip(pieces, together.map(_Sampler.sampled, pieces), strict=True):
        parts.setdefault(statistic, []).append(part)
    drawn = {
        statistic: Bootstrap(
            np.concatenate([part.values for part in of_metrics]),
            np.concatenate([part.resampled for part in of_metrics], axis=1),
            [jackknife for part in of_metrics for jackknife in part.jackknives],
        )
        for statistic, of_metrics in parts.items()
    }
    over_systems = [statistic for statistic in statistics if statistic.over_systems]
    if over_systems:
        drawn |= _over_systems(metrics, judgments, over_systems, resamples, seed)
    sampled = [drawn[statistic] for statistic in statistics]
    return [replace(each, drawn=judgments.judged_units[0]) for each in sampled]


def several_judged(judgments: Judgments) -> bool:
    """Return whether more than one segment is judged."""
    return len(np.unique(judgments.segment)) > 1


def _over_systems(
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    statistics: Sequence[Statistic],
    resamples: int,
    seed: int,
) -> dict[Statistic, Bootstrap]:
    """Resample the statistics that compare scores of systems."""
    by = judgments.unit.measurement
    corpus = [by(metric.statistics, metric.finish) for metric in metrics]
    judged = by(judgments.system_statistics(), quotient)
    *of_metrics, people = bootstrap([*corpus, judged], resamples=resamples, seed=seed)
    resampled = np.stack(
        [m.sign * sampled.resampled for m, sampled in zip(metrics, of_metrics, strict=True)]
    )
    scores = turned_systems(metrics)
    ratings = ratings_of_systems(judgments)
    drawn = {}
    for statistic in statistics:
        systems = statistic.systems(ratings)
        drawn[statistic] = Bootstrap(
            statistic.correlate(scores, ratings, systems),
            statistic.correlate(resampled, people.resampled, systems).T,
            bounds=(0, 1) if statistic.coefficient == "accuracy" else (-1, 1),
        )
    return drawn
