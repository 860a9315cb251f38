"""The two systems that are compared: rows of run folders of `evaluate` or of `score`.

A side knows how to score its system again from what the folder holds, and shows its sentences.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from preorder_eval.data.arrays import Bools
from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.formats.output_run import OutputRun, OutputSystem
from preorder_eval.formats.run_folder import Run, RunSystem
from preorder_eval.metrics import order_metric
from preorder_eval.metrics.shared.base import Metric, Scores
from preorder_eval.results.scoring_inputs import needs, option, output_metric

_MEND = "compare runs over the same reference set"


class Side(ABC):
    """One of the two systems: a row of a run.

    `given` and `made` name what `texts` shows; `remake` is the command that writes such a run.
    """

    given: ClassVar[str]
    made: ClassVar[str]
    remake: ClassVar[str]
    run: Run | OutputRun
    name: str

    @property
    @abstractmethod
    def system(self) -> RunSystem | OutputSystem:
        """Its row."""

    @property
    @abstractmethod
    def informative(self) -> Bools:
        """Which sentences are scored; bool[S]."""

    @property
    @abstractmethod
    def reference(self) -> Any:
        """What the run's summary says of its references."""

    @abstractmethod
    def metric(self, signature: str) -> Metric:
        """A metric that can score such a system. Raises PreorderEvalError for another."""

    @abstractmethod
    def score(self, metric: Any) -> Scores:
        """The system's scores, made again."""

    @abstractmethod
    def texts(self, sentence: int) -> tuple[str, str]:
        """A sentence as it was given, and as the system made it."""

    @abstractmethod
    def difference(self, other: Any) -> str:
        """In what another run of as many sentences differs; empty if in nothing."""

    def check_same(self, other: Side) -> None:
        """Raise PreorderEvalError unless the other run has the same sentences."""
        folders = f"{self.run.folder} and {other.run.folder}"
        if type(self) is not type(other):
            raise PreorderEvalError(
                f"{folders} are of different kinds, one of evaluate and one of score; {_MEND}"
            )
        first, second = len(self.informative), len(other.informative)
        if first != second:
            raise PreorderEvalError(f"{folders} have {first} and {second} sentences; {_MEND}")
        difference = self.difference(other)
        if difference:
            raise PreorderEvalError(f"{folders} differ in the {difference}; {_MEND}")


@dataclass(frozen=True, eq=False)
class OrderSide(Side):
    """A system of a run of `evaluate`: orders of source sentences."""

    given: ClassVar[str] = "source"
    made: ClassVar[str] = "order"
    remake: ClassVar[str] = "evaluate"

    run: Run
    name: str

    @property
    def system(self) -> RunSystem:
        return self.run.systems[self.name]

    @property
    def informative(self) -> Bools:
        return self.run.references.informative

    @property
    def reference(self) -> Any:
        return self.run.summary.get("reference")

    def metric(self, signature: str) -> Metric:
        return order_metric(signature)

    def score(self, metric: Any) -> Scores:
        made: Scores = metric.score(self.system.orders, self.run.references, self.run.words)
        return made

    def texts(self, sentence: int) -> tuple[str, str]:
        words = self.run.source[sentence]
        return " ".join(words), " ".join(words[i] for i in self.system.orders[sentence])

    def difference(self, other: OrderSide) -> str:
        first, second = self.run, other.run
        for s, (a, b) in enumerate(zip(first.source, second.source, strict=True)):
            if a != b:
                return f"source of sentence {s + 1}"
            if set(first.alignments[s]) != set(second.alignments[s]):
                return f"links of sentence {s + 1}"
        return ""


@dataclass(frozen=True, eq=False)
class OutputSide(Side):
    """A system of a run of `score`: outputs with references."""

    given: ClassVar[str] = "reference"
    made: ClassVar[str] = "output"
    remake: ClassVar[str] = "score"

    run: OutputRun
    name: str

    @property
    def system(self) -> OutputSystem:
        return self.run.systems[self.name]

    @property
    def informative(self) -> Bools:
        return np.ones(len(self.run), dtype=bool)

    @cached_property
    def segments(self) -> Segments:
        """The outputs with the references."""
        return Segments.of(self.system.outputs, self.run.references)

    @property
    def reference(self) -> Any:
        return self.run.summary.get("references")

    def metric(self, signature: str) -> Metric:
        found = output_metric(signature)
        more = [option(name) for name in needs(found) if name != "ref"]
        if more:
            raise PreorderEvalError(
                f"metric {found} needs {' and '.join(more)}, which a run folder does not keep"
            )
        return found

    def score(self, metric: Any) -> Scores:
        made: Scores = metric.score(self.segments)
        return made

    def texts(self, sentence: int) -> tuple[str, str]:
        references = [stream[sentence] for stream in self.run.references]
        return " | ".join(references), self.system.outputs[sentence]

    def difference(self, other: OutputSide) -> str:
        first, second = self.run.references, other.run.references
        if len(first) != len(second):
            return "number of references"
        for number, streams in enumerate(zip(first, second, strict=True), 1):
            for s, (a, b) in enumerate(zip(*streams, strict=True), 1):
                if a != b:
                    return f"reference {number} of sentence {s}"
        return ""


def side_of(run: Run | OutputRun, name: str) -> Side:
    """A system of a run. Raises UnknownNameError for one that the run has not."""
    if name not in run.systems:
        raise UnknownNameError(f"system of {run.folder}", name, run.systems)
    return OrderSide(run, name) if isinstance(run, Run) else OutputSide(run, name)


def choose(runs: Sequence[Run | OutputRun], names: Sequence[str]) -> tuple[Side, Side]:
    """The two systems to compare, from one run or two and the names given.

    Two names are those of the first and the second system; with two runs one name stands for
    both, and none is needed where a run has a single system. Raises PreorderEvalError, with the
    systems to choose from, where that does not settle it.
    """
    first, second = (runs[0], runs[-1])
    if len(names) > 2:
        raise PreorderEvalError(f"{len(names)} systems named; two can be compared")
    if len(names) == 2 or (len(names) == 1 and len(runs) == 2):
        return side_of(first, names[0]), side_of(second, names[-1])
    if len(runs) == 2 and all(len(run.systems) == 1 for run in runs):
        return side_of(first, next(iter(first.systems))), side_of(
            second, next(iter(second.systems))
        )
    if len(runs) == 1 and not names and len(first.systems) == 2:
        one, other = first.systems
        return side_of(first, one), side_of(first, other)
    listed = "; ".join(f"{run.folder} has {', '.join(run.systems)}" for run in runs)
    raise PreorderEvalError(f"name the systems to compare with --system: {listed}")
