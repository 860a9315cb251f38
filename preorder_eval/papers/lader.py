"""The output of lader's `evaluate-lader` (Neubig, Watanabe & Mori 2012).

Neither its fuzzy score nor that of topdown-btg-preordering (`papers.tdbtg`) is the paper's: both
rank words by whole target spans, count the borders of the sentence, and let any two neighbours of
the same or the next rank pass as contiguous. That ranks systems differently: against the reference
`0 1 2 3 4`, the orders `1 2 3 4 0` and `0 2 1 3 4` score 0.75 and 0.25 by equation 1 of Talbot et
al. (2011), and 0.5 by both tools.

The reference order ranks the source words by their target spans:

1. A word's span is its smallest and its largest aligned target position.
2. Words whose spans overlap become one block with one span, and with them all source words that
   stand between them (`combine_blocks`).
3. A pair of unaligned brackets stands right around what is linked between them.
4. Any other unaligned word takes the span of the next word of the source, or at the end of the
   sentence that of the last linked one (`attach_null="right"`). With `"left"` it takes the span
   of the word before, or at the beginning that of the first linked one; unaligned words at the
   end stand after all others.
5. A span ranks before another if neither of its ends is later; equal spans are tied. Where one
   span lies inside another, which only `combine_blocks=False` leaves, the two cannot be ranked:
   the word that is later in the source is then tied to the first group that is not before it.

The chunk loss counts the neighbours of the system order that are not contiguous, and a border of
the sentence where another than the first or last rank stands, out of n + 1; where all words are
tied it is 0 of 0. The τ loss counts the inversions, out of the pairs of different rank. Losses are
summed over the corpus. A sentence without links is not left out: it is all tied, and scores 1.
"""

from __future__ import annotations

import itertools
import math
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from preorder_eval.data.alignments import Alignments, Link
from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.orders import Orders, ReferenceOrder
from preorder_eval.data.ragged import sentence_lengths
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import order as order_metrics

AttachNull = Literal["right", "left"]
Span = tuple[float, float]  # lader puts brackets between the whole numbers

UNALIGNED: Span = (-1.0, -1.0)
_LAST: Span = (sys.float_info.max, sys.float_info.max)
_BESIDE = 1e-4  # how far outside of a span its brackets stand
_OPENING = {")": "(", "]": "[", '"': '"', "）": "（", "」": "「", "』": "『", "】": "【"}


class Loss(NamedTuple):
    """A loss and the largest possible loss."""

    lost: int
    largest: int

    @property
    def score(self) -> float:
        """The share that is left; NaN where nothing can be lost."""
        return 1 - self.lost / self.largest if self.largest else math.nan

    def text(self, if_nothing: str) -> str:
        """Score and loss as the tool prints them."""
        score = f"{self.score:g}" if self.largest else if_nothing
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
        groups: dict[int, list[int]] = {rank: [] for rank in sorted(set(self.ranks))}
        for word, rank in enumerate(self.ranks):
            groups[rank].append(word)
        return ReferenceOrder(groups.values())

    def lines(self) -> Iterator[str]:
        """Write the tool's lines for the sentence."""
        yield "sys_ord:\t" + " ".join(map(str, self.order))
        yield "src:\t" + " ".join(self.words)
        yield "ref:\t" + self.reference.braces(self.words)
        yield _loss_line(self.chunk, self.tau, if_nothing="1")
        yield ""


def evaluate(
    alignments: Alignments,
    orders: Orders,
    source: Sequence[Sequence[str]],
    *,
    attach_null: AttachNull = "right",
    combine_blocks: bool = True,
) -> Iterator[ScoredSentence]:
    """Score system orders as `evaluate-lader` does, one sentence after the other.

    Parameters: `source` the words of the source sentences, which are needed for the brackets;
    `attach_null` and `combine_blocks` lader's options of the same name. Raises PreorderEvalError
    where lengths differ or a link is outside its sentence.
    """
    if attach_null not in ("right", "left"):
        raise PreorderEvalError(f"attach_null is {attach_null!r}, not 'right' or 'left'")
    order_metrics.same_lengths(orders.offsets, offsets_of(sentence_lengths(source)), "source")
    corpus = zip(alignments, orders, source, strict=True)
    return (
        _score(
            order,
            words,
            reference_ranks(
                target_spans(links, len(words), number), words, attach_null, combine_blocks
            ),
        )
        for number, (links, order, words) in enumerate(corpus, 1)
    )


def _score(order: Sequence[int], words: Sequence[str], ranks: Sequence[int]) -> ScoredSentence:
    sequence = [ranks[word] for word in order]
    tied = sum(math.comb(size, 2) for size in Counter(ranks).values())
    pairs = math.comb(len(ranks), 2) - tied
    chunk = Loss(breaks(sequence), len(ranks) + 1 if pairs else 0)
    return ScoredSentence(order, words, ranks, chunk, Loss(inversions(sequence), pairs))


