"""What topdown-btg-preordering's `evaluate_preordering.py` prints (Nakagawa 2015).

Unaligned words are taken out of both orders. The others are ranked by their target spans,
smallest and largest aligned position: a span ranks before another if neither of its ends is
later, and equal spans are tied. A sentence in which one span lies inside another is skipped.

The fuzzy reordering score is 1 - breaks / (n + 1): two neighbours of the system order go on if
the second has the same rank or the next, and both borders of the sentence count. τ is
1 - inversions / (n(n - 1) / 2), tied pairs included. A sentence of one aligned word scores 1. The
corpus values are means over the sentences that are not skipped; a complete match is a τ of 1.

On a sentence without links the tool stops, and prints nothing for the corpus. Here such a
sentence is reported and left out.

By these rules the orders `1 2 3 4 0` and `0 2 1 3 4` both score 0.5; by equation 1 of Talbot et
al. (2011) they score 0.75 and 0.25.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.alignments import Alignments, reference_orders
from preorder_eval.data.arrays import Floats, Ints
from preorder_eval.data.orders import Orders, ReferenceOrders, aligned_only
from preorder_eval.metrics.kendall import inversions
from preorder_eval.papers.peers.breaks import breaks
from preorder_eval.papers.peers.spans import UNALIGNED, Span, target_spans

INCOMPARABLE = "incomparable spans"
NO_LINKS = "no links: the tool stops here with 'Too few fields.'"


@dataclass(frozen=True, eq=False)
class TdbtgResult:
    """What the tool makes of a corpus.

    `ranks` int32[N] are the words' ranks, -1 for an unaligned word; `frs` and `tau` float64[S]
    the scores, NaN for a sentence that is left out; `left_out` the 1-based numbers of these
    sentences by reason.
    """

    ranks: Ints
    frs: Floats
    tau: Floats
    left_out: dict[str, list[int]]

    def scores(self) -> tuple[float, float, float]:
        """The corpus values of FRS, τ and complete match; 0 where no sentence is left."""
        kept = ~np.isnan(self.frs)
        count = max(int(kept.sum()), 1)
        columns = self.frs[kept], self.tau[kept], self.tau[kept] == 1.0
        frs, tau, complete = (sum(column.tolist()) / count for column in columns)
        return frs, tau, complete

    def lines(self) -> Iterator[str]:
        """All that the tool prints, line by line, as if it went on where it stops."""
        frs, tau, complete = self.scores()
        yield f"Number of evaluated sentences: {np.count_nonzero(~np.isnan(self.frs))}"
        yield f"Number of skipped sentences: {len(self.left_out.get(INCOMPARABLE, []))}"
        yield f"Fuzzy Reordering Score: {frs:f}"
        yield f"Kendall's Tau: {tau:f}"
        yield f"Complete Match: {complete:f}"


def evaluate(alignments: Alignments, orders: Orders) -> TdbtgResult:
    """Score system orders as `evaluate_preordering.py` does.

    Raises PreorderEvalError where there are not as many orders as alignments, or a link is
    outside its sentence.

    >>> links = [(i, i) for i in range(5)]
    >>> both = Orders.of([[1, 2, 3, 4, 0], [0, 2, 1, 3, 4]])
    >>> print(*evaluate(Alignments.of([links] * 2), both).lines(), sep="\\n")
    Number of evaluated sentences: 2
    Number of skipped sentences: 0
    Fuzzy Reordering Score: 0.500000
    Kendall's Tau: 0.750000
    Complete Match: 0.000000
    """
    # The paper's reference orders check the links and tell which words have one.
    checked = reference_orders(alignments, np.diff(orders.offsets).tolist())
    ranked = [rank_spans(target_spans(alignments[s], len(order))) for s, order in enumerate(orders)]
    incomparable = np.array([not comparable for _, comparable in ranked], dtype=bool)
    ranks = np.array([rank for sentence, _ in ranked for rank in sentence], dtype=np.int32)

    spans = ReferenceOrders(checked.offsets, np.maximum(ranks, 0), checked.aligned)
    fewer, references, _ = aligned_only(orders, spans, None)
    sequence, length = references.ranks[fewer.tokens], np.diff(fewer.offsets)
    pairs = np.maximum(length * (length - 1) / 2, 1)
    frs = np.where(length > 1, 1 - breaks(sequence, fewer.offsets) / (length + 1), 1.0)
    tau = 1 - inversions(sequence, fewer.offsets) / pairs

    reasons = {INCOMPARABLE: incomparable, NO_LINKS: length == 0}
    for sentences in reasons.values():
        frs[sentences] = tau[sentences] = np.nan
    left_out = {why: (np.flatnonzero(s) + 1).tolist() for why, s in reasons.items() if s.any()}
    return TdbtgResult(ranks, frs, tau, left_out)


def rank_spans(spans: Sequence[Span]) -> tuple[list[int], bool]:
    """The rank of every word from its span, -1 without one, and whether all could be ranked.

    >>> rank_spans([(2, 3), (0, 0), (2, 3)])
    ([1, 0, 1], True)
    >>> rank_spans([(0, 3), (1, 1)])[1]
    False
    """
    # Sorted by beginning, spans can be ranked if and only if no end is before an earlier one.
    groups = sorted(set(spans) - {UNALIGNED})
    comparable = all(left[1] <= right[1] for left, right in itertools.pairwise(groups))
    return [-1 if span == UNALIGNED else groups.index(span) for span in spans], comparable
