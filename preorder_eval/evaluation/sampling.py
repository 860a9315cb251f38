"""Sampling: units to resample, intervals of systems, the pairs compared and their differences."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import nan
from typing import Any, Literal, NamedTuple

import numpy as np

from preorder_eval.base.arrays import Bools, Floats
from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.base.stats import Test
from preorder_eval.base.stats.bootstrap import Interval, bootstrap
from preorder_eval.base.stats.measurement import Measurement
from preorder_eval.base.stats.significance import (
    TRIALS_PER_RESAMPLE,
    ComparedPair,
    Difference,
    compare_systems,
)
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics.base import Metric
from preorder_eval.references.objective import SOURCE_ORDER

Against = Literal["none", "baseline", "all"]


@dataclass(frozen=True)
class Sampling:
    """How intervals and tests are made, and which systems are compared.

    There are `resamples` bootstrap resamples, and ten times as many random trials of the
    randomization test, with a `seed`. `against` names the pairs of systems that are compared: none;
    baseline, which is each system with the baseline and with the best; or all. `baseline` names
    another baseline than the usual one (`Standing`). With `UNDRAWN` there are no intervals and no
    comparisons.
    """

    resamples: int = 1000
    seed: int = 0
    test: Test = "randomization"
    against: Against = "none"
    baseline: str = ""

    def facts(self) -> dict[str, Any]:
        """Return by which test systems are compared, for JSON."""
        drawn = TRIALS_PER_RESAMPLE if self.test != "koehn" else 1
        return {
            "test": self.test,
            "against": self.against,
            **({"baseline": self.baseline} if self.baseline else {}),
            "samples": self.resamples * drawn,
            "seed": self.seed,
        }


UNDRAWN = Sampling(resamples=0)  # for scores whose intervals nobody sees


def measured(
    metric: Metric,
    of_systems: Sequence[Floats],
    counted: Bools,
    reference: str,
    unit: Unit = EACH_SENTENCE,
) -> Measurement:
    """Return the statistics of all systems on the sentences that a metric scores, by `unit`."""
    if not counted.any():
        name = reference and f"{reference}: "
        raise PreorderEvalError(f"{name}no sentence has a link, so nothing can be scored")
    if not counted.all():
        of_systems = [statistics[counted] for statistics in of_systems]
    # What there may be millions of is not copied without need.
    statistics = np.stack(of_systems) if len(of_systems) > 1 else of_systems[0][None]
    return unit.measurement(statistics, metric.finish, counted)


def drawn(
    metrics: Sequence[Metric],
    measurements: Sequence[Measurement],
    scored: Sequence[Hashable],
    compared: Sequence[tuple[int, int]],
    sampling: Sampling,
) -> tuple[list[list[Interval]], list[list[ComparedPair]]]:
    """Return the interval of every system by each metric, and by each metric the pairs compared.

    `scored` specifies for each metric which sentences it scores. Metrics that score the same
    sentences share their resamples.
    """
    if sampling == UNDRAWN:
        by_system = zip(*(m.values.tolist() for m in measurements), strict=True)
        undrawn = [[Interval(value, nan, nan) for value in values] for values in by_system]
        return undrawn, [[] for _ in metrics]
    systems = len(measurements[0].values)
    intervals: list[list[Interval]] = [[] for _ in metrics]
    pairs: list[list[ComparedPair]] = [[] for _ in metrics]
    for key in dict.fromkeys(scored):
        numbers = [m for m, other in enumerate(scored) if other == key]
        together = [measurements[m] for m in numbers]
        estimates = bootstrap(together, resamples=sampling.resamples, seed=sampling.seed)
        for m, of_metric in zip(numbers, estimates, strict=True):
            intervals[m] = [of_metric.interval(s) for s in range(systems)]
        if compared:
            tested = compare_systems(
                together,
                higher_is_better=[metrics[m].higher_is_better for m in numbers],
                pairs=compared,
                test=sampling.test,
                resamples=sampling.resamples,
                seed=sampling.seed,
            )
            for m, of_pairs in zip(numbers, tested, strict=True):
                pairs[m] = of_pairs
    return [list(of_system) for of_system in zip(*intervals, strict=True)], pairs


def between(pairs: Iterable[ComparedPair], first: int, second: int) -> Difference | None:
    """Return the second of two systems minus the first; None if they were not compared."""
    for pair in pairs:
        if (pair.first, pair.second) == (first, second):
            return pair.difference
        if (pair.second, pair.first) == (first, second):
            return pair.difference.reversed()
    return None


@dataclass(frozen=True)
class Estimates:
    """The intervals of systems, and the differences of those that were compared.

    - `sampling` states how they were drawn.
    - `intervals` has the value of each system by each metric, with its 95% bootstrap interval.
    - `pairs` has by each metric the pairs of systems that were compared.
    - `unread` has the numbers of metrics that cannot read the texts: they have values, but show
      nothing.
    - `annotators` has the differences by the references of each annotator, if there are several.
    """

    sampling: Sampling
    intervals: Sequence[Sequence[Interval]]
    pairs: Sequence[Sequence[ComparedPair]]
    unread: Collection[int] = ()
    annotators: ByAnnotator | None = None

    @classmethod
    def of(
        cls,
        inputs: Inputs,
        metrics: Sequence[Metric],
        measurements: Sequence[Measurement],
        scored: Sequence[Hashable],
        sampling: Sampling,
        unread: Collection[int] = (),
    ) -> Estimates:
        """Draw intervals and compare pairs; `scored` is that of `drawn`."""
        systems, of_orders = inputs.systems, inputs.reference is not None
        lead = lead_of(metrics, unread)
        standing = Standing.of(
            systems, metrics[lead], measurements[lead], of_orders, sampling.baseline
        )
        if sampling.baseline:
            sampling = replace(sampling, baseline=systems[standing.baseline].name)
        compared = standing.pairs(sampling.against)
        intervals, pairs = drawn(metrics, measurements, scored, compared, sampling)
        for m in unread:
            pairs[m] = [pair.unreadable() for pair in pairs[m]]
        annotators = by_annotator(inputs, metrics[lead], standing, sampling)
        return cls(sampling, intervals, pairs, unread, annotators)


def lead_of(metrics: Sequence[Metric], unread: Collection[int]) -> int:
    """Return the number of the leading metric: the first that can read the texts."""
    return next((m for m in range(len(metrics)) if m not in unread), 0)


@dataclass(frozen=True)
class Standing:
    """The ranking of systems by their first metric; all are numbers of systems.

    `entrants` are the systems that compete, the best first. Gold trees are a ceiling and do not
    compete, unless there is nothing else, or they are the baseline that was named.

    `baseline` is the system that rows are compared with. If there are two outputs, it is the first.
    If two systems reorder, it is the worse one; if one does, it is the source order. Otherwise it
    is the best system.
    """

    entrants: tuple[int, ...]
    baseline: int
    source_order: int | None
    systems: int

    @classmethod
    def of(
        cls,
        systems: Sequence[System],
        metric: Metric,
        measurement: Measurement,
        of_orders: bool,
        named: str,
    ) -> Standing:
        """Rank systems. Raises UnknownNameError for a named baseline that is not among them."""
        first = number_of(named, [system.name for system in systems]) if named else None
        others = {n for n, system in enumerate(systems) if not system.ceiling}
        if not others:
            others = set(range(len(systems)))
        elif first is not None:
            others.add(first)
        values = measurement.values if metric.higher_is_better else -measurement.values
        values = np.nan_to_num(values, nan=-np.inf)
        ranked = sorted(others, key=lambda n: (-values[n], n))
        source = next((n for n in sorted(ranked) if systems[n].rules == SOURCE_ORDER), None)
        if first is None:
            reordering = [n for n in ranked if n != source]
            first = ranked[0]
            if not of_orders:
                first = 0 if len(systems) == 2 else first
            elif len(reordering) == 2:
                first = reordering[1]
            elif source is not None and len(reordering) < 2:
                first = source
        return cls(tuple(ranked), first, source, len(systems))

    @property
    def best(self) -> int:
        """The best system."""
        return self.entrants[0]

    @property
    def second(self) -> int:
        """The second best system; the best one if there is no other."""
        return self.entrants[:2][-1]

    def pairs(self, against: Against) -> list[tuple[int, int]]:
        """Return the pairs of systems to compare.

        Two systems are compared with each other even if one has gold trees. Raises
        PreorderEvalError if all pairs of a single system are to be compared.
        """
        numbers = sorted(self.entrants)
        if against == "all":
            if self.systems < 2:
                raise PreorderEvalError("significance needs at least two systems to compare")
            return list(combinations(numbers if len(numbers) > 1 else range(self.systems), 2))
        if against == "none":
            return []
        one, best = self.baseline, self.best
        from_best = [(best, other) for other in numbers if other not in (one, best)]
        return [(one, other) for other in numbers if other != one] + from_best * (best != one)


def number_of(name: str, names: Sequence[str], whose: str = "") -> int:
    """Return the number of a system, by its name, or by its rules if no other system has them.

    `PARSER/none` finds `none`, the source order that all parsers share. Raises UnknownNameError,
    with the names there are.

    >>> [number_of(name, ["none", "en-web/en-ja"]) for name in ("gold/none", "en-ja")]
    [0, 1]
    """
    if not isinstance(name, str):
        raise UnknownNameError(f"system{whose}", f"{name!r:.60}", names)
    if name not in names and name.endswith(f"/{SOURCE_ORDER}") and SOURCE_ORDER in names:
        name = SOURCE_ORDER
    numbers = [n for n, known in enumerate(names) if name in (known, known.rpartition("/")[2])]
    if name not in names and len(numbers) != 1:
        raise UnknownNameError(f"system{whose}", name, names)
    return names.index(name) if name in names else numbers[0]


class ByAnnotator(NamedTuple):
    """Pairs of systems, by number, compared by the references of each annotator.

    The adjudicated references are compared on the same sentences, which all annotators have;
    `sentences` is how many.
    """

    pairs: Mapping[str, Sequence[ComparedPair]]
    sentences: int


def by_annotator(
    inputs: Inputs, metric: Metric, standing: Standing, sampling: Sampling
) -> ByAnnotator | None:
    """Compare the best system with each other one by each annotator, if there are several.

    A reference set with layers `first` and `second` was annotated twice, and adjudicated. Systems
    are compared by all three, on the sentences that all three have.
    """
    reference = inputs.reference
    if reference is None or not reference.annotators or sampling.against == "none":
        return None
    sets = reference.annotators
    common = np.logical_and.reduce([data.informative for data in (reference, *sets.values())])
    pairs = [(n, standing.best) for n in sorted({*standing.entrants} - {standing.best})]
    if not pairs or not common.any():
        return None
    found = {}
    for who, data in {"adjudication": reference, **sets}.items():
        own = replace(inputs, reference=data)
        scores = [metric.score_system(own.of(n)) for n in range(len(inputs.systems))]
        counted = common & ~np.isnan(scores[0].sentence)
        statistics = [one.statistics for one in scores]
        measurement = measured(metric, statistics, counted, data.name, inputs.unit)
        [found[who]] = compare_systems(
            [measurement],
            higher_is_better=[metric.higher_is_better],
            pairs=pairs,
            test=sampling.test,
            resamples=sampling.resamples,
            seed=sampling.seed,
        )
    return ByAnnotator(found, int(common.sum()))
