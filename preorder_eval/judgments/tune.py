"""Fitting of a metric's free parameters to human judgments, and held-out values of the fit.

A single parameter takes the best of 101 values over its range, as the α of LRscore by .01 in Birch
& Osborne (2010). Several are searched one after the other, on grids of 21 values, until none of
them helps. The search starts from the default setting and from random ones. Among equally good
settings, the default is kept, or else the middle of the widest run is chosen.

The value on the data of the fit is too optimistic for other data. So the held-out value of k-fold
cross-validation is reported beside it. The segments are divided at random into k folds, and each is
scored with the setting that is best on all others. The statistic is computed over the scores of all
folds. All judgments of a segment are in the same fold. Intervals are by the bootstrap over
segments; whether the held-out value differs from that of the default setting is judged as between
two systems (`base.stats.significance`). Where documents are known, folds, intervals and the test
take whole documents.

Statistics over systems take the mean of the segments' scores as the score of a system.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, Longs
from preorder_eval.base.errors import PreorderEvalError, require_between
from preorder_eval.base.stats import MOST_SEED
from preorder_eval.base.stats.bootstrap import Bootstrap
from preorder_eval.base.stats.legends import few_documents
from preorder_eval.base.stats.measurement import TIE, Measurement
from preorder_eval.base.stats.significance import TRIALS_PER_RESAMPLE, compare_systems
from preorder_eval.base.stats.unit import Unit
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends, figure
from preorder_eval.base.version import __version__
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.decision import DecidedDifference, Decision
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.notes import unfit
from preorder_eval.evaluation.score import Scoring
from preorder_eval.judgments.correlation import divided
from preorder_eval.judgments.human_scores import Judgments
from preorder_eval.judgments.metric_scores import MetricScores
from preorder_eval.judgments.statistic import (
    DEFAULT,
    Statistic,
    agreement,
    ratings_of_systems,
    resample,
    statistic,
)
from preorder_eval.judgments.tuning_space import Space
from preorder_eval.metrics.base import Metric, Scores, parameter_types
from preorder_eval.metrics.outputs.lepor import LeporMetric
from preorder_eval.metrics.outputs.ribes import ContextMetric, Factors

_STEPS, _STEPS_OF_SEVERAL = 100, 20  # from end to end of a parameter's range
_AT_ONCE, _KEPT = 1 << 22, 1 << 25  # scores that are compared together, and that are remembered


@dataclass(frozen=True, eq=False)
class Tuning(Shown):
    """A metric's parameters fitted to judgments.

    `judgments` and `segments` are how many there are, without ties where the statistic leaves
    them out; `judged` names the judgments, such as `pair of judged outputs`. `best` is the best
    setting on all judgments, `folds` those without each fold. `sampled` has the statistic, on the
    same resamples, of the default setting, of the fitted one, and of the held-out scores;
    `difference` is that of the held-out scores from the default, `unit` what is drawn.
    """

    _space: Space
    statistic: str
    judgments: int
    judged: str
    segments: int
    best: Floats
    folds: list[Floats]
    sampled: Bootstrap
    difference: DecidedDifference
    unit: Unit
    _starts: int
    _margin: float
    _resamples: int
    _seed: int
    own_warnings: Sequence[Caveat] = ()

    @property
    def verdict(self) -> str:
        held_out, decided = self.sampled.values[2], self.difference
        difference, fitted = decided.difference, self._space.metric(self.best)
        if not difference.readable:
            return f"{fitted} cannot read these texts, so it cannot be fitted"
        found = f"{fitted}: {self.statistic} {figure(held_out)} held out"
        if np.array_equal(self.best, self._space.default):
            return f"{found}; on all segments, no setting is better than the default"
        default = f"{figure(self.sampled.values[0])} by default"
        if abs(difference.value) <= TIE:
            return f"{found}, the same as {default}"
        other = "better" if difference.value > 0 else "worse"
        if decided.decision is Decision.CANNOT_BE_SHOWN:
            return f"{found}, {other} than {default}, but this is inconclusive: {decided.too_few()}"
        significant = "significantly" if decided.decision.direction else "not significantly"
        return f"{found}, {significant} {other} than {default} ({decided.sure})"

    @property
    def for_paper(self) -> str:
        return (
            f"{self.verdict}. There are {quantity(self.judgments, self.judged)} of "
            f"{quantity(self.segments, 'segment')}; folds and the subsets of the two-sided "
            f"approximate randomization are of {self.unit.drawn or 'segments'}; preorder_eval "
            f"{__version__}."
        )

    def tables(self) -> list[Table]:
        names = self._space.names
        columns = [
            Column("setting", label=True),
            Column("metric", only="data"),
            *(Column(("parameters", name), format=".6g") for name in names),
            Column("fitted", format=".3f"),
            Column("held_out", "held out", ".3f", interval=True),
            Column("difference", format="+.3f", interval=True, mark="significance"),
            Column("significance", only="data"),
            Column("p", only="data"),
        ]
        default, fitted, held_out = (self.sampled.interval(n) for n in range(3))
        d = self.difference.difference
        gain = [(d.value, d.at_95.low, d.at_95.high), d.mark, d.p]
        cells: list[tuple[str, Floats, list[Any]]] = [
            ("default", self._space.default, [default.value, ends(default), None, None, None]),
            ("fitted", self.best, [fitted.value, ends(held_out), *gain]),
        ]
        rows = [[name, str(self._space.metric(at)), *at, *rest] for name, at, rest in cells]
        return [Table("settings", columns, rows)]

    def view(self, whole: bool = False) -> list[Table]:
        [settings] = self.tables()
        several, drawn = len(self._space.directions) > 1, self.unit.drawn or "segments"
        notes = [
            f"{self.statistic} of {self._space.signature}: "
            f"{quantity(self.judgments, self.judged)} of {quantity(self.segments, 'segment')}",
            f"held out: {len(self.folds)} folds of {drawn}, each scored with the best setting of "
            "all others" + (f"; starts: {self._starts}" if several else ""),
            "difference: held out minus default; ** p < 0.05, * p < 0.1, two-sided, by "
            "approximate randomization",
            f"[95% CI, {self._resamples} bootstrap resamples of {drawn}, seed {self._seed}]",
            *(f"warning: {caveat.text}" for caveat in self.own_warnings),
        ]
        return [replace(settings, notes=notes)]

    def _facts(self) -> dict[str, Any]:
        names = self._space.names
        return {
            "metric": self._space.signature,
            "statistic": self.statistic,
            "judgments": self.judgments,
            "segments": self.segments,
            **self.unit.facts(),
            "decision": str(self.difference.decision),
            "margin": self._margin,
            "folds": [dict(zip(names, point, strict=True)) for point in self.folds],
            "starts": self._starts,
            "seed": self._seed,
            "bootstrap": {"level": 0.95, "resamples": self._resamples},
            "randomization": {"trials": TRIALS_PER_RESAMPLE * self._resamples},
        }


def tune(
    space: str | Space,
    inputs: Inputs,
    judgments: Judgments,
    *,
    objective: str = DEFAULT,
    folds: int = 10,
    starts: int = 5,
    margin: float = 0.0,
    resamples: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    advance: Callable[[int], None] | None = None,
) -> Tuning:
    """Fit free parameters so that a metric agrees with people as well as it can.

    Parameters: `space` a signature with `?` for free parameters, such as `nkt(alpha=?)`; `inputs`
    the judged systems with all that the metric needs; `objective` a statistic of `meta`; `starts`,
    with how many settings the search for several parameters begins; `margin` as in `agreement`;
    `jobs` processes share the scoring where there is much; `advance` is told of each step that is
    done, of 1 + `folds`.

    Where documents are known, there is at most one fold for each that has judgments. Raises
    PreorderEvalError for an impossible statistic, for missing inputs that the metric needs, for
    judgments of another number of segments, too few systems for the statistic, and fewer judged
    segments than folds. It is also raised if humans or the metric distinguish no outputs.

    >>> import preorder_eval as pe
    >>> import numpy as np
    >>> from preorder_eval.evaluation.inputs import Inputs, Texts
    >>> order, words = ["b a c d", "b a c d"], ["a b e f", "a b c f"]  # what goes wrong
    >>> systems = pe.System("a", hyp=order), pe.System("b", hyp=words)
    >>> inputs = Inputs(systems, references=(Texts("ref", ["a b c d", "a b c d"]),))
    >>> system, segment = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    >>> scores = np.array([2.0, 1, 1, 2])
    >>> people = pe.HumanScores(("a", "b"), 2, system, segment, scores, 0 * system)
    >>> result = pe.tune("nkt(alpha=?)", inputs, people, folds=2)
    >>> str(result._space.metric(result.best))
    'nkt(alpha=0.45,bp=false,tokenize=13a)'
    """
    if isinstance(space, str):
        space = Space.of(space)
    judgments.require_segments(len(inputs))
    inputs = inputs.chosen(judgments.systems)
    [measure] = inputs.splitting([space.metric(space.middle)])
    inputs.require([measure])
    space = _settled(space, measure)
    chosen = statistic(objective, judgments)
    judgments = _decisive(judgments.by_documents_of(inputs.unit), chosen, margin)
    people = ratings_of_systems(judgments)
    if len(chosen.systems(people)) < chosen.fewest_systems:
        raise PreorderEvalError(f"{chosen} is undefined: {chosen.undefined(people)}")
    judged, unit = np.unique(judgments.segment), judgments.unit
    _check_search(folds, starts, seed, len(judged))

    scoring = Scoring(inputs, jobs, starts)
    outputs = _Outputs(space, lambda metric: [scores for [scores] in scoring.by([metric])])
    fold_of = _folds(unit.numbers(judgments.segments), judged, folds, seed)
    best, *of_folds = _best_points(outputs, chosen, judgments, fold_of, starts, seed, advance)
    scores = _scores_of(outputs, best, of_folds, fold_of)
    if chosen.fewest_systems > 1 and np.ptp(scores, axis=1).max() <= TIE:
        raise PreorderEvalError(f"metric {space.name} gives all systems the same score")
    fitted = [MetricScores.mean("", of_setting) for of_setting in scores]
    [sampled] = resample(fitted, judgments, [chosen], resamples=resamples, seed=seed)
    if np.isnan(sampled.values[1:]).any():
        raise PreorderEvalError(f"{chosen} is undefined: {chosen.undefined(people)}")
    [[pair]] = compare_systems(
        [_measurement(chosen, scores, judgments)],
        higher_is_better=[True],
        pairs=[(0, 2)],
        resamples=resamples,
        seed=seed,
    )
    gain = float(sampled.values[2] - sampled.values[0])
    difference, unread = replace(pair.difference, value=gain), unfit(inputs, [measure], [])
    difference = difference.unreadable() if unread.unread else difference
    return Tuning(
        _space=space,
        statistic=objective,
        judgments=len(judgments),
        judged=judgments.noun,
        segments=len(judged),
        best=best,
        folds=of_folds,
        sampled=sampled,
        difference=DecidedDifference(difference, units=judgments.judged_units),
        unit=unit,
        _starts=starts,
        own_warnings=[*unread.caveats, *few_documents(unit, "segment")],
        _margin=margin,
        _resamples=resamples,
        _seed=seed,
    )


def _settled(space: Space, measure: Metric) -> Space:
    """Return the space with the metric's settings that follow from the texts' language."""
    kinds = parameter_types(type(measure))
    by_language = [name for name in ("tokenize", "stem") if kinds.get(name, bool) is not bool]
    settled = {name: getattr(measure, name) for name in by_language}
    return replace(space, template=Space.of(space.signature, **settled).template)


def _decisive(judgments: Judgments, chosen: Statistic, margin: float) -> Judgments:
    """Return the judgments that a statistic uses; for pairs, ties are omitted."""
    if chosen.level != "pairs":
        return judgments
    decided = judgments.pairs(margin).decided
    if not len(decided):
        raise PreorderEvalError("humans ranked no two outputs of the same segment")
    return decided


def _check_search(folds: int, starts: int, seed: int, judged: int) -> None:
    """Raise PreorderEvalError for numbers out of range, or more folds than judged segments."""
    for what, number, low, high in (("folds", folds, 2, math.inf), ("starts", starts, 1, 10_000)):
        require_between(what, number, low, high)
    require_between("seed", seed, 0, MOST_SEED)
    if folds > judged:
        raise PreorderEvalError(f"{judged} judged segments are too few for {folds} folds")


def _best_points(
    outputs: _Outputs,
    chosen: Statistic,
    judgments: Judgments,
    fold_of: Longs,
    starts: int,
    seed: int,
    advance: Callable[[int], None] | None,
) -> list[Floats]:
    """Find the best setting on all segments, and then without each fold."""
    space, rng = outputs.space, np.random.default_rng(seed)
    begin = [space.default, *(space.random(rng, _STEPS_OF_SEVERAL) for _ in range(starts - 1))]
    points = []
    for fold in range(-1, int(fold_of.max()) + 1):  # no segment is of fold -1
        kept = fold_of != fold
        values = _values(outputs, str(chosen), judgments.on(kept), kept)
        points.append(_search(space, values, begin))
        if advance:
            advance(1)
    return points


def _scores_of(
    outputs: _Outputs, best: Floats, of_folds: Sequence[Floats], fold_of: Longs
) -> Floats:
    """Return the outputs' scores by default, by the best setting, and held out; [3, R, S]."""
    held_out = outputs.scores(best).copy()
    for fold, point in enumerate(of_folds):
        held_out[:, fold_of == fold] = outputs.scores(point)[:, fold_of == fold]
    return np.stack([outputs.scores(outputs.space.default), outputs.scores(best), held_out])


