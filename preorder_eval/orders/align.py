"""Aligners by name."""

from __future__ import annotations

from collections.abc import Callable

from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.base.text.tokenization import TokenLists
from preorder_eval.orders.aligners import ALIGNERS, DEFAULT_ALIGNER
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.model1 import agree, ibm1

Aligner = Callable[..., Alignments]  # such as `model1.agree`
_FUNCTIONS: dict[str, Aligner] = dict(zip(ALIGNERS, (agree, ibm1), strict=True))
_FORCED = "(force=true)"
_FEWEST = 100  # sentence pairs
_LARGEST = 1 << 24  # pairs of tokens of a sentence pair


def align(
    source: TokenLists,
    target: TokenLists,
    aligner: str = DEFAULT_ALIGNER,
    *,
    extra: tuple[TokenLists, TokenLists] = ((), ()),
    advance: Callable[[int], None] | None = None,
) -> Alignments:
    """Align sentence pairs by the aligner of that name.

    Parameters: `source` and `target` tokenised sentences, equally many; `extra` further pairs to
    learn from, whose links are not returned; `advance` is called with the number of further steps
    done, out of `aligners.STEPS`. Returns the links of all sentence pairs. Their `aligner` is its
    signature.

    `agree` learns from the text itself and needs 200 pairs, better 300; `agree(force=true)` takes
    fewer than 100, too, as does `ibm1(force=true)`. Orders made of automatic links understate the
    differences between systems, and their FRS is not comparable with that of manual links.
    `Alignments.aligner` marks links as automatic.

    Raises UnknownNameError with the known names, and PreorderEvalError for sides of different
    length or too few pairs.

    >>> import preorder_eval as pe
    >>> pe.align([["the", "house"], ["the"]], [["das", "Haus"], ["das"]], "ibm1(force=true)")[0]
    [(0, 0), (1, 1)]
    """
    function, forced = find_aligner(aligner)
    if len(extra) != 2:
        raise PreorderEvalError("extra must be the sources and the targets of more sentence pairs")
    sources, targets = [*source, *extra[0]], [*target, *extra[1]]
    if len(source) != len(target) or len(sources) != len(targets):
        raise PreorderEvalError(f"{len(sources)} source and {len(targets)} target sentences")
    if not any(map(len, targets)) or not any(map(len, sources)):
        raise PreorderEvalError("no words to learn from on one of the sides")
    for number, (words, others) in enumerate(zip(sources, targets, strict=True), 1):
        if len(words) * len(others) > _LARGEST:
            raise PreorderEvalError(
                f"sentence pair {number} has {len(words):,} and {len(others):,} words; "
                "give one sentence a line"
            )
    if len(sources) < _FEWEST and not forced:
        raise PreorderEvalError(
            f"{len(sources)} sentence pairs are too few to learn links from: below {_FEWEST} they "
            f"are unsafe, at 50 useless; add pairs, or take '{aligner}{_FORCED}'"
        )
    return function(sources, targets, len(source), advance)


def find_aligner(name: str) -> tuple[Aligner, bool]:
    """Return the aligner of that name, and whether `(force=true)` follows; see `align`."""
    plain = name.removesuffix(_FORCED)
    if plain not in _FUNCTIONS:
        raise UnknownNameError("aligner", plain, _FUNCTIONS)
    return _FUNCTIONS[plain], plain != name
