"""Stems and leaving out references in turn, for metrics of counts (Lin & Och 2004, section 5).

People who translate can be scored only against the others' references. So that outputs can be
compared with them, each of N references is left out in turn, and the N values against the others
are averaged. What adds up over segments are then the counts against each of the N sets.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.base import quiet
from preorder_eval.metrics.shared.lexical import LexicalMetric
from preorder_eval.metrics.shared.vocabulary import stemmed


@dataclass(frozen=True)
class Jackknifed(LexicalMetric):
    """A metric of counts that can compare stems, and average over leaving out references.

    Parameters: `stem=True` compares Porter stems of the lower-cased words; `jackknife=True`
    averages over leaving out each of several references.
    """

    stem: bool = quiet(False)
    jackknife: bool = quiet(False)

    @property
    @abstractmethod
    def width(self) -> int:
        """How many counts there are of a segment."""

    @abstractmethod
    def counts(self, segments: Segments) -> Floats:
        """Additive counts of each of some segments, which are prepared already; float64[S, k]."""

    @abstractmethod
    def value(self, counts: Floats) -> Floats:
        """Scores from (sums of) counts: float64[…, k] to float64[…]."""

    def prepared(self, segments: Segments) -> Segments:
        segments = super().prepared(segments)
        return stemmed(segments) if self.stem else segments

    def statistics(self, segments: Segments) -> Floats:
        """The counts, or those against each set of references side by side; float64[S, n · k]."""
        segments = self.prepared(segments)
        if not self.jackknife:
            return self.counts(segments)
        return np.concatenate([self.counts(each) for each in reference_sets(segments)], axis=1)

    def finish(self, statistics: Floats) -> Floats:
        if not self.jackknife:
            return self.value(statistics)
        sets = statistics.reshape(*statistics.shape[:-1], -1, self.width)
        mean: Floats = self.value(sets).mean(axis=-1)
        return mean


def reference_sets(segments: Segments) -> Iterator[Segments]:
    """The segments with each of their references left out in turn; with a single one, as they are.

    >>> sets = reference_sets(Segments.of(["a"], [["b"], ["c"], ["d"]]))
    >>> [each.reference_texts for each in sets]
    [[['c'], ['d']], [['b'], ['d']], [['b'], ['c']]]
    """
    count = len(segments.references)
    for left_out in range(count) if count > 1 else [count]:
        kept = [number for number in range(count) if number != left_out]
        yield replace(
            segments,
            references=tuple(segments.references[number] for number in kept),
            reference_texts=[segments.reference_texts[number] for number in kept],
            _prepared={},
        )
