"""Lay out heads and children by rules whose pairs have scores.

The scores of all pairs add up whose first kind fits the item that stands before the other, and the
second kind the other: what is positive speaks for turning the two round. Of all orders of a head
and its children the one with the highest sum is found (Tromble & Eisner 2009; Lerner & Petrov
2013).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from preorder_eval.data.arrays import Bools, Floats, Longs
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.conditions import Items, Tags
from preorder_eval.reordering.pairs import best_order
from preorder_eval.reordering.rules import Pair

_AT_ONCE = 1 << 16  # pairs of items that are scored together


def scored_ranks(
    treebank: Treebank,
    tags: Tags,
    pairs: Sequence[Pair],
    heads: Bools,
    before: tuple[Longs, Longs],
    own_before: tuple[Longs, Longs],
) -> tuple[Longs, Longs]:
    """The place of every item in its block, as child and as head; int64[N] each.

    `heads` bool[N] tells whose blocks are laid out; `before` and `own_before` are as for
    `pair_ranks`.
    """
    size = len(treebank.words)
    rank, own_rank = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    child = np.flatnonzero((treebank.heads >= 0) & heads[treebank.parents])
    if not child.size:
        return rank, own_rank
    head = np.unique(treebank.parents[child])
    # Items as children are numbered by token, items as heads behind them.
    item = np.concatenate([child, head + size])
    block = np.concatenate([treebank.parents[child], head])
    stood = [np.concatenate([b[child], o[head]]) for b, o in zip(before, own_before, strict=True)]
    in_order = np.lexsort((*stood, block))
    item, block = item[in_order], block[in_order]
    starts = np.flatnonzero(np.concatenate([[True], block[1:] != block[:-1], [True]]))
    first, second = _item_pairs(starts)
    wanted = _scores(treebank, tags, pairs, item[first], item[second])

    done = 0
    for start, stop in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        count = stop - start
        cost = np.zeros((count, count))
        rows, columns = np.triu_indices(count, 1)
        here = wanted[done : done + len(rows)]
        done += len(rows)
        cost[rows, columns] = np.maximum(here, 0)
        cost[columns, rows] = np.maximum(-here, 0)
        order, _ = best_order(cost)
        chosen = item[start:stop][order]
        as_head = chosen >= size
        rank[chosen[~as_head]] = np.flatnonzero(~as_head)
        own_rank[chosen[as_head] - size] = np.flatnonzero(as_head)
    return rank, own_rank


def _item_pairs(starts: Longs) -> tuple[Longs, Longs]:
    """All pairs of items of a block, by their places in the list of items."""
    pairs = [
        np.stack(np.triu_indices(count, 1)) + start
        for start, count in zip(starts[:-1].tolist(), np.diff(starts).tolist(), strict=True)
    ]
    first, second = np.concatenate(pairs, axis=1)
    return first, second


def _scores(
    treebank: Treebank, tags: Tags, pairs: Sequence[Pair], first: Longs, second: Longs
) -> Floats:
    """What speaks for turning each two items round."""
    items = Items(treebank, tags)
    patterns = {p: n for n, p in enumerate(dict.fromkeys(s for x in pairs for s in x.sides))}
    fits = [
        np.flatnonzero(np.concatenate([items.fitting(p), items.fitting(p, heads=True)]))
        for p in patterns
    ]
    shape = (2 * len(treebank.words), len(patterns))
    column = np.repeat(np.arange(len(patterns)), [len(f) for f in fits])
    row = np.concatenate(fits)
    fitting = sparse.csr_matrix((np.ones(len(row)), (row, column)), shape=shape)
    of_first, of_second = ([patterns[x.sides[n]] for x in pairs] for n in (0, 1))
    scores = np.array([x.score or 0.0 for x in pairs])
    shape = (len(patterns), len(patterns))
    weights = sparse.csr_matrix((scores, (of_first, of_second)), shape=shape)
    forth = fitting @ weights
    total = np.empty(len(first))
    for begin in range(0, len(first), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        one, other = first[part], second[part]
        total[part] = forth[one].multiply(fitting[other]).sum(axis=1).A1
    return total
