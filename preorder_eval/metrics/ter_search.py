"""sacrebleu's own search for the shifts of TER, within a bound.

On a few hundred words that repeat each other it takes minutes, and on thousands it runs out of
memory. So it stops after a number of rows of the matrix of edit distances, and the shifts found so
far stand. The 1875 segments of the WMT22 Japanese-English outputs take at most a tenth of them.
"""

from __future__ import annotations

import math
from typing import Any

from sacrebleu.metrics.lib_ter import _MAX_SHIFT_CANDIDATES, BeamEditDistance, _shift

_ROWS = 200_000  # of edit distances, a row for each word of the hypothesis


def search(hypothesis: list[str], reference: list[str]) -> tuple[int, bool]:
    """Count the edits and shifts that turn a hypothesis into a reference; and if the bound was met.

    >>> search("d e f a b c".split(), "a b c d e f".split())
    (1, False)
    """
    distance = _CountedDistance(reference)
    words, shifts, tried, cut_short = hypothesis, 0, 0, False
    try:
        while True:
            gain, shifted, tried = _shift(words, reference, distance, tried)
            if tried >= _MAX_SHIFT_CANDIDATES or gain <= 0:
                break
            words, shifts = shifted, shifts + 1
    except _BoundMetError:
        cut_short = True
    distance.left = math.inf
    return shifts + distance(words)[0], cut_short


class _BoundMetError(Exception):
    """The search has come to its bound."""


class _CountedDistance(BeamEditDistance):
    """sacrebleu's edit distance, which counts the rows that it computes."""

    left: float = _ROWS

    def _edit_distance(
        self, words_h: list[str], start_h: int, cache: list[list[tuple[int, str]]]
    ) -> tuple[int, list[Any], str]:
        self.left -= len(words_h) - start_h
        if self.left < 0:
            raise _BoundMetError
        return super()._edit_distance(words_h, start_h, cache)
