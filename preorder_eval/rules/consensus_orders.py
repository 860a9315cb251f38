"""The order most similar to all orders of an n-best list: minimum Bayes risk.

Rules give the trees of a list different orders. The order chosen has the highest expected
similarity to all of them, under the parser's probabilities (Kumar & Byrne 2004). Similarity is the
mean of Kendall's τ and FRS; no reference is used, and nothing is trained.

Both are linear in the directions of pairs of words and in the adjacencies of words that an order
has. So the expected similarity to a list is the similarity to its expected directions and
adjacencies. The cost grows with the list, not with its square (DeNero et al. 2009).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from preorder_eval.base.arrays import Floats, Integers, Longs, matrix_product, offsets_of
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.orders.orders import Orders, distinct_orders
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.treebank import Treebank

_TIE = 1e-9  # expected similarities that differ by less are equal


def consensus_trees(nbest: NBest, rules: RuleSet) -> Treebank:
    """Return for every list the tree whose order is nearest to all orders of the list.

    Raises PreorderEvalError for trees that the rules cannot read.
    """
    return nbest.trees.take(chosen_trees(nbest, rules))


def chosen_trees(nbest: NBest, rules: RuleSet) -> Longs:
    """Return the number of the tree that `consensus_trees` takes from every list; int64[S].

    If several trees have that order, it is the first of them.
    """
    return _consensus([(nbest, rules)])[1]


def consensus_orders(lists: Sequence[tuple[NBest, RuleSet]]) -> Orders:
    """Return for every sentence the order that is nearest to all its orders.

    That is the one with the highest expected similarity. Parameters: `lists` of the same sentences,
    one or more, each with the rules that reorder its trees: of several parsers, or by several rule
    sets. All lists count the same. Raises PreorderEvalError for lists of different sentences, and
    for trees that the rules cannot read.

    >>> import preorder_eval as pe
    >>> lists = pe.load_parser("en-web").parse([["She", "reads", "books"]], n=8)
    >>> pe.consensus_orders([(lists, pe.load_rules(name)) for name in ("en-ja", "en-ko")])[0]
    [0, 2, 1]
    """
    if not all(
        isinstance(pair, tuple) and [*map(type, pair)] == [NBest, RuleSet] for pair in lists
    ):
        raise PreorderEvalError("give pairs of n-best lists and the rule sets that reorder them")
    texts = [nbest.trees.take(nbest.offsets[:-1]).sentences for nbest, _ in lists]
    if not texts or any(text != texts[0] for text in texts):
        raise PreorderEvalError("a consensus needs one or more n-best lists of the same sentences")
    orders, chosen = _consensus(lists)
    return orders.take(chosen)


def _consensus(lists: Sequence[tuple[NBest, RuleSet]]) -> tuple[Orders, Longs]:
    """Return the orders of all trees, sentence by sentence, and the number of each one chosen."""
    sentence = np.concatenate([nbest.sentence_of for nbest, _ in lists])
    together = np.argsort(sentence, kind="stable")
    sentence = sentence[together]
    each = [rules.reorder(nbest.trees) for nbest, rules in lists]
    orders = Orders(
        offsets_of(np.concatenate([one.lengths for one in each])),
        np.concatenate([one.positions for one in each]),
    ).take(together)
    probabilities = np.concatenate([nbest.probabilities() for nbest, _ in lists])[together]

    kinds, kind = distinct_orders(orders, sentence)
    probabilities = np.bincount(kind, weights=probabilities) / len(lists)
    first = np.flatnonzero(np.diff(sentence[kinds], prepend=-1))
    chosen = kinds[first]
    trees = lists[0][0].trees.take(lists[0][0].offsets[:-1])
    for number, (start, stop) in enumerate(itertools.pairwise([*first.tolist(), len(kinds)])):
        words = trees.words.codes[trees.offsets[number] : trees.offsets[number + 1]]
        distinct = orders.take(kinds[start:stop]).positions.reshape(-1, len(words))
        likely = probabilities[start:stop]
        similarity = expected_similarity(distinct, likely, words)
        best = np.flatnonzero(similarity >= similarity.max() - _TIE)
        chosen[number] = kinds[start + best[likely[best].argmax()]]
    return orders, chosen


def expected_similarity(orders: Integers, probabilities: Floats, words: Integers) -> Floats:
    """Return the expected similarity of each of K orders of n words to all of them; float64[K].

    Parameters: `orders` [K, n], `probabilities` [K] of the orders; `words` [n], a number for each
    word, the same for equal words, which FRS matches as words. Similarity is the mean of τ and
    FRS, each from 0 to 1.

    >>> orders = np.array([[0, 1, 2], [2, 0, 1]])
    >>> expected_similarity(orders, np.array([0.75, 0.25]), np.arange(3)).round(3).tolist()
    [0.854, 0.562]
    """
    count, size = orders.shape
    if size < 2:
        return np.full(count, probabilities.sum())
    places = np.argsort(orders, axis=1)
    same = np.zeros(count)
    for place in places.T:  # of one word in all orders
        before = place[:, None] < places
        same += matrix_product(before, matrix_product(probabilities, before))
    tau = same / (size * (size - 1) / 2)

    # The k-th instance of a word is the same in all orders.
    matched = np.empty_like(orders)
    instance = np.argsort(words[orders], axis=1, kind="stable")
    np.put_along_axis(matched, instance, np.argsort(words, kind="stable")[None], axis=1)
    adjacent = matched[:, :-1].astype(np.int64) * size + matched[:, 1:]
    _, pair = np.unique(adjacent, return_inverse=True)
    pair = pair.reshape(adjacent.shape)
    expected = np.bincount(pair.ravel(), weights=np.repeat(probabilities, size - 1))
    similarity: Floats = (tau + expected[pair].sum(axis=1) / (size - 1)) / 2
    return similarity
