"""What a format of alignment files is, and the links of such a file as the file numbers them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Integers

Lengths = Sequence[int]
FileLink = tuple[int, int, int, bool]  # sentence from 0, first and second position, possible


@dataclass(frozen=True, eq=False)
class FileLinks:
    """The content of an alignment file, in the file's own numbers.

    `size` is the number of sentences, None if the file does not tell. `links` has for each of L
    links its sentence from 0, its positions on both sides and its mark, as tuples or int32[L, 4].
    `sides` are the numbers of tokens of its sides, None if the file does not tell.
    `line_of(sentence, link)` is the line that holds a sentence, or one of its links; in a file
    without such lines (`by_line` False), the sentence's number.
    """

    size: int | None
    links: Sequence[FileLink] | Integers
    sides: tuple[Lengths | None, Lengths | None] = (None, None)
    line_of: Callable[[int, int], int] = lambda sentence, link: sentence + 1
    by_line: bool = True

    def __post_init__(self) -> None:
        columns = np.asarray(self.links, dtype=np.int32).reshape(-1, 4)
        object.__setattr__(self, "links", columns)

    @property
    def columns(self) -> tuple[Integers, ...]:
        """Sentences, first and second positions, and marks; int32[L] each."""
        return tuple(np.asarray(self.links).T)


@dataclass(frozen=True)
class Format:
    """An alignment format.

    `bases` are the numbers its positions may count from, the usual one first. `looks_like`
    recognises the first line that is not blank, `parse` takes all lines and the file's name.
    `scan`, which a format need not have, reads a file's bytes much faster, or returns None where it
    cannot (see `formats.scanning`).
    """

    bases: tuple[int, ...]
    looks_like: Callable[[str], object]
    parse: Callable[[Sequence[str], str], FileLinks]
    scan: Callable[[bytes], FileLinks | None] = lambda data: None
