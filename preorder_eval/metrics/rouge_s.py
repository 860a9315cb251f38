"""ROUGE-S: the skip-bigrams that an output has in common with its reference.

Lin & Och (2004), section 4: a skip-bigram is a pair of words in their order, whatever stands
between them, or at most `skip` words. They are compared as multisets. R and P (equations 13 and
14) are the shares of the reference's and of the output's skip-bigrams that are on both sides;
with a limit only those within the limit count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from preorder_eval.data.segments import Tokens
from preorder_eval.metrics.shared.ngrams import shared_skip_bigrams
from preorder_eval.metrics.shared.rouge_base import Rouge
from preorder_eval.metrics.shared.rouge_overlap import Overlap


@dataclass(frozen=True)
class RougeS(Rouge):
    """F of the skip-bigrams in common.

    Parameters: `skip` the most words between the two, or `"none"` for no limit. See `Rouge` for
    `beta`, `stem`, `jackknife` and `mode`, and several references.

    A single word has no skip-bigram: it scores 1 against the same single word, else 0. An empty
    side scores 0.

    >>> RougeS().score(["police kill the gunman"], ["police killed the gunman"]).corpus
    0.5
    """

    name: ClassVar[str] = "rouge_s"
    equation: ClassVar[str] = "F of R = SKIP2/C(m,2) and P = SKIP2/C(n,2) (equations 13–15)"

    skip: int | Literal["none"] = "none"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.skip != "none":
            self.require("skip", 0, 10**6)

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        overlap = self.skip_bigrams(hypotheses, references)
        if self.mode == "paper":
            single = np.flatnonzero((hypotheses.lengths == 1) & (references.lengths == 1))
            words = (side.codes[side.offsets[single]] for side in (hypotheses, references))
            same = single[np.equal(*words)]
            for part in overlap:
                part[same] = 1
        return overlap

    def skip_bigrams(
        self, hypotheses: Tokens, references: Tokens, unigrams: int | None = None
    ) -> Overlap:
        """The skip-bigrams in common; `unigrams` as in `shared_skip_bigrams`."""
        limit = None if self.skip == "none" else self.skip
        return Overlap.of(*shared_skip_bigrams(hypotheses, references, limit, unigrams))
