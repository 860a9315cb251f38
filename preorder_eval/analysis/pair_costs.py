"""What reference orders say of every two items of a head: keep them, or turn them round.

Two linked words meet in one head: the lowest that is above both, or one of them. There they belong
to two of its items (itself, or a child with all its words), and their ranks in the reference order
say in which order these items should come out. So the inversions that Kendall's τ counts fall apart
into those of the pairs of items of every head, wherever subtrees are kept whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.arrays import Floats, Longs, gather
from preorder_eval.data.orders import ReferenceOrders
from preorder_eval.data.treebank import Treebank

_AT_ONCE = 1 << 22  # pairs of words that are looked at together


@dataclass(frozen=True, eq=False)
class PairCosts:
    """The pairs of items that links tell something of, sorted by sentence, block and item.

    `block`, `first` and `second` int64[P] are tokens of the corpus: the head, and the two items in
    source order, each by its uppermost word (the head itself is an item, too). `keep` and `turn`
    float64[P] are how many pairs of linked words stand wrong if the items keep their source order
    and if they are turned round; of several reference orders, their mean.
    """

    block: Longs
    first: Longs
    second: Longs
    keep: Floats
    turn: Floats

    def __len__(self) -> int:
        return len(self.block)


def pair_costs(treebank: Treebank, references: ReferenceOrders | Alternatives) -> PairCosts:
    """Count for every two items of a head the linked words that stand wrong in either order.

    Words without links and words of the same rank tell nothing. Raises nothing; trees and
    references must be of the same sentences.

    >>> from preorder_eval.data.treebank import Tree
    >>> tree = Tree(["eat", "fish"], [-1, 0], ["root", "obj"], ["VERB", "NOUN"], ["VB", "NN"])
    >>> costs = pair_costs(Treebank.of([tree]), ReferenceOrders.of([[[1], [0]]]))
    >>> costs.first.tolist(), costs.second.tolist(), costs.keep.tolist(), costs.turn.tolist()
    ([0], [1], [1.0], [0.0])
    """
    if isinstance(references, Alternatives):
        orders, sentence = references.references, references.sentence
        weight = 1 / references.counts
    else:
        orders, sentence = references, np.arange(len(references))
        weight = np.ones(len(references))
    path = _paths(treebank)
    parts = []
    for chosen in _portions(orders):
        word, other, wrong = _word_pairs(orders.take(chosen))
        source, tokens = gather(treebank.offsets, sentence[chosen])
        share = np.repeat(weight[sentence[chosen]], np.diff(source))[word]
        word, other = tokens[word], tokens[other]
        parts.append(_item_pairs(path, word, other, wrong, share))
    block, first, second = (np.concatenate([part[n] for part in parts]) for n in range(3))
    keep, turn = (np.concatenate([part[n] for part in parts]) for n in (3, 4))
    return _summed(block, first, second, keep.astype(np.float64), turn.astype(np.float64))


def _portions(orders: ReferenceOrders) -> list[Longs]:
    """The numbers of the orders, so many at once that their pairs of words fit in memory."""
    pairs = np.cumsum(np.diff(orders.offsets) ** 2)
    portion = pairs // _AT_ONCE
    borders = np.flatnonzero(np.diff(portion)) + 1
    return np.split(np.arange(len(orders)), borders)


def _word_pairs(orders: ReferenceOrders) -> tuple[Longs, Longs, Longs]:
    """All pairs of linked words of different rank, in source order, and whether they stand wrong.

    Words are numbered through all the orders.
    """
    linked = np.flatnonzero(orders.aligned)
    sentence = np.repeat(np.arange(len(orders)), np.diff(orders.offsets))[linked]
    ends = np.searchsorted(sentence, sentence, side="right")
    here = np.arange(len(linked))
    later = ends - here - 1
    first = np.repeat(here, later)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)
    first, second = linked[first], linked[second]
    different = orders.ranks[first] != orders.ranks[second]
    first, second = first[different], second[different]
    return first, second, (orders.ranks[first] > orders.ranks[second]).astype(np.int64)


def _paths(treebank: Treebank) -> Longs:
    """For every token the tokens from the root down to itself, then -1; int64[N, depth]."""
    size = len(treebank.words)
    depth = np.zeros(size, dtype=np.int64)
    above = treebank.parents
    current = np.arange(size)
    while (moves := above[current] != current).any():
        depth += moves
        current = above[current]
    path = np.full((size, int(depth.max(initial=0)) + 2), -1, dtype=np.int64)
    current = np.arange(size)
    for back in range(path.shape[1] - 1):
        known = np.flatnonzero(depth >= back)
        path[known, depth[known] - back] = current[known]
        current = above[current]
    return path


def _item_pairs(
    path: Longs, word: Longs, other: Longs, wrong: Longs, share: Floats
) -> tuple[Longs, Longs, Longs, Floats, Floats]:
    """The heads in which pairs of words meet, their items there, and the cost of either order."""
    same = (path[word] == path[other]) & (path[word] >= 0)
    meet = np.argmin(same, axis=1)  # the first level at which they part
    block = path[word, meet - 1]
    items = [np.where(path[w, meet] < 0, block, path[w, meet]) for w in (word, other)]
    # In a tree that is not projective, words can stand the other way round than their items.
    crossed = items[0] > items[1]
    keep = np.where(crossed, 1 - wrong, wrong) * share
    return block, np.minimum(*items), np.maximum(*items), keep, share - keep


def _summed(block: Longs, first: Longs, second: Longs, keep: Floats, turn: Floats) -> PairCosts:
    """One entry for every pair of items."""
    size = int(max(first.max(initial=0), second.max(initial=0))) + 1
    key, start, number = np.unique(first * size + second, return_index=True, return_inverse=True)
    by_block = np.lexsort((key, block[start]))
    start = start[by_block]
    kept, turned = (
        np.bincount(number, cost, len(key)).astype(np.float64)[by_block] for cost in (keep, turn)
    )
    return PairCosts(block[start], first[start], second[start], kept, turned)
