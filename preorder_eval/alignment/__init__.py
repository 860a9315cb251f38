"""Automatic word alignment: the names of the aligners, and what an aligner is.

This module is light, so that the command line can list the names without loading anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from preorder_eval.data.alignments import Alignments

Sentences = Sequence[Sequence[str]]
DEFAULT_ALIGNER = "agree"
ALIGNERS = (DEFAULT_ALIGNER, "ibm1")
STEPS = 7  # that aligners report


class Aligner(Protocol):
    """Aligns sentence pairs by what it learns from them."""

    def __call__(
        self,
        source: Sentences,
        target: Sentences,
        *,
        extra: tuple[Sentences, Sentences] = ...,
        force: bool = ...,
        advance: Callable[[int], None] | None = None,
    ) -> Alignments:
        """Return the links of all sentence pairs, (source, target), 0-based.

        Parameters: tokenised sentences, as many on both sides; `extra` are pairs to learn from,
        too, whose links are not returned; `advance` is called with the number of further steps
        done, out of `STEPS`. With `force` it also takes few pairs. The `aligner` of the links is
        its signature, by default its name.
        """
        ...


def automatic_notes(aligner: str) -> list[str]:
    """Return the note on scores that rest on links of an aligner; nothing if humans made them."""
    if not aligner:
        return []
    return [
        f"links by {aligner}: differences are understated, and FRS is not comparable with manual "
        "links"
    ]
