"""General text matcher (Turian et al. 2003; Han 2014, equation 2-17).

F of precision size/|h| and recall size/|r|. The words that both sides have in common are matched
once each, in runs of words that follow each other on both sides; size = (Σ length(run)^e)^(1/e).
The larger e, the more long runs count for. With e = 1 order does not matter, and the value is the
F of the words in common.

The matching with the largest size is NP-hard to find for e > 1; as Turian et al., this takes the
longest runs first (see `runs`). For e < 1 the size could be larger than the sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.metrics.lexical import Jackknifed, best_counts
from preorder_eval.metrics.shared.runs import longest_runs


@dataclass(frozen=True)
class Gtm(Jackknifed):
    """F of the words in common, of which those in longer runs count for more.

    Parameters: `e` from 1 up, the weight of long runs; `stem` and `jackknife` as in `Jackknifed`.

    0 where nothing matches, also where a side is empty. Of several references the one with the
    highest value counts. The corpus value is that of the sizes and lengths of all segments
    together.

    >>> Gtm(e=1).score(["d e f a b c"], ["a b c d e f"]).corpus
    1.0
    >>> round(Gtm(e=2).score(["d e f a b c"], ["a b c d e f"]).corpus, 4)  # √(3² + 3²) / 6
    0.7071
    """

    name: ClassVar[str] = "gtm"
    short_name: ClassVar[str] = "GTM"
    paper: ClassVar[str] = "Turian et al. 2003"
    equation: ClassVar[str] = "F of size / |h| and size / |r|; size = (Σ length(run)^e)^(1/e)"

    e: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("e", 1)

    @property
    def width(self) -> int:
        return 3

    def counts(self, segments: Segments) -> Floats:
        """Size of the matching, words of the hypothesis and of the best reference."""
        each = [self._against(segments.hypotheses, each) for each in segments.references]
        return best_counts(each, self.value)

    def _against(self, hypotheses: Tokens, references: Tokens) -> Floats:
        """Size of the matching, words of the hypothesis and of the reference; float64[S, 3]."""
        runs = longest_runs(hypotheses, references)
        # Relative to the longest run, so that large powers stay finite.
        longest = np.ones(len(hypotheses), dtype=np.int64)
        np.maximum.at(longest, runs.sentence, runs.length)
        powers = (runs.length / longest[runs.sentence]) ** self.e
        total = np.bincount(runs.sentence, powers, minlength=len(hypotheses))
        size = longest * total ** (1 / self.e)
        return np.stack([size, hypotheses.lengths, references.lengths], axis=1)

    def value(self, counts: Floats) -> Floats:
        size, output, reference = (counts[..., column] for column in range(3))
        words = output + reference
        return np.divide(2 * size, words, out=np.zeros_like(words), where=words > 0)
