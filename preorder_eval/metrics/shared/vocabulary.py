"""The words of segments replaced by others, computed once for each different word."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable

import numpy as np

from preorder_eval.data.arrays import offsets_of, within
from preorder_eval.data.segments import Segments, Tokens


def replaced(segments: Segments, replacement: Callable[[str], Iterable[str]]) -> Segments:
    """Segments with every word replaced by none, one or several; the texts stay as they were.

    >>> replaced(Segments.of(["a-b c"], ["- b"]), lambda word: word.split("-")).names
    ('a', 'b', 'c', '')
    """
    index: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    words = [[index[word] for word in replacement(name)] for name in segments.names]
    counts = np.array([len(word) for word in words], dtype=np.int64)
    starts = offsets_of(map(len, words))
    flat = np.fromiter(itertools.chain.from_iterable(words), dtype=np.int32)

    def side(tokens: Tokens) -> Tokens:
        new = np.concatenate([[0], np.cumsum(counts[tokens.codes])])
        places = np.repeat(starts[tokens.codes], counts[tokens.codes]) + within(new)
        return Tokens(new[tokens.offsets], flat[places])

    return Segments(
        side(segments.hypotheses),
        tuple(side(reference) for reference in segments.references),
        tuple(index),
        segments.hypothesis_texts,
        segments.reference_texts,
    )


def porter() -> Callable[[str], str]:
    """The stem of a word, lower-cased: the algorithm as Porter published it in 1980.

    >>> [porter()(word) for word in ("Killed", "relational", "ponies")]
    ['kill', 'relat', 'poni']
    """
    from snowballstemmer import stemmer  # type: ignore[import-untyped]

    stem: Callable[[str], str] = stemmer("porter").stemWord
    return lambda word: stem(word.lower())


def stemmed(segments: Segments) -> Segments:
    """Segments with every word replaced by its stem.

    >>> stemmed(Segments.of(["He walks"], ["he walked"])).names
    ('he', 'walk')
    """
    stem = porter()
    return replaced(segments, lambda word: [stem(word)])
