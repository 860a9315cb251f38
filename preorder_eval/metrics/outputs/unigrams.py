"""Words in common, wherever they stand: a word counts as often as both sides have it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.metrics.base import limited
from preorder_eval.metrics.outputs.lexical import Jackknifed, best_counts, share
from preorder_eval.metrics.outputs.ngrams import matched_ngrams
from preorder_eval.metrics.segments import Segments, Tokens


@dataclass(frozen=True)
class UnigramMetric(Jackknifed):
    """A ratio of the words in common (or other counts of a subclass) to the words of both sides.

    The corpus value is that of the words of all sentences together.
    """

    width: ClassVar[int] = 3
    paper: ClassVar[str] = "van Rijsbergen 1979; Han 2014, section 2.2"

    @property
    @abstractmethod
    def weights(self) -> tuple[float, float]:
        """The weights of the hypothesis's and the reference's length in the divisor."""

    def common(self, hypotheses: Tokens, references: Tokens) -> Floats:
        """Count the words that each pair of sentences has in common; float64[S]."""
        return matched_ngrams(hypotheses, [references], [1])[:, 0].astype(np.float64)

    def counts(self, segments: Segments) -> Floats:
        """Return the words in common, of the hypothesis and of the best reference."""
        output, against_each = segments.hypotheses, []
        for reference in segments.references:
            common = self.common(output, reference)
            against_each.append(np.column_stack([common, output.lengths, reference.lengths]))
        return best_counts(against_each, self.value)

    def value(self, counts: Floats) -> Floats:
        of_output, of_reference = self.weights
        words = of_output * counts[..., 1] + of_reference * counts[..., 2]
        return share((of_output + of_reference) * counts[..., 0], words)


@dataclass(frozen=True)
class Precision(UnigramMetric):
    """Share of the hypotheses' words that are in the references, whatever the order.

    A word counts as often as the reference has it. 0 for an empty hypothesis. Of several
    references the one with the highest value counts.

    >>> Precision().score(["the the cat"], ["the cat sat down"]).corpus
    0.6666666666666666
    """

    name: ClassVar[str] = "precision"
    equation: ClassVar[str] = "correct / |h|"
    weights: ClassVar[tuple[float, float]] = (1.0, 0.0)


@dataclass(frozen=True)
class Recall(UnigramMetric):
    """Share of the references' words that are in the hypotheses, whatever the order.

    A word counts as often as the hypothesis has it. 0 for an empty reference. Of several
    references the one with the highest value counts.

    >>> Recall().score(["the the cat"], ["the cat sat down"]).corpus
    0.5
    """

    name: ClassVar[str] = "recall"
    equation: ClassVar[str] = "correct / |r|"
    weights: ClassVar[tuple[float, float]] = (0.0, 1.0)


@dataclass(frozen=True)
class FMeasure(UnigramMetric):
    """Weighted harmonic mean of unigram precision and recall; recall counts `beta` times as much.

    0 where a side is empty or nothing is in common. Of several references the one with the
    highest value counts.

    >>> round(FMeasure().score(["the the cat"], ["the cat sat down"]).corpus, 4)
    0.5714
    """

    name: ClassVar[str] = "fmeasure"
    short_name: ClassVar[str] = "F-measure"
    equation: ClassVar[str] = "(1 + β²) P R / (R + β² P)"

    beta: float = limited(1.0, 0, 10**6)

    @property
    def weights(self) -> tuple[float, float]:
        return 1.0, self.beta**2
