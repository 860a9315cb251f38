"""The statistics of meta-evaluation by their names, for any metrics and judgments.

All statistics are resampled with the same draws of segments. Two metrics differ significantly by
Williams' test for Pearson's r over systems, by the paired bootstrap for other statistics over
systems, and else by approximate randomization, which swaps what two metrics contribute on a
segment by the toss of a coin: a permutation test, also for acc_eq and soft pairwise accuracy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.judgments import HumanScores, Judgments
from preorder_eval.errors import UnknownNameError
from preorder_eval.meta_evaluation.scores import MetricScores
from preorder_eval.processes import Processes
from preorder_eval.stats import correlation, segment_correlation
from preorder_eval.stats.bootstrap import Bootstrap, bootstrap
from preorder_eval.stats.correlation import divided, pearson, williams
from preorder_eval.stats.measurement import TIE, Measurement
from preorder_eval.stats.pairwise_accuracy import (
    soft_measurement,
    soft_pairwise_accuracy,
    tie_calibrated,
)
from preorder_eval.stats.significance import TRIALS_PER_RESAMPLE, randomization

FEWEST_SYSTEMS = 3  # any two systems correlate perfectly
_OVER_SYSTEMS = ("system", "core")
_OVER_SEGMENTS: dict[str, Callable[[str, Floats, Floats], Measurement]] = {
    "segment": segment_correlation.over_all,
    "within-system": segment_correlation.within_systems,
    "within-segment": segment_correlation.within_segments,
}
SOFT = "spa"  # soft pairwise accuracy of systems, from their scores of segments
TIE_CALIBRATED = "acc_eq"
_ENOUGH = 1 << 17  # scores, of which fewer are done before others have started


@dataclass(frozen=True)
class Statistic:
    """One way to measure how well metrics agree with people.

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
    def by_metric(self) -> bool:
        """Whether it takes so much that it is made for one metric after the other."""
        return self.coefficient in (SOFT, TIE_CALIBRATED)

    @property
    def distributed(self) -> bool:
        """Whether its value is that of a whole distribution, of which sums give a sample."""
        return self.coefficient == SOFT

    def systems(self, people: Floats) -> list[int]:
        """Return the systems that it is over, by number."""
        left_out = correlation.outliers(people) if self.level == "core" else []
        return [system for system in range(len(people)) if system not in left_out]

    def correlate(self, x: Floats, people: Floats, systems: Sequence[int]) -> Floats:
        """Compute the coefficient of scores of systems, along the last axis; NaN where too few."""
        if len(systems) < FEWEST_SYSTEMS:
            return np.full(x.shape[:-1], np.nan)
        coefficient = correlation.COEFFICIENTS[self.coefficient]
        return coefficient(x[..., systems], people[..., systems])

    def values(
        self, x: Floats, judgments: Judgments, margin: float, measurement: Measurement
    ) -> Floats:
        """Return what `measure` finishes into, but exact for a distribution; float64[M]."""
        if self.distributed and isinstance(judgments, HumanScores):
            return soft_pairwise_accuracy(x, judgments.means)
        return measurement.values

    def measure(self, x: Floats, judgments: Judgments, margin: float) -> Measurement:
        """Compute what adds up over segments for scores of segments, float64[M, R, S]."""
        if isinstance(judgments, HumanScores):
            if self.distributed:
                return soft_measurement(x, judgments.means)
            if self.coefficient == TIE_CALIBRATED:
                return tie_calibrated(x, judgments.means, margin).measurement
            if self.level in _OVER_SEGMENTS:
                return _OVER_SEGMENTS[self.level](self.coefficient, x, judgments.means)
        return segment_correlation.pairwise(self.coefficient, x, judgments.pairs(margin))


def statistics_for(judgments: Judgments) -> list[Statistic]:
    """Return the statistics that judgments allow; comparisons do not rate single segments."""
    coefficients = {level: tuple(correlation.COEFFICIENTS) for level in _OVER_SYSTEMS}
    if isinstance(judgments, HumanScores):
        coefficients["system"] += (SOFT,)
        coefficients |= dict.fromkeys(_OVER_SEGMENTS, segment_correlation.COEFFICIENTS)
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
    """How a metrics task compared metrics with people: a statistic and the margin of its ties."""

    statistic: str
    margin: float = 0.0


PROTOCOLS = {
    # Rankings; Callison-Burch et al. 2012, Macháček & Bojar 2013, 2014
    "wmt12": Protocol("pairs.wmt12"),
    "wmt13": Protocol("pairs.wmt13"),
    "wmt14": Protocol("pairs.wmt14"),
    # Relative rankings from raw direct assessments (daRR), those that differ by 25 or more;
    # Bojar et al. 2017 to Mathur et al. 2020
    "wmt17-darr": Protocol("pairs.wmt12", margin=25.0),
    "wmt20-darr": Protocol("pairs.wmt12", margin=25.0),
    # Tie-calibrated accuracy within segments (Deutsch et al. 2023); Freitag et al. 2023
    "wmt23-segment": Protocol("within-segment.acc_eq"),
    # Soft pairwise accuracy (Thompson et al. 2024); Freitag et al. 2024
    "wmt24-system": Protocol("system.spa"),
    "wmt24-segment": Protocol("within-segment.acc_eq"),
}


