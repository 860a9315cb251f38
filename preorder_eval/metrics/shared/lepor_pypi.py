"""The position penalty as the package hLepor (PyPI, 0.0.4) computes it, its faults included.

Its numbers stand in papers (Han et al. 2021, "cushLEPOR"). Where a word has several places, it
looks the nearest with a matching neighbour up by its number among these, but takes the place of
that number among all that are free. And a word less than n words from the start of its sentence
has no neighbours before it. Of two equally near places it takes the earlier.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Tokens


def position_penalty_of_pypi(hypotheses: Tokens, references: Tokens, n: int) -> Floats:
    """NPosPenal of each segment; float64[S], 0 to 1.

    >>> from preorder_eval.data.segments import Segments
    >>> segments = Segments.of(["a stone on a bird"], ["a bird is on a stone"])
    >>> penalty = position_penalty_of_pypi(segments.hypotheses, segments.references[0], 2)
    >>> (-np.log(penalty)).round(2).tolist()  # where the thesis has 0.52
    [0.28]
    """
    differences = [
        _difference(ours.tolist(), theirs.tolist(), n)
        for ours, theirs in zip(hypotheses, references, strict=True)
    ]
    penalty: Floats = np.exp(-np.array(differences))
    return penalty


def _difference(output: Sequence[int], reference: Sequence[int], n: int) -> float:
    free: dict[int, list[int]] = {}
    for place, word in enumerate(reference):
        free.setdefault(word, []).append(place)
    around = [set(_neighbours(reference, place, n)) for place in range(len(reference))]
    total = 0.0
    for i, word in enumerate(output):
        places = free.get(word)
        if not places or output == reference:
            continue
        ours = _neighbours(output, i, n)
        close = [place for place in places if not around[place].isdisjoint(ours)]
        steps = [abs(i - place) for place in close or places]
        place = places.pop(steps.index(min(steps)))  # of `places`, where it is one of `close`
        total += abs((i + 1) / len(output) - (place + 1) / len(reference))
    return total / max(len(output), 1)


def _neighbours(words: Sequence[int], place: int, n: int) -> Sequence[int]:
    # Near the start place - n is negative, which counts from the end: mostly nothing is left.
    return [*words[place - n : place], *words[place + 1 : place + n + 1]]
