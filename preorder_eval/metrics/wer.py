"""Word error rate: the edits that turn an output into its reference.

Insertions, deletions and substitutions of words, as few as possible (Levenshtein's distance),
over the length of the reference (Su et al. 1992; Han 2014, equation 2-4). With several references
it is the multi-reference WER of Nießen et al. (2000): the nearest reference counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Longs
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.characters import as_characters
from preorder_eval.metrics.shared.error_rate import ErrorRate


@dataclass(frozen=True)
class WordErrorRate(ErrorRate):
    """Edits per reference word, summed over the corpus; 0 is best, and it may exceed 1.

    Of several references that with the fewest edits counts. Against an empty reference every
    word is an insertion, counted as if there were one reference word; two empty sides score 0.

    >>> WordErrorRate().score(["a c d", "b"], ["a b c d", "b"]).corpus
    0.2
    """

    name: ClassVar[str] = "wer"
    paper: ClassVar[str] = "Su et al. 1992; Nießen et al. 2000; Han 2014 (2-4)"
    equation: ClassVar[str] = "(substitutions + insertions + deletions) / reference length"

    def errors(self, segments: Segments) -> list[Longs]:
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cpdist

        hypotheses, streams = as_characters(segments)
        return [
            cpdist(hypotheses, stream, scorer=Levenshtein.distance, dtype=np.int64)
            for stream in streams
        ]
