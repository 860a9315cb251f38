"""Fitting a metric's free parameters to human judgments, and what the fit is worth.

The value that a search reaches is the best on the data it was made for, and so too good a guess
for other data. Beside it stands the held-out value of k-fold cross-validation: the segments are
divided by chance into k folds, each is scored with the setting that is best on all others, and
the statistic is computed over the scores of all folds. All judgments of a segment are in the same
fold. Intervals are by the bootstrap over segments; whether the held-out value differs from that of
the default setting is judged as between two systems (`stats.significance`).

Statistics over systems take the mean of the segments' scores as the score of a system.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Floats
from preorder_eval.data.judgments import Judgments, PairwiseJudgments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.scores import MetricScores
from preorder_eval.meta_evaluation.statistic import Statistic, agreement, statistic, system_scores
from preorder_eval.meta_evaluation.tuning.curves import Curves, Lines, curves
from preorder_eval.meta_evaluation.tuning.result import Search, SearchOutcome, Tuning
from preorder_eval.meta_evaluation.tuning.search import (
    Optimum,
    exact_search,
    hill_climb,
    share_above,
    starting_points,
)
from preorder_eval.meta_evaluation.tuning.space import Space
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.results.inputs import Inputs
from preorder_eval.results.scoring import Scoring
from preorder_eval.stats.bootstrap import bootstrap
from preorder_eval.stats.correlation import divided
from preorder_eval.stats.measurement import TIE, Measurement
from preorder_eval.stats.significance import compare_systems

_SHARES = ("consistency", "wmt12")  # τ of WMT 2012 is 2 · consistency - 1
_ONE_BY_ONE = ("segment", "within-system")  # levels that need no systems that differ


def tune(
    space: str | Space,
    inputs: Inputs,
    judgments: Judgments,
    *,
    objective: str = "pairs.consistency",
    searches: Sequence[Search] = (),
    folds: int = 10,
    starts: int = 20,
    margin: float = 0.0,
    resamples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    advance: Callable[[int], None] | None = None,
) -> Tuning:
    """Fit free parameters so that a metric agrees with people as well as it can.

    Parameters: `space` a signature with `?` for free parameters, such as `nkt(alpha=?)`; `inputs`
    the judged systems with all that the metric needs; `objective` a statistic of `meta`;
    `searches` all that are possible if empty; `starts`, with how many settings a search begins;
    `margin` as in `agreement`; `jobs` processes share the scoring where there is much; `advance`
    is told of each step that is done, of 1 + `folds`.

    Raises PreorderEvalError for a statistic or search that is not possible, for inputs that the
    metric needs and that are not there, where there are fewer judged segments than folds, and where
    people or the metric tell nothing apart.

    >>> from preorder_eval.data.judgments import HumanScores
    >>> from preorder_eval.results.inputs import Texts
    >>> from preorder_eval.results.systems import System
    >>> order, words = ["b a c d", "b a c d"], ["a b e f", "a b c f"]  # what goes wrong
    >>> systems = System("a", hyp=order), System("b", hyp=words)
    >>> inputs = Inputs(systems, references=(Texts("ref", ["a b c d", "a b c d"]),))
    >>> system, segment = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    >>> people = HumanScores(("a", "b"), 2, system, segment, np.array([2.0, 1, 1, 2]), 0 * system)
    >>> result = tune("nkt(alpha=?)", inputs, people, folds=2)
    >>> str(result.space.metric(result.fits[0].found.point))
    'nkt(alpha=0.4,bp=false)'
    """
    if isinstance(space, str):
        space = Space.of(space)
    inputs = inputs.chosen(judgments.systems)
    inputs.require([space.metric(space.corners().mean(axis=0))])
    chosen = statistic(objective, judgments)
    if chosen.level == "pairs":
        judgments = judgments.pairs(margin).decided
        if not len(judgments):
            raise PreorderEvalError("people put no two outputs of a segment in an order")
    judged = np.unique(judgments.segment)
    if folds > len(judged):
        raise PreorderEvalError(f"{len(judged)} judged segments are too few for {folds} folds")

    scoring = Scoring(inputs, jobs, starts)

    def score(metric: Metric) -> list[Scores]:
        return [scores for [scores] in scoring.by([metric])]

    known = curves(space, max(len(inputs.references), 1), score)
    possible = _possible(known, chosen)
    for search in searches:
        if search not in possible:
            raise PreorderEvalError(
                f"no exact search for {space.signature} by {chosen}; it needs pairs.consistency or "
                "pairs.wmt12, and a metric that is a line in its parameters"
            )
    searches = searches or possible
    begin = starting_points(space, starts, seed)
    fold_of = _folds(judgments.segments, judged, folds, seed)
    by_fold = []
    for fold in range(-1, folds):  # on all segments, and then without each fold
        kept = fold_of != fold
        by_fold.append(_find(searches, known, chosen, judgments.on(kept), kept, begin))
        if advance:
            advance(1)
    fits = [
        SearchOutcome(search, by_fold[0][s], [f[s] for f in by_fold[1:]])
        for s, search in enumerate(searches)
    ]
    scores = [known.scores(space.default)]
    for fit in fits:
        scores += [known.scores(fit.found.point), _held_out(known, fit, fold_of)]
    if chosen.level not in _ONE_BY_ONE and all(
        np.ptp(of_setting, axis=0).max() <= TIE for of_setting in scores
    ):
        raise PreorderEvalError(f"metric {space.name} scores all systems the same")
    measurement = _measurement(chosen, np.stack(scores), judgments)
    [sampled] = bootstrap([measurement], resamples=resamples, seed=seed)
    if np.isnan(sampled.values[1:]).any():
        raise PreorderEvalError(f"{chosen} is undefined: the metric or people tell nothing apart")
    [pairs] = compare_systems(
        [measurement],
        higher_is_better=[True],
        pairs=[(0, 2 + 2 * number) for number in range(len(fits))],
        resamples=resamples,
        seed=seed,
    )
    return Tuning(
        space=space,
        statistic=objective,
        judgments=len(judgments),
        segments=len(judged),
        fits=fits,
        sampled=sampled,
        differences=[pair.difference for pair in pairs],
        starts=starts,
        margin=margin,
        resamples=resamples,
        seed=seed,
    )


def _possible(known: Curves, chosen: Statistic) -> list[Search]:
    if isinstance(known, Lines) and chosen.level == "pairs" and chosen.coefficient in _SHARES:
        return ["exact", "hill-climbing"]
    return ["hill-climbing"]


def _find(
    searches: Sequence[Search],
    known: Curves,
    chosen: Statistic,
    judgments: Judgments,
    kept: NDArray[np.bool_],
    starts: Sequence[Floats],
) -> list[Optimum]:
    """What each search finds for judgments of the segments that are kept."""
    if (
        isinstance(known, Lines)
        and isinstance(judgments, PairwiseJudgments)
        and chosen.coefficient in _SHARES
    ):
        lines = _better_minus_worse(known, kept, judgments)
        share = partial(share_above, lines)  # rises and falls with the statistic
        return [
            exact_search(known.space, lines, starts)
            if search == "exact"
            else hill_climb(known.space, share, starts)
            for search in searches
        ]

    def value(point: Floats) -> float:
        scores = _metric_scores(known.space, known.scores(point)[:, kept])
        return float(agreement(str(chosen), [scores], judgments)[0])

    return [hill_climb(known.space, value, starts) for _ in searches]


def _better_minus_worse(known: Lines, kept: NDArray[np.bool_], pairs: PairwiseJudgments) -> Floats:
    """For each pair the better output's line minus the worse one's; float64[p + 1, N]."""
    lines = known.coefficients[:, :, kept]
    first, second = lines[:, pairs.first, pairs.segment], lines[:, pairs.second, pairs.segment]
    return pairs.preferred * (first - second)


def _held_out(known: Curves, fit: SearchOutcome, fold_of: NDArray[np.int64]) -> Floats:
    """The score of each segment with the setting that was found without its fold."""
    scores = known.scores(fit.found.point).copy()
    for fold, optimum in enumerate(fit.folds):
        scores[:, fold_of == fold] = known.scores(optimum.point)[:, fold_of == fold]
    return scores


def _folds(segments: int, judged: NDArray[np.int64], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each segment, as many judged ones in each as can be; int64[S]."""
    rng = np.random.default_rng(seed)
    others = np.setdiff1d(np.arange(segments), judged)
    in_order = np.concatenate([rng.permutation(judged), rng.permutation(others)])
    fold_of = np.empty(segments, dtype=np.int64)
    fold_of[in_order] = np.arange(segments) % folds
    return fold_of


def _measurement(chosen: Statistic, scores: Floats, judgments: Judgments) -> Measurement:
    """The statistic of settings, for scores of segments float64[N, R, S] by N settings.

    Settings stand in the place of systems.
    """
    if not chosen.over_systems:
        return chosen.measure(scores, judgments, margin=0.0)
    people = np.moveaxis(judgments.system_statistics(), 2, 0)  # [2, R, S]
    systems = chosen.systems(system_scores(judgments))
    # [S, 3 R] for each setting
    beside = [np.concatenate([of_setting, *people]).T for of_setting in scores]

    def finish(sums: Floats) -> Floats:
        by_metric, by_people, judged = np.split(sums, 3, axis=-1)
        return chosen.correlate(by_metric, divided(by_people, judged), systems)

    return Measurement(np.stack(beside), finish)


def _metric_scores(space: Space, scores: Floats) -> MetricScores:
    """Scores of segments as those of a metric whose corpus value is their mean."""
    statistics = np.stack([scores, np.ones_like(scores)], axis=-1)
    return MetricScores(space.name, statistics, lambda sums: sums[..., 0] / sums[..., 1])
