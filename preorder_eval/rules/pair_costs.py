"""The cost of keeping or turning two items of a head, and the cheapest orders of trees.

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

from preorder_eval.base.arrays import Floats, Ints, Longs, gather, in_order, matrix_product, within
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.orders.orders import Alternatives, Orders, ReferenceOrders
from preorder_eval.rules.linear_ordering import best_order, order_cost, parts_by_wins, tangled
from preorder_eval.rules.rule_set import linearize
from preorder_eval.trees.treebank import Treebank, subtrees

_LONGEST = 1 << 11  # words of a sentence
_AT_ONCE = 1 << 20  # pairs of words that are compared together


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
    """Count the pairs of aligned words that are inverted in either order of two items of a head.

    Unaligned words and words of the same rank cost nothing. Trees and references must be of the
    same sentences. Raises PreorderEvalError for one of more than 2,048 words.
    """
    if not isinstance(references, Alternatives):
        references = Alternatives(references, np.arange(len(references)))
    if len(long := np.flatnonzero(treebank.lengths > _LONGEST)):
        raise PreorderEvalError(
            f"sentence {long[0] + 1} has {treebank.lengths[long[0]]:,} words, too many to "
            f"compare all pairs; remove sentences of more than {_LONGEST:,} words"
        )
    most = int(np.bincount(references.sentence, minlength=1).max())
    parts = [(np.zeros((4, 0), dtype=np.int64), np.zeros((2, 0)))]
    for length in np.unique(treebank.lengths).tolist():
        alike = np.flatnonzero(treebank.lengths == length)
        step = max(1, _AT_ONCE // max(1, most * length**2))
        for sentences in np.split(alike, range(step, len(alike), step)):
            starts = treebank.offsets[sentences]
            heads = treebank.heads[starts[:, None] + np.arange(length)]
            behind, orders = _behind(references, sentences, length)
            place, tokens, costs = _item_pairs(heads, behind)
            tokens = np.stack([sentences[place], *(tokens + starts[place])])
            parts.append((tokens, costs / orders[place]))
    tokens_of, costs_of = zip(*parts, strict=True)
    sentence, block, first, second = np.concatenate(tokens_of, axis=1)
    keep, turn = np.concatenate(costs_of, axis=1)
    at = in_order(block, first, second)
    return PairCosts(block[at], first[at], second[at], keep[at], turn[at], sentence[at])


def _behind(references: Alternatives, sentences: Longs, length: int) -> tuple[Floats, Longs]:
    """Count the reference orders in which a word stands behind another, and all of a sentence.

    They are float64[S, n, n] and int64[S] for sentences, in ascending order, of n words each.
    """
    orders, starts = references.references, np.append(references.first, len(references.sentence))
    offsets, numbers = gather(starts, sentences)
    tokens = orders.offsets[numbers][:, None] + np.arange(length)
    # NaN is neither above nor below any.
    ranks = np.where(orders.aligned[tokens], orders.ranks[tokens], np.nan)
    behind = np.greater(ranks[:, :, None], ranks[:, None, :])
    return np.add.reduceat(behind, offsets[:-1], axis=0, dtype=np.float64), np.diff(offsets)


def _item_pairs(heads: Ints, behind: Floats) -> tuple[Longs, Longs, Floats]:
    """Return the pairs of items that cost anything in sentences of n words each.

    `heads` are int32[S, n], and `behind` float64[S, n, n] is how often the first word stands behind
    the second in the reference orders. The result is int64[P] with the sentences, int64[3, P] with
    heads and items, and float64[2, P] with the costs of keeping and turning them.
    """
    words, inside = np.arange(heads.shape[1]), subtrees(heads).astype(float)
    siblings = heads[:, :, None] == heads[:, None, :]
    child = heads[:, :, None] == words  # the first word is a child of the second
    of_subtrees = matrix_product(inside, behind)
    # A child takes its subtree along, a head is itself alone.
    cost = np.where(child, of_subtrees, matrix_product(behind, inside.swapaxes(1, 2)))
    cost = np.where(siblings, matrix_product(of_subtrees, inside.swapaxes(1, 2)), cost)
    counted = (siblings | child | child.swapaxes(1, 2)) & (cost + cost.swapaxes(1, 2) > 0)
    at = sentence, first, second = np.nonzero(np.triu(counted, 1))
    head = np.select([siblings[at], child[at]], [heads[sentence, first], second], first)
    tokens = np.stack([head, first, second]).astype(np.int64)
    return sentence, tokens, np.stack([cost[at], cost[sentence, second, first]])


def fewest_inversions(treebank: Treebank, references: ReferenceOrders) -> tuple[Orders, Floats]:
    """Return orders with few inversions of aligned words, and a lower bound of the inversions.

    The bound float64[S] is the least number that any order of the sentence can have. The order
    reaches it, and so is proven to be best, unless a head has more tangled items than `best_order`
    solves. Items that make no difference stay in source order.
    """
    costs = pair_costs(treebank, references)
    size, parents = len(treebank.words), treebank.parents
    child = np.flatnonzero(treebank.heads >= 0)
    token, block = np.append(np.arange(size), child), np.append(np.arange(size), parents[child])
    items = in_order(block, token)
    token, block = token[items], block[items]
    number = np.argsort(items)  # of heads, and then of children
    own, as_child = number[:size], np.zeros(size, dtype=np.int64)
    as_child[child] = number[size:]
    bounds = np.searchsorted(block, np.arange(size + 1))

    one, other = (
        np.where(tokens == costs.block, own[tokens], as_child[tokens])
        for tokens in (costs.first, costs.second)
    )
    turn = costs.keep > costs.turn
    wins = np.repeat(bounds[1:], np.diff(bounds)) - np.arange(len(items)) - 1  # in source order
    wins += np.bincount(other[turn], minlength=len(wins))
    wins -= np.bincount(one[turn], minlength=len(wins))
    order, parts = parts_by_wins(bounds, wins)
    cheapest = np.minimum(costs.keep, costs.turn)
    least = np.zeros(len(treebank))
    np.add.at(least, costs.sentence, cheapest)
    for head in dict.fromkeys(block[order[start]] for start, _ in tangled(parts)):
        here = slice(*np.searchsorted(costs.block, [head, head + 1]))
        start, stop = bounds[head], bounds[head + 1]
        cost = np.zeros((stop - start, stop - start))
        cost[one[here] - start, other[here] - start] = costs.keep[here]
        cost[other[here] - start, one[here] - start] = costs.turn[here]
        best, proven = best_order(cost)
        order[start:stop] = start + np.array(best)
        if proven:
            least[costs.sentence[here.start]] += order_cost(cost, best) - cheapest[here].sum()

    places = linearize(treebank, token[order], block)
    positions = np.empty(size, dtype=np.int32)
    positions[places + treebank.sentence_starts] = within(treebank.offsets)
    return Orders(treebank.offsets, positions), least
