"""Scores that other programs gave: a number for each segment, from a file or from Python.

COMET, MetricX and their like are not computed here. Their scores are the input `hyp_scores_NAME` of
each system (`metrics.score_files` reads it), and are then used like any metric. The corpus value is
the mean of the segments; corpus values such as that of BLEU cannot be computed from segment scores.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.files.tsv import LARGEST_SCORE
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.metrics.needs import GIVEN_SCORES, SystemInputs

_NAME = re.compile(r"[\w.+-]+")  # which can stand in a signature and in the name of a file


@dataclass(frozen=True)
class GivenScores(Metric):
    """Scores that another program gave to every segment; higher is better.

    Parameters: `of`, the name of the metric that gave them, by which tables call it.

    >>> comet = GivenScores("COMET")
    >>> comet.needs, comet.called
    (('hyp_scores_COMET',), 'COMET')
    >>> comet.score([0.5, 0.75])
    <Scores scores(of=COMET): 0.625 over 2 sentences>
    """

    name: ClassVar[str] = "scores"
    paper: ClassVar[str] = "the program that gave them"
    equation: ClassVar[str] = "Σ score / n"
    range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    whole_corpus: ClassVar[bool] = False

    of: str = "score"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not _NAME.fullmatch(self.of):
            raise PreorderEvalError(
                f"metric {self.name}: of={self.of!r} is not a name made of letters, digits, _ . "
                "+ and -"
            )

    @property
    def called(self) -> str:
        return self.of

    @property
    def needs(self) -> tuple[str, ...]:
        return (f"{GIVEN_SCORES}{self.of}",)

    def score(self, given: Sequence[float] | Sequence[str]) -> Scores:
        """Take the scores of all segments; raises PreorderEvalError if one is no finite number."""
        try:
            scores = np.array(given, dtype=np.float64)
        except ValueError as error:
            raise PreorderEvalError(f"metric {self}: {error}") from error
        if not (np.abs(scores) <= LARGEST_SCORE).all():
            raise PreorderEvalError(f"metric {self}: scores must be finite and at most 1e100")
        return self.scores_of(np.column_stack([scores, np.ones(len(scores))]))

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        [name] = self.needs
        return self.score(inputs[name]).statistics

    def finish(self, statistics: Floats) -> Floats:
        return statistics[..., 0] / statistics[..., 1]


@dataclass(frozen=True)
class GivenErrors(GivenScores):
    """Scores that another program gave to every segment; lower is better.

    Parameters: those of `scores`.

    >>> GivenErrors("MetricX").higher_is_better
    False
    """

    name: ClassVar[str] = "errors"
    higher_is_better: ClassVar[bool] = False
