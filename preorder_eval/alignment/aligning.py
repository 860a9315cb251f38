"""Aligners by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from preorder_eval.alignment import ALIGNERS, DEFAULT_ALIGNER, Sentences
from preorder_eval.alignment.model1 import agree, ibm1
from preorder_eval.data.alignments import Alignments
from preorder_eval.errors import UnknownNameError

Aligner = Callable[..., Alignments]
_FUNCTIONS: dict[str, Aligner] = dict(zip(ALIGNERS, (agree, ibm1), strict=True))
_FORCED = "(force=true)"


def align(
    source: Sentences,
    target: Sentences,
    aligner: str = DEFAULT_ALIGNER,
    *,
    extra: tuple[Sentences, Sentences] = ((), ()),
    advance: Callable[[int], None] | None = None,
) -> Alignments:
    """Align sentence pairs by the aligner of that name.

    Parameters: `source` and `target` tokenised sentences, as many on both sides; `extra` are pairs
    to learn from, too, whose links are not returned; `advance` is called with the number of further
    steps done, out of `alignment.STEPS`. Returns the links of all sentence pairs. Their `aligner`
    is its signature.

    `agree` learns from the text itself and needs 200 pairs, better 300; `agree(force=true)` takes
    fewer than 100, too, as does `ibm1(force=true)`. Orders made of automatic links understate the
    differences of systems, and their FRS is not comparable with that of manual links:
    `Alignments.aligner` says that they are.

    Raises UnknownNameError with the known names, and PreorderEvalError for sides of different
    length or too few pairs.

    >>> align([["the", "house"], ["the"]], [["das", "Haus"], ["das"]], "ibm1(force=true)")[0]
    [(0, 0), (1, 1)]
    """
    return find_aligner(aligner)(source, target, extra=extra, advance=advance)


def find_aligner(name: str) -> Aligner:
    """Return the aligner of that name, which `(force=true)` may follow; see `align`."""
    plain = name.removesuffix(_FORCED)
    if plain not in _FUNCTIONS:
        raise UnknownNameError("aligner", plain, _FUNCTIONS)
    function = _FUNCTIONS[plain]
    return function if plain == name else partial(function, force=True)
