"""Metrics that compare the words of an output with those of its references.

A new one is a file in this folder with a frozen dataclass that says what a segment's additive
statistics are and how they finish into a value. Most metrics work on the interned tokens of
`Segments`; one may as well use the texts, and a library that takes texts.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.inputs import SystemInputs
from preorder_eval.data.segments import Segments, Stream
from preorder_eval.data.tokenization import Tokenize
from preorder_eval.errors import PreorderEvalError, require_between
from preorder_eval.metrics.shared.base import Metric, Scores, quiet


@dataclass(frozen=True)
class LexicalMetric(Metric):
    """A metric that compares hypotheses with references, word by word.

    Parameters: `tokenize="none"` (split on the plain space), `"char"` (characters) or the name of
    a tokenizer of sacrebleu; `lower=True` lower-cases first.

    A subclass defines `statistics` and `finish`. `finish` of one segment's statistics is never
    NaN, also where a side is empty, has one word or nothing matches: the metric's docstring says
    what the value is.

    `identical_is_best` tells whether identical texts of some length get the best value of the
    range, `whole_corpus` whether a segment's statistics depend on the other segments,
    `order_of_references_matters` whether of equally good references the first one counts, and
    `splits_by_language` whether published numbers split the text by its language (`languages`).
    """

    identical_is_best: ClassVar[bool] = True
    whole_corpus: ClassVar[bool] = False
    order_of_references_matters: ClassVar[bool] = False
    splits_by_language: ClassVar[bool] = False

    tokenize: Tokenize = quiet("none")
    lower: bool = quiet(False)

    @property
    def needs(self) -> tuple[str, ...]:
        return ("hyp", "ref")

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        return self.statistics(_filled(inputs.segments))

    @abstractmethod
    def statistics(self, segments: Segments) -> Floats:
        """Additive statistics of each segment; float64[S, k]."""

    def prepared(self, segments: Segments) -> Segments:
        """The segments tokenised and lower-cased as the parameters say; shared among metrics."""
        return segments.prepared(self.tokenize, self.lower)

    def score(
        self, hypotheses: Segments | Stream, references: Stream | Sequence[Stream] = ()
    ) -> Scores:
        """Score hypotheses against one or several references each.

        Parameters: `Segments`, or what `Segments.of` makes them from. Making them once saves time
        where several metrics score the same texts.

        Returns `Scores`; raises PreorderEvalError where there is nothing to score, and where a
        reference is missing.
        """
        if not isinstance(hypotheses, Segments):
            hypotheses = Segments.of(hypotheses, references)
        return self.scores_of(self.statistics(_filled(hypotheses)))

    def require(self, parameter: str, low: float, high: float = math.inf) -> None:
        """Raise PreorderEvalError unless a parameter is a number between two others."""
        require_between(f"metric {self.name}: {parameter}", getattr(self, parameter), low, high)


def _filled(segments: Segments) -> Segments:
    """The segments; PreorderEvalError where there are none."""
    if not len(segments):
        raise PreorderEvalError("no sentence to score")
    return segments


@dataclass(frozen=True)
class SentenceMetric(LexicalMetric):
    """A metric whose corpus value is the mean of the sentence scores."""

    @abstractmethod
    def sentence_scores(self, segments: Segments) -> Floats:
        """The score of each of some segments, which are prepared already; float64[S]."""

    def statistics(self, segments: Segments) -> Floats:
        """The score of each segment, and one segment counted; float64[S, 2]."""
        scores = [self.sentence_scores(part) for part in self.prepared(segments).blocks()]
        flat = np.concatenate([np.zeros(0), *scores])
        return np.column_stack([flat, np.ones_like(flat)])

    def finish(self, statistics: Floats) -> Floats:
        score: Floats = statistics[..., 0] / statistics[..., 1]
        return score

    def scores_of(self, statistics: Floats) -> Scores:
        total = self.finish(statistics.sum(axis=0))
        return Scores(str(self), statistics, statistics[:, 0], float(total))  # what is, not a copy
