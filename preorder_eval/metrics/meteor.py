"""METEOR with exact and stem matches (Banerjee & Lavie 2005; Denkowski & Lavie 2014).

F · (1 - γ · (chunks / matches)^β) with F = PR / (αP + (1 - α)R). The words of hypothesis and
reference are matched one to one, as many as can be, in as few chunks as can be: sequences of words
that follow each other on both sides (see `chunks`).

- `version=original` (Han 2014, equations 2-18 and 2-19): α = 0.9, so F = 10PR / (R + 9P), β = 3,
  γ = 0.5. Identical texts score below 1, as one chunk is punished too.
- `version=1.5`: the released tool's parameters for languages without parameters of their own
  (METEOR 1.5 -l other): α = 0.75, β = 1.4, γ = 0.7; matched stems of different words count half
  in P and R. Identical sentences are not punished: they have no chunk, also in the counts of a
  corpus.
- `version=1.3`: METEOR 1.3 with the parameters tuned to rankings of English (Denkowski & Lavie
  2011), Meteor-1.3-RANK of Han's (2014) tables: α = 0.85, β = 0.2, γ = 0.6, stems count 0.6.

Synonyms, paraphrases and lists of function words need data of each language and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.base import quiet
from preorder_eval.metrics.lexical import LexicalMetric, best_counts, stemmed
from preorder_eval.metrics.ngrams import matched_ngrams
from preorder_eval.metrics.shared.beam_chunks import beam_alignments
from preorder_eval.metrics.shared.chunks import matches_and_chunks


class _Parameters(NamedTuple):
    alpha: float
    beta: float
    gamma: float
    stem_weight: float
    punish_identical: bool


_VERSIONS = {
    "original": _Parameters(0.9, 3.0, 0.5, 1.0, True),
    "1.3": _Parameters(0.85, 0.2, 0.6, 0.6, False),
    "1.5": _Parameters(0.75, 1.4, 0.7, 0.5, False),
}


@dataclass(frozen=True)
class Meteor(LexicalMetric):
    """F of the matching words, times a penalty for the chunks that they are in.

    Parameters: `version` of the formula and its parameters; `stem=True` matches words with the
    same Porter stem (English, lower-cased) too. Of these as many as can be are counted as the
    same word, whichever alignment has the fewest chunks; `beam=40` takes the alignment that METEOR
    1.5 finds (see `beam_chunks`), which in long sentences has more chunks than there must be.

    0 where nothing matches, also where a side is empty. Of several references the one with the
    highest value counts. The corpus value is that of the matches, chunks and lengths of all
    segments together. Where many words are repeated the search for the fewest chunks is cut off,
    see `chunks`; the last statistic is 1 where it was not.

    >>> Meteor().score(["d e f a b c"], ["a b c d e f"]).corpus
    0.9814814814814815
    >>> Meteor(version="1.5").score(["d e f a b c"], ["a b c d e f"]).corpus.__round__(6)
    0.849641
    """

    name: ClassVar[str] = "meteor"
    short_name: ClassVar[str] = "METEOR"
    paper: ClassVar[str] = "Banerjee & Lavie 2005; Denkowski & Lavie 2014 (1.5)"
    equation: ClassVar[str] = "PR / (αP + (1 − α)R) · (1 − γ (chunks / matches)^β)"
    identical_is_best: ClassVar[bool] = False

    version: Literal["original", "1.3", "1.5"] = "original"
    stem: bool = False
    beam: int = quiet(0)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("beam", 0, 1000)

    def statistics(self, segments: Segments) -> Floats:
        """Weighted matches, matches, chunks, words of the hypothesis and of the best reference, and
        whether there are no fewer chunks."""
        segments = self.prepared(segments)
        use = _VERSIONS[self.version]
        compared = stemmed(segments) if self.stem else segments
        counts = []
        for exact, each in zip(segments.references, compared.references, strict=True):
            matches, chunks, cut_off = matches_and_chunks(compared.hypotheses, each)
            weighted = matches.astype(np.float64)
            if self.stem:
                same = matched_ngrams(segments.hypotheses, [exact], [1])[:, 0]
                weighted = same + use.stem_weight * (matches - same)
            if self.beam:
                sides = (compared.hypotheses, segments.hypotheses), (each, exact)
                found, cut_off = beam_alignments(*sides, self.beam, use.stem_weight)
                weighted, matches, chunks = np.where(cut_off, (weighted, matches, chunks), found.T)
            output, reference = segments.hypotheses.lengths, each.lengths
            if not use.punish_identical:
                is_identical = (matches == output) & (matches == reference) & (chunks == 1)
                chunks = np.where(is_identical, 0, chunks)
            counts.append(
                np.stack([weighted, matches, chunks, output, reference, ~cut_off], axis=1)
            )
        return best_counts(counts, self.finish)

    def cut_short(self, statistics: Floats) -> int:
        return int(np.count_nonzero(statistics[:, -1] == 0))

    def finish(self, statistics: Floats) -> Floats:
        weighted, matches, chunks, output, reference, _ = np.moveaxis(statistics, -1, 0)
        use = _VERSIONS[self.version]
        # PR / (αP + (1 - α)R) with P = m/|h| and R = m/|r|.
        below = use.alpha * reference + (1 - use.alpha) * output
        f = np.divide(weighted, below, out=np.zeros_like(below), where=below > 0)
        parts = np.divide(chunks, matches, out=np.zeros_like(below), where=matches > 0)
        score: Floats = f * (1 - use.gamma * parts**use.beta)
        return score
