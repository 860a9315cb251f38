"""Words that a hypothesis and its reference have in common, wherever they stand."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats, Longs
from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.metrics.shared.lexical import LexicalMetric


def shared_words(hypotheses: Tokens, references: Tokens) -> Longs:
    """Per sentence the words in common, each as often as the side with fewer has it; int64[S].

    >>> sides = [Tokens(np.array([0, 3]), np.array([1, 1, at], dtype=np.int32)) for at in (2, 1)]
    >>> shared_words(*sides).tolist()
    [2]
    """
    sentences = np.concatenate([hypotheses.sentences, references.sentences])
    codes = np.concatenate([hypotheses.codes, references.codes])
    size = int(codes.max(initial=0)) + 1
    key = (sentences * size + codes) << 1
    key[len(hypotheses.codes) :] |= 1  # the side
    key.sort()
    starts = np.flatnonzero(np.diff(key >> 1, prepend=-1))  # of the same word of a sentence
    if not len(starts):
        return np.zeros(len(hypotheses), dtype=np.int64)
    on_reference = np.add.reduceat(key & 1, starts)
    in_all = np.diff(starts, append=len(key))
    common = np.minimum(on_reference, in_all - on_reference)
    total = np.concatenate([[0], np.cumsum(common)])
    borders = np.arange(len(hypotheses) + 1) * size
    result: Longs = np.diff(total[np.searchsorted(key[starts] >> 1, borders)])
    return result


@dataclass(frozen=True)
class UnigramMetric(LexicalMetric):
    """A ratio of the words in common to the words of hypothesis and reference.

    0 where it is divided by no words, so for an empty side and for two. Of several references
    the one with the highest value counts. The corpus value is that of the words of all sentences
    together.
    """

    paper: ClassVar[str] = "van Rijsbergen 1979; Han 2014, section 2.2"

    @abstractmethod
    def ratio(self, common: Floats, output: Floats, reference: Floats) -> tuple[Floats, Floats]:
        """What is divided by what, from the words in common, of hypotheses and of references."""

    def statistics(self, segments: Segments) -> Floats:
        """The words in common, of the hypothesis and of the reference; float64[S, 3]."""
        parts = [self._part_statistics(part) for part in self.prepared(segments).blocks()]
        return np.concatenate([np.zeros((0, 3)), *parts])

    def _part_statistics(self, segments: Segments) -> Floats:
        output = segments.hypotheses
        every = np.stack(
            [
                np.stack([shared_words(output, each), output.lengths, each.lengths], axis=1)
                for each in segments.references
            ]
        ).astype(np.float64)
        best = np.lexsort((every[..., 2], every[..., 0], self.finish(every)), axis=0)[-1]
        chosen: Floats = every[best, np.arange(len(segments))]
        return chosen

    def finish(self, statistics: Floats) -> Floats:
        part, whole = self.ratio(statistics[..., 0], statistics[..., 1], statistics[..., 2])
        return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
