"""The lines of a text, of which there may be millions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from preorder_eval.data.arrays import Offsets, described

_AT_ONCE = 1 << 12  # lines that are strings together


@dataclass(frozen=True, eq=False)
class Lines(Sequence[str]):
    r"""Lines that become strings when they are asked for.

    `text` UTF-8 in which every line has its end; `offsets` int64[S + 1], where the lines begin.
    They equal, and can be used as, a list of strings.

    >>> lines = Lines.of("a b\n\nc\n".encode())
    >>> lines, lines[2], lines[:2]
    (<Lines: 3 lines>, 'c', ['a b', ''])
    """

    text: bytes
    offsets: Offsets

    @classmethod
    def of(cls, text: bytes) -> Lines:
        """The lines of UTF-8 text in which every line has its end."""
        ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == ord("\n"))
        return cls(text, np.concatenate([[0], ends + 1]))

    def __repr__(self) -> str:
        return described("Lines", line=len(self))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, line: int) -> str: ...
    @overload
    def __getitem__(self, line: slice) -> list[str]: ...
    def __getitem__(self, line: int | slice) -> str | list[str]:
        chosen = range(len(self))[line]
        if isinstance(chosen, int):
            return self.text[self.offsets[chosen] : self.offsets[chosen + 1] - 1].decode()
        if chosen.step != 1 or not chosen:
            return [self[number] for number in chosen]
        return (
            self.text[self.offsets[chosen[0]] : self.offsets[chosen[-1] + 1] - 1]
            .decode()
            .split("\n")
        )

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _AT_ONCE):
            yield from self[first : first + _AT_ONCE]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
