"""A column of names, such as the tags of a corpus, as numbers that arrays can hold."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from preorder_eval.data.arrays import Bools, Ints, Longs, described

_AT_ONCE = 1 << 16  # codes: as integers of Python they take nine times the memory


@dataclass(frozen=True, eq=False)
class Column(Sequence[str]):
    """A column of names (words, labels, tags) as one integer code per token.

    `codes` is int32[N], or uint8[N] where names are few, `names[c]` the name of code c. It equals,
    and can be used as, a list of the names.

    >>> tags = Column.of(["NOUN", "VERB", "NOUN"])
    >>> tags.codes.tolist(), tags[1], tags == ["NOUN", "VERB", "NOUN"]
    ([0, 1, 0], 'VERB', True)
    """

    codes: Ints
    names: tuple[str, ...]

    def __repr__(self) -> str:
        return described("Column", token=len(self), name=len(self.names))

    @classmethod
    def of(cls, values: Iterable[str]) -> Column:
        """Code the names in the order in which they first occur."""
        index: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        codes = np.fromiter(map(index.__getitem__, values), dtype=np.int32)
        return cls(codes, tuple(index))

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
        parts = (self.codes[at : at + _AT_ONCE].tolist() for at in range(0, len(self), _AT_ONCE))
        return map(self.names.__getitem__, itertools.chain.from_iterable(parts))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Column):
            return isinstance(other, Sequence) and list(self) == list(other)
        number: dict[str, int] = {}
        mine, theirs = (
            np.array([number.setdefault(name, len(number)) for name in names], dtype=np.int32)
            for names in (self.names, other.names)
        )
        parts = (slice(at, at + _AT_ONCE) for at in range(0, len(self), _AT_ONCE))
        return len(self) == len(other) and all(
            np.array_equal(mine[self.codes[part]], theirs[other.codes[part]]) for part in parts
        )

    __hash__ = None  # type: ignore[assignment]

    def renamed(self, rename: Callable[[str], str]) -> Column:
        """Every name as what it becomes; those that become the same have one code.

        >>> Column.of(["A", "a"]).renamed(str.lower).codes.tolist()
        [0, 0]
        """
        renamed = Column.of(map(rename, self.names))
        return Column(renamed.codes[self.codes], renamed.names)

    def take(self, tokens: Longs | Bools | slice) -> Column:
        """The names of these tokens; of a stretch, as a view."""
        return Column(self.codes[tokens], self.names)
