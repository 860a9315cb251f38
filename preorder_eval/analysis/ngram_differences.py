"""N-grams that one system gets right more often than another.

An n-gram is right at most as often as the one reference of its sentence that has it most often, as
in BLEU. The share of a system in what both get right is smoothed by one on either side, so that
what occurs once says less than what occurs often (Neubig et al. 2019).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Longs, offsets_of
from preorder_eval.data.segments import Segments, Tokens

LONGEST = 4


@dataclass(frozen=True)
class NgramDifference:
    """An n-gram with how often it is in the references and right in the outputs of two systems.

    `share` is the first system's, (first + 1) / (first + second + 2); `sentences` are the 1-based
    numbers of those in which the first has it right more often.
    """

    ngram: str
    references: int
    first: int
    second: int
    share: float
    sentences: tuple[int, ...]


class NgramMatches:
    """The n-grams of the references that outputs of several systems have, up to four words long.

    `outputs` are those of each system, `references` one or several streams, of the same sentences;
    their words are what stands between spaces.

    >>> matches = NgramMatches([["a b c"], ["b a c"]], [["a b c"]])
    >>> [(d.ngram, d.references, d.first, d.second) for d in matches.differences(0, 1)]
    [('a b', 1, 1, 0), ('b c', 1, 1, 0), ('a b c', 1, 1, 0)]
    """

    def __init__(
        self, outputs: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
    ) -> None:
        first, *others = outputs
        # All sides are interned together, as if other systems' outputs were references too.
        segments = Segments.of(first, [*others, *references])
        sides = [segments.hypotheses, *segments.references]
        self._lengths = list(_ngrams(sides, len(outputs), segments.names))

    def differences(self, first: int, second: int, most: int = 0) -> list[NgramDifference]:
        """What the first system gets right more often than the second, the largest share first.

        Of equal shares the shorter n-gram comes first, then the one that occurs earlier. `most` 0
        gives all.
        """
        counts = [m.counts[[first, second]] for m in self._lengths]
        length = np.repeat(np.arange(len(counts)), [c.shape[1] for c in counts])
        number = np.concatenate([np.arange(c.shape[1]) for c in counts] or [length])
        one, other = np.concatenate(counts, axis=1) if counts else np.zeros((2, 0))
        more = np.flatnonzero(one > other)
        share = _share(one[more], other[more])
        ranked = more[np.lexsort((number[more], length[more], -share))][: most or None]
        return [
            self._lengths[n].difference(g, first, second)
            for n, g in zip(length[ranked].tolist(), number[ranked].tolist(), strict=True)
        ]


class _Right(NamedTuple):
    """What a system has right, n-gram by n-gram.

    N-gram g is right in `sentences[starts[g] : starts[g + 1]]`, so many `times` in each.
    """

    starts: Longs
    sentences: Longs
    times: Longs

    @classmethod
    def of(cls, cells: Longs, times: Longs, size: int) -> _Right:
        """From sorted numbers sentence * size + n-gram."""
        sentences, grams = np.divmod(cells, size)
        order = np.argsort(grams, kind="stable")
        starts = offsets_of(np.bincount(grams, minlength=size).tolist())
        return cls(starts, sentences[order], times[order])

    def by_sentence(self, ngram: int) -> dict[int, int]:
        """In which sentences an n-gram is right, and how often."""
        own = slice(self.starts[ngram], self.starts[ngram + 1])
        return dict(zip(self.sentences[own].tolist(), self.times[own].tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class _Matches:
    """N-grams of one length: their texts, and how often they are right.

    `references` [G] is how often they are in the references, `counts` [systems, G] how often they
    are right over all sentences, and `right` where.
    """

    texts: list[str]
    references: NDArray[Any]
    counts: NDArray[Any]
    right: list[_Right]

    def difference(self, ngram: int, first: int, second: int) -> NgramDifference:
        one, other = (self.right[system].by_sentence(ngram) for system in (first, second))
        more, less = (int(self.counts[system, ngram]) for system in (first, second))
        return NgramDifference(
            self.texts[ngram],
            int(self.references[ngram]),
            more,
            less,
            _share(more, less),
            tuple(s + 1 for s, times in one.items() if times > other.get(s, 0)),
        )


def _share(first: Any, second: Any) -> Any:
    return (first + 1) / (first + second + 2)


def _ngrams(sides: Sequence[Tokens], systems: int, names: Sequence[str]) -> Iterator[_Matches]:
    """The matches of each length."""
    codes = np.concatenate([side.codes for side in sides]).astype(np.int64)
    size = len(sides[0])
    # A sentence of a side is a stretch, beyond which no n-gram goes.
    stretch = np.concatenate([side.sentences + n * size for n, side in enumerate(sides)])
    grams, start = codes, np.arange(len(codes))
    for n in range(1, LONGEST + 1):
        if n > 1:
            inside = stretch[start] == stretch[np.minimum(start + n - 1, len(codes) - 1)]
            inside &= start + n <= len(codes)
            start, grams = start[inside], grams[inside]
            grams = grams * (len(names) + 1) + codes[start + n - 1]
        _, where, grams = np.unique(grams, return_index=True, return_inverse=True)
        if not len(where):
            return
        # In the order of the text, so that equal differences come in that order too.
        rank = np.empty(len(where), dtype=np.int64)
        rank[np.argsort(where, kind="stable")] = np.arange(len(where))
        grams, where = rank[grams], np.sort(where)
        texts = [" ".join(names[c] for c in codes[p : p + n]) for p in start[where].tolist()]
        side, sentence = np.divmod(stretch[start], size)
        cells = sentence * len(texts) + grams
        yield _Matches(
            texts, *_clipped([cells[side == n] for n in range(len(sides))], systems, len(texts))
        )


def _clipped(
    sides: Sequence[Longs], systems: int, size: int
) -> tuple[NDArray[Any], NDArray[Any], list[_Right]]:
    """Counts of references and systems, and where every system is right.

    `sides` are the numbers sentence * size + n-gram of all n-grams, as often as they occur, of
    systems and then references.
    """
    counted = [np.unique(cells, return_counts=True) for cells in sides]
    known = np.unique(np.concatenate([cells for cells, _ in counted[systems:]]))
    most = np.zeros(len(known) + 1, dtype=np.int64)
    for cells, times in counted[systems:]:
        place = np.searchsorted(known, cells)
        most[place] = np.maximum(most[place], times)
    right, counts = [], []
    for cells, times in counted[:systems]:
        place = np.searchsorted(known, cells)
        there = np.append(known, -1)[place] == cells
        clipped = np.minimum(times, most[place])[there]
        right.append(_Right.of(cells[there], clipped, size))
        counts.append(np.bincount(cells[there] % size, clipped, minlength=size))
    return np.bincount(known % size, most[:-1], minlength=size), np.stack(counts), right
