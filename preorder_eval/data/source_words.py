"""The words of the source sentences of a corpus as numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import (
    Ints,
    Longs,
    Offsets,
    blocks,
    cut,
    described,
    gather,
    offsets_of,
    within,
)
from preorder_eval.data.columns import Column
from preorder_eval.data.sentences import Sentences, sentence_lengths


@dataclass(frozen=True, eq=False)
class SourceWords:
    """The words of the source sentences as numbers, interned once for all systems and metrics.

    `offsets` int64[S + 1]; `words` a column of N words; `repeated` int64[R], the flat indices of
    the tokens whose word occurs again in their sentence, sorted by sentence, word and position;
    `number` int32[R], the same for the same word of the same sentence.

    >>> words = SourceWords.of([["the", "cat", "the"]])
    >>> words.repeated.tolist(), words.number.tolist()
    ([0, 2], [0, 0])
    """

    offsets: Offsets
    words: Column
    repeated: Longs
    number: Ints

    def __repr__(self) -> str:
        return described("SourceWords", sentence=len(self), token=len(self.words))

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> SourceWords:
        """Intern tokenised sentences."""
        if isinstance(sentences, Sentences):
            return cls.of_column(sentences.offsets, sentences.words)
        flat = Column.of(word for sentence in sentences for word in sentence)
        return cls.of_column(offsets_of(sentence_lengths(sentences)), flat)

    @classmethod
    def of_column(cls, offsets: Offsets, words: Column) -> SourceWords:
        """Find the repeated words of a corpus that is already interned."""
        repeated, numbers, count = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int32)], 0
        for first, last in blocks(offsets):
            part, tokens = cut(offsets, first, last)
            again, number = _repeated(part, words.codes[tokens])
            repeated.append(again + tokens.start)
            numbers.append((number + count).astype(np.int32))
            count += tokens.stop - tokens.start
        return cls(offsets, words, np.concatenate(repeated), np.concatenate(numbers))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def part(self, first: int, last: int) -> SourceWords:
        """The sentences from `first` up to `last`."""
        offsets, tokens = cut(self.offsets, first, last)
        # Sorted by sentence first, the repeated words of a part stand together.
        here = slice(
            bisect_left(self.repeated, first, key=self._sentence),
            bisect_left(self.repeated, last, key=self._sentence),
        )
        return SourceWords(
            offsets, self.words.take(tokens), self.repeated[here] - tokens.start, self.number[here]
        )

    def take(self, sentences: Longs) -> SourceWords:
        """The sentences of these numbers, in that order, also more than once."""
        offsets, tokens = gather(self.offsets, sentences)
        return SourceWords.of_column(offsets, self.words.take(tokens))

    def _sentence(self, token: int) -> int:
        return int(np.searchsorted(self.offsets, token, side="right")) - 1


def _repeated(offsets: Offsets, codes: Ints) -> tuple[Longs, Longs]:
    """The tokens whose word occurs again in their sentence, and a number for each such word."""
    places = within(offsets)
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    # Sentence, word and position in one number: sorting numbers is faster than indices.
    bits = int(places.max(initial=0)).bit_length()
    word = sentence * (int(codes.max(initial=0)) + 1) + codes
    in_order = np.sort(word << bits | places)
    word = in_order >> bits
    again = np.zeros(len(word) + 1, dtype=bool)
    again[1:-1] = word[1:] == word[:-1]
    chosen = again[:-1] | again[1:]
    number = np.cumsum(~again[:-1]) - 1
    tokens = (in_order & ((1 << bits) - 1)) + np.repeat(offsets[:-1], np.diff(offsets))
    return tokens[chosen], number[chosen]
