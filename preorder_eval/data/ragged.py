"""Sentences that are lists to the eye and flat arrays in memory.

`Ragged` is the base of all that holds something for each token of each sentence: words, lines,
comments, orders, links, trees. `NameColumn` holds names as numbers, and `Interner` numbers the
words of encoded text without a string for every word.
"""

from __future__ import annotations

import itertools
import operator
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import (
    Bools,
    Ints,
    Longs,
    Offsets,
    cut,
    described,
    first_of_equals,
    gather,
)

Bytes = NDArray[np.uint8]
Item = TypeVar("Item")

_NAMES = 1 << 16  # of a column at once: as integers of Python they take nine times the memory
_LINES = 1 << 12  # that are strings together
_WIDTH = 8  # bytes of a number
_LONG = 64  # bytes of a word that is told apart as a whole
_BLOCK = 1 << 22  # bytes at a time: what is made of them stays in the processor's cache
_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(_WIDTH + 1)], dtype=np.uint64)


class Listed(Sequence[Item]):
    """A sequence that equals a list of the same items."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return False
        return all(map(operator.eq, self, other))


@dataclass(frozen=True, eq=False, repr=False)
class Ragged(Sequence[Item]):
    """S sentences as flat columns, which can be used as a list of S items.

    `offsets` int64[S + 1]. The other fields of a subclass are its columns, arrays or `NameColumn`
    objects of N values, or strings about them all; `_sentence` makes the item of one sentence.
    """

    offsets: Offsets

    @abstractmethod
    def _sentence(self, sentence: int) -> Item:
        """Return the item of the sentence of that number, from 0 up."""

    def _span(self, sentence: int) -> slice:
        return slice(int(self.offsets[sentence]), int(self.offsets[sentence + 1]))

    def __repr__(self) -> str:
        return described(type(self).__name__, sentence=len(self), token=int(self.offsets[-1]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, sentence: int) -> Item: ...
    @overload
    def __getitem__(self, sentence: slice) -> list[Item]: ...
    def __getitem__(self, sentence: int | slice) -> Item | list[Item]:
        if isinstance(sentence, slice):
            return list(self._sentences(range(len(self))[sentence]))
        if not -len(self) <= sentence < len(self):
            raise IndexError(f"sentence {sentence} of {len(self)}")
        return self._sentence(sentence % len(self))

    def __iter__(self) -> Iterator[Item]:
        return self._sentences(range(len(self)))

    def _sentences(self, numbers: range) -> Iterator[Item]:
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

    def _cut(self, offsets: Offsets, tokens: slice | Longs) -> Self:
        def cut_column(column: Any) -> Any:
            if isinstance(column, str):
                return column
            return column.take(tokens) if isinstance(column, NameColumn) else column[tokens]

        return type(self)(
            offsets, *(cut_column(getattr(self, field.name)) for field in fields(self)[1:])
        )


@dataclass(frozen=True, eq=False, repr=False)
class Lines(Listed[str], Ragged[str]):
    r"""Lines of text, of which there may be millions, that become strings when asked for.

    `text` uint8[…], UTF-8 in which every line has its end.

    >>> lines = Lines.of("a b\n\nc\n".encode())
    >>> lines, lines[2], lines[:2]
    (<Lines: 3 lines>, 'c', ['a b', ''])
    """

    text: Bytes

    @classmethod
    def of(cls, text: bytes) -> Lines:
        """Find the lines of UTF-8 text in which every line has its end."""
        content = np.frombuffer(text, dtype=np.uint8)
        return cls(np.concatenate([[0], np.flatnonzero(content == ord("\n")) + 1]), content)

    def __repr__(self) -> str:
        return described("Lines", line=len(self))

    def _sentence(self, sentence: int) -> str:
        return _decoded(self.text[self._span(sentence)])[:-1]

    def _sentences(self, numbers: range) -> Iterator[str]:
        if numbers.step != 1:
            yield from super()._sentences(numbers)
            return
        for first in range(numbers.start, numbers.stop, _LINES):
            text = self.part(first, min(first + _LINES, numbers.stop)).text
            yield from _decoded(text).split("\n")[:-1]


@dataclass(frozen=True, eq=False, repr=False)
class Comments(Listed[tuple[str, ...]], Ragged[tuple[str, ...]]):
    r"""The comment lines of each sentence, which become strings when asked for.

    `text` uint8[…], UTF-8 in which every line has its end; offsets count bytes.

    >>> Comments(np.array([0, 20, 20]), np.frombuffer(b"# sent_id = 1\n# new\n", np.uint8))[:]
    [('# sent_id = 1', '# new'), ()]
    """

    text: Bytes

    def __repr__(self) -> str:
        return described("Comments", sentence=len(self))

    def _sentence(self, sentence: int) -> tuple[str, ...]:
        return tuple(_decoded(self.text[self._span(sentence)]).split("\n")[:-1])


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
        """Return a column that holds one name so many times."""
        return cls(np.zeros(size, dtype=np.int32), (name,))

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
        parts = (self.codes[at : at + _NAMES].tolist() for at in range(0, len(self), _NAMES))
        return map(self.names.__getitem__, itertools.chain.from_iterable(parts))

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
        """Return which tokens have a name that is wanted; bool[N].

        >>> NameColumn.of(["nsubj", "obj", "nsubj"]).where("nsubj".__eq__).tolist()
        [True, False, True]
        """
        return np.array([wanted(name) for name in self.names], dtype=bool)[self.codes]

    def take(self, tokens: Longs | Bools | slice) -> NameColumn:
        """Return the names of these tokens; of a stretch, as a view."""
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

    def _sentence(self, sentence: int) -> list[str]:
        return self.words[self._span(sentence)]

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


class Split(NamedTuple):
    """Where the words of a text are, and how many stand in each of its lines; int64[…] each."""

    starts: Longs
    ends: Longs
    counts: Longs


def split_words(data: bytes) -> Split:
    r"""Find the words of a text, which spaces and line feeds separate.

    >>> split_words(b" a  bc\n\nd").counts.tolist()
    [2, 0, 1]
    """
    content = np.frombuffer(data, dtype=np.uint8)
    inside = np.zeros(len(content) + 2, dtype=bool)
    inside[1:-1] = (content != ord(" ")) & (content != ord("\n"))
    borders = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = borders[::2], borders[1::2]
    line_ends = np.flatnonzero(content == ord("\n"))
    if not len(content) or content[-1] != ord("\n"):
        line_ends = np.append(line_ends, len(content))
    return Split(starts, ends, np.diff(np.searchsorted(starts, line_ends), prepend=0))


def blocks_of_lines(data: bytes, size: int = _BLOCK) -> Iterator[bytes]:
    """Divide a text into parts of whole lines, each of at least `size` bytes but for the last."""
    start = 0
    while start < len(data):
        stop = data.find(b"\n", min(start + size, len(data)) - 1) + 1 or len(data)
        yield data if stop - start == len(data) else data[start:stop]
        start = stop


class Interner:
    """Numbers for words, from 0 in the order in which they first occur.

    Words are told apart eight bytes at a time: eight bytes are a number, and numbers can be
    sorted.

    >>> interner = Interner()
    >>> interner.codes(b"a bc\\na", *split_words(b"a bc\\na")[:2]).tolist(), interner.names()
    ([0, 1, 0], ('a', 'bc'))
    """

    def __init__(self) -> None:
        self._index: dict[bytes, int] = {}

    def codes(self, data: bytes, starts: Longs, ends: Longs) -> Ints:
        """Return the numbers of the words that start and end in these places of UTF-8; int32[N].

        No word may hold the character NUL.
        """
        firsts, codes = _distinct(data, starts, ends)
        places = zip(starts[firsts].tolist(), ends[firsts].tolist(), strict=True)
        words = (data[start:end] for start, end in places)
        numbers = [self._index.setdefault(word, len(self._index)) for word in words]
        return np.array(numbers, dtype=np.int32)[codes]

    def names(self) -> tuple[str, ...]:
        """Return the words by their numbers; raises UnicodeDecodeError for other than UTF-8."""
        return tuple(word.decode() for word in self._index)


def _distinct(data: bytes, starts: Longs, ends: Longs) -> tuple[Longs, Longs]:
    """Return the first token of every different word, and which of these each token equals."""
    padded = np.frombuffer(data + bytes(_WIDTH), dtype=np.uint8)
    sizes = ends - starts
    size, codes = _numbered(_eight_bytes(padded, starts, sizes))
    longer, done = np.flatnonzero((sizes > _WIDTH) & (sizes <= _LONG)), _WIDTH
    while len(longer):
        _, tail = _numbered(_eight_bytes(padded, starts[longer] + done, sizes[longer] - done))
        more, numbers = _numbered(codes[longer] * len(longer) + tail)
        codes[longer] = size + numbers
        size, done = size + more, done + _WIDTH
        longer = longer[sizes[longer] > done]
    longest = np.flatnonzero(sizes > _LONG)
    index: dict[bytes, int] = {}
    for token, start, end in zip(longest, starts[longest], ends[longest], strict=True):
        codes[token] = size + index.setdefault(data[start:end], len(index))
    size += len(index)
    first = np.full(size, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of equal indices the last one counts
    firsts = np.sort(first[first < len(codes)])
    place = np.empty(size, dtype=np.int64)
    place[codes[firsts]] = np.arange(len(firsts))
    return firsts, place[codes]


def _eight_bytes(padded: Bytes, starts: Longs, sizes: Longs) -> NDArray[np.uint64]:
    """Return the first eight bytes of every word as a number, filled up with NUL."""
    view = np.ndarray((len(padded) - _WIDTH + 1,), "<u8", padded, strides=(1,))
    numbers: NDArray[np.uint64] = view[starts] & _MASKS[np.minimum(sizes, _WIDTH)]
    return numbers


def _numbered(keys: NDArray[np.uint64] | Longs) -> tuple[int, Longs]:
    """Return how many different keys there are, and the number of each, from 0; int64[N]."""
    order = np.argsort(keys)
    numbers = np.cumsum(first_of_equals(keys[order]))
    codes = np.empty(len(keys), dtype=np.int64)
    codes[order] = numbers - 1
    return int(numbers[-1]) if len(numbers) else 0, codes


def _decoded(text: Bytes) -> str:
    return text.tobytes().decode()
