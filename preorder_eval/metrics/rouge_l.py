"""ROUGE-L: the longest common subsequence of an output and its reference.

Lin & Och (2004), section 3: the most words that both have in the same order, as a share of the
reference's words, R (equation 4), and of the output's, P (equation 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from preorder_eval.data.segments import Tokens
from preorder_eval.metrics.shared.lcs import longest_common
from preorder_eval.metrics.shared.rouge_base import Rouge
from preorder_eval.metrics.shared.rouge_overlap import Overlap


@dataclass(frozen=True)
class RougeL(Rouge):
    """F of the longest common subsequence.

    See `Rouge` for the parameters `beta`, `stem`, `jackknife` and `mode`, several references,
    and what is undefined.

    >>> RougeL().score(["the gunman kill police"], ["police killed the gunman"]).corpus
    0.5
    """

    name: ClassVar[str] = "rouge_l"
    equation: ClassVar[str] = "F of R = LCS/m and P = LCS/n (equations 4–9)"

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        return Overlap.of(
            longest_common(hypotheses, references), hypotheses.lengths, references.lengths
        )
