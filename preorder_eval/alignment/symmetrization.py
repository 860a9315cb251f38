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

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, get_args

from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.visible import quantity

if TYPE_CHECKING:
    from preorder_eval.data.alignments import Alignments, Link

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

    >>> from preorder_eval.data.alignments import Alignments
    >>> forward, inverse = Alignments.of([[(3, 0), (1, 1), (1, 2)]]), Alignments.of([[(1, 2)]])
    >>> symmetrize(forward, inverse, "grow-diag")[0]
    [(1, 1), (1, 2)]
    >>> symmetrize(forward, inverse, "grow-diag-final")[0]
    [(1, 1), (1, 2), (3, 0)]
    """
    from preorder_eval.data.alignments import Alignments  # here, to keep the list of names light

    if how not in get_args(Symmetrization):
        raise UnknownNameError("symmetrization", how, get_args(Symmetrization))
    if len(forward) != len(inverse):
        raise PreorderEvalError(
            f"links of {len(forward)} and of {quantity(len(inverse), 'sentence')}"
        )
    return Alignments.of(
        sorted(_combined(set(forward[s]), set(inverse[s]), how)) for s in range(len(forward))
    )


def _combined(forward: set[Link], inverse: set[Link], how: Symmetrization) -> set[Link]:
    if how == "none":
        return forward
    if how == "inverse":
        return inverse
    if how == "union":
        return forward | inverse
    links = forward & inverse
    if how == "intersection":
        return links
    grown = _Grown(links)
    grown.grow(forward | inverse)
    if how != "grow-diag":
        for direction in (forward, inverse):
            grown.finish(direction, both=how == "grow-diag-final-and")
    return grown.links


class _Grown:
    """Links that are added to, with the words that have one."""

    def __init__(self, links: Iterable[Link]) -> None:
        self.links: set[Link] = set()
        self.sources: set[int] = set()
        self.targets: set[int] = set()
        for link in links:
            self._add(link)

    def _add(self, link: Link) -> None:
        self.links.add(link)
        self.sources.add(link[0])
        self.targets.add(link[1])

    def grow(self, union: set[Link]) -> None:
        """Add neighbours out of the union until there are no more to add."""
        ordered = sorted(union)
        before = -1
        while before < len(self.links):
            before = len(self.links)
            for source, target in ordered:
                if (source, target) not in self.links:
                    continue
                for down, right in _NEIGHBOURS:
                    new = source + down, target + right
                    free = new[0] not in self.sources or new[1] not in self.targets
                    if free and new in union:
                        self._add(new)

    def finish(self, direction: set[Link], *, both: bool) -> None:
        """Add the links of one direction for words that have none."""
        for source, target in sorted(direction):
            free = source not in self.sources, target not in self.targets
            if all(free) if both else any(free):
                self._add((source, target))
