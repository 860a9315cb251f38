"""General text matcher (Turian et al. 2003; Han 2014, equation 2-17).

Words in common are matched once each, in runs of words that follow each other on both sides. The
larger e is, the more weight long runs get. With e = 1 order does not matter, and the value is the F
of the words in common. For e < 1 the size could be larger than the sentences.

The matching with the largest size is NP-hard to find for e > 1. As Turian et al., this takes the
longest run first, then the longest of the rest, until no word is in common. So the number of
matched words is maximal, but the best matching may have longer or fewer runs.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from operator import eq
from typing import ClassVar

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.metrics.base import limited
from preorder_eval.metrics.outputs.lexical import sentence_pairs
from preorder_eval.metrics.outputs.unigrams import UnigramMetric
from preorder_eval.metrics.segments import Tokens

_FEW_PAIRS = 1 << 12  # of words, of which all runs are held at once
_LONG = 8  # words of runs that are taken first, so that few are held of sentences that repeat words


@dataclass(frozen=True)
class Gtm(UnigramMetric):
    """F of the words in common; words in longer common runs count for more.

    Parameters: `e` from 1 up, the weight of long runs; `stem` and `jackknife` as in `Jackknifed`.

    0 where nothing matches, also where a side is empty. Of several references the one with the
    highest value counts. The corpus value is that of all sizes and lengths together.

    >>> Gtm(e=1).score(["d e f a b c"], ["a b c d e f"]).corpus
    1.0
    >>> round(Gtm(e=2).score(["d e f a b c"], ["a b c d e f"]).corpus, 4)  # √(3² + 3²) / 6
    0.7071
    """

    name: ClassVar[str] = "gtm"
    short_name: ClassVar[str] = "GTM"
    paper: ClassVar[str] = "Turian et al. 2003"
    equation: ClassVar[str] = "F of size / |h| and size / |r|; size = (Σ length(run)^e)^(1/e)"
    weights: ClassVar[tuple[float, float]] = (1.0, 1.0)

    e: float = limited(2.0, 1)

    def common(self, hypotheses: Tokens, references: Tokens) -> Floats:
        """Return the size of each matching; float64[S]."""
        runs = [
            (s, length)
            for s, pair in enumerate(sentence_pairs(hypotheses, references))
            for length, _, _ in longest_runs(*pair)
        ]
        sentence, length = np.reshape(np.array(runs, dtype=np.int64), (-1, 2)).T
        # Relative to the longest run, so that large powers stay finite.
        longest = np.ones(len(hypotheses), dtype=np.int64)
        np.maximum.at(longest, sentence, length)
        powers = (length / longest[sentence]) ** self.e
        total = np.bincount(sentence, powers, minlength=len(hypotheses))
        return longest * total ** (1 / self.e)


def longest_runs(hypothesis: list[int], reference: list[int]) -> list[tuple[int, int, int]]:
    """Return the runs that two sentences have in common, in the order in which they are taken.

    Each is given by its length, and where it begins in hypothesis and reference. Of equally long
    runs, the first one in the hypothesis is taken, then the first in the reference.

    >>> longest_runs([3, 1, 2, 3], [1, 2, 3, 4, 3])
    [(3, 1, 0), (1, 0, 4)]
    """
    ours, theirs = hypothesis.copy(), reference.copy()
    runs = []
    for shortest in (1,) if len(ours) * len(theirs) < _FEW_PAIRS else (_LONG, 1):
        heap = _all_runs(ours, theirs, shortest)
        heapq.heapify(heap)
        while heap:
            minus_length, here, there = heapq.heappop(heap)
            words = slice(here, here - minus_length), slice(there, there - minus_length)
            same = groupby(map(eq, ours[words[0]], theirs[words[1]]))
            stretches = [(is_free, len(list(stretch))) for is_free, stretch in same]
            if stretches == [(True, -minus_length)]:
                runs.append((-minus_length, here, there))
                ours[words[0]], theirs[words[1]] = [-1] * -minus_length, [-2] * -minus_length
                continue
            for is_free, length in stretches:  # what runs taken before have left of it
                if is_free and length >= shortest:
                    heapq.heappush(heap, (-length, here, there))
                here, there = here + length, there + length
    return runs


def _all_runs(ours: list[int], theirs: list[int], shortest: int) -> list[tuple[int, int, int]]:
    """Return minus the length and both places of the runs that cannot be longer.

    Words that are taken are negative numbers, and equal to none of the other side.
    """
    # The places of every word by the word before, which where a run begins is another.
    places: defaultdict[int, defaultdict[int | None, list[int]]]
    places = defaultdict(lambda: defaultdict(list))
    for place, word in enumerate(theirs):
        places[word][theirs[place - 1] if place else None].append(place)
    runs = []
    for here, word in enumerate(ours):
        for before, begins in places.get(word, {}).items():
            if here and before == ours[here - 1]:
                continue
            for there in begins:
                most, length = min(len(ours) - here, len(theirs) - there), 1
                while length < most and ours[here + length] == theirs[there + length]:
                    length += 1
                if length >= shortest:
                    runs.append((-length, here, there))
    return runs
