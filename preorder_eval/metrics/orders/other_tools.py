"""The output of lader's `evaluate-lader`, and of topdown-btg-preordering's evaluation.

Neither fuzzy score is the paper's. Both tools rank words by whole target spans, and count the
borders of the sentence. Two neighbours of the same or the next rank pass as contiguous.

In lader (Neubig, Watanabe & Mori 2012) words whose spans overlap become one block. Unaligned words
take the span of a neighbour, and equal spans are tied. The chunk loss counts breaks out of n + 1;
if all words are tied it is 0 of 0. The τ loss counts inversions out of the pairs of different rank.
Losses are summed over the corpus. A sentence without links is all tied, and scores 1.

topdown-btg's `evaluate_preordering.py` (Nakagawa 2015) takes unaligned words out of both orders. It
skips a sentence in which one span lies inside another. At a sentence without links the tool stops;
here it is left out, and reported. FRS is 1 - breaks / (n + 1), τ is 1 - inversions / (n(n - 1) /
2), tied pairs included. One aligned word scores 1. Corpus values are means over the other
sentences; a complete match is a τ of 1.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.metrics.orders import inversions as inversion_counts
from preorder_eval.orders.alignments import Alignments, Link
from preorder_eval.orders.orders import Orders, ReferenceOrder

AttachNull = Literal["right", "left"]
Span = tuple[float, float]  # lader puts brackets between the whole numbers

INCOMPARABLE = "incomparable spans"
TOO_FEW_FIELDS = "no links: the tool stops here with 'Too few fields.'"
_UNALIGNED: Span = (-1.0, -1.0)
_LAST: Span = (sys.float_info.max, sys.float_info.max)
_BESIDE = 1e-4  # how far outside of a span its brackets stand
_OPENING = {")": "(", "]": "[", '"': '"', "）": "（", "」": "「", "』": "『", "】": "【"}


def target_spans(links: Sequence[Link], size: int) -> list[Span]:
    """Return the smallest and the largest aligned target position of every source word."""
    spans = [_UNALIGNED] * size
    for i, j in links:
        begin, end = (j, j) if spans[i] == _UNALIGNED else spans[i]
        spans[i] = (min(begin, j), max(end, j))
    return spans


def breaks(sequence: Sequence[int]) -> int:
    """Count the breaks in a sequence of ranks, those at its two borders included.

    There is no break between a word and the next if that has the same rank or the next rank. At the
    borders the first rank must be 0, and the last rank the largest.
    """
    if not sequence:
        return 0
    inside = sum(after - before not in (0, 1) for before, after in itertools.pairwise(sequence))
    return inside + (sequence[0] != 0) + (sequence[-1] != max(sequence))


def crossing_pairs(sequence: Sequence[int]) -> int:
    """Count the pairs of ranks of which the larger comes first."""
    ranks = np.array(sequence, dtype=np.int32)
    return int(inversion_counts.inversions(ranks, np.array([0, len(ranks)]))[0])


# lader.


class Loss(NamedTuple):
    """A loss and the largest possible loss."""

    lost: int
    largest: int

    def plus(self, other: Loss) -> Loss:
        """Return the sum of both."""
        return Loss(self.lost + other.lost, self.largest + other.largest)

    def text(self, if_nothing: str) -> str:
        """Return score and loss as the tool prints them; `if_nothing` is the score of 0 of 0."""
        score = f"{1 - self.lost / self.largest:g}" if self.largest else if_nothing
        return f"{score} (loss {self.lost:g}/{self.largest:g})"


@dataclass(frozen=True)
class ScoredSentence:
    """A sentence with the rank of every source word in lader's reference order, and its losses."""

    order: Sequence[int]
    words: Sequence[str]
    ranks: Sequence[int]
    chunk: Loss
    tau: Loss

    @property
    def reference(self) -> ReferenceOrder:
        """The reference order."""
        groups = defaultdict[int, list[int]](list)
        for word, rank in enumerate(self.ranks):
            groups[rank].append(word)
        return ReferenceOrder(groups[rank] for rank in sorted(groups))

    def lines(self) -> Iterator[str]:
        """Write the tool's lines for the sentence."""
        yield "sys_ord:\t" + " ".join(map(str, self.order))
        yield "src:\t" + " ".join(self.words)
        yield "ref:\t" + self.reference.braces(self.words)
        yield _loss_line(self.chunk, self.tau, if_nothing="1")
        yield ""


def score_by_lader(
    alignments: Alignments,
    orders: Orders,
    source: Sequence[Sequence[str]],
    *,
    attach_null: AttachNull = "right",
) -> Iterator[ScoredSentence]:
    """Score system orders of source sentences as `evaluate-lader` does, one after the other."""
    for links, order, words in zip(alignments, orders, source, strict=True):
        spans = target_spans(links, len(words))
        _merge_overlaps(spans)
        _anchor_brackets(spans, words)
        _attach_unaligned(spans, attach_null)
        rank = {span: number for number, span in enumerate(sorted(set(spans)))}
        ranks = [rank[span] for span in spans]
        sequence = [ranks[word] for word in order]
        tied = sum(math.comb(size, 2) for size in Counter(ranks).values())
        pairs = math.comb(len(ranks), 2) - tied
        chunk = Loss(breaks(sequence), len(ranks) + 1 if pairs else 0)
        yield ScoredSentence(order, words, ranks, chunk, Loss(crossing_pairs(sequence), pairs))


