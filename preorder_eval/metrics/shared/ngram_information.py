"""How much the n-grams that hypotheses share with their references tell (Doddington 2002).

The information of an n-gram is log2 of how often its first n - 1 words occur in the references of
the whole corpus, over how often all of it does. So unlike in `ngrams` the same n-gram must have the
same number in all segments. As an n-gram matches only where its first n - 1 words do, each length
goes on with the places that the length before has left; few of them are long. And as n-grams with
different first words have nothing in common, some first words are done at a time, and of a word
that is everywhere some second words.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from preorder_eval.data.arrays import Floats, Ints, Longs, blocks
from preorder_eval.data.segments import Segments

_TOKENS = 1 << 19  # of all sides at a time


def matched_information(segments: Segments, longest: int) -> Floats:
    """Per segment the information of the matching n-grams, n from 1 up; float64[S, longest].

    An n-gram matches at most as often as the one reference that has it most often.

    >>> matched_information(Segments.of(["a b a"], [["a b c"], ["a a d"]]), 2).round(3).tolist()
    [[4.585, 1.585]]
    """
    matching = _Matching(segments, longest)
    matching.add(matching.codes, None, 1, sum(len(each.codes) for each in segments.references))
    return matching.information.T


class _Matching:
    """The information found so far, float64[longest, S], and all words that there are.

    Every hypothesis is followed by its references: `codes` are those of the words.
    """

    def __init__(self, segments: Segments, longest: int) -> None:
        self.information = np.zeros((longest, len(segments)))
        self._sides = (segments.hypotheses, *segments.references)
        lengths = np.stack([side.lengths for side in self._sides], axis=1).ravel()
        self._offsets = np.concatenate([[0], np.cumsum(lengths)])
        self._bound = len(segments.names)
        self.codes = self._one_after_another()

    def add(self, last: Ints, place: Longs | None, n: int, context: int) -> None:
        """Add what matches of n-grams whose first n - 1 words are the same, and of longer ones.

        Parameters: `place` int64[P] where they begin (None: everywhere) and `last` int32[P] the
        codes of their last words; `context` how often the references have their first words.
        """
        for part in _places(last):
            here = part if place is None else place[part]
            if len(here) <= _TOKENS:
                self._add_few(here, n, context)
                continue
            occurrences, here = self._add_one(here, n, context)
            if occurrences and n < len(self.information):
                self.add(self.codes[here + n], here, n + 1, occurrences)

    def _add_one(self, place: Longs, n: int, context: int) -> tuple[int, Longs]:
        """Add what matches of one n-gram.

        Returns how often the references have it, and the places where a word follows.
        """
        sides = len(self._sides)
        counts = np.zeros(len(self._offsets) - 1, dtype=np.int32)
        followed = []
        for start in range(0, len(place), _TOKENS):
            here = place[start : start + _TOKENS]
            sentence = self._sentence(here)
            counts += np.bincount(sentence, minlength=len(counts))
            followed.append(here[here + n < self._offsets[1:][sentence]])
        in_hypothesis, in_references = counts[::sides], counts.reshape(-1, sides)[:, 1:]
        occurrences = int(in_references.sum())
        if occurrences:
            matched = np.minimum(in_hypothesis, in_references.max(axis=1))
            self.information[n - 1] += matched * np.log2(context / occurrences)
        return occurrences, np.concatenate(followed)

    def _add_few(self, place: Longs, n: int, context: int) -> None:
        """Add what matches of some n-grams and of those that go on from them."""
        sides, sentence = len(self._sides), self._sentence(place)
        index = np.arange(len(place))
        occurrences = np.array([context])
        previous = np.zeros_like(index)  # the number of the n-gram before its last word
        for size, row in enumerate(self.information[n - 1 :], n):
            inside = place[index] + size <= self._offsets[1:][sentence[index]]
            index, previous = index[inside], previous[inside]
            key = previous * self._bound + self.codes[place[index] + size - 1]
            key, index = _sorted(key, index)
            new = np.diff(key, prepend=-1) != 0
            number = np.cumsum(new) - 1
            before = occurrences[key[new] // self._bound]
            # Stretches of the same n-gram in the same sentence, and of the same in the same
            # segment.
            there = sentence[index]
            start = np.flatnonzero(new | (np.diff(there, prepend=-1) != 0))
            count = np.diff(start, append=len(index))
            gram, there = number[start], there[start]
            in_reference = np.where(there % sides > 0, count, 0)
            occurrences = np.bincount(gram, in_reference, minlength=len(before)).astype(np.int64)
            new_segment = np.diff(gram, prepend=-1) != 0
            new_segment |= np.diff(there // sides, prepend=-1) != 0
            first = np.flatnonzero(new_segment)
            most = np.maximum.reduceat(in_reference, first) if first.size else first
            matched = np.minimum((count - in_reference)[first], most)
            gram, segment = gram[first[matched > 0]], there[first[matched > 0]] // sides
            each = matched[matched > 0] * np.log2(before[gram] / occurrences[gram])
            np.add.at(row, segment, each)
            alive = np.zeros(len(before), dtype=bool)
            alive[gram] = True
            kept = alive[number]
            index, previous = index[kept], number[kept]

    def _sentence(self, place: Longs) -> Ints:
        return (np.searchsorted(self._offsets, place, side="right") - 1).astype(np.int32)

    def _one_after_another(self) -> Ints:
        codes = np.empty(self._offsets[-1], dtype=np.int32)
        for number, side in enumerate(self._sides):
            moved = self._offsets[number : -1 : len(self._sides)] - side.offsets[:-1]
            for first, last in blocks(side.offsets):
                here = np.arange(side.offsets[first], side.offsets[last])
                there = here + np.repeat(moved[first:last], side.lengths[first:last])
                codes[there] = side.codes[here]
        return codes


def _places(codes: Ints) -> Iterator[Longs]:
    """The places of some words at a time, of all words in the order of their codes.

    >>> [places.tolist() for places in _places(np.array([1, 0, 1]))]
    [[0, 1, 2]]
    """
    starts = range(0, len(codes), _TOKENS)
    parts = [codes[start : start + _TOKENS] for start in starts]
    counts = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    for part in parts:
        counts += np.bincount(part, minlength=len(counts))
    until, first = np.cumsum(counts), 0
    while first < len(until):
        done = until[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(until, done + _TOKENS, side="right")))
        places, size = np.empty(until[last - 1] - done, dtype=np.int64), 0
        for start, part in zip(starts, parts, strict=True):
            here = np.flatnonzero((part >= first) & (part < last))
            places[size : size + len(here)] = start + here
            size += len(here)
        yield places
        first = last


def _sorted(key: Longs, index: Longs) -> tuple[Longs, Longs]:
    """Both in order of key, then index."""
    bits = int(index.max(initial=0)).bit_length()
    if int(key.max(initial=0)).bit_length() + bits > 62:
        order = np.lexsort((index, key))
        return key[order], index[order]
    # Key and index in one number: sorting numbers is faster than sorting indices.
    both = key << bits
    both |= index
    both.sort()
    key = both >> bits
    both &= (1 << bits) - 1
    return key, both
