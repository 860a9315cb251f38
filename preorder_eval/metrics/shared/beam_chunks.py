"""The alignment that METEOR 1.5 finds, and its chunks (Denkowski & Lavie 2014).

The released program does not look for the fewest chunks there are. It goes over the reference from
left to right with a beam of partial alignments: those that match more come first, then those with
fewer finished chunks, then those whose words stand nearer, and at each word all beyond the width of
the beam are dropped. Words that have one place each are aligned beforehand.

Distances are added up as the program does it: of the places that a word could take, one that is
taken adds not its own distance, but those of the places tried before it, and the alignment that
leaves the word out adds those of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.data.segments import Tokens

_MOST = 400_000  # partial alignments that are made, which sentences of 100 words do not come to
_NONE = -1


Word = tuple[int, int]  # by whose first part words match, and the whole of which is its form


class Found(NamedTuple):
    """An alignment: the weight of its matches, their number, and its chunks."""

    weight: float
    matches: int
    chunks: int


class _Partial(NamedTuple):
    """An alignment of the first words of a reference."""

    weight: float = 0.0
    chunks: int = 0  # that are finished
    distance: int = 0
    used: int = 0  # words of the output, as bits
    end: int = _NONE  # the word that would go on with the open chunk
    matches: int = 0

    def rank(self) -> tuple[float, int, int]:
        return -self.weight, self.chunks, self.distance

    def with_match(self, place: int, weight: float, distance: int) -> _Partial:
        finished = self.end not in (_NONE, place)
        return _Partial(
            self.weight + weight,
            self.chunks + finished,
            distance,
            self.used | 1 << place,
            place + 1,
            self.matches + 1,
        )

    def without(self, distance: int) -> _Partial:
        finished = self.end != _NONE
        return self._replace(chunks=self.chunks + finished, distance=distance, end=_NONE)


def beam_alignments(
    hypotheses: Sequence[Tokens], references: Sequence[Tokens], beam: int, other_form: float
) -> tuple[Floats, Bools]:
    """What is found for each pair of sentences, float64[S, 3], and where the search was given up,
    bool[S].

    Each side is given as what is compared and as the forms of the words.
    """
    found = np.zeros((len(hypotheses[0]), len(Found._fields)))
    given_up = np.zeros(len(found), dtype=bool)
    for s in range(len(found)):
        alignment = beam_alignment(_words(hypotheses, s), _words(references, s), beam, other_form)
        given_up[s] = alignment is None
        found[s] = alignment or (0, 0, 0)
    return found, given_up


def beam_alignment(
    hypothesis: Sequence[Word], reference: Sequence[Word], beam: int, other_form: float = 1.0
) -> Found | None:
    """What a beam of that width finds, with the weight of a match with another form of a word.

    None where the search would take too long.

    >>> sides = ["the cat the the", "the the the cat"]
    >>> beam_alignment(*([(ord(w[0]), 0) for w in side.split()] for side in sides), beam=40)
    Found(weight=4.0, matches=4, chunks=2)
    """
    places: dict[int, list[int]] = {}
    for place, (word, _) in enumerate(hypothesis):
        places.setdefault(word, []).append(place)
    times = Counter(word for word, _ in reference)
    paths, left = [_Partial()], _MOST
    for current, (word, form) in enumerate(reference):
        paths.sort(key=_Partial.rank)
        paths, before = [], paths[:beam]
        there = places.get(word, [])
        is_sure = len(there) == times[word] == 1
        left -= len(before) * (len(there) + 1)
        if left < 0:
            return None
        for path in before:
            distance = path.distance
            for place in there:
                if path.used >> place & 1:
                    continue
                passed, distance = distance, distance + abs(current - place)
                weight = 1.0 if hypothesis[place][1] == form else other_form
                paths.append(path.with_match(place, weight, distance if is_sure else passed))
            if not is_sure:
                paths.append(path.without(distance))
    best = min((path.without(path.distance) for path in paths), key=_Partial.rank)
    return Found(best.weight, best.matches, best.chunks)


def _words(side: Sequence[Tokens], s: int) -> list[Word]:
    compared, forms = side
    return list(zip(compared[s].tolist(), forms[s].tolist(), strict=True))
