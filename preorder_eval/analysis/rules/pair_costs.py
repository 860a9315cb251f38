"""The cost of keeping or turning two items of a head, and the orders of trees that cost least.

Two aligned words meet in one head: the lowest head that is above both, or is one of them. Each of
the two belongs to an item of that head: the head itself, or a child with all words below it. The
ranks of the two words in the reference order decide in which order these items should come out. So,
if subtrees are kept whole, the inversions that Kendall's τ counts are a sum over the pairs of items
of every head. Every head can be ordered by itself, which is a linear ordering problem of a few
items.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Floats, Ints, Longs, within
from preorder_eval.data.orders import Alternatives, Orders, ReferenceOrders
from preorder_eval.data.treebank import Treebank, subtrees
from preorder_eval.errors import PreorderEvalError
from preorder_eval.reordering.pairs import best_order, order_cost
from preorder_eval.reordering.rule_set import linearize

_LONGEST = 1 << 11  # words of a sentence


@dataclass(frozen=True, eq=False)
class PairCosts:
    """The pairs of items whose order links decide, sorted by sentence, head and item.

    `block`, `first` and `second` int64[P] are tokens of the corpus: the head, and the uppermost
    words of two of its items in source order. The head is an item, too. `keep` and `turn`
    float64[P] count the inverted pairs of aligned words if the items keep their source order, and
    if they are turned; if a sentence has several reference orders, they are means over these.
    `sentence` int64[P] is the sentence.
    """

    block: Longs
    first: Longs
    second: Longs
    keep: Floats
    turn: Floats
    sentence: Longs


def pair_costs(treebank: Treebank, references: ReferenceOrders | Alternatives) -> PairCosts:
    """Count for every two items of a head the aligned words that are inverted in either order.

    Unaligned words and words of the same rank cost nothing. Trees and references must be of the
    same sentences. Raises PreorderEvalError for one of more than 2,048 words.
    """
    if not isinstance(references, Alternatives):
        references = Alternatives(references, np.arange(len(references)))
    if len(long := np.flatnonzero(treebank.lengths > _LONGEST)):
        raise PreorderEvalError(
            f"sentence {long[0] + 1} has {treebank.lengths[long[0]]:,} words, whose pairs are too "
            f"many to compare; leave out sentences of more than {_LONGEST:,} words"
        )
    orders = references.references
    ranks = np.where(orders.aligned, orders.ranks, np.nan)  # NaN is neither above nor below any
    parts = []
    for s, numbers in enumerate(np.split(np.arange(len(orders)), references.first[1:])):
        of_orders = [ranks[orders.span(number)] for number in numbers]
        behind = np.sum([np.greater.outer(each, each) for each in of_orders], axis=0, dtype=float)
        tokens, costs = _item_pairs(treebank.heads[treebank.span(s)], behind)
        sentence = np.full(costs.shape[1], s)
        parts.append((tokens + treebank.offsets[s], costs / len(numbers), sentence))
    tokens_of, costs_of, sentences = zip(*parts, strict=True)
    block, first, second = np.concatenate(tokens_of, axis=1)
    keep, turn = np.concatenate(costs_of, axis=1)
    return PairCosts(block, first, second, keep, turn, np.concatenate(sentences))


def _item_pairs(heads: Ints, behind: Floats) -> tuple[Longs, Floats]:
    """Return the pairs of items in one sentence that cost anything, by head.

    `behind` float64[n, n] is how often the first word stands behind the second in the reference
    orders. The result is int64[3, P] with heads and items, and float64[2, P] with the costs of
    keeping and turning them.
    """
    words, inside = np.arange(len(heads)), subtrees(heads).astype(float)
    siblings = np.equal.outer(heads, heads)
    child = np.equal.outer(heads, words)  # the first word is a child of the second
    of_subtrees = inside @ behind
    # A child takes its subtree along, a head is itself alone.
    cost = np.where(child, of_subtrees, behind @ inside.T)
    cost = np.where(siblings, of_subtrees @ inside.T, cost)
    counted = (siblings | child | child.T) & (cost + cost.T > 0)
    first, second = np.nonzero(np.triu(counted, 1))
    head = np.select([siblings, child], [heads[:, None], words], words[:, None])[first, second]
    by_head = np.argsort(head, kind="stable")
    tokens = np.stack([head, first, second])[:, by_head]
    return tokens, np.stack([cost[first, second], cost[second, first]])[:, by_head]


def fewest_inversions(treebank: Treebank, references: ReferenceOrders) -> tuple[Orders, Floats]:
    """Return orders with few inversions of aligned words, and a lower bound of the inversions.

    The bound float64[S] is the least number that any order of the sentence can have. The order
    reaches it, and so is proven to be best, unless a head has more tangled items than `best_order`
    solves. Items that make no difference stay in source order.
    """
    costs = pair_costs(treebank, references)
    size = len(treebank.words)
    place, own_place = np.zeros((2, size), dtype=np.int64)
    least = np.zeros(len(treebank))

    child = np.flatnonzero(treebank.heads >= 0)
    by_head = child[np.argsort(treebank.parents[child], kind="stable")]
    first_child = np.searchsorted(treebank.parents[by_head], np.arange(size + 1))
    heads, starts = np.unique(costs.block, return_index=True)
    stops = np.append(starts, len(costs.block))[1:]
    for head, start, stop in zip(heads, starts, stops, strict=True):
        here = slice(start, stop)
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
        least[costs.sentence[start]] += order_cost(cost, order) if proven else no_less

    straight = np.zeros(size, dtype=bool)
    places = linearize(treebank, place, straight, own_place, straight)
    positions = np.empty(size, dtype=np.int32)
    positions[places + treebank.sentence_starts] = within(treebank.offsets)
    return Orders(treebank.offsets, positions), least
