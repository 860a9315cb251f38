"""ROUGE-W: the longest common subsequence, consecutive words weighing more.

Lin & Och (2004), section 3.3: a run of k consecutive matches weighs f(k) = k^a. With WLCS the
weight of the common subsequence, R = f⁻¹(WLCS / f(m)) and P = f⁻¹(WLCS / f(n)) (equations 10
and 11). `wlcs.py` has the weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Tokens
from preorder_eval.metrics.shared.rouge_base import Rouge
from preorder_eval.metrics.shared.rouge_overlap import Overlap
from preorder_eval.metrics.shared.wlcs import reference_runs, weighted_common


@dataclass(frozen=True)
class RougeW(Rouge):
    """F of the weighted longest common subsequence.

    Parameters: `weight` the exponent a of f(k) = k^a, from 1 to 5; 1 makes it `rouge_l` where
    no word is repeated. See `Rouge` for `beta`, `stem`, `jackknife` and `mode`, several
    references, and what is undefined.

    >>> metric = RougeW(weight=2)
    >>> [round(metric.score([text], ["A B C D E F G"]).corpus, 3)
    ...  for text in ("A B C D H I K", "A H B K C I D")]
    [0.571, 0.286]
    """

    identical_is_best: ClassVar[bool] = False  # with mode=paper alone

    name: ClassVar[str] = "rouge_w"
    equation: ClassVar[str] = "F of R = f⁻¹(WLCS/f(m)) and P = f⁻¹(WLCS/f(n)) (equations 10–12)"

    weight: float = 1.2

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("weight", 1, 5)

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        weights = [
            side.lengths.astype(np.float64) ** self.weight for side in (hypotheses, references)
        ]
        if self.mode == "paper":
            return Overlap(weighted_common(hypotheses, references, self.weight), *weights)
        # ROUGE-1.5.5 weighs the reference's length twice.
        runs = reference_runs(hypotheses, references, self.weight)
        return Overlap(runs, weights[0], weights[1] ** self.weight)

    def rescale(self, share: Floats) -> Floats:
        # Sums of powers may exceed the power of the sum by the last digit.
        recall_or_precision: Floats = np.minimum(share, 1.0) ** (1 / self.weight)
        return recall_or_precision
