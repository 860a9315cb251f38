"""The blocks of one tree: a head with its children, each of which moves with its whole subtree.

Every token is the root of a *phrase*, its subtree. The items of its block are the token alone and
the phrases of its children. Items are numbered: the token alone by its position t in a sentence of
M words, its phrase by M + t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from preorder_eval.data.arrays import Bools

Item = int
Blocks = dict[Item, list[Item]]  # a phrase and its items


def blocks_of(heads: Sequence[int]) -> Blocks:
    """The items of every phrase in source order, by their heads; smaller phrases come first.

    `heads` are positions, -1 for the root.

    >>> blocks_of([1, -1, 1])  # She reads books
    {5: [2], 3: [0], 4: [3, 1, 5]}
    """
    size = len(heads)
    children: list[list[int]] = [[] for _ in heads]
    for token, head in enumerate(heads):
        if head >= 0:
            children[head].append(token)
    downwards = [heads.index(-1)]
    for head in downwards:
        downwards += children[head]
    return {
        size + head: [
            token if token == head else size + token for token in sorted([head, *children[head]])
        ]
        for head in reversed(downwards)
    }


def members_of(blocks: Mapping[Item, Sequence[Item]]) -> Bools:
    """Which tokens each item holds; bool[2M, M].

    >>> members_of(blocks_of([1, -1]))[3].tolist()
    [True, True]
    """
    size = len(blocks)
    members = np.zeros((2 * size, size), dtype=bool)
    members[:size] = np.eye(size, dtype=bool)
    for phrase, items in blocks.items():
        members[phrase] = members[items].any(axis=0)
    return members


def laid_out(blocks: Mapping[Item, Sequence[Item]], root: Item, tokens: int) -> list[int]:
    """The tokens of an item in the order in which the blocks list their items.

    `tokens` is the number from which items are phrases.

    >>> laid_out({2: [1], 3: [2, 0]}, 3, 2)
    [1, 0]
    """
    order = []
    waiting = [root]
    while waiting:
        item = waiting.pop()
        if item < tokens:
            order.append(item)
        else:
            waiting += reversed(blocks[item])
    return order
