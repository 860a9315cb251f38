"""N-best lists: several trees of each sentence, best first, with their log-probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from preorder_eval.base.arrays import Floats, Longs, Offsets, described, offsets_of, within
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.trees.treebank import Treebank


@dataclass(frozen=True, eq=False)
class NBest:
    """The n-best lists of S sentences, P trees in all.

    `trees` holds the P trees, those of a sentence side by side, best first; `offsets` int64[S + 1]
    says where each sentence's list starts. `scores` float64[P] are natural logarithms of the
    trees' probabilities, falling within a list (lists of other programs may have any falling
    numbers); NaN in a list without scores.

    Raises PreorderEvalError where the parts do not fit together.

    >>> import preorder_eval as pe
    >>> lists = pe.load_parser("en-web").parse([["Time", "flies"]], n=2)
    >>> lists, len(lists.top(1).trees)
    (<NBest: 1 sentence, 2 trees>, 1)
    """

    trees: Treebank
    offsets: Offsets
    scores: Floats

    def __repr__(self) -> str:
        return described("NBest", sentence=len(self), tree=len(self.trees))

    def __post_init__(self) -> None:
        if len(self.trees) != len(self.scores) or self.offsets[-1] != len(self.scores):
            raise PreorderEvalError(
                f"{len(self.trees)} trees with {len(self.scores)} scores in lists of "
                f"{self.offsets[-1]}"
            )
        empty = np.flatnonzero(self.sizes < 1)
        if empty.size:
            raise PreorderEvalError(f"sentence {empty[0] + 1} has no tree")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Longs:
        """Trees per sentence, int64[S]."""
        return np.diff(self.offsets)

    @property
    def sentence_of(self) -> Longs:
        """The number of the sentence that each tree belongs to; int64[P]."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def top(self, n: int) -> NBest:
        """Return the first n trees of each list."""
        if (self.sizes <= n).all():
            return self
        kept = np.flatnonzero(within(self.offsets) < n)
        sizes = np.minimum(self.sizes, n)
        return NBest(self.trees.take(kept), offsets_of(sizes.tolist()), self.scores[kept])

    def probabilities(self) -> Floats:
        """Return each tree's share of the probability of its list; float64[P].

        In a list without scores every tree has the same share.

        >>> from preorder_eval.trees.treebank import Tree
        >>> trees = [Tree(["Go"], [-1], ["root"], [tag], ["_"]) for tag in ("VERB", "NOUN")]
        >>> nbest = NBest(Treebank.of(trees), np.array([0, 2]), np.log([0.6, 0.2]))
        >>> nbest.probabilities().round(2).tolist()
        [0.75, 0.25]
        """
        starts = self.offsets[:-1]
        unknown = np.maximum.reduceat(np.isnan(self.scores), starts)[self.sentence_of]
        scores = np.where(unknown, 0.0, self.scores)
        shares = np.exp(scores - np.maximum.reduceat(scores, starts)[self.sentence_of])
        probabilities: Floats = shares / np.add.reduceat(shares, starts)[self.sentence_of]
        return probabilities

    def lists(self) -> Iterator[range]:
        """Return the numbers of each sentence's trees."""
        bounds = self.offsets.tolist()
        return map(range, bounds[:-1], bounds[1:])