def protocol(name: str) -> Protocol:
    """Return a protocol by its name; raise UnknownNameError, with the legal names, for another.

    >>> protocol("wmt20-darr")
    Protocol(statistic='pairs.wmt12', margin=25.0)
    """
    if name not in PROTOCOLS:
        raise UnknownNameError("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]


def ratings_of_systems(judgments: Judgments) -> Floats:
    """Compute how good people find each system, NaN without a judgment; float64[R].

    That is the mean over its judged segments, or the share of its comparisons that it wins.
    """
    return quotient(judgments.system_statistics().sum(axis=1))


def quotient(statistics: Floats) -> Floats:
    """Finish the statistics of systems (`Judgments.system_statistics`)."""
    return divided(statistics[..., 0], statistics[..., 1])


def turned(metrics: Sequence[MetricScores]) -> Floats:
    """Return the scores of segments, turned so that higher is better; float64[M, R, S]."""
    return np.stack([metric.sign * metric.segment_scores() for metric in metrics])


def agreement(
    name: str, metrics: Sequence[MetricScores], judgments: Judgments, margin: float = 0.0
) -> Floats:
    """Compute how well each metric agrees with people, by one statistic; float64[M].

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
    people = ratings_of_systems(judgments)
    scores = np.stack([metric.sign * metric.system_scores() for metric in metrics])
    return chosen.correlate(scores, people, chosen.systems(people))


@dataclass(frozen=True, eq=False)
class _Sampler:
    """What statistics over segments are drawn from: scores float64[M, R, S], turned, and people."""

    x: Floats
    judgments: Judgments
    margin: float
    resamples: int
    seed: int

    def sampled(self, piece: tuple[Statistic, int, int]) -> Bootstrap:
        """Resample a statistic of the metrics from one number up to another."""
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
    """Compute each statistic of all metrics, with its values in resamples of the segments.

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
        for first in range(len(metrics) if statistic.by_metric else 1)
    ]
    parts: dict[Statistic, list[Bootstrap]] = {statistic: [] for statistic, *_ in pieces}
    for (statistic, *_), part in zip(pieces, together.map(_Sampler.sampled, pieces), strict=True):
        parts[statistic].append(part)
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
    return [drawn[statistic] for statistic in statistics]


def _over_systems(
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    statistics: Sequence[Statistic],
    resamples: int,
    seed: int,
) -> dict[Statistic, Bootstrap]:
    """Resample the statistics that compare scores of systems."""
    corpus = [Measurement(metric.statistics, metric.finish) for metric in metrics]
    judged = Measurement(judgments.system_statistics(), quotient)
    *of_metrics, people = bootstrap([*corpus, judged], resamples=resamples, seed=seed)
    signed = list(zip([metric.sign for metric in metrics], of_metrics, strict=True))
    scores = np.stack([sign * sampled.values for sign, sampled in signed])
    resampled = np.stack([sign * sampled.resampled for sign, sampled in signed])
    drawn = {}
    for statistic in statistics:
        systems = statistic.systems(people.values)
        drawn[statistic] = Bootstrap(
            statistic.correlate(scores, people.values, systems),
            statistic.correlate(resampled, people.resampled, systems).T,
            bounds=(0, 1) if statistic.coefficient == "accuracy" else (-1, 1),
        )
    return drawn


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
    """Compute two-sided p-values that metrics agree differently with people; float64[M, M].

    The correlations depend on each other, as they share people's scores: Williams' test takes
    that into account, and swapping the standardised scores of two metrics segment by segment leaves
    people's as they are (PERM-INPUTS, Deutsch et al. 2021), also where outputs of a segment are
    alike. `sampled` are the values of the statistic in resamples (`resample`).
    """
    if not chosen.over_systems:
        measurement = chosen.measure(turned(metrics), judgments, margin)
        trials = TRIALS_PER_RESAMPLE * resamples
        return randomization([measurement], trials=trials, seed=seed)[0]
    if chosen.coefficient != "pearson":
        return paired_p_values(sampled.resampled)
    p = np.eye(len(metrics))
    systems = chosen.systems(ratings_of_systems(judgments))
    scores = [(metric.sign * metric.system_scores())[systems] for metric in metrics]
    for a, b in combinations(range(len(metrics)), 2):
        between = float(pearson(scores[a], scores[b]))
        p[a, b] = williams(sampled.values[a], sampled.values[b], between, len(systems))
        p[b, a] = p[a, b]
    return p


def paired_p_values(resampled: Floats) -> Floats:
    """Compute two-sided p-values of differences by the paired bootstrap; float64[M, M].

    `resampled` float64[B, M] are the values of M metrics in the same resamples.

    >>> paired_p_values(np.array([[0, 0.1], [0, 0.2], [0, 0.1], [0.1, 0]])).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    p = np.eye(resampled.shape[1])
    for a, b in combinations(range(len(p)), 2):
        differences = resampled[:, b] - resampled[:, a]  # one without a value is on either side
        won, lost = float(np.mean(differences > TIE)), float(np.mean(differences < -TIE))
        p[a, b] = p[b, a] = min(1.0, 2 * min(1 - won, 1 - lost))
    return p