class _Outputs:
    """The scores of the segments of R systems at every setting; those of the last are kept."""

    def __init__(self, space: Space, score: Callable[[Metric], list[Scores]]) -> None:
        def statistics(point: Floats) -> Floats:
            return np.stack([s.statistics for s in score(_at_the_end(space.metric(point)))])

        def scores(*point: float) -> Floats:
            metric = space.metric(point)
            if same:
                return _at_the_end(metric).finish_sentences(first)
            return np.stack([scores.sentence for scores in score(metric)])

        # Where parameters count at the end only, trying a setting is arithmetic.
        rng = np.random.default_rng(0)
        first, second = (statistics(space.random(rng, _STEPS)) for _ in range(2))
        same = first.shape == second.shape and np.array_equal(first, second, equal_nan=True)
        self.space, self.size = space, first[..., 0].size
        self._scores = lru_cache(maxsize=max(_KEPT // self.size, 1))(scores)

    def scores(self, point: Floats) -> Floats:
        """Return the score of each output; float64[R, S]."""
        return self._scores(*point.tolist())


def _at_the_end(metric: Metric) -> Metric:
    """Return the same metric with its parameters put off to the end.

    LEPOR's system level B is that of the factors themselves; a single segment scores the same.
    """
    if isinstance(metric, ContextMetric):
        return Factors(of=metric)
    return replace(metric, system="B") if isinstance(metric, LeporMetric) else metric


def _values(
    outputs: _Outputs, statistic: str, judgments: Judgments, kept: Bools
) -> Callable[[Floats], Floats]:
    """Return a function: settings → their agreement with the judgments of the kept segments.

    The higher the better, and -inf where it is undefined.
    """

    def values(points: Floats) -> Floats:
        parts: list[Floats] = []
        for some in np.array_split(points, 1 + len(points) * outputs.size // _AT_ONCE):
            scores = [outputs.scores(point)[:, kept] for point in some]
            metrics = [MetricScores.mean("", of_point) for of_point in scores]
            parts.append(agreement(statistic, metrics, judgments))
        return np.nan_to_num(np.concatenate(parts), nan=-np.inf)

    return values


def _search(space: Space, values: Callable[[Floats], Floats], starts: Sequence[Floats]) -> Floats:
    """Find the best point that is reached along the directions from any of the starts."""
    if len(space.directions) == 1:
        return _climb(space, values, starts[0], _STEPS)[1]
    climbed = [_climb(space, values, start, _STEPS_OF_SEVERAL) for start in starts]
    return max(climbed, key=lambda reached: reached[0])[1]


def _climb(
    space: Space, values: Callable[[Floats], Floats], point: Floats, steps: int
) -> tuple[float, Floats]:
    """Take the best point along each direction in turn until none is better."""
    [value], unhelpful = values(point[None]).tolist(), 0
    while unhelpful < len(space.directions):
        for direction in space.directions:
            line = space.line(point, direction, steps)
            of_line = values(line)
            unhelpful += 1
            if of_line.max() > value + TIE:
                point, value, unhelpful = line[_best(of_line)], float(of_line.max()), 1
    return value, point


def _best(values: Floats) -> int:
    """Return the middle of the longest run of largest values, by number."""
    best = np.flatnonzero(values >= values.max() - TIE)
    runs = np.split(best, np.flatnonzero(np.diff(best) > 1) + 1)
    longest = max(runs, key=len)
    return int(longest[(len(longest) - 1) // 2])


def _folds(units: Longs, judged: Longs, folds: int, seed: int) -> Longs:
    """Return the fold of each segment, as many judged units in each as can be; int64[S].

    Parameters: `units` int64[S] are numbers of segments or documents, `judged` numbers of segments.
    """
    rng = np.random.default_rng(seed)
    of_judged = np.unique(units[judged])
    others = np.setdiff1d(units, of_judged)
    in_order = np.concatenate([rng.permutation(of_judged), rng.permutation(others)])
    fold_of = np.empty(len(in_order), dtype=np.int64)
    fold_of[in_order] = np.arange(len(in_order)) % min(folds, len(of_judged))
    return fold_of[units]


def _measurement(chosen: Statistic, scores: Floats, judgments: Judgments) -> Measurement:
    """Measure the statistic for scores of segments float64[N, R, S] by N settings, by unit.

    Settings take the place of systems.
    """
    if not chosen.over_systems:
        return judgments.unit.sums(chosen.measure(scores, judgments))
    people = np.moveaxis(judgments.system_statistics(), 2, 0)  # [2, R, S]
    systems = chosen.systems(ratings_of_systems(judgments))
    columns = [np.concatenate([of_setting, *people]).T for of_setting in scores]  # [S, 3 R] each

    def finish(sums: Floats) -> Floats:
        by_metric, by_people, judged = np.split(sums, 3, axis=-1)
        return chosen.correlate(by_metric, divided(by_people, judged), systems)

    return judgments.unit.measurement(np.stack(columns), finish)
