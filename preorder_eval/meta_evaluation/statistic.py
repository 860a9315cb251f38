"""The statistics of meta-evaluation by their names, for any metrics and judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.judgments import HumanScores, Judgments
from preorder_eval.errors import UnknownNameError
from preorder_eval.meta_evaluation.scores import MetricScores
from preorder_eval.processes import Processes
from preorder_eval.stats import segment_correlation, system_correlation
from preorder_eval.stats.bootstrap import Bootstrap, bootstrap
from preorder_eval.stats.correlation import divided
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.soft_accuracy import soft_measurement, soft_pairwise_accuracy
from preorder_eval.stats.tie_calibration import Grouping, tie_calibrated

FEWEST_SYSTEMS = 3  # any two systems correlate perfectly
_OVER_SYSTEMS = ("system", "core")
_OVER_SEGMENTS: dict[Grouping, Callable[[str, Floats, Floats], Measurement]] = {
    "segment": segment_correlation.over_all,
    "within-system": segment_correlation.within_systems,
    "within-segment": segment_correlation.within_segments,
}
SOFT = "spa"  # soft pairwise accuracy of systems, from their scores of segments
TIE_CALIBRATED = "acc_eq"
_ENOUGH = 1 << 17  # scores, of which fewer are done before others have started


@dataclass(frozen=True)
class Statistic:
    """One way of saying how well metrics agree with people.

    >>> print(Statistic("system", "pearson"))
    system.pearson
    """

    level: str
    coefficient: str

    def __str__(self) -> str:
        return f"{self.level}.{self.coefficient}"

    @property
    def over_systems(self) -> bool:
        """Whether it compares scores of systems, not of segments."""
        return self.level in _OVER_SYSTEMS and not self.distributed

    @property
    def fewest_systems(self) -> int:
        """How many systems it takes at least."""
        if self.over_systems:
            return FEWEST_SYSTEMS
        return 1 if self.level in ("segment", "within-system") else 2

    @property
    def costly(self) -> bool:
        """Whether it takes the square of the number of outputs, and so is made when asked for."""
        return self.coefficient == TIE_CALIBRATED and self.level != "within-segment"

    @property
    def by_metric(self) -> bool:
        """Whether it takes so much that it is made for one metric after the other."""
        return self.coefficient in (SOFT, TIE_CALIBRATED)

    @property
    def distributed(self) -> bool:
        """Whether its value is that of a whole distribution, of which sums give a sample."""
        return self.coefficient == SOFT

    def systems(self, people: Floats) -> list[int]:
        """The systems that it is over, by number."""
        left_out = system_correlation.outliers(people) if self.level == "core" else []
        return [system for system in range(len(people)) if system not in left_out]

    def correlate(self, x: Floats, people: Floats, systems: Sequence[int]) -> Floats:
        """The coefficient of scores of systems, along the last axis; NaN where they are few."""
        if len(systems) < FEWEST_SYSTEMS:
            return np.full(x.shape[:-1], np.nan)
        coefficient = system_correlation.COEFFICIENTS[self.coefficient]
        return coefficient(x[..., systems], people[..., systems])

    def values(
        self, x: Floats, judgments: Judgments, margin: float, measurement: Measurement
    ) -> Floats:
        """What `measure` finishes into, but exact where that takes a distribution; float64[M]."""
        if self.distributed and isinstance(judgments, HumanScores):
            return soft_pairwise_accuracy(x, judgments.means)
        return measurement.values

    def measure(self, x: Floats, judgments: Judgments, margin: float) -> Measurement:
        """What adds up over segments for scores of segments, float64[M, R, S]."""
        if isinstance(judgments, HumanScores):
            if self.distributed:
                return soft_measurement(x, judgments.means)
            for grouping, correlate in _OVER_SEGMENTS.items():
                if grouping == self.level and self.coefficient == TIE_CALIBRATED:
                    return tie_calibrated(grouping, x, judgments.means, margin).measurement
                if grouping == self.level:
                    return correlate(self.coefficient, x, judgments.means)
        return segment_correlation.pairwise(self.coefficient, x, judgments.pairs(margin))


def statistics_for(judgments: Judgments) -> list[Statistic]:
    """The statistics that judgments allow; comparisons do not say how good a segment is."""
    coefficients = {level: tuple(system_correlation.COEFFICIENTS) for level in _OVER_SYSTEMS}
    if isinstance(judgments, HumanScores):
        coefficients["system"] += (SOFT,)
        of_segments = (*segment_correlation.COEFFICIENTS, TIE_CALIBRATED)
        coefficients |= dict.fromkeys(_OVER_SEGMENTS, of_segments)
    coefficients["pairs"] = tuple(segment_correlation.VARIANTS)
    return [Statistic(level, name) for level, names in coefficients.items() for name in names]


def statistic(name: str, judgments: Judgments) -> Statistic:
    """A statistic by its name.

    Raises UnknownNameError, with the legal names, for one that the judgments do not allow.
    """
    known = {str(choice): choice for choice in statistics_for(judgments)}
    if name not in known:
        raise UnknownNameError("statistic of these judgments", name, known)
    return known[name]


def system_scores(judgments: Judgments) -> Floats:
    """How good people find each system, NaN if they say nothing; float64[R].

    The mean over its judged segments, or the share of its comparisons that it wins.
    """
    return quotient(judgments.system_statistics().sum(axis=1))


def quotient(statistics: Floats) -> Floats:
    """What the statistics of systems finish into."""
    return divided(statistics[..., 0], statistics[..., 1])


def agreement(
    name: str, metrics: Sequence[MetricScores], judgments: Judgments, margin: float = 0.0
) -> Floats:
    """How well each metric agrees with people, by one statistic; float64[M].

    The systems of `metrics` are those of `judgments`, in the same order. Scores of people that
    differ by less than `margin` make a tie in `pairs`. NaN where the statistic is undefined, as
    it is for a metric that gives all the same score.

    >>> statistics = np.array([[[0.1, 1], [0.2, 1]], [[0.4, 1], [0.1, 1]]])
    >>> metric = MetricScores("m", statistics, lambda s: s[..., 0] / s[..., 1])
    >>> from preorder_eval.data.judgments import HumanScores
    >>> system, segment = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> people = HumanScores(("a", "b"), 2, system, segment, np.array([1.0, 2, 3, 4]), 0 * system)
    >>> agreement("pairs.consistency", [metric], people).tolist()
    [0.5]
    """
    chosen = statistic(name, judgments)
    if not chosen.over_systems:
        x = turned(metrics)
        return chosen.values(x, judgments, margin, chosen.measure(x, judgments, margin))
    people = system_scores(judgments)
    scores = np.stack([metric.sign * metric.systems for metric in metrics])
    return chosen.correlate(scores, people, chosen.systems(people))


def turned(metrics: Sequence[MetricScores]) -> Floats:
    """The scores of segments, turned so that higher is better; float64[M, R, S]."""
    return np.stack([metric.sign * metric.segments for metric in metrics])


@dataclass(frozen=True, eq=False)
class _Sampler:
    """What statistics over segments are drawn from: scores float64[M, R, S], turned, and people."""

    x: Floats
    judgments: Judgments
    margin: float
    resamples: int
    seed: int

    def sampled(self, piece: tuple[Statistic, int, int]) -> Bootstrap:
        """A statistic of the metrics from one number up to another."""
        statistic, first, last = piece
        x = self.x[first:last]
        measurement = statistic.measure(x, self.judgments, self.margin)
        [sampled] = bootstrap([measurement], resamples=self.resamples, seed=self.seed)
        if not statistic.distributed:
            return sampled
        values = statistic.values(x, self.judgments, self.margin, measurement)
        return Bootstrap(values, sampled.resampled)  # the jackknife is of what adds up


def resample(
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    statistics: Sequence[Statistic],
    *,
    margin: float = 0.0,
    resamples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
) -> list[Bootstrap]:
    """Each statistic of all metrics, with its values in resamples of the segments.

    All see the same draws. Statistics over systems compare what the metrics and people say of the
    systems on the drawn segments; outliers stay those of the whole text. `jobs` processes share
    the work where there is much.
    """
    # As it is sent: how an array lies in memory shows in the last digits of sums.
    x = np.ascontiguousarray(turned(metrics))
    together = Processes(
        jobs if x.size >= _ENOUGH else 1, _Sampler, x, judgments, margin, resamples, seed
    )
    pieces = [
        (statistic, first, first + (1 if statistic.by_metric else len(metrics)))
        for statistic in statistics
        if not statistic.over_systems
        for first in range(1 if not statistic.by_metric else len(metrics))
    ]
    of_pieces: dict[Statistic, list[Bootstrap]] = {statistic: [] for statistic, *_ in pieces}
    for (statistic, *_), sampled in zip(
        pieces, together.map(_Sampler.sampled, pieces), strict=True
    ):
        of_pieces[statistic].append(sampled)
    drawn = {
        statistic: Bootstrap(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.resampled for part in parts], axis=1),
            [own for part in parts for own in part.jackknives],
        )
        for statistic, parts in of_pieces.items()
    }
    over_systems = [statistic for statistic in statistics if statistic.over_systems]
    if over_systems:
        corpus = [Measurement(metric.statistics, metric.finish) for metric in metrics]
        judged = Measurement(judgments.system_statistics(), quotient)
        *of_metrics, people = bootstrap([*corpus, judged], resamples=resamples, seed=seed)
        scores = [
            np.stack([m.sign * values for m, values in zip(metrics, parts, strict=True)])
            for parts in (
                [sampled.values for sampled in of_metrics],
                [sampled.resampled for sampled in of_metrics],
            )
        ]
        for statistic in over_systems:
            systems = statistic.systems(people.values)
            drawn[statistic] = Bootstrap(
                statistic.correlate(scores[0], people.values, systems),
                statistic.correlate(scores[1], people.resampled, systems).T,
                bounds=(0, 1) if statistic.coefficient == "accuracy" else (-1, 1),
            )
    return [drawn[statistic] for statistic in statistics]
