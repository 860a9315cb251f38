"""Sentences that behave like lists, and are flat arrays in memory.

`Ragged` is the base of all that holds something for each token of each sentence: words, lines,
comments, orders, links, trees. `NameColumn` holds names as numbers.
"""

from __future__ import annotations

import itertools
import operator
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self, TypeVar, overload

import numpy as np

from preorder_eval.base.arrays import (
    Bools,
    Bytes,
    Ints,
    Longs,
    Offsets,
    cut,
    described,
    gather,
    in_order,
    offsets_of,
)

Element = TypeVar("Element")
_FEW_CODES = 16  # for which views are faster than indices of all their tokens

_NAMES = 1 << 16  # of a column that are in memory together
_LINES = 1 << 12  # that are strings together
_BLOCK = 1 << 22  # bytes at a time: what is made of them stays in the processor's cache


class Listed(Sequence[Element]):
    """A sequence that equals a list of the same items."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return False
        return all(map(operator.eq, self, other))


@dataclass(frozen=True, eq=False, repr=False)
class Ragged(Sequence[Element]):
    """S sentences as flat columns, which can be used as a list of S items.

    `offsets` int64[S + 1]. The other fields of a subclass are its columns, arrays or `NameColumn`
    objects of N values, or strings that hold for all of them; `_sentence` makes the item of one
    sentence.
    """

    offsets: Offsets

    @abstractmethod
    def _sentence(self, sentence: int) -> Element:
        """Return the item of the sentence of that number, from 0 up."""

    def span(self, sentence: int) -> slice:
        return slice(int(self.offsets[sentence]), int(self.offsets[sentence + 1]))

    def __repr__(self) -> str:
        return described(type(self).__name__, sentence=len(self), token=int(self.offsets[-1]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, sentence: int) -> Element: ...
    @overload
    def __getitem__(self, sentence: slice) -> list[Element]: ...
    def __getitem__(self, sentence: int | slice) -> Element | list[Element]:
        if isinstance(sentence, slice):
            return list(self._sentences(range(len(self))[sentence]))
        if not -len(self) <= sentence < len(self):
            raise IndexError(f"sentence {sentence} of {len(self)}")
        return self._sentence(sentence % len(self))

    def __iter__(self) -> Iterator[Element]:
        return self._sentences(range(len(self)))

    def _sentences(self, numbers: range) -> Iterator[Element]:
        return map(self._sentence, numbers)

    @property
    def lengths(self) -> Longs:
        """The number of values in each sentence; int64[S]."""
        return np.diff(self.offsets)

    def part(self, first: int, last: int) -> Self:
        """Return the sentences from `first` up to `last`, as views."""
        return self._cut(*cut(self.offsets, first, last))

    def take(self, sentences: Longs) -> Self:
        """Return the sentences of these numbers, in that order, also more than once."""
        return self._cut(*gather(self.offsets, sentences))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the sentences of all parts, one part after the other; texts are the first's."""
        columns = [[getattr(part, field.name) for part in parts] for field in fields(cls)[1:]]
        return cls(joined_offsets(parts), *map(_joined_column, columns))

    def _cut(self, offsets: Offsets, tokens: slice | Longs) -> Self:
        def cut_column(column: Any) -> Any:
            if isinstance(column, str):
                return column
            return column.take(tokens) if isinstance(column, NameColumn) else column[tokens]

        return type(self)(
            offsets, *(cut_column(getattr(self, field.name)) for field in fields(self)[1:])
        )


def joined_offsets(parts: Sequence[Ragged[Any]]) -> Offsets:
    """Return the offsets of the sentences of all parts, one part after the other."""
    return offsets_of(np.concatenate([part.lengths for part in parts]))


def _joined_column(columns: Sequence[Any]) -> Any:
    first = columns[0]
    if isinstance(first, str):
        return first
    return NameColumn.joined(columns) if isinstance(first, NameColumn) else np.concatenate(columns)


