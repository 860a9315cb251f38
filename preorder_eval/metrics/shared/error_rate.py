"""Error rates: errors over the number of words of the reference, summed over the corpus."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats, Longs
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.jackknife import Jackknifed


@dataclass(frozen=True)
class ErrorRate(Jackknifed):
    """Errors per reference word; 0 is best, and a long hypothesis may have more than 1.

    Of several references the nearest counts, that with the fewest errors (of these the longest).
    Against an empty reference every word of the hypothesis is an error, and as there is no word
    to divide by, a corpus without any reference word scores the number of errors. `stem` and
    `jackknife` are those of Lin & Och (2004), as in `Jackknifed`.
    """

    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    higher_is_better: ClassVar[bool] = False

    @abstractmethod
    def errors(self, segments: Segments) -> list[Longs]:
        """The errors of each of some prepared segments for every reference; int64[S] each."""

    @property
    def width(self) -> int:
        return 2

    def counts(self, segments: Segments) -> Floats:
        """The errors, and the words of the reference; float64[S, 2]."""
        parts = [_nearest(self.errors(p), p) for p in segments.blocks()]
        return np.concatenate([np.zeros((0, 2)), *parts])

    def value(self, counts: Floats) -> Floats:
        rate: Floats = counts[..., 0] / np.maximum(counts[..., 1], 1)
        return rate


def _nearest(errors: list[Longs], segments: Segments) -> Floats:
    lengths = np.stack([reference.lengths for reference in segments.references])
    counts = np.stack(errors)
    best = np.lexsort((-lengths, counts), axis=0)[:1]
    chosen = [np.take_along_axis(table, best, axis=0)[0] for table in (counts, lengths)]
    return np.stack(chosen, axis=1).astype(np.float64)
