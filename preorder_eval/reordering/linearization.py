"""Lay out dependency trees as word orders, a whole corpus at once.

A head and its children are the items of a block, which comes out as long as the head's subtree.
All items of the corpus are sorted by block, slot and source position; the items before one, each
as long as its subtree, give its distance from the start of its block. A token's place is the sum
of these distances over its ancestors, gathered in doubling steps: nothing recurses, and a chain
of thousands of tokens is a sentence like any other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Bools, Longs, within
from preorder_eval.data.treebank import Treebank

Slots = NDArray[np.int64]


def linearize(
    treebank: Treebank, slot: Slots, turned: Bools, own_slot: Slots, own_turned: Bools
) -> Longs:
    """The place of every token in its sentence if blocks are laid out slot by slot; int64[N].

    `slot` int64[N] is the token's slot among the children of its head, and `own_slot` its slot
    among its own children. Items of one slot stand in source order, or the
    other way round where `turned` (for children) or `own_turned` (for the head) says so, bool[N].
    """
    size = len(treebank.words)
    here, place = np.arange(size), within(treebank.offsets)

    # Block, slot, direction and position in one number: sorting numbers needs no index, because
    # block and position tell which item it was.
    bits = int(treebank.lengths.max(initial=1)).bit_length()
    mask = (1 << bits) - 1
    slots = 1 + max(int(slot.max(initial=0)), int(own_slot.max(initial=0)))

    def key(block: Longs, slot: Slots, turn: Bools, at: Longs) -> Longs:
        return ((block * slots + slot) << 1 | turn) << bits | np.where(turn, mask - at, at)

    child = np.flatnonzero(treebank.heads >= 0)
    items = np.concatenate(
        [
            key(here, own_slot, own_turned, place),
            key(treebank.parents[child], slot[child], turned[child], place[child]),
        ]
    )
    items.sort()
    at = items & mask
    at = np.where(items >> bits & 1, mask - at, at)
    block = (items >> (bits + 1)) // slots
    token = treebank.sentence_starts[block] + at
    is_head = token == block

    length = np.where(is_head, 1, treebank.subtree_sizes[token])
    before = np.cumsum(length) - length
    block_start = np.empty(size, dtype=np.int64)
    first = np.ones(len(block), dtype=bool)
    first[1:] = block[1:] != block[:-1]
    block_start[block[first]] = before[first]
    distance = before - block_start[block]

    head_distance = np.zeros(size, dtype=np.int64)
    total = np.zeros(size, dtype=np.int64)
    head_distance[token[is_head]] = distance[is_head]
    total[token[~is_head]] = distance[~is_head]
    ancestor = treebank.parents
    while (treebank.heads[ancestor] >= 0).any():
        total = total + total[ancestor]
        ancestor = ancestor[ancestor]
    # `total` now lacks the root's distance, which is zero.
    return total + head_distance
