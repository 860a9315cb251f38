"""ROUGE-W: the longest common subsequence, consecutive words weighing more.

Lin & Och (2004), section 3.3: a run of k consecutive matches weighs f(k) = k^a. With WLCS the
weight of the common subsequence, R = f⁻¹(WLCS / f(m)) and P = f⁻¹(WLCS / f(n)) (equations 10
and 11). `wlcs.py` has the weight.

The paper's other function, f(k) = αk - β, charges β for every run. So that one word weighs one,
α = 1 + β here (any other α and β are a multiple of that), and β is `gap` with `weight=1`; both
together are f(k) = (1 + gap) k^weight - gap. A gap lifts R and P of any match above
gap / (1 + gap), as f⁻¹ of a small share does in equations 10 and 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats, Longs
from preorder_eval.data.segments import Tokens
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.shared.base import quiet
from preorder_eval.metrics.shared.rouge_base import Rouge
from preorder_eval.metrics.shared.rouge_overlap import Overlap
from preorder_eval.metrics.shared.wlcs import reference_runs, weighted_common


@dataclass(frozen=True)
class RougeW(Rouge):
    """F of the weighted longest common subsequence.

    Parameters: `weight` the exponent a of f(k) = k^a, from 1 to 5; 1 makes it `rouge_l` where
    no word is repeated; `gap` what a run costs, with `weight=1` for f(k) = αk - β. See `Rouge`
    for `beta`, `stem`, `jackknife` and `mode`, several references, and what is undefined.

    >>> metric = RougeW(weight=2)
    >>> [round(metric.score([text], ["A B C D E F G"]).corpus, 3)
    ...  for text in ("A B C D H I K", "A H B K C I D")]
    [0.571, 0.286]
    """

    identical_is_best: ClassVar[bool] = False  # with mode=paper alone

    name: ClassVar[str] = "rouge_w"
    equation: ClassVar[str] = "F of R = f⁻¹(WLCS/f(m)) and P = f⁻¹(WLCS/f(n)) (equations 10–12)"

    weight: float = 1.2
    gap: float = quiet(0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("weight", 1, 5)
        self.require("gap", 0, 1e6)
        if self.gap and self.mode != "paper":
            raise PreorderEvalError(f"metric {self.name}: ROUGE-1.5.5 has no gap")

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        weights = [self._weigh(side.lengths) for side in (hypotheses, references)]
        if self.mode == "paper":
            return Overlap(weighted_common(hypotheses, references, self._weigh), *weights)
        # ROUGE-1.5.5 weighs the reference's length twice.
        runs = reference_runs(hypotheses, references, self.weight)
        return Overlap(runs, weights[0], weights[1] ** self.weight)

    def rescale(self, share: Floats) -> Floats:
        # Sums of powers may exceed the power of the sum by the last digit.
        power = (np.minimum(share, 1.0) + self.gap) / (1 + self.gap)
        return np.where(share > 0, power ** (1 / self.weight), 0.0)

    def _weigh(self, lengths: Longs) -> Floats:
        """f of some numbers of consecutive words, 0 of none."""
        return np.where(lengths > 0, (1 + self.gap) * lengths**self.weight - self.gap, 0.0)
