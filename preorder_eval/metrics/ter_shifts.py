"""sacrebleu's search for the shifts of TER, many times as fast and within bounds.

sacrebleu tries up to 1000 shifts a segment, as tercom does, and computes an edit distance for every
one of them, cell by cell of a matrix and only within 25 words of the diagonal. rapidfuzz does that
in one call. Its distance is the same where the best edits stay near the diagonal, and is never
larger: so sacrebleu's own is computed only of shifts that may be the best and are far from it.

On a few hundred words that repeat each other that takes minutes, and on thousands more memory than
there is. So it ends after so many rows of sacrebleu's distances as no usual segment comes to, with
the shifts that it has found; and of sentences of a thousand words and more shifts are not searched
at all. What is counted then is still a way to edit one into the other, only perhaps not the
shortest.
"""

from __future__ import annotations

import math
from typing import Any

from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics.lib_ter import _MAX_SHIFT_CANDIDATES, BeamEditDistance, _shift

_PAIRS = 1_000_000  # of words, above which shifts are not searched
_ROWS = 200_000  # of edit distances, a row for each word of the hypothesis
_BEAM = 25  # as in sacrebleu.metrics.lib_ter


def edits(hypothesis: list[str], reference: list[str]) -> tuple[int, bool]:
    """Count the edits and shifts that turn a hypothesis into a reference; and if a bound was met.

    >>> edits("d e f a b c".split(), "a b c d e f".split())
    (1, False)
    """
    if not reference:
        return len(hypothesis), False
    if len(hypothesis) * len(reference) > _PAIRS:
        return Levenshtein.distance(hypothesis, reference), hypothesis != reference
    # Every word is a character: of texts a part is cut out, and hashed, at once.
    characters = {word: chr(n) for n, word in enumerate({*hypothesis, *reference})}
    words: Any
    goal: Any
    words, goal = ("".join(map(characters.__getitem__, side)) for side in (hypothesis, reference))
    distance = _Distance(goal)
    shifts, tried, cut_short = 0, 0, False
    try:
        while True:
            distance.words = words
            gain, shifted, tried = _shift(words, goal, distance, tried)
            if tried >= _MAX_SHIFT_CANDIDATES or gain <= 0:
                break
            words, shifts = shifted, shifts + 1
    except _BoundMetError:
        cut_short = True
    distance.left = math.inf
    distance.words = words
    return shifts + distance(words)[0], cut_short


class _BoundMetError(Exception):
    """The search has come to its bound."""


class _Distance(BeamEditDistance):
    """sacrebleu's edit distance of `words`, and of shifts of them if that may be the smallest."""

    words: Any = ""  # sacrebleu has lists of words; a text is as good
    left: float = _ROWS

    def __call__(self, words: Any) -> tuple[int, str]:
        if words is self.words:
            found = super().__call__(words)
            self.least = found[0] - 1
            return found
        distance = Levenshtein.distance(words, self._words_ref)
        # To leave the diagonal by more than that takes more edits than there are.
        near = distance + abs(len(words) - len(self._words_ref)) < 2 * _BEAM - 4
        if distance <= self.least and not near:
            distance = super().__call__(words)[0]
        self.least = min(self.least, distance)
        return distance, ""

    def _edit_distance(
        self, words_h: list[str], start_h: int, cache: list[list[tuple[int, str]]]
    ) -> tuple[int, list[Any], str]:
        self.left -= len(words_h) - start_h
        if self.left < 0:
            raise _BoundMetError
        return super()._edit_distance(words_h, start_h, cache)
