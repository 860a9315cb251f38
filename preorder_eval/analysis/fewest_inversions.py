"""The orders of trees, every subtree kept whole, that are best by Kendall's τ.

The inversions of a sentence are a sum over heads of a sum over pairs of their items. So every head
can be laid out by itself: a linear ordering problem of a few items.
"""

from __future__ import annotations

import itertools

import numpy as np

from preorder_eval.analysis.pair_costs import pair_costs
from preorder_eval.data.arrays import Floats, within
from preorder_eval.data.orders import Orders, ReferenceOrders
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.linear_ordering import best_order, order_cost
from preorder_eval.reordering.linearization import linearize


def fewest_inversions(treebank: Treebank, references: ReferenceOrders) -> tuple[Orders, Floats]:
    """Orders with few inversions of linked words, and how many any order of each has at least.

    The second is float64[S]. An order is best where it has no more inversions than that, which is
    so unless more items of a head are tangled than `best_order` solves. Items that cost nothing
    stay in source order.

    >>> from preorder_eval.data.treebank import Tree
    >>> tree = Tree(["eat", "fish"], [-1, 0], ["root", "obj"], ["VERB", "NOUN"], ["VB", "NN"])
    >>> orders, least = fewest_inversions(Treebank.of([tree]), ReferenceOrders.of([[[1], [0]]]))
    >>> orders[0], least.tolist()
    ([1, 0], [0.0])
    """
    costs = pair_costs(treebank, references)
    size = len(treebank.words)
    place, own_place = np.zeros((2, size), dtype=np.int64)
    least = np.zeros(len(treebank))

    child = np.flatnonzero(treebank.heads >= 0)
    by_head = child[np.argsort(treebank.parents[child], kind="stable")]
    first_child = np.searchsorted(treebank.parents[by_head], np.arange(size + 1))
    heads, starts = np.unique(costs.block, return_index=True)
    sentences = np.searchsorted(treebank.offsets, heads, side="right") - 1
    bounds = itertools.pairwise([*starts.tolist(), len(costs)])
    for head, sentence, bound in zip(heads.tolist(), sentences.tolist(), bounds, strict=False):
        here = slice(*bound)
        children = by_head[first_child[head] : first_child[head + 1]]
        items = np.sort(np.append(children, head))
        one = np.searchsorted(items, costs.first[here])
        other = np.searchsorted(items, costs.second[here])
        cost = np.zeros((len(items), len(items)))
        cost[one, other], cost[other, one] = costs.keep[here], costs.turn[here]
        order, proven = best_order(cost)
        places = np.argsort(order)
        place[children], own_place[head] = places[items != head], places[items == head][0]
        no_less = np.minimum(cost, cost.T).sum() / 2
        least[sentence] += order_cost(cost, order) if proven else no_less

    straight = np.zeros(size, dtype=bool)
    places = linearize(treebank, place, straight, own_place, straight)
    positions = np.empty(size, dtype=np.int32)
    positions[places + treebank.sentence_starts] = within(treebank.offsets)
    return Orders(treebank.offsets, positions), least
