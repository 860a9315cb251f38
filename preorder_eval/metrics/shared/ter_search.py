"""sacrebleu's search for the shifts of TER, within bounds.

sacrebleu tries up to 1000 shifts a segment, as tercom does, and computes an edit distance for each.
`ter_shifts` does that many times as fast wherever the best edits stay near the diagonal. Elsewhere,
on a few hundred words that repeat each other this takes minutes, and on thousands more memory than
there is. Here the search ends after so many rows of these distances as no usual segment comes to
(the 1875 segments of the WMT22 Japanese-English outputs take at most a tenth of it), with the
shifts that it has found; and of sentences of a thousand words and more shifts are not searched at
all. What is counted then is still a way to edit one into the other, only perhaps not the shortest.
"""

from __future__ import annotations

import math
from typing import Any

from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics.lib_ter import _MAX_SHIFT_CANDIDATES, BeamEditDistance, _shift
from sacrebleu.metrics.ter import TER

from preorder_eval.metrics.shared.ter_shifts import edits_near_diagonal

_PAIRS = 1_000_000  # of words, above which shifts are not searched
_ROWS = 200_000  # of edit distances, a row for each word of the hypothesis


class BoundedTER(TER):
    """sacrebleu's scorer, whose statistics tell in a third column where a bound was met."""

    def _compute_segment_statistics(
        self, hypothesis: str, ref_kwargs: dict[str, Any]
    ) -> list[float]:
        references = ref_kwargs["ref_words"]
        searched = [edits(hypothesis.split(), words) for words in references]
        mean_length = sum(map(len, references)) / len(references)
        return [min(count for count, _ in searched), mean_length, any(cut for _, cut in searched)]


def edits(hypothesis: list[str], reference: list[str]) -> tuple[int, bool]:
    """The edits and shifts that turn a hypothesis into a reference, and if a bound was met.

    >>> edits("d e f a b c".split(), "a b c d e f".split())
    (1, False)
    """
    if not reference:
        return len(hypothesis), False
    if len(hypothesis) * len(reference) > _PAIRS:
        return Levenshtein.distance(hypothesis, reference), hypothesis != reference
    fast = edits_near_diagonal(hypothesis, reference)
    if fast is not None:
        return fast, False
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
