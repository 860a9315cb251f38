"""The fewest chunks of an alignment that matches as many words as can be.

A chunk is a sequence of words that is matched to words that follow each other on the other side
too (Banerjee & Lavie 2005). Taking the longest runs first gives few chunks, and mostly it can be
seen at once that fewer are impossible: m words and c chunks have m - c pairs of neighbours that
are matched to neighbours, at most as many as the word pairs that both sides have in common. Only
the other sentences are searched, word by word from the left.

For a few sentences with many repeated words the search is cut off, which is told, and the chunks of
the longest runs stand; METEOR 1.5 searches with a beam of 40 and stops at more chunks more often.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np

from preorder_eval.data.arrays import Bools, Longs
from preorder_eval.data.segments import Tokens
from preorder_eval.metrics.ngrams import matched_ngrams
from preorder_eval.metrics.shared.runs import longest_runs

_STATES = 200  # of a search, at one word
_ALL_STATES = 1000 * _STATES  # of a search in all, which no sentence of 1000 words comes to


def matches_and_chunks(hypotheses: Tokens, references: Tokens) -> tuple[Longs, Longs, Bools]:
    """Per pair of sentences the words that match and the fewest chunks, int64[S] each.

    The third array, bool[S], tells where there may be fewer: where the search was cut off.

    >>> from preorder_eval.data.segments import Segments
    >>> segments = Segments.of(["the cat the the"], ["the the the cat"])
    >>> [x.tolist() for x in matches_and_chunks(segments.hypotheses, segments.references[0])]
    [[4], [2], [False]]
    """
    runs = longest_runs(hypotheses, references)
    size = len(hypotheses)
    matches = np.bincount(runs.sentence, runs.length, minlength=size).astype(np.int64)
    chunks = np.bincount(runs.sentence, minlength=size)
    neighbours = matched_ngrams(hypotheses, [references], [2])[:, 0]
    cut_off = np.zeros(size, dtype=bool)
    for s in np.flatnonzero(chunks > np.maximum(matches - neighbours, 1)).tolist():
        lists = hypotheses[s].tolist(), references[s].tolist()
        fewest = fewest_chunks(*lists, int(chunks[s]))
        cut_off[s] = fewest is None
        chunks[s] = chunks[s] if fewest is None else fewest
    return matches, chunks, cut_off


def fewest_chunks(hypothesis: list[int], reference: list[int], known: int) -> int | None:
    """The fewest chunks of one pair of sentences, of which an alignment with `known` is known.

    None where that would take too long to find out.

    >>> fewest_chunks([1, 1, 2, 1], [2, 1, 1, 1], known=3)
    2
    """
    places: dict[int, int] = {}
    for j, word in enumerate(reference):
        places[word] = places.get(word, 0) | 1 << j
    to_come = Counter(hypothesis)
    matches = sum(min(count, places.get(w, 0).bit_count()) for w, count in to_come.items())
    # The pairs of neighbours that a chunk can go on over, from each word to the last.
    unused = Counter(itertools.pairwise(reference))
    pairs_left = [0]
    for pair in itertools.pairwise(reversed(hypothesis)):
        unused[pair[::-1]] -= 1
        pairs_left.append(pairs_left[-1] + (unused[pair[::-1]] >= 0))

    # How often a chunk must have gone on before each word, from the last word to the first.
    enough = [matches - known + 1 - left for left in pairs_left]
    if _too_many(hypothesis, places, enough):
        return None
    # A state: reference words used, as bits, and beyond them the one that would go on with the
    # chunk. Its value: how often a chunk went on. It is left where it cannot reach fewer chunks
    # than known.
    states = {0: 0}
    left = _ALL_STATES
    size = len(reference) + 1
    words = (1 << size) - 1
    for word in hypothesis:
        left -= len(states)
        needed = enough.pop()
        all_places = places.get(word, 0)
        following: dict[int, int] = {}
        reached = following.get
        for state, went_on in states.items():
            used = state & words
            next_bit = state >> size
            free = all_places & ~used
            if free & next_bit and went_on + 1 >= needed:
                there = used | next_bit | next_bit << 1 + size
                following[there] = max(reached(there, 0), went_on + 1)
            if went_on < needed:
                continue
            if to_come[word] > free.bit_count() and reached(used, -1) < went_on:
                following[used] = went_on  # it may stay unmatched
            free &= ~next_bit
            while free:
                bit = free & -free
                free ^= bit
                there = used | bit | bit << 1 + size
                if reached(there, -1) < went_on:
                    following[there] = went_on
                    if len(following) > _STATES:
                        return None
        to_come[word] -= 1
        if len(following) > _STATES or left < 0:
            return None
        states = following
    return matches - max(states.values(), default=matches - known)


def _too_many(hypothesis: list[int], places: dict[int, int], enough: list[int]) -> bool:
    """Whether the first words alone can be matched in more ways than are searched.

    As long as no chunk has to have gone on, no state is left: then each set of as many places of a
    word as it has come makes a state. `enough` is how often one must have gone on, word by word
    from the last.
    """
    sets, came = 1, Counter[int]()
    for word, needed in zip(hypothesis, reversed(enough), strict=False):
        if needed > 0:
            return False
        there = places.get(word, 0).bit_count()
        came[word] += 1
        if came[word] <= there:  # C(n, k) from C(n, k - 1)
            sets = sets * (there - came[word] + 1) // came[word]
        if sets > _STATES:
            return True
    return False