@dataclass(frozen=True, eq=False, repr=False)
class Lines(Listed[str], Ragged[str]):
    r"""Lines of text, of which there may be millions, that become strings when asked for.

    `text` uint8[…], UTF-8 in which every line has its end.

    >>> lines = Lines.of("a b\n\nc\n")
    >>> lines, lines[2], lines[:2]
    (<Lines: 3 lines>, 'c', ['a b', ''])
    """

    text: Bytes

    @classmethod
    def of(cls, text: str) -> Lines:
        """Find the lines of a text; the last line may lack its line feed."""
        ended = text + "\n" * (not text.endswith("\n") and text != "")
        content = np.frombuffer(ended.encode(), dtype=np.uint8)
        return cls(np.concatenate([[0], np.flatnonzero(content == ord("\n")) + 1]), content)

    def __repr__(self) -> str:
        return described("Lines", line=len(self))

    def _sentence(self, sentence: int) -> str:
        return _decoded(self.text[self.span(sentence)])[:-1]

    def _sentences(self, numbers: range) -> Iterator[str]:
        if numbers.step != 1:
            yield from super()._sentences(numbers)
            return
        for first in range(numbers.start, numbers.stop, _LINES):
            text = self.part(first, min(first + _LINES, numbers.stop)).text
            yield from _decoded(text).split("\n")[:-1]


@dataclass(frozen=True, eq=False)
class NameColumn(Listed[str]):
    """A column of names (words, labels, tags) as one integer code per token.

    `codes` is int32[N], or uint8[N] where names are few, `names[c]` the name of code c.

    >>> tags = NameColumn.of(["NOUN", "VERB", "NOUN"])
    >>> tags.codes.tolist(), tags[1], tags == ["NOUN", "VERB", "NOUN"]
    ([0, 1, 0], 'VERB', True)
    """

    codes: Ints
    names: tuple[str, ...]

    def __repr__(self) -> str:
        return described("NameColumn", token=len(self), name=len(self.names))

    @classmethod
    def of(cls, values: Iterable[str]) -> NameColumn:
        """Number the names in the order in which they first occur."""
        index: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        codes = np.fromiter(map(index.__getitem__, values), dtype=np.int32)
        return cls(codes, tuple(index))

    @classmethod
    def same(cls, name: str, size: int) -> NameColumn:
        """Return a column of `size` tokens that all have the same name."""
        return cls(np.zeros(size, dtype=np.int32), (name,))

    @classmethod
    def joined(cls, columns: Sequence[NameColumn]) -> NameColumn:
        """Return the names of all columns, one column after the other.

        >>> NameColumn.joined([NameColumn.of("ab"), NameColumn.of("bc")]).names
        ('a', 'b', 'c')
        """
        numbers = cls.of(itertools.chain.from_iterable(column.names for column in columns))
        ends = np.cumsum([len(column.names) for column in columns])[:-1]
        parts = zip(np.split(numbers.codes, ends), columns, strict=True)
        return cls(np.concatenate([new[column.codes] for new, column in parts]), numbers.names)

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, token: int) -> str: ...
    @overload
    def __getitem__(self, token: slice) -> list[str]: ...
    def __getitem__(self, token: int | slice) -> str | list[str]:
        if isinstance(token, slice):
            return list(map(self.names.__getitem__, self.codes[token].tolist()))
        return self.names[int(self.codes[token])]

    def __iter__(self) -> Iterator[str]:
        if len(self) < len(self.names):  # an array of all names would take longer
            return map(self.names.__getitem__, self.codes.tolist())
        names = np.array(self.names, dtype=object)
        parts = (names[self.codes[at : at + _NAMES]] for at in range(0, len(self), _NAMES))
        return itertools.chain.from_iterable(part.tolist() for part in parts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NameColumn):
            return super().__eq__(other)
        codes = NameColumn.of((*self.names, *other.names)).codes
        here, there = codes[: len(self.names)], codes[len(self.names) :]
        return np.array_equal(here[self.codes], there[other.codes])

    def renamed(self, rename: Callable[[str], str]) -> NameColumn:
        """Return the column with every name renamed; names that become the same share a code.

        >>> NameColumn.of(["A", "a"]).renamed(str.lower).codes.tolist()
        [0, 0]
        """
        renamed = NameColumn.of(map(rename, self.names))
        return NameColumn(renamed.codes[self.codes], renamed.names)

    def where(self, wanted: Callable[[str], bool]) -> Bools:
        """Return for each token whether its name is wanted; bool[N].

        >>> NameColumn.of(["nsubj", "obj", "nsubj"]).where("nsubj".__eq__).tolist()
        [True, False, True]
        """
        return np.array([wanted(name) for name in self.names], dtype=bool)[self.codes]

    def tokens(self, codes: Sequence[int]) -> Longs:
        """Return the tokens that have one of these codes, by code.

        >>> NameColumn.of(["nsubj", "obj", "nsubj"]).tokens([0]).tolist()
        [0, 2]
        """
        bounds, tokens = self._by_code
        if not len(codes):
            return tokens[:0]
        if len(codes) <= _FEW_CODES:
            stretches = [tokens[bounds[code] : bounds[code + 1]] for code in codes]
            return stretches[0] if len(codes) == 1 else np.concatenate(stretches)
        return tokens[gather(bounds, np.array(codes, dtype=np.int64))[1]]

    @cached_property
    def _by_code(self) -> tuple[Longs, Longs]:
        """Where the tokens of each code begin, and all tokens sorted by code."""
        counts = np.bincount(self.codes, minlength=len(self.names))
        return offsets_of(counts), in_order(self.codes)

    def take(self, tokens: Longs | Bools | slice) -> NameColumn:
        """Return the names of these tokens; a slice gives a view, without a copy."""
        return NameColumn(self.codes[tokens], self.names)


