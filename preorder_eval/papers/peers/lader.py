"""What lader's `evaluate-lader` prints (Neubig, Watanabe & Mori 2012).

Its reference order comes from the target spans of the source words:

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

Two neighbours of the system order are contiguous if the second has the same rank or the next.
The chunk loss counts the neighbours that are not, and a border of the sentence where another
than the first or last rank stands, out of n + 1; where all words are tied it is 0 of 0. The τ
loss counts the inversions, out of the pairs of different rank. Losses are summed over the corpus.
A sentence without links is not left out: it is all tied, and prints a score of 1.

By these rules the orders `1 2 3 4 0` and `0 2 1 3 4` both have a chunk score of 0.5; by equation
1 of Talbot et al. (2011) they have 0.75 and 0.25.
"""

from __future__ import annotations

import itertools
import math
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from preorder_eval.data.alignments import Alignments, reference_orders
from preorder_eval.data.arrays import Longs
from preorder_eval.data.orders import Orders, ReferenceOrders
from preorder_eval.data.sentences import sentence_lengths
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.kendall import inversions, untied_pairs
from preorder_eval.metrics.shared.base import same_lengths
from preorder_eval.papers.peers.breaks import breaks
from preorder_eval.papers.peers.spans import UNALIGNED, Span, target_spans

_LAST: Span = (sys.float_info.max, sys.float_info.max)
_BESIDE = 1e-4  # how far outside of a span its brackets stand
_OPENING = {")": "(", "]": "[", '"': '"', "）": "（", "」": "「", "』": "『", "】": "【"}


@dataclass(frozen=True, eq=False)
class LaderResult:
    """What lader makes of a corpus.

    `references` are its reference orders; `chunk` and `tau` int64[S, 2] hold each sentence's
    loss and its largest loss, (0, 0) where all words are tied.
    """

    orders: Orders
    source: Sequence[Sequence[str]]
    references: ReferenceOrders
    chunk: Longs
    tau: Longs

    def scores(self) -> tuple[float, float]:
        """The corpus values of chunk and τ; NaN where nothing can be lost."""
        return _score(*self.chunk.sum(axis=0)), _score(*self.tau.sum(axis=0))

    def reference_text(self, sentence: int) -> str:
        """The words of a sentence in reference order, ties in double braces."""
        return self.references[sentence].braces(self.source[sentence])

    def sentence_line(self, sentence: int) -> str:
        """The line with a sentence's scores and losses."""
        return _loss_line(self.chunk[sentence], self.tau[sentence], if_nothing="1")

    def total_line(self) -> str:
        """The line with the corpus's scores and losses."""
        # What a division of 0 by 0 prints on x86-64, where the tool is used.
        return _loss_line(self.chunk.sum(axis=0), self.tau.sum(axis=0), if_nothing="-nan")

    def lines(self) -> Iterator[str]:
        """All that the tool prints, line by line."""
        for s, order in enumerate(self.orders):
            yield "sys_ord:\t" + " ".join(map(str, order))
            yield "src:\t" + " ".join(self.source[s])
            yield "ref:\t" + self.reference_text(s)
            yield self.sentence_line(s)
            yield ""
        yield "Total:"
        yield self.total_line()


