"""Tokenised sentences of a corpus: the words as numbers, seen as a list of words for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from preorder_eval.data.arrays import Offsets, described
from preorder_eval.data.columns import Column


@dataclass(frozen=True, eq=False)
class Sentences(Sequence[list[str]]):
    """Tokenised sentences that equal, and can be used as, a list of lists of words.

    `offsets` int64[S + 1]; `words` a column of N words. Every different word is in memory once.

    >>> sentences = Sentences(np.array([0, 2, 3]), Column.of(["a", "b", "a"]))
    >>> sentences, sentences[1], sentences == [["a", "b"], ["a"]]
    (<Sentences: 2 sentences, 3 tokens>, ['a'], True)
    """

    offsets: Offsets
    words: Column

    def __repr__(self) -> str:
        return described("Sentences", sentence=len(self), token=len(self.words))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, sentence: int) -> list[str]: ...
    @overload
    def __getitem__(self, sentence: slice) -> list[list[str]]: ...
    def __getitem__(self, sentence: int | slice) -> list[str] | list[list[str]]:
        if isinstance(sentence, slice):
            return [self[s] for s in range(len(self))[sentence]]
        s = range(len(self))[sentence]
        return self.words[int(self.offsets[s]) : int(self.offsets[s + 1])]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sentences):
            return np.array_equal(self.offsets, other.offsets) and self.words == other.words
        if not isinstance(other, Sequence) or len(other) != len(self):
            return False
        return all(one == list(two) for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]


def sentence_lengths(sentences: Sequence[Sequence[str]]) -> list[int]:
    """The number of words of each sentence.

    >>> sentence_lengths([["a", "b"], ["c"]])
    [2, 1]
    """
    if isinstance(sentences, Sentences):
        lengths: list[int] = np.diff(sentences.offsets).tolist()
        return lengths
    return list(map(len, sentences))
