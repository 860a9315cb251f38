"""ROUGE-SU: skip-bigrams and single words together.

ROUGE-S gives nothing to an output that shares no pair of words with its reference, as "gunman the
killed police" does with "police killed the gunman". ROUGE-SU counts the single words with the
skip-bigrams (Lin 2004, section 5.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from preorder_eval.data.segments import Tokens
from preorder_eval.metrics.rouge_s import RougeS
from preorder_eval.metrics.shared.rouge_overlap import Overlap


@dataclass(frozen=True)
class RougeSU(RougeS):
    """F of the skip-bigrams and words in common.

    Parameters: those of `rouge_s`. An empty side scores 0.

    >>> RougeSU().score(["gunman the killed"], ["killed the gunman"]).corpus
    0.5
    """

    name: ClassVar[str] = "rouge_su"
    paper: ClassVar[str] = "Lin 2004"
    equation: ClassVar[str] = "F of the shares of skip-bigrams and words in common (section 5.2)"

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        # ROUGE-1.5.5 forgets the last word.
        forgotten = 0 if self.mode == "paper" else 1
        return self.skip_bigrams(hypotheses, references, unigrams=forgotten)
