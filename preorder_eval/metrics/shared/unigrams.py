"""Words that a hypothesis and its reference have in common, wherever they stand."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.best_reference import best_counts
from preorder_eval.metrics.shared.jackknife import Jackknifed
from preorder_eval.metrics.shared.ngrams import matched_ngrams


@dataclass(frozen=True)
class UnigramMetric(Jackknifed):
    """A ratio of the words in common to the words of hypothesis and reference.

    0 where it is divided by no words, so for an empty side and for two. Of several references
    the one with the highest value counts. The corpus value is that of the words of all sentences
    together.
    """

    paper: ClassVar[str] = "van Rijsbergen 1979; Han 2014, section 2.2"

    @abstractmethod
    def ratio(self, common: Floats, output: Floats, reference: Floats) -> tuple[Floats, Floats]:
        """What is divided by what, from the words in common, of hypotheses and of references."""

    @property
    def width(self) -> int:
        return 3

    def counts(self, segments: Segments) -> Floats:
        """The words in common, of the hypothesis and of the best reference."""
        output = segments.hypotheses
        each = [
            np.column_stack(
                [matched_ngrams(output, [each], [1]), output.lengths, each.lengths]
            ).astype(np.float64)
            for each in segments.references
        ]
        return best_counts(each, self.value)

    def value(self, counts: Floats) -> Floats:
        part, whole = self.ratio(counts[..., 0], counts[..., 1], counts[..., 2])
        return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
