"""Position-independent error rate: word error rate for sentences as bags of words.

PER = 1 - (correct - max(0, |h| - |r|)) / |r| (Tillmann et al. 1997; Han 2014, equation 2-5). That
is (max(|h|, |r|) - correct) / |r|: words that are missing, wrong or too many, in any order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Longs
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.error_rate import ErrorRate
from preorder_eval.metrics.shared.ngrams import matched_ngrams


@dataclass(frozen=True)
class PositionIndependentErrorRate(ErrorRate):
    """Words missing, wrong or too many per reference word; 0 is best, and it may exceed 1.

    Of several references that with the fewest errors counts. Against an empty reference every
    word is an error, counted as if there were one reference word; two empty sides score 0.

    >>> PositionIndependentErrorRate().score(["d c a", "b b"], ["a b c d", "b"]).corpus
    0.4
    """

    name: ClassVar[str] = "per"
    paper: ClassVar[str] = "Tillmann et al. 1997; Han 2014 (2-5)"
    equation: ClassVar[str] = "1 − (correct − max(0, |h| − |r|)) / |r|"

    def errors(self, segments: Segments) -> list[Longs]:
        output = segments.hypotheses
        return [
            np.maximum(output.lengths, each.lengths) - matched_ngrams(output, [each], [1])[:, 0]
            for each in segments.references
        ]
