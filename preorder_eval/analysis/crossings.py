"""Words that cross their head and should not, and words that should and do not.

What a precedence rule decides of a child is first of all on which side of its head it comes out
(Xu et al. 2009). The reference order says on which side it belongs, unless the two are tied. So
children of one kind (a label, on one side of heads of one category) that come out on the wrong
side point to the slot of the rule set that puts them there, or to the lack of one. Only the two
words themselves are compared, whatever belongs to them, and only where both have a link: the
reference has no place of its own for a word without one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from preorder_eval.data.orders import Orders, ReferenceOrders
from preorder_eval.data.treebank import Treebank


@dataclass(frozen=True)
class Crossing:
    """The children of one kind.

    `label` is theirs, `head` the part of speech of their heads, `side` that of the head on which
    they stand in the source. `count`: how many there are; `should`: those that the reference
    order has on the other side; `crossed`: those that the system order has there; `needless`:
    those that crossed and should have stayed; `missed`: those that stayed and should have crossed;
    `sentences`: 1-based numbers of the sentences with a needless or missed one.
    """

    label: str
    head: str
    side: Literal["before", "after"]
    count: int
    should: int
    crossed: int
    needless: int
    missed: int
    sentences: tuple[int, ...]

    @property
    def wrong(self) -> int:
        """Children on the wrong side of their head."""
        return self.needless + self.missed


def crossings(trees: Treebank, orders: Orders, references: ReferenceOrders) -> tuple[Crossing, ...]:
    """All kinds of children, those with the most on the wrong side first.

    Children without a link, or of a head without one, are left out.

    >>> from preorder_eval.data.treebank import Tree
    >>> tree = Tree(["eats", "fish"], [-1, 0], ["root", "obj"], ["VERB", "NOUN"], ["_", "_"])
    >>> trees, references = Treebank.of([tree]), ReferenceOrders.of([[[1], [0]]])
    >>> [found] = crossings(trees, Orders.of([[0, 1]]), references)
    >>> found.label, found.head, found.side, found.should, found.missed
    ('obj', 'VERB', 'after', 1, 1)
    """
    linked = references.aligned & references.aligned[trees.parents]
    child = np.flatnonzero((trees.heads >= 0) & linked)
    head = trees.parents[child]
    sentence = np.repeat(np.arange(len(trees)), trees.lengths)
    place = np.empty(len(orders.tokens), dtype=np.int64)
    place[orders.tokens] = np.arange(len(place))

    after = child > head
    belongs = np.sign(references.ranks[child] - references.ranks[head])  # 0 for a tie
    crossed = (place[child] > place[head]) != after
    should = (belongs != 0) & ((belongs > 0) != after)
    needless = crossed & ~should & (belongs != 0)
    missed = ~crossed & should

    kinds, kind = np.unique(
        np.stack([trees.labels.codes[child], trees.upos.codes[head], after]),
        axis=1,
        return_inverse=True,
    )
    listed = []
    for k, (label, tag, is_after) in enumerate(kinds.T.tolist()):
        of_kind = kind == k
        wrong = child[of_kind & (needless | missed)]
        listed.append(
            Crossing(
                label=trees.labels.names[label],
                head=trees.upos.names[tag],
                side="after" if is_after else "before",
                count=int(of_kind.sum()),
                should=int((of_kind & should).sum()),
                crossed=int((of_kind & crossed).sum()),
                needless=int((of_kind & needless).sum()),
                missed=int((of_kind & missed).sum()),
                sentences=tuple(np.unique(sentence[wrong] + 1).tolist()),
            )
        )
    return tuple(sorted(listed, key=lambda c: (-c.wrong, c.label, c.head, c.side)))
