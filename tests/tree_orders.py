"""Random small sentences, and every order that keeps all subtrees of a tree whole."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.orders import Orders, ReferenceOrder, ReferenceOrders, SourceWords
from preorder_eval.data.treebank import Tree, Treebank


def whole_orders(heads: list[int]) -> list[list[int]]:
    """Every order in which each subtree's words stand side by side."""

    def of(head: int) -> list[list[int]]:
        children = [i for i, above in enumerate(heads) if above == head]
        parts = [[[head]], *map(of, children)]
        return [
            list(itertools.chain(*chosen))
            for permuted in itertools.permutations(parts)
            for chosen in itertools.product(*permuted)
        ]

    return of(heads.index(-1))


@dataclass(frozen=True)
class Sentence:
    """A tree with a reference order, maybe with ties, unlinked words and words that repeat."""

    heads: list[int]
    ranks: list[int]
    linked: list[bool]
    words: list[str]

    @property
    def treebank(self) -> Treebank:
        labels = ["root" if head < 0 else "dep" for head in self.heads]
        blank = ["_"] * len(self.heads)
        return Treebank.of([Tree(self.words, self.heads, labels, blank, blank)])

    @property
    def references(self) -> ReferenceOrders:
        groups = [
            [i for i, r in enumerate(self.ranks) if r == rank] for rank in sorted({*self.ranks})
        ]
        return ReferenceOrders.of([ReferenceOrder(groups, self.linked)])

    @property
    def source(self) -> SourceWords:
        return SourceWords.of([self.words])

    def losses(self, metric, orders: list[list[int]]) -> list[float]:
        """What the metric says that each of the orders loses."""
        same = np.zeros(len(orders), dtype=np.int64)
        references, words = self.references.take(same), self.source.take(same)
        return metric.counted_losses(Orders.of(orders), references, words)[0].tolist()


def random_sentence(
    seed: int, longest: int = 7, ties: bool = False, unlinked: bool = False, repeated: bool = False
) -> Sentence:
    rng = random.Random(seed)
    size = rng.randint(1, longest)
    order = rng.sample(range(size), size)
    flat = rng.choice([1, size])  # how far up a head may be: some trees are deep
    heads = [-1] * size
    for k in range(1, size):
        heads[order[k]] = order[rng.randrange(max(0, k - flat), k)]
    ranks = [rng.randrange(size) for _ in range(size)] if ties else rng.sample(range(size), size)
    linked = [not unlinked or rng.random() < 0.7 for _ in range(size)]
    linked[rng.randrange(size)] = True
    words = [rng.choice("abcd") if repeated else f"w{i}" for i in range(size)]
    return Sentence(heads, ranks, linked, words)
