"""Target spans of source words, from which both tools make their reference order."""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.data.alignments import Link

Span = tuple[float, float]  # lader puts brackets between the whole numbers
UNALIGNED: Span = (-1.0, -1.0)


def target_spans(links: Sequence[Link], size: int) -> list[Span]:
    """The smallest and the largest aligned target position of every source word.

    >>> target_spans([(0, 3), (0, 1), (2, 2)], size=3)
    [(1, 3), (-1.0, -1.0), (2, 2)]
    """
    spans = [UNALIGNED] * size
    for i, j in links:
        begin, end = (j, j) if spans[i] == UNALIGNED else spans[i]
        spans[i] = (min(begin, j), max(end, j))
    return spans
