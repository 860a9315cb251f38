"""The output of topdown-btg-preordering's `evaluate_preordering.py` (Nakagawa 2015).

Unaligned words are taken out of both orders. The others are ranked by their target spans,
smallest and largest aligned position: a span ranks before another if neither of its ends is
later, and equal spans are tied. A sentence in which one span lies inside another is skipped.

The fuzzy reordering score is 1 - breaks / (n + 1): two neighbours of the system order go on if
the second has the same rank or the next, and both borders of the sentence count. τ is
1 - inversions / (n(n - 1) / 2), tied pairs included. A sentence of one aligned word scores 1. The
corpus values are means over the sentences that are not skipped; a complete match is a τ of 1.

On a sentence without links the tool stops. Here it is left out, and reported. `papers.lader` tells
how the scores differ from the paper's.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.arrays import Floats
from preorder_eval.data.orders import Orders
from preorder_eval.errors import PreorderEvalError
from preorder_eval.papers.lader import UNALIGNED, Span, breaks, inversions, target_spans
from preorder_eval.visible import quantity

INCOMPARABLE = "incomparable spans"
NO_LINKS = "no links: the tool stops here with 'Too few fields.'"


@dataclass(frozen=True, eq=False)
class TdbtgResult:
    """The tool's scores of a corpus.

    `frs` and `tau` float64[S] are the scores, NaN for a sentence that is left out; `left_out` the
    1-based numbers of these sentences by reason.
    """

    frs: Floats
    tau: Floats
    left_out: dict[str, list[int]]

    def scores(self) -> tuple[float, float, float]:
        """Return the corpus values of FRS, τ and complete match; 0 where no sentence is left."""
        kept = ~np.isnan(self.frs)
        count = max(int(kept.sum()), 1)
        columns = self.frs[kept], self.tau[kept], self.tau[kept] == 1.0
        frs, tau, complete = (sum(column.tolist()) / count for column in columns)
        return frs, tau, complete

    def lines(self) -> Iterator[str]:
        """Write all that the tool prints, line by line, as if it went on where it stops."""
        frs, tau, complete = self.scores()
        yield f"Number of evaluated sentences: {np.count_nonzero(~np.isnan(self.frs))}"
        yield f"Number of skipped sentences: {len(self.left_out.get(INCOMPARABLE, []))}"
        yield f"Fuzzy Reordering Score: {frs:f}"
        yield f"Kendall's Tau: {tau:f}"
        yield f"Complete Match: {complete:f}"


def evaluate(alignments: Alignments, orders: Orders) -> TdbtgResult:
    """Score system orders as `evaluate_preordering.py` does.

    Raises PreorderEvalError where lengths differ or a link is outside its sentence.
    """
    if len(alignments) != len(orders):
        raise PreorderEvalError(
            f"alignments of {quantity(len(alignments), 'sentence')} "
            f"for {quantity(len(orders), 'sentence')}"
        )
    scores: list[tuple[float, float]] = []
    left_out: dict[str, list[int]] = {}
    for number, (links, order) in enumerate(zip(alignments, orders, strict=True), 1):
        ranks, why = rank_spans(target_spans(links, len(order), number))
        if why:
            left_out.setdefault(why, []).append(number)
        sequence = [ranks[word] for word in order if word in ranks]
        scores.append((math.nan, math.nan) if why else _score(sequence))
    frs, tau = np.array(scores).reshape(-1, 2).T
    return TdbtgResult(frs, tau, left_out)


def rank_spans(spans: Sequence[Span]) -> tuple[dict[int, int], str]:
    """Return the rank of every aligned word, and why they cannot be ranked, if so."""
    # Sorted by beginning, spans can be ranked if and only if no end is before an earlier one.
    groups = sorted(set(spans) - {UNALIGNED})
    rank = {span: number for number, span in enumerate(groups)}
    ranks = {word: rank[span] for word, span in enumerate(spans) if span in rank}
    if any(left[1] > right[1] for left, right in itertools.pairwise(groups)):
        return ranks, INCOMPARABLE
    return ranks, "" if groups else NO_LINKS


def _score(sequence: Sequence[int]) -> tuple[float, float]:
    """Return FRS and τ of the ranks of aligned words in system order."""
    size = len(sequence)
    if size == 1:
        return 1.0, 1.0
    return 1 - breaks(sequence) / (size + 1), 1 - inversions(sequence) / (size * (size - 1) / 2)
