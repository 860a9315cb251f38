"""Unigram F-measure: precision and recall in one number.

F = (1 + β²) · P · R / (R + β² · P), van Rijsbergen's (1979) weighted harmonic mean (Han 2014,
equation 2-13). With P = correct / |h| and R = correct / |r| that is
(1 + β²) · correct / (|h| + β² · |r|).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from preorder_eval.data.arrays import Floats
from preorder_eval.metrics.shared.unigrams import UnigramMetric


@dataclass(frozen=True)
class FMeasure(UnigramMetric):
    """Weighted harmonic mean of unigram precision and recall; recall counts `beta` times as much.

    0 where a side is empty or nothing is in common. Of several references the one with the
    highest F counts.

    >>> round(FMeasure().score(["the the cat"], ["the cat sat down"]).corpus, 4)
    0.5714
    """

    name: ClassVar[str] = "fmeasure"
    equation: ClassVar[str] = "(1 + β²) P R / (R + β² P)"

    beta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("beta", 0, 10**6)

    def ratio(self, common: Floats, output: Floats, reference: Floats) -> tuple[Floats, Floats]:
        square = self.beta**2
        return (1 + square) * common, output + square * reference
