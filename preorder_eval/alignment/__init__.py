"""Automatic word alignment. The aligners are found by name, also those of other packages.

This module is light, so that the command line can list the names without loading anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from preorder_eval.errors import UnknownNameError
from preorder_eval.plugins import Registry

if TYPE_CHECKING:
    from preorder_eval.alignment.symmetrization import Symmetrization
    from preorder_eval.data.alignments import Alignments

Sentences = Sequence[Sequence[str]]


class Aligner(Protocol):
    """Aligns sentence pairs by what it learns from them."""

    def __call__(
        self,
        source: Sentences,
        target: Sentences,
        *,
        iterations: int,
        how: Symmetrization,
        extra: tuple[Sentences, Sentences] = ...,
        advance: Callable[[int], None] | None = None,
    ) -> Alignments:
        """Return the links of all pairs, (source, target), 0-based.

        Parameters: tokenised sentences, as many on both sides; `iterations` of learning, in each
        direction; `how` the directions are combined; `extra` pairs to learn from too, without
        links to be given; `advance` is called after every iteration. An aligner for which some of
        this means nothing may leave it aside.
        """
        ...


def aligner(name: str) -> Aligner:
    """Return the aligner of that name.

    Raises UnknownNameError with the known names, and PreorderEvalError for another package's
    aligner that cannot be loaded.

    >>> align = aligner("ibm1")
    >>> source, target = [["the", "house"], ["the"]], [["das", "Haus"], ["das"]]
    >>> align(source, target, iterations=5, how="intersection")[0]
    [(0, 0), (1, 1)]
    """
    known = _aligners()
    if name not in known:
        raise UnknownNameError("aligner", name, known)
    loaded: Aligner = known[name].load()
    if not callable(loaded):
        raise known[name].wrong("a function")
    return loaded


def aligner_names() -> list[str]:
    """Return the names of all aligners."""
    return list(_aligners())


def _aligners() -> Registry:
    return Registry("aligners", {"ibm1": f"{__name__}.ibm1:align"})
