"""Fewest broken joints against all orders that keep subtrees whole."""

import pytest
from tree_orders import Sentence, random_sentence, whole_orders

from preorder_eval.analysis import fewest_breaks as module
from preorder_eval.analysis.fewest_breaks import fewest_breaks
from preorder_eval.metrics import order_metric

POSITION = order_metric("fuzzy(match=position,unaligned=drop)")
WORD = order_metric("fuzzy(unaligned=drop)")


@pytest.mark.parametrize("unlinked", [False, True])
def test_no_order_breaks_fewer(unlinked):
    for seed in range(80):
        sentence = random_sentence(seed, unlinked=unlinked)
        orders = whole_orders(sentence.heads)
        order, least = fewest_breaks(sentence.heads, sentence.ranks, sentence.linked)
        assert order in orders
        assert sentence.losses(POSITION, [order]) == [least]
        assert min(sentence.losses(POSITION, orders)) == least


@pytest.mark.parametrize("unlinked", [False, True])
def test_with_ties_no_order_breaks_fewer_than_the_bound(unlinked):
    exact = 0
    for seed in range(80):
        sentence = random_sentence(seed, ties=True, unlinked=unlinked)
        orders = whole_orders(sentence.heads)
        order, least = fewest_breaks(sentence.heads, sentence.ranks, sentence.linked)
        assert order in orders
        best = min(sentence.losses(POSITION, orders))
        assert least <= best
        exact += sentence.losses(POSITION, [order]) == [least]
    assert exact > 70


def test_with_repeated_words_no_order_breaks_fewer_than_the_bound():
    exact = 0
    for seed in range(80):
        sentence = random_sentence(seed, repeated=True, ties=seed % 2 > 0, unlinked=seed % 3 > 0)
        numbers = ["abcd".index(word) for word in sentence.words]
        orders = whole_orders(sentence.heads)
        order, least = fewest_breaks(sentence.heads, sentence.ranks, sentence.linked, numbers)
        assert order in orders
        assert least <= min(sentence.losses(WORD, orders))
        exact += sentence.losses(WORD, [order]) == [least]
    assert exact > 40


@pytest.mark.parametrize("most", [2, 3])
def test_too_many_items_have_a_bound_and_a_good_order(most, monkeypatch):
    monkeypatch.setattr(module, "MOST_EXACT", most)
    short = 0
    for seed in range(60):
        sentence = random_sentence(seed, unlinked=seed % 2 > 0)
        orders = whole_orders(sentence.heads)
        order, least = fewest_breaks(sentence.heads, sentence.ranks, sentence.linked)
        assert order in orders
        best, reached = min(sentence.losses(POSITION, orders)), sentence.losses(POSITION, [order])
        assert least <= best <= reached[0]
        short += reached != [least]
    assert short  # or the bound was never what counts


def test_any_number_of_children_that_can_be_joined_to_nothing_is_exact():
    # Each of twenty children has a child with a child, whose ranks are in the middle, first and
    # last: whichever two are joined, the ends of the three could only be joined to each other.
    heads, ranks = [-1], [0]
    for rank in range(1, 61, 3):
        heads += [0, len(heads), len(heads) + 1]
        ranks += [rank + 1, rank, rank + 2]
    order, least = fewest_breaks(heads, ranks, [True] * 61)
    sentence = Sentence(heads, ranks, [True] * 61, [f"w{i}" for i in range(61)])
    assert sentence.losses(POSITION, [order]) == [least] == [40]


def test_unlinked_words_follow_what_they_followed_in_the_source():
    heads = [1, -1, 1, 1, 3]
    linked = [False, True, False, True, False]
    assert fewest_breaks(heads, [0, 1, 1, 0, 0], linked) == ([0, 3, 4, 1, 2], 0)


def test_a_sentence_without_a_linked_word_stays_as_it_is():
    assert fewest_breaks([1, -1], [1, 0], [False, False]) == ([0, 1], 0)


def test_a_long_chain_is_a_sentence_like_any_other():
    size = 300
    heads = [*range(1, size), -1]
    order, least = fewest_breaks(heads, range(size)[::-1], [True] * size)
    assert order == list(range(size))[::-1]
    assert least == 0
