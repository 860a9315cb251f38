"""Two directions of word alignment made into one (Och & Ney 2003; Koehn, Och & Marcu 2003).

`none` keeps the links in which every target word has one source word at most, `inverse` those in
which every source word has one target word at most; `intersection` and `union` combine them.
Growing starts from the intersection and adds links of the union beside links that it has, where
one of the two words is still without a link; `final` then adds, direction by direction, what links
a word that still has none (`final-and`: two words that have none). As in the pseudo-code of
Moses, which goes through the links by source and then target position and looks at the new
neighbours of a link at once; on other ways through the links the outcome can differ.
"""

from __future__ import annotations

from typing import Literal, get_args

from preorder_eval.data.alignments import Alignments, Link
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.visible import quantity

Symmetrization = Literal[
    "none",
    "inverse",
    "intersection",
    "union",
    "grow-diag",
    "grow-diag-final",
    "grow-diag-final-and",
]
_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def symmetrize(forward: Alignments, inverse: Alignments, how: Symmetrization) -> Alignments:
    """Combine two directions of alignment of the same sentences.

    Parameters: links (source, target) both, `forward` with one source word at most for a target
    word, `inverse` with one target word at most for a source word. Returns sorted links.

    >>> forward, inverse = Alignments.of([[(3, 0), (1, 1), (1, 2)]]), Alignments.of([[(1, 2)]])
    >>> symmetrize(forward, inverse, "grow-diag")[0]
    [(1, 1), (1, 2)]
    >>> symmetrize(forward, inverse, "grow-diag-final")[0]
    [(1, 1), (1, 2), (3, 0)]
    """
    if how not in get_args(Symmetrization):
        raise UnknownNameError("symmetrization", how, get_args(Symmetrization))
    if len(forward) != len(inverse):
        raise PreorderEvalError(
            f"links of {len(forward)} and of {quantity(len(inverse), 'sentence')}"
        )
    pairs = zip(forward, inverse, strict=True)
    return Alignments.of(_combined(set(one), set(other), how) for one, other in pairs)


def _combined(forward: set[Link], inverse: set[Link], how: Symmetrization) -> set[Link]:
    union, links = forward | inverse, forward & inverse
    plain = {"none": forward, "inverse": inverse, "union": union, "intersection": links}
    if how in plain:
        return plain[how]
    sources, targets = ({link[side] for link in links} for side in (0, 1))

    def add(link: Link) -> None:
        links.add(link)
        sources.add(link[0])
        targets.add(link[1])

    before = -1
    while before < len(links):
        before = len(links)
        for source, target in sorted(union):
            for down, right in _NEIGHBOURS if (source, target) in links else ():
                new = source + down, target + right
                if new in union and (new[0] not in sources or new[1] not in targets):
                    add(new)
    enough = all if how == "grow-diag-final-and" else any
    for direction in (forward, inverse) if how != "grow-diag" else ():
        for link in sorted(direction):
            if enough((link[0] not in sources, link[1] not in targets)):
                add(link)
    return links