@dataclass(frozen=True, eq=False, repr=False)
class Sentences(Listed[list[str]], Ragged[list[str]]):
    """Tokenised sentences, as a list of lists of words.

    `words` is a column of N words; every different word is in memory once.

    >>> sentences = Sentences(np.array([0, 2, 3]), NameColumn.of(["a", "b", "a"]))
    >>> sentences, sentences[1], sentences == [["a", "b"], ["a"]]
    (<Sentences: 2 sentences, 3 tokens>, ['a'], True)
    """

    words: NameColumn

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]]) -> Sentences:
        """Number the words of sentences, which are read once, one after the other."""
        lengths: list[int] = []

        def words() -> Iterator[str]:
            for sentence in sentences:
                lengths.append(len(sentence))
                yield from sentence

        column = NameColumn.of(words())
        return cls(offsets_of(lengths), column)

    def _sentence(self, sentence: int) -> list[str]:
        return self.words[self.span(sentence)]

    def _sentences(self, numbers: range) -> Iterator[list[str]]:
        if numbers.step != 1:
            return super()._sentences(numbers)
        part = self.part(numbers.start, numbers.stop)
        words = iter(part.words)
        return (list(itertools.islice(words, length)) for length in part.lengths.tolist())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sentences):
            return np.array_equal(self.offsets, other.offsets) and self.words == other.words
        return super().__eq__(other)


def sentence_lengths(sentences: Sequence[Sequence[str]]) -> list[int]:
    """Return the number of words of each sentence.

    >>> sentence_lengths([["a", "b"], ["c"]])
    [2, 1]
    """
    if isinstance(sentences, Sentences):
        lengths: list[int] = sentences.lengths.tolist()
        return lengths
    return list(map(len, sentences))


def blocks_of_lines(data: bytes, size: int = _BLOCK) -> Iterator[bytes]:
    """Divide a text into parts of whole lines.

    Every part but the last has at least `size` bytes.
    """
    start = 0
    while start < len(data):
        stop = data.find(b"\n", min(start + size, len(data)) - 1) + 1 or len(data)
        yield data if stop - start == len(data) else data[start:stop]
        start = stop


def _decoded(text: Bytes) -> str:
    return text.tobytes().decode()
