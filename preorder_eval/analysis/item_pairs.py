"""Which pairs of items stand wrong how often: the head and its children, two by two.

For two items of a block the links say which should come first: whichever way round fewer pairs of
their words are against the reference. What a pair of kinds of items is worth is counted in
Kendall's τ, which is a sum over such pairs; turning a pair is counted as if nothing else moved.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from preorder_eval.analysis.pair_costs import pair_costs
from preorder_eval.analysis.tree_limit import counted
from preorder_eval.data.arrays import Floats
from preorder_eval.data.columns import Column
from preorder_eval.data.orders import Orders, ReferenceOrders
from preorder_eval.data.treebank import Treebank
from preorder_eval.metrics.kendall import Kendall
from preorder_eval.reordering.rules import HEAD

Key = tuple[str, str, str]  # the head's category, the first item, the second


@dataclass(frozen=True)
class ItemPair:
    """Two kinds of items of heads of a category, where the one comes out before the other.

    `head` is the category; `first` and `second` are HEAD or a label with < for a child that stood
    before its head in the source, > for one behind it; of two children of one kind they end in 1
    and 2, by their places in the source. Of all `times` that the first came out before the second
    and links tell something of the two, they stand `right` and `wrong`, the rest as well either
    way. `gain` is what turning them in all these blocks adds to the score; `sentences` are the
    1-based numbers of those in which they stand wrong.
    """

    head: str
    first: str
    second: str
    times: int
    right: int
    wrong: int
    gain: float
    sentences: list[int]


def item_pairs(
    treebank: Treebank,
    orders: Orders,
    references: ReferenceOrders,
    metric: Kendall,
    categories: Column,
) -> list[ItemPair]:
    """All pairs of kinds of items, by how much turning them would gain.

    Parameters: the `orders` that are to be judged, `references` with one order for each sentence,
    `categories` of the heads, such as their tags. Sentences without links are left out.

    >>> from preorder_eval.data.treebank import Tree
    >>> tree = Tree(["Eat", "fish"], [-1, 0], ["root", "obj"], ["VERB", "NOUN"], ["_"] * 2)
    >>> bank, references = Treebank.of([tree]), ReferenceOrders.of([[[1], [0]]])
    >>> [pair] = item_pairs(bank, Orders.of([[0, 1]]), references, Kendall(), bank.upos)
    >>> pair.head, pair.first, pair.second, pair.wrong, pair.gain
    ('VERB', 'HEAD', 'obj>', 1, 1.0)
    """
    _, worst = metric.counted_losses(orders, references, None)
    worth = _worth(worst, references, metric)
    costs = pair_costs(treebank, counted(references, metric))
    place = np.empty(len(orders.positions), dtype=np.int64)
    place[orders.tokens] = np.arange(len(place))
    turned = place[costs.first] > place[costs.second]
    against = np.where(turned, costs.turn - costs.keep, costs.keep - costs.turn)
    sentence = np.searchsorted(treebank.offsets, costs.block, side="right") - 1
    labels, tags = list(treebank.labels), list(categories)

    tallies: dict[Key, _Tally] = defaultdict(_Tally)
    for head, one, other, other_first, wrong, s in zip(
        *(x.tolist() for x in (costs.block, costs.first, costs.second, turned, against, sentence)),
        strict=True,
    ):
        kinds = [_kind(labels, token, head) for token in (one, other)]
        if kinds[0] == kinds[1]:
            kinds = [kinds[0] + "1", kinds[1] + "2"]
        before, after = reversed(kinds) if other_first else kinds
        tallies[tags[head], before, after].add(s + 1, wrong, float(worth[s]))
    pairs = [
        ItemPair(*key, tally.times, tally.right, tally.wrong, tally.gain, tally.sentences)
        for key, tally in tallies.items()
    ]
    return sorted(pairs, key=lambda p: (-round(p.gain, 12), p.head, p.first, p.second))


@dataclass
class _Tally:
    times: int = 0
    right: int = 0
    wrong: int = 0
    gain: float = 0.0
    sentences: list[int] = field(default_factory=list)

    def add(self, sentence: int, against: float, worth: float) -> None:
        """Another pair, with so many more pairs of words against the reference than for it."""
        self.times += 1
        self.right += against < 0
        self.wrong += against > 0
        self.gain += against * worth
        if against > 0 and sentence not in self.sentences[-1:]:
            self.sentences.append(sentence)


def _kind(labels: list[str], token: int, head: int) -> str:
    return HEAD if token == head else labels[token] + ("<" if token < head else ">")


def _worth(worst: Floats, references: ReferenceOrders, metric: Kendall) -> Floats:
    """What one inversion less adds to the corpus score, by sentence; float64[S]."""
    scored = references.informative
    if metric.average == "pooled":
        return np.full(len(worst), 1 / max(worst[scored].sum(), 1))
    worth: Floats = np.divide(
        1, worst * max(scored.sum(), 1), out=np.zeros(len(worst)), where=worst > 0
    )
    return worth
