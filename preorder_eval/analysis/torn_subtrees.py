"""Phrases of the gold trees that a reference order does not keep together."""

from __future__ import annotations

import numpy as np

from preorder_eval.data.arrays import Bools, Longs
from preorder_eval.data.orders import ReferenceOrders
from preorder_eval.data.treebank import Treebank


def torn_subtrees(trees: Treebank, references: ReferenceOrders) -> Bools:
    """The heads of subtrees whose words cannot stand together in the reference order; bool[N].

    Ties are resolved in favour of the subtree at hand, so what tears it is a word of another one
    whose group lies between the first and the last group of the subtree.

    >>> from preorder_eval.data.treebank import Tree
    >>> labels = ["amod", "nsubj", "root"]
    >>> tree = Tree(["big", "dogs", "bark"], [1, 2, -1], labels, ["X"] * 3, ["_"] * 3)
    >>> torn_subtrees(Treebank.of([tree]), ReferenceOrders.of([[[0], [2], [1]]])).tolist()
    [False, True, False]
    """
    size = len(trees.words)
    ranks = references.ranks.astype(np.int64)
    token, head = _dominance(trees)
    lowest, highest = np.full(size, size), np.full(size, -1)
    np.minimum.at(lowest, head, ranks[token])
    np.maximum.at(highest, head, ranks[token])
    strictly = (ranks[token] > lowest[head]) & (ranks[token] < highest[head])
    dominated = np.bincount(head[strictly], minlength=size)

    # Words of the sentence in groups before a rank: counted by flat number of the group.
    starts = trees.sentence_starts
    words = np.bincount(ranks + starts, minlength=size)
    before = np.concatenate([[0], np.cumsum(words)])
    between = before[starts + highest] - before[np.minimum(starts + lowest + 1, starts + highest)]
    torn: Bools = between > dominated
    return torn


def _dominance(trees: Treebank) -> tuple[Longs, Longs]:
    """Every token with each of the heads above it, itself included, as two columns of indices."""
    token = head = np.arange(len(trees.words))
    tokens, heads = [token], [head]
    while token.size:
        inner = trees.heads[head] >= 0
        token, head = token[inner], trees.parents[head[inner]]
        tokens.append(token)
        heads.append(head)
    return np.concatenate(tokens), np.concatenate(heads)
