"""Automatic word alignment. The aligners are found by name, also those of other packages.

This module is light, so that the command line can list the names without loading anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from preorder_eval.errors import UnknownNameError
from preorder_eval.plugins import Registry

if TYPE_CHECKING:
    from preorder_eval.data.alignments import Alignments

Sentences = Sequence[Sequence[str]]
DEFAULT_ALIGNER = "agree"
_BUNDLED = (DEFAULT_ALIGNER, "ibm1")
STEPS = 7  # that aligners report
_FORCED = "(force=true)"


class Aligner(Protocol):
    """Aligns sentence pairs by what it learns from them."""

    def __call__(
        self,
        source: Sentences,
        target: Sentences,
        *,
        extra: tuple[Sentences, Sentences] = ...,
        advance: Callable[[int], None] | None = None,
    ) -> Alignments:
        """Return the links of all pairs, (source, target), 0-based.

        Parameters: tokenised sentences, as many on both sides; `extra` pairs to learn from too,
        without links to be returned; `advance` is called with the number of further steps done, of
        `STEPS`. An aligner may leave the last two aside. One that refuses few pairs takes `force`.
        The `aligner` of the links is its signature, by default its name.
        """
        ...


def align(
    source: Sentences,
    target: Sentences,
    aligner: str = DEFAULT_ALIGNER,
    *,
    extra: tuple[Sentences, Sentences] = ((), ()),
    advance: Callable[[int], None] | None = None,
) -> Alignments:
    """Align sentence pairs by the aligner of that name; see `Aligner`.

    `agree` learns from the text itself and needs 200 pairs, better 300; `agree(force=true)` takes
    fewer than 100, too, as does `ibm1(force=true)`. Orders made of automatic links understate the
    differences of systems, and their FRS is not comparable with that of manual links:
    `Alignments.aligner` says that they are.

    Raises UnknownNameError with the known names. Raises PreorderEvalError if another package's
    aligner cannot be loaded, and for sides of different length or too few pairs.

    >>> align([["the", "house"], ["the"]], [["das", "Haus"], ["das"]], "ibm1(force=true)")[0]
    [(0, 0), (1, 1)]
    """
    links = find_aligner(aligner)(source, target, extra=extra, advance=advance)
    return links if links.aligner else replace(links, aligner=aligner)


def find_aligner(name: str) -> Aligner:
    """Return the aligner of that name; see `align`."""
    plain, known = name.removesuffix(_FORCED), _aligners()
    if plain not in known:
        raise UnknownNameError("aligner", plain, known)
    loaded = known[plain].load()
    if not callable(loaded):
        raise known[plain].wrong("a function")
    function: Aligner = loaded if plain == name else partial(loaded, force=True)
    return function


def automatic_notes(aligner: str) -> list[str]:
    """Return what automatic links do to scores, if an aligner made them."""
    if not aligner:
        return []
    return [
        f"links by {aligner}: differences are understated, and FRS is not comparable with manual "
        "links"
    ]


def aligner_names() -> list[str]:
    """Return the names of all aligners."""
    return list(_aligners())


def _aligners() -> Registry:
    return Registry("aligners", {name: f"{__name__}.model1:{name}" for name in _BUNDLED})
