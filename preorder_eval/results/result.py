"""The result of scoring: systems × metrics × sentences, for orders and for outputs alike.

It holds the metrics' additive statistics, and everything else is computed from them when it is
asked for: values with their intervals, differences of systems with their significance, tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.formats.tables import Table
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.results.documents import DOCUMENTS, by_document
from preorder_eval.results.inputs import Inputs
from preorder_eval.results.scoring import Stored, check_scores, score_systems
from preorder_eval.stats import Test
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import Difference, Pair, compare_systems

if TYPE_CHECKING:
    from pandas import DataFrame

    from preorder_eval.results.comparison import Comparison

Against = Literal["none", "first", "all"]
Drawn = TypeVar("Drawn")


@dataclass(frozen=True)
class Sampling:
    """How sure is decided: bootstrap resamples (ten times as many half-samples), seed and test.

    `against` says which systems are compared: none, each with the first, or all pairs.
    """

    resamples: int = 1000
    seed: int = 0
    test: Test = "randomization"
    against: Against = "none"


@dataclass(frozen=True, eq=False)
class Result:
    """Systems scored on the same sentences by the same metrics.

    `stored` is the run folder that it was read from, if any. Scores that a folder holds are made
    again when they are used; FormatError where they come out otherwise. `jobs` processes share
    the work where there is much.

    >>> from preorder_eval.data.reference_set import ReferenceSet
    >>> from preorder_eval.data.alignments import Alignments
    >>> from preorder_eval.metrics import metric
    >>> from preorder_eval.results.systems import System
    >>> data = ReferenceSet("mine", [["eat", "fish"]] * 2, Alignments.of([[(0, 1), (1, 0)]] * 2))
    >>> none = System.from_orders([[0, 1]] * 2, data, name="none")
    >>> Result(Inputs((none,), data), (metric("kendall"),))
    system                  kendall  sentences
    none    0.0000 [0.0000, 0.0000]          2
    """

    inputs: Inputs
    metrics: tuple[Metric, ...]
    sampling: Sampling = Sampling()
    stored: Stored | None = None
    jobs: int = 1

    def __post_init__(self) -> None:
        if not self.metrics:
            raise PreorderEvalError("nothing to do without a metric")
        self.inputs.require(self.metrics)
        if self.sampling.against == "all" and len(self.inputs.systems) < 2:
            raise PreorderEvalError("significance needs at least two systems to compare")

    def __len__(self) -> int:
        return len(self.inputs)

    def __repr__(self) -> str:
        from preorder_eval.results.text import short_text

        return short_text(self)

    def _repr_html_(self) -> str:
        from preorder_eval.results.text import html_table

        return html_table(self)

    @property
    def systems(self) -> list[str]:
        """The names of the systems."""
        return [system.name for system in self.inputs.systems]

    @cached_property
    def scores(self) -> list[list[Scores]]:
        """For every system the scores by each metric, on all sentences."""
        scores = score_systems(self.inputs, self.metrics, jobs=self.jobs)
        if self.stored is not None:
            check_scores(self.stored, self.systems, scores)
        return scores

    def counted(self, metric: int) -> Bools:
        """Which sentences the metric of that number scores; the others carry no information."""
        counted: Bools = ~np.isnan(self.scores[0][metric].sentence)
        return counted

    @property
    def left_out(self) -> list[int]:
        """The 1-based numbers of the sentences without a link, which no metric of orders scores."""
        source = self.inputs.ordered
        if source is None or not any("orders" in metric.needs for metric in self.metrics):
            return []
        return (np.flatnonzero(~source.informative) + 1).tolist()

    @property
    def documents(self) -> Sequence[str]:
        """The name of every sentence's document; empty where nobody said it."""
        names: Sequence[str] = self.inputs.shared.get(DOCUMENTS, ())
        return names

    @cached_property
    def measurements(self) -> list[Measurement]:
        """For each metric the statistics of all systems on the sentences that it scores.

        Those of each document, where it is known which document every sentence is of.
        """
        measurements = []
        for m, metric in enumerate(self.metrics):
            counted = self.counted(m)
            if not counted.any():
                raise PreorderEvalError("no sentence has a link, nothing can be scored")
            rows = [by_metric[m].statistics for by_metric in self.scores]
            if not counted.all():
                rows = [of_system[counted] for of_system in rows]
            # What there may be millions of is not copied without need.
            statistics = np.stack(rows) if len(rows) > 1 else rows[0][None]
            if self.documents:
                statistics = by_document(statistics, self.documents, counted)
            measurements.append(Measurement(statistics, metric.finish))
        return measurements

    @cached_property
    def intervals(self) -> list[list[Interval]]:
        """For every system the value by each metric with its 95 % bootstrap interval."""
        sampling = self.sampling

        def sample(measurements: Sequence[Measurement]) -> list[list[Interval]]:
            sampled = bootstrap(
                measurements, resamples=sampling.resamples, seed=sampling.seed, jobs=self.jobs
            )
            return [
                [estimates.interval(s) for s in range(len(self.systems))] for estimates in sampled
            ]

        by_metric = self._together(sample)
        return [list(intervals) for intervals in zip(*by_metric, strict=True)]

    @cached_property
    def pairs(self) -> list[list[Pair]]:
        """For each metric the pairs of systems that were compared."""
        sampling, size = self.sampling, len(self.systems)
        if sampling.against == "none" or size < 2:
            return [[] for _ in self.metrics]
        chosen = [(0, s) for s in range(1, size)] if sampling.against == "first" else None
        better = {
            id(measurement): metric.higher_is_better
            for measurement, metric in self._by_measurement()
        }
        return self._together(
            lambda measurements: compare_systems(
                measurements,
                higher_is_better=[better[id(m)] for m in measurements],
                pairs=chosen,
                test=sampling.test,
                resamples=sampling.resamples,
                seed=sampling.seed,
                jobs=self.jobs,
            )
        )

    def versus_first(self, system: int, metric: int) -> Difference | None:
        """The difference of a system from the first; None where they were not compared."""
        for pair in self.pairs[metric]:
            if (pair.first, pair.second) == (0, system):
                return pair.difference
        return None

    @property
    def name(self) -> str:
        """What to call it: its run folder, or its reference set."""
        if self.stored is not None:
            return str(self.stored.folder)
        return "outputs" if self.inputs.reference is None else self.inputs.reference.name

    def chosen(self, systems: Sequence[str]) -> Result:
        """The same with only the systems of these names; raises UnknownNameError."""
        for name in systems:
            if name not in self.systems:
                raise UnknownNameError(f"system of {self.name}", name, self.systems)
        sampling = self.sampling if len(systems) > 1 else replace(self.sampling, against="none")
        return replace(self, inputs=self.inputs.chosen(systems), sampling=sampling)

    def summary(self) -> dict[str, Any]:
        """Everything as plain values: what `--json` prints and `run.json` keeps."""
        from preorder_eval.results.summary import summary

        return summary(self)

    def table(self) -> Table:
        """Header and a row for each system as plain values, for TSV."""
        from preorder_eval.results.summary import table

        return table(self)

    def to_pandas(self) -> DataFrame:
        """The table as a pandas.DataFrame; takes pandas to be installed."""
        from pandas import DataFrame

        header, rows = self.table()
        return DataFrame(rows, columns=header)

    def compare(
        self,
        first: str,
        second: str,
        metrics: Sequence[str | Metric] = (),
        **sampling: Any,
    ) -> Comparison:
        """Two of its systems compared; see `preorder_eval.compare`."""
        from preorder_eval.results.comparison import compare

        return compare(self, self, [first, second], metrics, **sampling)

    def write(self, folder: str | Path) -> None:
        """Write a run folder; see `preorder_eval.results.run`."""
        from preorder_eval.results.run import write_result

        write_result(self, Path(folder))

    @classmethod
    def read(cls, folder: str | Path) -> Result:
        """Read a run folder; raises FormatError for one that is damaged."""
        from preorder_eval.results.run import read_run

        return read_run(folder)

    def _by_measurement(self) -> list[tuple[Measurement, Metric]]:
        return list(zip(self.measurements, self.metrics, strict=True))

    def _together(self, draw: Callable[[Sequence[Measurement]], list[Drawn]]) -> list[Drawn]:
        """What is drawn for every metric, with the same draws for all on the same sentences."""

        def sentences(m: int) -> bytes:
            return self.counted(m).tobytes()

        by_number: dict[int, Drawn] = {}
        for _, group in groupby(sorted(range(len(self.metrics)), key=sentences), key=sentences):
            numbers = list(group)
            drawn = draw([self.measurements[m] for m in numbers])
            by_number |= dict(zip(numbers, drawn, strict=True))
        return [by_number[m] for m in range(len(self.metrics))]

    def value(self, system: str, metric: str | int = 0) -> float:
        """The corpus value of a system by a metric, given by number or signature."""
        signatures = list(map(str, self.metrics))
        m = metric if isinstance(metric, int) else signatures.index(metric)
        return float(self.measurements[m].values[self.systems.index(system)])

    def sentence_scores(self, system: str, metric: int = 0) -> Floats:
        """The scores of a system's sentences, float64[S], NaN for those left out."""
        return self.scores[self.systems.index(system)][metric].sentence

    def with_sampling(self, **changes: Any) -> Result:
        """The same scores with another sampling."""
        changed = replace(self, sampling=replace(self.sampling, **changes))
        changed.__dict__["scores"] = self.scores
        return changed
