"""The reference order of lader, as ranks of the source words.

It comes from the target spans of the source words:

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

Sentences without overlapping spans and without unaligned brackets, of which 4 alone is to be told,
are ranked all at once; the others one by one.
"""

from __future__ import annotations

import itertools
import sys
from bisect import bisect_left
from collections.abc import Sequence
from typing import Literal

import numpy as np

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.arrays import Bools, Ints, Longs, Offsets
from preorder_eval.data.sentences import Sentences
from preorder_eval.papers.peers.spans import UNALIGNED, Span, target_spans

AttachNull = Literal["right", "left"]

_LAST: Span = (sys.float_info.max, sys.float_info.max)
_FAR = np.iinfo(np.int64).max
_BESIDE = 1e-4  # how far outside of a span its brackets stand
_OPENING = {")": "(", "]": "[", '"': '"', "）": "（", "」": "「", "』": "『", "】": "【"}
_BRACKETS = {*_OPENING, *_OPENING.values()}


def reference_ranks(
    alignments: Alignments,
    source: Sequence[Sequence[str]],
    offsets: Offsets,
    attach_null: AttachNull = "right",
    combine_blocks: bool = True,
) -> Ints:
    """The rank of every source word, int32[N]; `offsets` are those of the source.

    >>> links = Alignments.of([[(0, 1), (2, 0)]])
    >>> reference_ranks(links, [["a", "b", "c"]], np.array([0, 3])).tolist()
    [1, 0, 0]
    """
    token = alignments.source + np.repeat(offsets[:-1], np.diff(alignments.offsets))
    target = alignments.target.astype(np.int64)
    begin, end = np.full(offsets[-1], _FAR), np.full(offsets[-1], -1)
    np.minimum.at(begin, token, target)
    np.maximum.at(end, token, target)
    ranks, overlapping = _ranks(begin, end, offsets, attach_null, merged=combine_blocks)

    sentence = np.repeat(np.arange(len(source)), np.diff(offsets))
    odd = np.zeros(len(source), dtype=bool)
    odd[sentence[overlapping]] = True
    odd[sentence[(end < 0) & _is_bracket(source)]] = True
    for s in np.flatnonzero(odd).tolist():
        spans = target_spans(alignments[s], len(source[s]))
        if combine_blocks:
            merge_overlaps(spans)
        anchor_brackets(spans, source[s])
        attach_unaligned(spans, attach_null)
        ranks[offsets[s] : offsets[s + 1]] = rank_spans(spans)
    return ranks


def _is_bracket(source: Sequence[Sequence[str]]) -> Bools:
    """Which words are brackets; bool[N]."""
    if isinstance(source, Sentences):
        named = np.array([name in _BRACKETS for name in source.words.names], dtype=bool)
        return named[source.words.codes]
    return np.array([word in _BRACKETS for words in source for word in words], dtype=bool)


def _ranks(
    begin: Longs, end: Longs, offsets: Offsets, attach_null: AttachNull, *, merged: bool
) -> tuple[Ints, Longs]:
    """The ranks of words as if spans did not overlap, int32[N]; and words whose spans do.

    `begin` and `end` int64[N] are the spans, from far to -1 where a word has no link. Spans that
    are to be `merged` overlap where they have a position in common, others where one is inside.
    """
    size, lengths = len(begin), np.diff(offsets)
    number, linked = np.arange(size), end >= 0
    before = np.maximum.accumulate(np.where(linked, number, -1))
    after = np.minimum.accumulate(np.where(linked, number, size)[::-1])[::-1]
    there_before = before >= np.repeat(offsets[:-1], lengths)
    there_after = after < np.repeat(offsets[1:], lengths)
    # Without any link in its sentence a word goes with itself: all have the same empty span.
    if attach_null == "right":
        host = np.where(there_after, after, np.where(there_before, before, number))
    else:
        host = np.where(there_before, before, np.where(there_after, after, number))
        host = np.where(there_after, host, size)  # after all others
    begin, end = (np.append(ends, _FAR)[host] for ends in (begin, end))

    in_order = np.lexsort((end, begin, np.repeat(np.arange(len(lengths)), lengths)))
    begin, end = begin[in_order], end[in_order]
    first = np.zeros(size, dtype=bool)  # in its sentence
    first[offsets[:-1][lengths > 0]] = True
    changes = (np.diff(begin, prepend=0) != 0) | (np.diff(end, prepend=0) != 0) | first
    rank = np.cumsum(changes)
    ranks = np.empty(size, dtype=np.int32)
    ranks[in_order] = rank - np.repeat(rank[offsets[:-1][lengths > 0]], lengths[lengths > 0])

    if not merged:
        inside = ~first[1:] & (end[1:] < end[:-1])
        return ranks, in_order[1:][inside]
    shared = changes[1:] & ~first[1:] & (begin[1:] <= end[:-1])
    several = np.bincount(rank[linked[in_order]], minlength=size + 1) > 1
    return ranks, in_order[np.append(False, shared) | several[rank]]


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


def attach_unaligned(spans: list[Span], side: AttachNull) -> None:
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
    ranked = sorted(set(spans))
    if all(left[1] <= right[1] for left, right in itertools.pairwise(ranked)):
        rank = {span: number for number, span in enumerate(ranked)}
        return [rank[span] for span in spans]
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
