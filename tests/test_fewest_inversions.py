"""Fewest inversions against all orders that keep subtrees whole."""

import pytest
from tree_orders import Sentence, random_sentence, whole_orders

from preorder_eval.analysis.fewest_inversions import fewest_inversions
from preorder_eval.metrics import order_metric
from preorder_eval.reordering import linear_ordering

DROP = order_metric("kendall(unaligned=drop)")


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("unlinked", [False, True])
def test_no_order_has_fewer(ties, unlinked):
    for seed in range(40):
        sentence = random_sentence(seed, ties=ties, unlinked=unlinked)
        orders = whole_orders(sentence.heads)
        order, least = fewest_inversions(sentence.heads, sentence.ranks, sentence.linked)
        assert order in orders
        assert sentence.losses(DROP, [order]) == [least]
        assert min(sentence.losses(DROP, orders)) == least


def test_too_many_items_in_each_others_way_have_a_bound(monkeypatch):
    # Three children of three words like dice of which each beats the next.
    heads = [-1, 0, 1, 1, 0, 4, 4, 0, 7, 7]
    sentence = Sentence(heads, [0, 2, 4, 9, 1, 6, 8, 3, 5, 7], [True] * 10, list("abcdefghij"))
    best = min(sentence.losses(DROP, whole_orders(heads)))
    assert fewest_inversions(heads, sentence.ranks, sentence.linked)[1] == best == 13
    monkeypatch.setattr(linear_ordering, "MOST_EXACT", 2)
    order, least = fewest_inversions(heads, sentence.ranks, sentence.linked)
    assert least == 12
    assert sentence.losses(DROP, [order])[0] >= best


def test_what_costs_nothing_stays_in_source_order():
    heads = [1, -1, 1, 4, 1]
    assert fewest_inversions(heads, [0] * 5, [True] * 5) == ([0, 1, 2, 3, 4], 0)
    assert fewest_inversions(heads, [4, 3, 2, 1, 0], [False] * 5) == ([0, 1, 2, 3, 4], 0)


def test_a_long_chain_is_a_sentence_like_any_other():
    size = 300
    heads = [*range(1, size), -1]  # each word hangs on the next one
    order, least = fewest_inversions(heads, range(size)[::-1], [True] * size)
    assert order == list(range(size))[::-1]
    assert least == 0
