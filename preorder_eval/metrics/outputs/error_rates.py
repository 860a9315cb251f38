"""Error rates: errors over the number of words of the reference, summed over the corpus."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.base.arrays import Floats, Ints, Longs
from preorder_eval.metrics.outputs.lexical import Jackknifed, best_counts, sentence_pairs
from preorder_eval.metrics.outputs.ngrams import matched_ngrams
from preorder_eval.metrics.segments import Segments, Tokens


@dataclass(frozen=True)
class ErrorRate(Jackknifed):
    """Errors per reference word; `stem` and `jackknife` as in `Jackknifed`.

    Of several references the one with the fewest errors counts, and of these the longest. A corpus
    without any reference word scores the number of errors.
    """

    width: ClassVar[int] = 2
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    higher_is_better: ClassVar[bool] = False

    @abstractmethod
    def errors(self, hypotheses: Tokens, references: Tokens) -> Longs:
        """Count the errors of hypotheses against one stream of references; int64[S]."""

    def counts(self, segments: Segments) -> Floats:
        """Return the errors, and the words of the reference; float64[S, 2]."""
        against_each = [
            np.column_stack([self.errors(segments.hypotheses, each), each.lengths]).astype(float)
            for each in segments.references
        ]
        return best_counts(against_each, lambda counts: -counts[..., 0])

    def value(self, counts: Floats) -> Floats:
        return counts[..., 0] / np.maximum(counts[..., 1], 1)


@dataclass(frozen=True)
class WordErrorRate(ErrorRate):
    """Edits (Levenshtein's distance) per reference word; 0 is best, and it may exceed 1.

    Of several references that with the fewest edits counts (Nießen et al. 2000). Against an empty
    reference every word is an insertion, counted as if there were one reference word; two empty
    sides score 0.

    >>> WordErrorRate().score(["a c d", "b"], ["a b c d", "b"]).corpus
    0.2
    """

    name: ClassVar[str] = "wer"
    short_name: ClassVar[str] = "WER"
    equals: ClassVar[Mapping[str, str]] = {"jiwer": ""}
    paper: ClassVar[str] = "Su et al. 1992; Nießen et al. 2000; Han 2014 (2-4)"
    equation: ClassVar[str] = "(substitutions + insertions + deletions) / reference length"

    def errors(self, hypotheses: Tokens, references: Tokens) -> Longs:
        from rapidfuzz.distance import Levenshtein  # late: listing metrics loads no library

        pairs = sentence_pairs(hypotheses, references)
        return np.array([Levenshtein.distance(*pair) for pair in pairs], dtype=np.int64)


@dataclass(frozen=True)
class PositionIndependentErrorRate(ErrorRate):
    """Words missing, wrong or too many per reference word; 0 is best, and it may exceed 1.

    Of several references that with the fewest errors counts. Against an empty reference every
    word is an error, counted as if there were one reference word; two empty sides score 0.

    >>> PositionIndependentErrorRate().score(["d c a", "b b"], ["a b c d", "b"]).corpus
    0.4
    """

    name: ClassVar[str] = "per"
    short_name: ClassVar[str] = "PER"
    paper: ClassVar[str] = "Tillmann et al. 1997; Han 2014 (2-5)"
    equation: ClassVar[str] = "1 − (correct − max(0, |h| − |r|)) / |r|"

    def errors(self, hypotheses: Tokens, references: Tokens) -> Longs:
        longer = np.maximum(hypotheses.lengths, references.lengths)
        return longer - matched_ngrams(hypotheses, [references], [1])[:, 0]


@dataclass(frozen=True)
class BlockMovementErrorRate(ErrorRate):
    """Edits and long jumps per reference word; 0 is best, and it may exceed 1.

    A jump to any other word of the output, however far, is one error. Every reference word is
    covered once; output words may be used repeatedly or not at all. So a block that has moved costs
    its jumps, not its words.

    Of several references that with the fewest errors counts. Against an empty reference a
    hypothesis is one jump, counted as if there were one reference word; two empty sides score 0.

    >>> BlockMovementErrorRate().score(["c d e f a b", "a"], ["a b c d e f", "a"]).corpus
    0.42857142857142855
    """

    name: ClassVar[str] = "cder"
    short_name: ClassVar[str] = "CDER"
    paper: ClassVar[str] = "Leusch et al. 2006"
    equation: ClassVar[str] = "(insertions + deletions + substitutions + long jumps) / |r|"

    def errors(self, hypotheses: Tokens, references: Tokens) -> Longs:
        pairs = zip(hypotheses, references, strict=True)
        return np.array([_block_errors(*pair) for pair in pairs], dtype=np.int64)


def _block_errors(hypothesis: Ints, reference: Ints) -> int:
    """Return the cheapest path through the words of the reference, a row of places for each.

    To pass over a word of the output costs as much as a jump to the place behind it.
    """
    row = np.minimum(np.arange(len(hypothesis) + 1), 1)
    for word in reference.tolist():
        following = row + 1
        following[1:] = np.minimum(following[1:], row[:-1] + (hypothesis != word))
        row = np.minimum(following, following.min() + 1)
    return int(row[-1])