def lines(sentences: Iterable[ScoredSentence]) -> Iterator[str]:
    """Write all that the tool prints, line by line; no sentence is kept."""
    chunk = tau = Loss(0, 0)
    for sentence in sentences:
        yield from sentence.lines()
        chunk, tau = _sum(chunk, sentence.chunk), _sum(tau, sentence.tau)
    yield "Total:"
    # What a division of 0 by 0 prints on x86-64, where the tool is used.
    yield _loss_line(chunk, tau, if_nothing="-nan")


def target_spans(links: Sequence[Link], size: int, sentence: int) -> list[Span]:
    """Return the smallest and the largest aligned target position of every source word.

    Raises PreorderEvalError, with the number of the sentence, for a link outside of it.
    """
    spans = [UNALIGNED] * size
    for i, j in links:
        if not (0 <= i < size and j >= 0):
            raise PreorderEvalError(
                f"sentence {sentence}: link {i}-{j} is outside its {size} source tokens"
            )
        begin, end = (j, j) if spans[i] == UNALIGNED else spans[i]
        spans[i] = (min(begin, j), max(end, j))
    return spans


def reference_ranks(
    spans: Sequence[Span], words: Sequence[str], attach_null: AttachNull, combine_blocks: bool
) -> list[int]:
    """Return the rank of every source word by steps 2 to 5 from the spans of the first."""
    spans = list(spans)
    if combine_blocks:
        _merge_overlaps(spans)
    _anchor_brackets(spans, words)
    _attach_unaligned(spans, attach_null)
    return _rank_spans(spans)


def _merge_overlaps(spans: list[Span]) -> None:
    """Give one span to words whose spans overlap and to all words between them, in place.

    A block takes in the words in the order of their spans, as long as the next one begins before
    the block's end; the words between them in the source can move that end.
    """
    linked = (i for i, span in enumerate(spans) if span != UNALIGNED)
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
    """Put pairs of unaligned brackets right around what is linked between them, in place."""
    opened: list[int] = []
    for i, word in enumerate(words):
        if spans[i] != UNALIGNED:
            continue
        if opened and words[opened[-1]] == _OPENING.get(word):
            left = opened.pop()
            between = [span for span in spans[left + 1 : i] if span != UNALIGNED]
            if between:
                before = min(begin for begin, _ in between) - _BESIDE
                after = max(end for _, end in between) + _BESIDE
                spans[left], spans[i] = (before, before), (after, after)
        elif word in _OPENING.values():
            opened.append(i)


def _attach_unaligned(spans: list[Span], side: AttachNull) -> None:
    """Give every word that is still without a span that of its neighbour, in place."""
    forwards, backwards = range(len(spans)), range(len(spans) - 1, -1, -1)
    if side == "left":
        for i in itertools.takewhile(lambda i: spans[i] == UNALIGNED, backwards):
            spans[i] = _LAST
    for direction in (backwards, forwards) if side == "right" else (forwards, backwards):
        known = UNALIGNED
        for i in direction:
            known = spans[i] = known if spans[i] == UNALIGNED else spans[i]


def _rank_spans(spans: Sequence[Span]) -> list[int]:
    """Return the rank of every word from its span."""
    groups: list[Span] = []  # the span of each group's first word, always in order
    group_of = []
    for span in spans:
        at = bisect_left(groups, True, key=lambda group: not _before(group, span))
        if at == len(groups) or _before(span, groups[at]):
            groups.insert(at, span)
        group_of.append(groups[at])
    return [groups.index(group) for group in group_of]


def _before(left: Span, right: Span) -> bool:
    return left != right and left[0] <= right[0] and left[1] <= right[1]


def breaks(sequence: Sequence[int]) -> int:
    """Count where ranks in system order do not go on, the two borders included.

    They go on from a word to the next if that has the same rank or the next; at the borders if
    the first rank is 0 and the last the largest.
    """
    if not sequence:
        return 0
    inside = sum(after - before not in (0, 1) for before, after in itertools.pairwise(sequence))
    return inside + (sequence[0] != 0) + (sequence[-1] != max(sequence))


def inversions(sequence: Sequence[int]) -> int:
    """Count the pairs of ranks of which the larger comes first."""
    ranks = np.array(sequence, dtype=np.int32)
    return int(order_metrics.inversions(ranks, np.array([0, len(ranks)]))[0])


def _sum(one: Loss, other: Loss) -> Loss:
    return Loss(one.lost + other.lost, one.largest + other.largest)


def _loss_line(chunk: Loss, tau: Loss, if_nothing: str) -> str:
    return f"chunk={chunk.text(if_nothing)}\ttau={tau.text(if_nothing)}"
