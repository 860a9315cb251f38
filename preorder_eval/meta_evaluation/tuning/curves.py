"""The scores of all outputs as functions of a metric's free parameters.

What a metric computes from the words is computed once; trying a setting is arithmetic on arrays.
Three forms are known in which a parameter draws straight lines:

- linear: LRscore = α · R + (1 - α) · BLEU;
- log-linear: log RIBES = log NKT + α log P + β log BP, and so NKT · P^α and NSR · P^α, in α;
- reciprocal: (α + β) / LEPOR = (α/R + β/P) / (LP · NPosPenal), and hLEPOR, a harmonic mean, in
  α and β as in its weights.

Logarithm and reciprocal keep (or turn round) the order of two outputs, and a factor that is the
same for all outputs does not change it. So which of two outputs is better depends, in all three,
on which side of the point a setting lies where two lines cross. The lines come from the metric's
own scores at as many settings as there are free parameters, and one more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, Protocol

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.meta_evaluation.tuning.space import Space
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.metrics.lepor import Hlepor, Lepor, LeporMetric, read_ratio
from preorder_eval.metrics.lrscore import LRScore
from preorder_eval.metrics.ribes import RankCorrelation, Ribes

Form = Literal["linear", "log", "reciprocal"]
ScoreAll = Callable[[Metric], Sequence[Scores]]
_NEVER = -1e300  # the height of a line that stands for a score of 0, below all others
_KEPT = 1 << 25  # scores that are kept where they are not mere arithmetic


class Curves(Protocol):
    """Something that knows the scores of R systems on S segments at every point of a space."""

    @property
    def space(self) -> Space:
        """The settings that there are."""
        ...

    def scores(self, point: Floats) -> Floats:
        """The score of each output; float64[R, S]."""
        ...


@dataclass(frozen=True, eq=False)
class Lines:
    """Scores that are straight lines after a change that keeps their order.

    `coefficients` float64[p + 1, R, S]: the height at the origin and the slope in each of the p
    parameters of `heights`.
    """

    space: Space
    form: Form
    coefficients: Floats

    def heights(self, point: Floats) -> Floats:
        """What is compared: the higher, the better; float64[R, S]."""
        heights: Floats = np.tensordot([1.0, *point], self.coefficients, axes=1)
        return heights

    def scores(self, point: Floats) -> Floats:
        heights = self.heights(point)
        if self.form == "linear":
            return heights
        if self.form == "log":
            return np.exp(heights)
        return -_scale(self.space.metric(point), self.space) / heights


@dataclass(frozen=True, eq=False)
class Finished:
    """Scores of a metric whose parameters count at the end only.

    `statistics` float64[R, S, k] are those of every output, the same at all points.
    """

    space: Space
    statistics: Floats

    def scores(self, point: Floats) -> Floats:
        return _at_the_end(self.space.metric(point)).finish(self.statistics)


class Rescored:
    """Scores of a metric that has to start from the words at every point; the last are kept."""

    def __init__(self, space: Space, score: ScoreAll, outputs: int) -> None:
        def anew(*point: float) -> Floats:
            return np.stack([scores.sentence for scores in score(space.metric(point))])

        self.space = space
        self._scores = lru_cache(maxsize=_KEPT // outputs)(anew)

    def scores(self, point: Floats) -> Floats:
        return self._scores(*point.tolist())


def curves(space: Space, references: int, score: ScoreAll) -> Curves:
    """The scores of all outputs as a function of the free parameters.

    Parameters: how many references there are of each segment, and a function that scores every
    system with a metric.

    >>> from preorder_eval.data.segments import Segments
    >>> segments = Segments.of(["b a c x"], ["a b c d"])
    >>> by_alpha = curves(Space.of("nkt(alpha=?)"), 1, lambda metric: [metric.score(segments)])
    >>> by_alpha.scores(np.array([1.0])).round(6).tolist()  # 2/3 · 3/4
    [[0.5]]
    """
    points = space.corners()
    form = _form(space, references)
    if form:
        at_corners = [[s.sentence for s in score(space.metric(point))] for point in points]
        return Lines(space, form, _coefficients(space, form, points, np.array(at_corners)))
    rng = np.random.default_rng(0)
    first, second = (
        np.stack([s.statistics for s in score(_at_the_end(space.metric(space.random(rng))))])
        for _ in range(2)
    )
    same = first.shape == second.shape and np.array_equal(first, second)
    return Finished(space, first) if same else Rescored(space, score, first[..., 0].size)


def _form(space: Space, references: int) -> Form | None:
    """The form in which a metric's free parameters draw lines, None if they do not."""
    metric = space.metric(space.default)
    free = {parameter.field for parameter in space.parameters}
    if isinstance(metric, LRScore):
        return "linear"
    # The best of several references is another one at another setting.
    if isinstance(metric, Ribes) and references == 1:
        return "log"
    if isinstance(metric, RankCorrelation) and references == 1:
        straight = free == {"power"} or (free == {"alpha"} and not metric.root)
        return "log" if straight else None
    if isinstance(metric, LeporMetric) and metric.counts_tags:
        return None
    weighs_recall = free <= {"alpha", "beta"} and references == 1
    if isinstance(metric, Lepor | Hlepor) and weighs_recall:
        return "reciprocal"
    return "reciprocal" if isinstance(metric, Hlepor) and free == {"weights"} else None


def _coefficients(space: Space, form: Form, points: Floats, scores: Floats) -> Floats:
    """Lines through scores, float64[c, R, S], at c points."""
    never = np.zeros(scores.shape[1:], dtype=bool)
    heights = scores
    if form != "linear":
        never |= (scores <= 0).any(axis=0)
        heights = np.log(scores, out=np.zeros_like(scores), where=scores > 0)
    if form == "reciprocal":
        scales = np.array([_scale(space.metric(point), space) for point in points])
        heights = np.divide(-scales[:, None, None], scores, out=heights, where=scores > 0)
    # Fewer points than coefficients where sums are kept: the shortest of the equal solutions.
    solve = np.linalg.pinv(np.column_stack([np.ones(len(points)), points]))
    coefficients = np.tensordot(solve, heights, axes=1)
    coefficients[:, never] = 0
    coefficients[0, never] = _NEVER
    return coefficients


def _scale(metric: Metric, space: Space) -> float:
    """What the weights of a harmonic mean add up to."""
    if isinstance(metric, Hlepor) and space.parameters[0].field == "weights":
        return sum(read_ratio(metric, "weights", 3))
    return metric.alpha + metric.beta if isinstance(metric, LeporMetric) else 1.0


def _at_the_end(metric: Metric) -> Metric:
    """The same metric with its parameters put off to the end.

    LEPOR's system level B is that of the factors themselves; a single segment scores the same.
    """
    return replace(metric, system="B") if isinstance(metric, LeporMetric) else metric
