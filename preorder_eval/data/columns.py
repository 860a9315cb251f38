"""A column of names, such as the tags of a corpus, as numbers that arrays can hold."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Bools, Ints, Longs, described

_AT_ONCE = 1 << 16  # codes: as integers of Python they take nine times the memory


@dataclass(frozen=True, eq=False)
class Column:
    """A column of names (labels, tags) as one integer code per token.

    `codes` is int32[N], `names[c]` the name of code c.

    >>> Column.of(["NOUN", "VERB", "NOUN"]).codes.tolist()
    [0, 1, 0]
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

    def take(self, tokens: Longs | Bools | slice) -> Column:
        """The names of these tokens; of a stretch, as a view."""
        return Column(self.codes[tokens], self.names)

    def strings(self, start: int = 0, stop: int | None = None) -> list[str]:
        """The names of the tokens from `start` to `stop`."""
        codes = self.codes[start:stop]
        parts = (codes[at : at + _AT_ONCE].tolist() for at in range(0, len(codes), _AT_ONCE))
        return list(map(self.names.__getitem__, itertools.chain.from_iterable(parts)))
