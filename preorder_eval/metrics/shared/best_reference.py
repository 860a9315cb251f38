"""Pooled counts of the reference that scores best, segment by segment."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.lexical import LexicalMetric


@dataclass(frozen=True)
class BestReferenceMetric(LexicalMetric):
    """A metric of counts that add up over segments, of which each takes its best reference.

    Of references with the same value the one with the lexicographically largest counts is taken,
    so that the order in which references are given does not matter.
    """

    @abstractmethod
    def against_each(self, segments: Segments) -> list[Floats]:
        """For each stream of references the counts, float64[S, k], of prepared segments."""

    def statistics(self, segments: Segments) -> Floats:
        """The counts against the best reference; float64[S, k]."""
        segments = self.prepared(segments)
        counts = np.stack(self.against_each(segments))
        value = self.finish(counts)
        best = np.lexsort((*np.moveaxis(counts, -1, 0), value), axis=0)[-1]
        chosen: Floats = counts[best, np.arange(len(segments))]
        return chosen
