"""Fewest inversions against all orders that keep subtrees whole."""

import numpy as np
import pytest
from tree_orders import Sentence, random_sentence, whole_orders

from preorder_eval.analysis.fewest_inversions import fewest_inversions
from preorder_eval.data.orders import ReferenceOrders
from preorder_eval.data.treebank import Treebank
from preorder_eval.metrics import order_metric
from preorder_eval.reordering import linear_ordering

DROP = order_metric("kendall(unaligned=drop)")


def found(sentences):
    """Every sentence with its order and the least inversions, all found at once."""
    treebank = Treebank.of([sentence.treebank[0] for sentence in sentences])
    references = ReferenceOrders.of([sentence.references[0] for sentence in sentences])
    orders, least = fewest_inversions(treebank, references)
    return zip(sentences, orders, least.tolist(), strict=True)


def sentence_of(heads, ranks, linked=True):
    size = len(heads)
    return Sentence(heads, ranks, [linked] * size, [f"w{i}" for i in range(size)])


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("unlinked", [False, True])
def test_no_order_has_fewer(ties, unlinked):
    sentences = [random_sentence(seed, ties=ties, unlinked=unlinked) for seed in range(40)]
    for sentence, order, least in found(sentences):
        orders = whole_orders(sentence.heads)
        assert order in orders
        assert sentence.losses(DROP, [order]) == [least]
        assert min(sentence.losses(DROP, orders)) == least


def test_too_many_items_in_each_others_way_have_a_bound(monkeypatch):
    # Three children of three words like dice of which each beats the next.
    heads = [-1, 0, 1, 1, 0, 4, 4, 0, 7, 7]
    dice = sentence_of(heads, [0, 2, 4, 9, 1, 6, 8, 3, 5, 7])
    best = min(dice.losses(DROP, whole_orders(heads)))
    [(_, _, least)] = found([dice])
    assert least == best == 13
    monkeypatch.setattr(linear_ordering, "MOST_EXACT", 2)
    [(_, order, least)] = found([dice])
    assert least == 12
    assert dice.losses(DROP, [order])[0] >= best


def test_what_costs_nothing_stays_in_source_order():
    heads = [1, -1, 1, 4, 1]
    for sentence in (sentence_of(heads, [0] * 5), sentence_of(heads, [4, 3, 2, 1, 0], False)):
        [(_, order, least)] = found([sentence])
        assert (order, least) == ([0, 1, 2, 3, 4], 0)


def test_a_long_chain_is_a_sentence_like_any_other():
    size = 300
    # Each word hangs on the next one.
    [(_, order, least)] = found([sentence_of([*range(1, size), -1], list(range(size))[::-1])])
    assert order == list(range(size))[::-1]
    assert least == 0


def test_a_sentence_of_many_children_and_no_sentence():
    size = 300
    ranks = np.random.default_rng(1).permutation(size).tolist()
    [(_, order, least)] = found([sentence_of([-1, *[0] * (size - 1)], ranks)])
    assert [ranks[i] for i in order] == list(range(size))
    assert least == 0
    assert list(found([])) == []
