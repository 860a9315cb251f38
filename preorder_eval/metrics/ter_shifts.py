"""sacrebleu's search for the shifts of TER, many times as fast and within bounds.

sacrebleu tries up to 1000 shifts a segment, as tercom does. It computes an edit distance for each,
cell by cell of a matrix and only within 25 words of the diagonal. Here one call of rapidfuzz does
that. The edits that mark words as wrong come from rows of bits (Hyyrö 2003). Each row of the matrix
is then a few operations on whole numbers. The result is the same if the best edits stay near the
diagonal, which is checked. If they do not, sacrebleu's own search runs (`ter_search`). For
sentences of a thousand words and more, shifts are not searched at all. The count is then still a
way to edit one into the other, only perhaps not the shortest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

_PAIRS = 1_000_000  # of words, above which shifts are not searched
# As in sacrebleu.metrics.lib_ter.
_MOST_SHIFTS = 1000  # that are tried
_LONGEST = 10  # words that are shifted together
_FARTHEST = 50  # words that they are shifted
_BEAM = 25


def edits(hypothesis: list[str], reference: list[str]) -> tuple[int, bool]:
    """Count the edits and shifts that turn a hypothesis into a reference; and if a bound was met.

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
    from preorder_eval.metrics.ter_search import search  # late: few texts need sacrebleu for it

    return search(hypothesis, reference)


def edits_near_diagonal(hypothesis: list[str], reference: list[str]) -> int | None:
    """Count the edits and shifts that turn a hypothesis into a reference of at least a word.

    None where the best of them are not near the diagonal.
    """
    # Every word is a character: of texts a part is cut out, and hashed, at once.
    characters = {word: chr(n) for n, word in enumerate({*hypothesis, *reference})}
    here, there = ("".join(map(characters.__getitem__, side)) for side in (hypothesis, reference))
    try:
        return _edits(here, there)
    except _OffDiagonalError:
        return None


class _OffDiagonalError(Exception):
    """The best edits are not near the diagonal, where sacrebleu looks for them."""


class _Shift(NamedTuple):
    """A shift; by its first four values the better one of two is the larger."""

    gain: int
    length: int
    minus_start: int
    minus_target: int
    shifted: str


def _edits(hypothesis: str, reference: str) -> int:
    tried = shifts = 0
    while True:
        matrix = _Matrix(hypothesis, reference)
        best = None
        for start, length, targets in _matches(hypothesis, reference, matrix.trace()):
            for target in targets:
                tried += 1
                shifted = _shifted(hypothesis, start, length, target)
                enough = matrix.distance - (best.gain if best else 1)
                distance = Levenshtein.distance(shifted, reference, score_cutoff=enough)
                if distance > enough:
                    continue
                shift = _Shift(matrix.distance - distance, length, -start, -target, shifted)
                if best is None or shift[:4] > best[:4]:
                    if not matrix.is_narrow:
                        _Matrix(shifted, reference).trace()
                    best = shift
            if tried >= _MOST_SHIFTS:
                break
        if tried >= _MOST_SHIFTS or best is None:
            return shifts + matrix.distance
        hypothesis, shifts = best.shifted, shifts + 1


class _Edits(NamedTuple):
    """The words of either side that are not in their place, and the place of each reference word.

    `places[j]` is the hypothesis word matched to reference word j, or the one before it, -1 for
    none.
    """

    wrong_here: list[bool]
    wrong_there: list[bool]
    places: list[int]


class _Matrix:
    """The matrix of edit distances of the beginnings of two texts, as rows of bits.

    Bit j - 1 of row i is of the cell (i, j) of word i of the hypothesis and word j of the
    reference. `equal`: the words are; `level`: the cell is as much as (i - 1, j - 1); `down`: more
    than (i - 1, j).
    """

    def __init__(self, hypothesis: str, reference: str) -> None:
        self._sizes = len(hypothesis), len(reference)
        width = (1 << len(reference)) - 1
        places: dict[str, int] = {}
        for j, word in enumerate(reference):
            places[word] = places.get(word, 0) | 1 << j
        self._rows: list[tuple[int, int, int]] = []
        distance, last = len(reference), 1 << (len(reference) - 1)
        right, left = width, 0  # where a cell is more, and less, than the one left of it
        for word in hypothesis:
            equal = places.get(word, 0)
            level = (((equal & right) + right) ^ right) | equal | left
            down = left | ~(level | right) & width
            up = level & right & width
            distance += (down & last > 0) - (up & last > 0)
            above = down << 1 | 1
            right = (up << 1 | ~(level | above)) & width
            left = level & above & width
            self._rows.append((equal, level, down))
        self.distance = distance
        # To leave the diagonal by more than that takes more edits than there are.
        self.is_narrow = distance + abs(len(hypothesis) - len(reference)) < 2 * _BEAM - 4

    def trace(self) -> _Edits:
        """Return the edits that sacrebleu finds; _OffDiagonalError where it may miss them.

        Cells outside the beam count as infinite there. So what it prefers stays the same as long as
        the way of these edits through the matrix is within the beam, wherever others lead.
        """
        here, there = self._sizes
        edits = _Edits([True] * here, [True] * there, [0] * there)
        i, j = here, there
        while self.is_narrow or self._is_in_beam(i, j):
            if not j:
                return edits
            bit = 1 << (j - 1)
            equal, level, down = self._rows[i - 1] if i else (0, -1, 0)
            if equal & bit:
                edits.wrong_here[i - 1] = edits.wrong_there[j - 1] = False
            if equal & bit or not level & bit:
                i, j = i - 1, j - 1
                edits.places[j] = i
            elif down & bit:
                i -= 1
            else:
                j -= 1
                edits.places[j] = i - 1
        raise _OffDiagonalError

    def _is_in_beam(self, i: int, j: int) -> bool:
        """Return whether sacrebleu computes the cell: near the diagonal, or in the first row."""
        here, there = self._sizes
        if not i:
            return True
        slope = there / here
        middle = math.floor(i * slope)
        beam = math.ceil(slope / 2 + _BEAM) if slope / 2 > _BEAM else _BEAM
        return middle - beam <= j and (j < middle + beam or i == here)


def _matches(
    hypothesis: str, reference: str, edits: _Edits
) -> Iterator[tuple[int, int, list[int]]]:
    """Yield words that may be shifted: where they start, how many they are, and where to.

    They stand in both texts, and in neither of them where they should.
    """
    there: dict[str, list[int]] = {}
    for j, word in enumerate(reference):
        there.setdefault(word, []).append(j)
    for start, word in enumerate(hypothesis):
        for first in there.get(word, ()):
            if abs(first - start) > _FARTHEST:
                continue
            most = min(_LONGEST, len(hypothesis) - start, len(reference) - first)
            wrong_here = wrong_there = False
            for length in range(1, most + 1):
                i, j = start + length - 1, first + length - 1
                if hypothesis[i] != reference[j]:
                    break
                wrong_here |= edits.wrong_here[i]
                wrong_there |= edits.wrong_there[j]
                within = start <= edits.places[first] < start + length
                if wrong_here and wrong_there and not within:
                    before = [edits.places[first - 1] + 1] if first else [0]
                    after = [place + 1 for place in edits.places[first : j + 1]]
                    yield start, length, list(dict.fromkeys(before + after))


def _shifted(words: str, start: int, length: int, target: int) -> str:
    """Move words to before `target`; a target among the words moves them that far to the right."""
    part, stop = words[start : start + length], start + length
    if target < start:
        return words[:target] + part + words[target:start] + words[stop:]
    if target <= stop:
        target += length
    return words[:start] + words[stop:target] + part + words[target:]
