"""sacrebleu's search for the shifts of TER, many times as fast and within bounds.

sacrebleu tries up to 1000 shifts a segment, as tercom does. It computes an edit distance for each,
cell by cell of a matrix and only within 25 words of the diagonal. Here one call of rapidfuzz does
that. The edits that mark words as wrong come from rows of bits (Hyyrö 2003). Each row of the matrix
is then a few operations on whole numbers. The result is the same if the best edits stay near the
diagonal, which is checked. If they do not, the matrix is computed as sacrebleu does, near the
diagonal alone, row by row and up to a number of rows. For sentences of a thousand words and more,
shifts are not searched at all. In that case the count is still that of a valid edit sequence, but
perhaps not of the shortest one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from preorder_eval.base.arrays import Longs

_ROWS = 200_000  # of matrices near the diagonal: after a few seconds the search stops
_PAIRS = 1_000_000  # of words, above which shifts are not searched
# As in sacrebleu.metrics.lib_ter.
_MOST_SHIFTS = 1000  # that are tried
_LONGEST = 10  # words that are shifted together
_FARTHEST = 50  # words that they are shifted
_BEAM = 25
_INFINITE = 1 << 40


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
    here, there = ("".join(map(characters.__getitem__, side)) for side in (hypothesis, reference))
    # However words are shifted, those that one side has more of than the other stay wrong.
    least = max(len(here), len(there)) - (Counter(here) & Counter(there)).total()
    try:
        return _edits(_Matrix(here, there), least)
    except _OffDiagonalError:
        return _edits(_BeamMatrix(here, there), least)


class _OffDiagonalError(Exception):
    """The best edits are not near the diagonal, where sacrebleu looks for them."""


class _Shift(NamedTuple):
    """A shift. Compared by their first four values, the better of two shifts is the larger."""

    gain: int
    length: int
    minus_start: int
    minus_target: int
    shifted: str


def _edits(matrix: _Matrix, least: int) -> tuple[int, bool]:
    """Count as `edits` does; `least` is the lowest distance that shifts can lead to."""
    tried = shifts = 0
    while True:
        hypothesis, reference = matrix.texts
        if matrix.is_narrow and matrix.distance == least:
            return shifts + least, False
        best = None
        for start, length, targets in _matches(hypothesis, reference, matrix.trace()):
            for target in targets:
                tried += 1
                if tried * matrix.rows_of_shift > _ROWS:
                    return shifts + matrix.distance, True
                shifted = _shifted(hypothesis, start, length, target)
                enough = matrix.distance - (best.gain if best else 1)
                distance = matrix.distance_of(shifted, enough)
                if distance > enough:
                    continue
                shift = _Shift(matrix.distance - distance, length, -start, -target, shifted)
                if best is None or shift[:4] > best[:4]:
                    if not matrix.is_narrow:
                        type(matrix)(shifted, reference).trace()
                    best = shift
            if tried >= _MOST_SHIFTS:
                break
        if tried >= _MOST_SHIFTS or best is None:
            return shifts + matrix.distance, False
        matrix, shifts = type(matrix)(best.shifted, reference), shifts + 1


class _Edits(NamedTuple):
    """How far the words of either side are from wrong ones, and the place of each reference word.

    A word is wrong if it is not in its place. `here[i]` is 0 for a wrong word, and otherwise the
    number of words up to the next wrong one. `places[j]` is the hypothesis word that reference
    word j is matched to, or the one before it, -1 for none.
    """

    here: list[int]
    there: list[int]
    places: list[int]


class _Matrix:
    """The matrix of edit distances of the beginnings of two texts, as rows of bits.

    Bit j - 1 of row i is of the cell (i, j) of word i of the hypothesis and word j of the
    reference. `equal`: the words are; `level`: the cell is as much as (i - 1, j - 1); `down`: more
    than (i - 1, j).
    """

    rows_of_shift = 0  # how many of `_ROWS` it takes to try one shift: rows of bits are not counted

    def __init__(self, hypothesis: str, reference: str) -> None:
        self.texts = hypothesis, reference
        self.distance = Levenshtein.distance(hypothesis, reference)
        # d edits between lengths that differ by δ leave the diagonal by (d + δ) / 2 at most, and
        # rounding the diagonal adds less than 1.
        self.is_narrow = self.distance + abs(len(hypothesis) - len(reference)) < 2 * _BEAM - 4

    @cached_property
    def _rows(self) -> list[tuple[int, int, int]]:
        hypothesis, reference = self.texts
        width, places = (1 << len(reference)) - 1, _bits(reference)
        rows = []
        right, left = width, 0  # where a cell is more, and less, than the one left of it
        for word in hypothesis:
            equal = places.get(word, 0)
            level = ((((equal & right) + right) ^ right) | equal | left) & width
            down = left | (level | right) ^ width
            above = down << 1 | 1
            right, left = ((level & right) << 1 | ~(level | above)) & width, level & above
            rows.append((equal, level, down))
        return rows

    def trace(self) -> _Edits:
        """Return the edits that sacrebleu finds; _OffDiagonalError where it may miss them.

        Cells outside the beam count as infinite there. So sacrebleu chooses the same edits if their
        path through the matrix stays within the beam; the paths of other edits make no difference.
        """
        i, j = map(len, self.texts)
        here, there, places = [0] * i, [0] * j, [0] * j
        here.append(_INFINITE)
        there.append(_INFINITE)
        while self.is_narrow or j in self._beam(i):
            if not j:
                return _Edits(here, there, places)
            step = self._step(i, j) if i else "right"
            if step == "equal":
                here[i - 1], there[j - 1] = here[i] + 1, there[j] + 1
            if step in ("equal", "replace"):
                i, j = i - 1, j - 1
                places[j] = i
            elif step == "down":
                i -= 1
            else:
                j -= 1
                places[j] = i - 1
        raise _OffDiagonalError

    def _step(self, i: int, j: int) -> str:
        """Return the last step of the fewest edits that lead to the cell (i, j), i and j from 1."""
        bit = 1 << (j - 1)
        equal, level, down = self._rows[i - 1]
        if equal & bit:
            return "equal"
        return "replace" if not level & bit else "down" if down & bit else "right"

    def distance_of(self, shifted: str, enough: int) -> int:
        """Return the distance of a shifted hypothesis, or any above `enough` if it is larger."""
        return Levenshtein.distance(shifted, self.texts[1], score_cutoff=enough)

    def _beam(self, i: int) -> range:
        """Return the cells of a row that sacrebleu computes."""
        here, there = map(len, self.texts)
        if not i:
            return range(there + 1)
        slope = there / here
        middle = math.floor(i * slope)
        beam = math.ceil(slope / 2 + _BEAM) if slope / 2 > _BEAM else _BEAM
        last = there if i == here else min(there, middle + beam - 1)
        return range(max(middle - beam, 0), last + 1)


class _BeamMatrix(_Matrix):
    """The matrix near the diagonal, as sacrebleu computes it: cells farther off are infinite."""

    is_narrow = True

    def __init__(self, hypothesis: str, reference: str) -> None:
        self.texts, self.rows_of_shift = (hypothesis, reference), len(hypothesis)
        words = np.array([-1, *map(ord, reference)])
        cells = np.arange(len(words))
        self._cells = [cells]
        for i, word in enumerate(hypothesis, 1):
            here, above = self._beam(i), self._cells[-1]
            part = slice(here.start, here.stop)
            replaced = np.append(_INFINITE, above[:-1]) + (words != ord(word))
            row: Longs = np.full(len(words), _INFINITE)
            # The least of all ways from above, and of going right after one of them.
            ways = (np.minimum(replaced, above + 1) - cells)[part]
            row[part] = np.minimum.accumulate(ways) + cells[part]
            self._cells.append(row)
        self.distance = int(self._cells[-1][-1])

    def _step(self, i: int, j: int) -> str:
        above, row = self._cells[i - 1].tolist(), self._cells[i]
        is_equal = self.texts[0][i - 1] == self.texts[1][j - 1]
        if above[j - 1] + (not is_equal) == row[j]:
            return "equal" if is_equal else "replace"
        return "down" if above[j] + 1 == row[j] else "right"

    def distance_of(self, shifted: str, enough: int) -> int:
        return _BeamMatrix(shifted, self.texts[1]).distance


def _matches(
    hypothesis: str, reference: str, edits: _Edits
) -> Iterator[tuple[int, int, list[int]]]:
    """Yield words that may be shifted: their start, their number, and their targets.

    They stand in both texts, and in neither of them where they should: some word of theirs is wrong
    here, and some word there.
    """
    begins = _places(reference)
    here, there, places = edits
    targets = [0, *(place + 1 for place in places)]  # before each word of the reference
    for start, word in enumerate(hypothesis):
        if here[start] >= _LONGEST or word not in begins:
            continue
        for first in begins[word]:
            place, shortest = places[first], max(here[start], there[first]) + 1
            if place == start or shortest > _LONGEST or abs(first - start) > _FARTHEST:
                continue
            most = min(_LONGEST, len(hypothesis) - start, len(reference) - first)
            if place > start:  # it must not be among the words that are shifted
                most = min(most, place - start)
            for length in range(shortest, most + 1):
                if hypothesis[start : start + length] != reference[first : first + length]:
                    break
                yield start, length, list(dict.fromkeys(targets[first : first + length + 1]))


@lru_cache(maxsize=1)  # for all shifts of a sentence
def _places(reference: str) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, word in enumerate(reference):
        places.setdefault(word, []).append(place)
    return places


@lru_cache(maxsize=1)
def _bits(reference: str) -> dict[str, int]:
    bits: dict[str, int] = {}
    for place, word in enumerate(reference):
        bits[word] = bits.get(word, 0) | 1 << place
    return bits


def _shifted(words: str, start: int, length: int, target: int) -> str:
    """Move words to before `target`; a target among the words moves them that far to the right."""
    part, stop = words[start : start + length], start + length
    if target < start:
        return words[:target] + part + words[target:start] + words[stop:]
    if target <= stop:
        target += length
    return words[:start] + words[stop:target] + part + words[target:]