def lader_lines(sentences: Iterable[ScoredSentence]) -> Iterator[str]:
    """Yield the output of the tool line by line; no sentence is kept in memory."""
    chunk = tau = Loss(0, 0)
    for sentence in sentences:
        yield from sentence.lines()
        chunk, tau = chunk.plus(sentence.chunk), tau.plus(sentence.tau)
    yield "Total:"
    # What a division of 0 by 0 prints on x86-64, where the tool is used.
    yield _loss_line(chunk, tau, if_nothing="-nan")


def _loss_line(chunk: Loss, tau: Loss, if_nothing: str) -> str:
    return f"chunk={chunk.text(if_nothing)}\ttau={tau.text(if_nothing)}"


def _merge_overlaps(spans: list[Span]) -> None:
    """Give one span to words whose spans overlap and to all words between them, in place.

    A block takes in the words in the order of their spans, as long as the next one begins before
    the block's end; the words between them in the source can move that end.
    """
    linked = (i for i, span in enumerate(spans) if span != _UNALIGNED)
    waiting = sorted(linked, key=lambda i: spans[i], reverse=True)
    while waiting:
        first = last = waiting.pop()
        begin, end = spans[first]
        while waiting and spans[waiting[-1]][0] <= end:
            word = waiting.pop()
            first, last = min(first, word), max(last, word)
            end = max(end, *(spans[i][1] for i in range(first, last + 1)))
        spans[first : last + 1] = [(begin, end)] * (last + 1 - first)


def _anchor_brackets(spans: list[Span], words: Sequence[str]) -> None:
    """Put pairs of unaligned brackets directly around the aligned words between them, in place."""
    opened: list[int] = []
    for i, word in enumerate(words):
        if spans[i] != _UNALIGNED:
            continue
        if opened and words[opened[-1]] == _OPENING.get(word):
            left = opened.pop()
            between = [span for span in spans[left + 1 : i] if span != _UNALIGNED]
            if between:
                before = min(begin for begin, _ in between) - _BESIDE
                after = max(end for _, end in between) + _BESIDE
                spans[left], spans[i] = (before, before), (after, after)
        elif word in _OPENING.values():
            opened.append(i)


def _attach_unaligned(spans: list[Span], side: AttachNull) -> None:
    """Give every word that still has no span that of a neighbour, in place.

    On the `right` that is the next word with a span; words at the end take the last one. On the
    `left` it is the word before; words at the beginning take the first one, and words at the end
    stand after all others.
    """
    forwards, backwards = range(len(spans)), range(len(spans) - 1, -1, -1)
    if side == "left":
        for i in itertools.takewhile(lambda i: spans[i] == _UNALIGNED, backwards):
            spans[i] = _LAST
    for direction in (backwards, forwards) if side == "right" else (forwards, backwards):
        known = _UNALIGNED
        for i in direction:
            known = spans[i] = known if spans[i] == _UNALIGNED else spans[i]


# topdown-btg-preordering.


@dataclass(frozen=True, eq=False)
class TdbtgResult:
    """The tool's scores of a corpus.

    `frs` and `tau` float64[S] are the scores of sentences, NaN for those left out; `left_out` has
    the 1-based numbers of these, by the reason.
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
        """Yield the lines of the tool, and the sentences that it skips or would stop at."""
        frs, tau, complete = self.scores()
        yield f"Number of evaluated sentences: {np.count_nonzero(~np.isnan(self.frs))}"
        yield f"Number of skipped sentences: {len(self.left_out.get(INCOMPARABLE, []))}"
        yield f"Fuzzy Reordering Score: {frs:f}"
        yield f"Kendall's Tau: {tau:f}"
        yield f"Complete Match: {complete:f}"
        for why, sentences in self.left_out.items():
            yield f"# {why}: sentences {', '.join(map(str, sentences))}"


def score_by_tdbtg(alignments: Alignments, orders: Orders) -> TdbtgResult:
    """Score system orders as `evaluate_preordering.py` does."""
    scores: list[tuple[float, float]] = []
    left_out: dict[str, list[int]] = {}
    for number, (links, order) in enumerate(zip(alignments, orders, strict=True), 1):
        ranks, why = comparable_ranks(target_spans(links, len(order)))
        if why:
            left_out.setdefault(why, []).append(number)
            scores.append((math.nan, math.nan))
            continue
        sequence = [ranks[word] for word in order if word in ranks]
        n = len(sequence)
        pairs = max(n * (n - 1) / 2, 1)
        frs = 1 - breaks(sequence) / (n + 1) if n > 1 else 1.0
        scores.append((frs, 1 - crossing_pairs(sequence) / pairs))
    frs_of_all, tau_of_all = np.array(scores).reshape(-1, 2).T
    return TdbtgResult(frs_of_all, tau_of_all, left_out)


def comparable_ranks(spans: Sequence[Span]) -> tuple[dict[int, int], str]:
    """Return the rank of every aligned word, and the reason if they cannot be ranked."""
    # Sorted by beginning, spans can be ranked if and only if no end is before an earlier one.
    groups = sorted(set(spans) - {_UNALIGNED})
    rank = {span: number for number, span in enumerate(groups)}
    ranks = {word: rank[span] for word, span in enumerate(spans) if span in rank}
    if any(left[1] > right[1] for left, right in itertools.pairwise(groups)):
        return ranks, INCOMPARABLE
    return ranks, "" if groups else TOO_FEW_FIELDS
