"""Scores that other programs gave: a number for each segment, from a file or from Python.

COMET, MetricX and their like are not computed here. Their scores come as the input
`hyp_scores_NAME` of each system (`formats.segment_scores` reads it), and are a metric from there
on: a segment's statistics are its score and a count of one, which add up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.inputs import SCORES, SystemInputs
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.base import Metric

_NAME = re.compile(r"[\w.+-]+")  # which can stand in a signature and in the name of a file


@dataclass(frozen=True)
class GivenScores(Metric):
    """Scores that another program gave to every segment; higher is better.

    Parameters: `of`, the name of the metric that gave them, by which tables call it; `corpus`, the
    corpus value: the `"mean"` of the segments, or their `"sum"`, as of counted errors. Other corpus
    values, such as BLEU's, cannot be computed from scores of segments.

    >>> comet = GivenScores("COMET")
    >>> comet.needs, comet.called
    (('hyp_scores_COMET',), 'COMET')
    >>> inputs = SystemInputs({"hyp_scores_COMET": ["0.5", "0.75"]}, {})
    >>> comet.score_system(inputs)
    <Scores scores(of=COMET,corpus=mean): 0.625 over 2 sentences>
    """

    name: ClassVar[str] = "scores"
    paper: ClassVar[str] = "the program that gave them"
    equation: ClassVar[str] = "Σ score / segments, or Σ score"
    range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)

    of: str = "score"
    corpus: Literal["mean", "sum"] = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not _NAME.fullmatch(self.of):
            raise PreorderEvalError(
                f"metric {self.name}: of={self.of!r} is not a name of letters, digits, _ . + and -"
            )

    @property
    def called(self) -> str:
        return self.of

    @property
    def needs(self) -> tuple[str, ...]:
        return (f"{SCORES}{self.of}",)

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        [name] = self.needs
        try:
            scores = np.array(inputs[name], dtype=np.float64)
        except ValueError as error:
            raise PreorderEvalError(f"{name}: {error}") from error
        if scores.ndim != 1 or not np.isfinite(scores).all():
            raise PreorderEvalError(f"{name} must be a finite number for each segment")
        return np.column_stack([scores, np.ones_like(scores)])

    def finish(self, statistics: Floats) -> Floats:
        if self.corpus == "sum":
            return statistics[..., 0]
        mean: Floats = statistics[..., 0] / statistics[..., 1]
        return mean


@dataclass(frozen=True)
class GivenErrors(GivenScores):
    """Scores that another program gave to every segment; lower is better.

    Parameters: those of `scores`.

    >>> GivenErrors("MetricX").higher_is_better
    False
    """

    name: ClassVar[str] = "errors"
    higher_is_better: ClassVar[bool] = False
