"""Formats of alignment files, and the content of such a file before it is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Integers

Lengths = Sequence[int]
FileLink = tuple[int, int, int, bool]  # sentence from 0, first and second position, possible


@dataclass(frozen=True, eq=False)
class FileLinks:
    """The content of an alignment file, with the numbers that the file has.

    `size` is the number of sentences, None if the file does not contain it. `links` has for each of
    L links its sentence from 0, its positions on both sides, and its mark, as tuples or int32[L,
    4]. `sides` are the numbers of tokens of both sides, each None if the file does not contain
    them. `line_of(sentence, link)` is the line in which a link of a sentence stands, None in a file
    without a line for each sentence or link.
    """

    size: int | None
    links: Sequence[FileLink] | Integers
    sides: tuple[Lengths | None, Lengths | None] = (None, None)
    line_of: Callable[[int, int], int | None] = lambda sentence, link: sentence + 1

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

    `bases` are the numbers that its positions may count from, the usual one first. `looks_like`
    recognises its first line that is not blank. `parse` reads all lines; it also takes the file's
    name, for errors.
    """

    bases: tuple[int, ...]
    looks_like: Callable[[str], object]
    parse: Callable[[Sequence[str], str], FileLinks]