def evaluate(
    alignments: Alignments,
    orders: Orders,
    source: Sequence[Sequence[str]],
    *,
    attach_null: Literal["right", "left"] = "right",
    combine_blocks: bool = True,
) -> LaderResult:
    """Score system orders as `evaluate-lader` does.

    Parameters: `source` the words of the source sentences, which are needed for the brackets;
    `attach_null` and `combine_blocks` lader's options of the same name. Raises PreorderEvalError
    where lengths differ or a link is outside its sentence.

    >>> links, words = [(i, i) for i in range(5)], list("abcde")
    >>> both = Orders.of([[1, 2, 3, 4, 0], [0, 2, 1, 3, 4]])
    >>> result = evaluate(Alignments.of([links] * 2), both, [words] * 2)
    >>> result.chunk.tolist(), result.tau.tolist()
    ([[3, 6], [3, 6]], [[4, 10], [1, 10]])
    """
    if attach_null not in ("right", "left"):
        raise PreorderEvalError(f"attach_null is {attach_null!r}, not 'right' or 'left'")
    # The paper's reference orders check the links and tell which words have one.
    checked = reference_orders(alignments, sentence_lengths(source))
    same_lengths(orders.offsets, checked.offsets, "source")
    ranks: list[int] = []
    for s, words in enumerate(source):
        spans = target_spans(alignments[s], len(words))
        if combine_blocks:
            merge_overlaps(spans)
        anchor_brackets(spans, words)
        attach_unaligned(spans, attach_null)
        ranks += rank_spans(spans)
    references = ReferenceOrders(checked.offsets, np.array(ranks, dtype=np.int32), checked.aligned)

    sequence = references.ranks[orders.tokens]
    pairs = untied_pairs(references)
    borders = np.where(pairs > 0, np.diff(orders.offsets) + 1, 0)
    chunk = np.column_stack([breaks(sequence, orders.offsets), borders])
    tau = np.column_stack([inversions(sequence, orders.offsets), pairs])
    return LaderResult(orders, source, references, chunk, tau)


def merge_overlaps(spans: list[Span]) -> None:
    """Give one span to words whose spans overlap and to all words between them, in place.

    A block takes in the words in the order of their spans, as long as the next one begins before
    the block's end; the words between them in the source can move that end.

    >>> spans = [(0, 2), (5, 5), (1, 1), (3, 3), (6, 6)]
    >>> merge_overlaps(spans); spans
    [(0, 5), (0, 5), (0, 5), (0, 5), (6, 6)]
    """
    waiting = sorted(
        (i for i, span in enumerate(spans) if span != UNALIGNED), key=lambda i: spans[i]
    )
    while waiting:
        first = last = waiting.pop(0)
        begin, end = spans[first]
        while waiting and spans[waiting[0]][0] <= end:
            word = waiting.pop(0)
            first, last = min(first, word), max(last, word)
            end = max(end, *(spans[i][1] for i in range(first, last + 1)))
        spans[first : last + 1] = [(begin, end)] * (last + 1 - first)


def anchor_brackets(spans: list[Span], words: Sequence[str]) -> None:
    """Put pairs of unaligned brackets right around what is linked between them, in place.

    >>> spans = [(1, 1), (-1, -1), (0, 0), (-1, -1)]
    >>> anchor_brackets(spans, "a ( b )".split()); spans
    [(1, 1), (-0.0001, -0.0001), (0, 0), (0.0001, 0.0001)]
    """
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


def attach_unaligned(spans: list[Span], side: Literal["right", "left"]) -> None:
    """Give every word that is still without a span that of its neighbour, in place."""
    forwards, backwards = range(len(spans)), range(len(spans) - 1, -1, -1)
    if side == "left":
        for i in itertools.takewhile(lambda i: spans[i] == UNALIGNED, backwards):
            spans[i] = _LAST
    for direction in (backwards, forwards) if side == "right" else (forwards, backwards):
        known = UNALIGNED
        for i in direction:
            known = spans[i] = known if spans[i] == UNALIGNED else spans[i]


def rank_spans(spans: Sequence[Span]) -> list[int]:
    """The rank of every word from its span.

    >>> rank_spans([(2, 3), (0, 0), (2, 3)])
    [1, 0, 1]
    >>> rank_spans([(0, 3), (1, 1), (2, 2)])
    [0, 0, 0]
    """
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


def _score(loss: int, largest: int) -> float:
    return 1 - loss / largest if largest else math.nan


def _loss_line(chunk: Longs, tau: Longs, if_nothing: str) -> str:
    parts = []
    for name, (loss, largest) in (("chunk", chunk.tolist()), ("tau", tau.tolist())):
        score = f"{1 - loss / largest:g}" if largest else if_nothing
        parts.append(f"{name}={score} (loss {loss:g}/{largest:g})")
    return "\t".join(parts)
