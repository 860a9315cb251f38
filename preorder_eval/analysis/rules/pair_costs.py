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

from preorder_eval.data.arrays import Floats, Longs, gather, within
from preorder_eval.data.orders import Alternatives, Orders, ReferenceOrders
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.reordering.pairs import best_order, order_cost
from preorder_eval.reordering.rule_set import linearize

_LONGEST = 1 << 11  # words of a sentence
_AT_ONCE = _LONGEST**2  # pairs of words that are looked at together


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

    def __len__(self) -> int:
        return len(self.block)


def pair_costs(treebank: Treebank, references: ReferenceOrders | Alternatives) -> PairCosts:
    """Count for every two items of a head the aligned words that are inverted in either order.

    Unaligned words and words of the same rank cost nothing. Trees and references must be of the
    same sentences. Raises PreorderEvalError for one of more than 2,048 words.
    """
    if not isinstance(references, Alternatives):
        references = Alternatives(references, np.arange(len(references)))
    orders, sentence = references.references, references.sentence
    if len(long := np.flatnonzero(treebank.lengths > _LONGEST)):
        raise PreorderEvalError(
            f"sentence {long[0] + 1} has {treebank.lengths[long[0]]:,} words, whose pairs are too "
            f"many to compare; leave out sentences of more than {_LONGEST:,} words"
        )
    trees = _Ancestry(treebank)
    parts = []
    for portion in _portions(orders):
        word, other, inverted = _word_pairs(orders.take(portion))
        offsets, tokens = gather(treebank.offsets, sentence[portion])
        share = np.repeat(1 / references.counts[sentence[portion]], np.diff(offsets))[word]
        parts.append(_item_pairs(trees, tokens[word], tokens[other], inverted, share))
    block, first, second, keep, turn = map(np.concatenate, zip(*parts, strict=True))
    size = len(treebank.words) + 1
    key, start, number = np.unique(first * size + second, return_index=True, return_inverse=True)
    by_block = np.lexsort((key, block[start]))
    start = start[by_block]
    keep, turn = (
        np.bincount(number, cost, len(key)).astype(np.float64)[by_block] for cost in (keep, turn)
    )
    sentences = np.searchsorted(treebank.offsets, block[start], side="right") - 1
    return PairCosts(block[start], first[start], second[start], keep, turn, sentences)


def _portions(orders: ReferenceOrders) -> list[Longs]:
    """Return the numbers of the orders in portions whose pairs of words fit in memory."""
    portion = np.cumsum(np.diff(orders.offsets) ** 2) // _AT_ONCE
    return np.split(np.arange(len(orders)), np.flatnonzero(np.diff(portion)) + 1)


def _word_pairs(orders: ReferenceOrders) -> tuple[Longs, Longs, Longs]:
    """Return all pairs of aligned words of different rank, and which of them are inverted.

    The three arrays have the first word of each pair in source order, the second, and 1 or 0.
    """
    linked = np.flatnonzero(orders.aligned)
    sentence = np.repeat(np.arange(len(orders)), np.diff(orders.offsets))[linked]
    here = np.arange(len(linked))
    later = np.searchsorted(sentence, sentence, side="right") - here - 1
    first = np.repeat(here, later)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)
    first, second = linked[first], linked[second]
    different = orders.ranks[first] != orders.ranks[second]
    first, second = first[different], second[different]
    return first, second, (orders.ranks[first] > orders.ranks[second]).astype(np.int64)


class _Ancestry:
    """The tokens above each token of a treebank, found in steps of 1, 2, 4, … levels.

    A root is above itself. `depth` int64[N] is 0 for a root.
    """

    def __init__(self, treebank: Treebank) -> None:
        self.steps = [treebank.parents]
        self.depth = (treebank.parents != np.arange(len(treebank.words))).astype(np.int64)
        while ((step := self.steps[-1]) != step[step]).any():
            self.depth += self.depth[step]
            self.steps.append(step[step])

    def above(self, tokens: Longs, levels: Longs) -> Longs:
        """Return the tokens so many levels above these."""
        for bit, step in enumerate(self.steps):
            tokens = np.where(levels >> bit & 1, step[tokens], tokens)
        return tokens

    def meeting(self, one: Longs, other: Longs) -> tuple[Longs, Longs, Longs]:
        """Return the lowest head above two tokens, and the items of it that they belong to.

        An item is the head itself, or a child that is above the token.
        """
        deeper = self.depth[one] - self.depth[other]
        items = [self.above(one, np.maximum(deeper, 0)), self.above(other, np.maximum(-deeper, 0))]
        for step in reversed(self.steps):
            apart = step[items[0]] != step[items[1]]
            items = [np.where(apart, step[item], item) for item in items]
        inside = items[0] == items[1]  # the one is above the other, and the head itself
        head = np.where(inside, items[0], self.steps[0][items[0]])
        for item, token, levels in zip(items, (one, other), (deeper, -deeper), strict=True):
            lower = np.flatnonzero(inside & (levels > 0))
            item[lower] = self.above(token[lower], levels[lower] - 1)
        return head, items[0], items[1]


def _item_pairs(
    trees: _Ancestry, word: Longs, other: Longs, inverted: Longs, share: Floats
) -> tuple[Longs, Longs, Longs, Floats, Floats]:
    """Return the heads where pairs of words meet, their items, and the cost of either order."""
    block, *items = trees.meeting(word, other)
    # In a tree that is not projective, words can stand the other way round than their items.
    crossed = items[0] > items[1]
    keep = np.where(crossed, 1 - inverted, inverted) * share
    return block, np.minimum(*items), np.maximum(*items), keep, share - keep


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
    stops = np.append(starts, len(costs))[1:]
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
