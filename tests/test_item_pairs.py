"""Pairs of items that stand wrong, and what turning them gains."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import trees

from preorder_eval.analysis.item_pairs import item_pairs
from preorder_eval.data.orders import Orders, ReferenceOrder, ReferenceOrders
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.metrics import order_metric
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import HEAD, OTHER, Rule, Slot

KENDALL = order_metric("kendall")
EATS = Tree(
    ["Today", "he", "eats", "raw", "fish", "here"],
    [2, 2, -1, 4, 2, 2],
    ["obl", "nsubj", "root", "amod", "obj", "advmod"],
    ["NOUN", "PRON", "VERB", "ADJ", "NOUN", "ADV"],
    ["_"] * 6,
)


def pairs_of(trees, orders, references, metric=KENDALL):
    treebank = Treebank.of(trees)
    references = ReferenceOrders.of(references)
    found = item_pairs(treebank, Orders.of(orders), references, metric, treebank.upos)
    return {(pair.head, pair.first, pair.second): pair for pair in found}


def test_kinds_of_items_and_how_often_they_stand_wrong():
    he_raw_fish_eats = [[0], [1], [3], [4], [2], [5]]
    pairs = pairs_of(
        [EATS] * 3, [[0, 1, 2, 3, 4, 5], [0, 1, 3, 4, 2, 5], [0, 1, 2, 3, 4, 5]],
        [he_raw_fish_eats, he_raw_fish_eats, [[0], [1], [2, 3], [4], [5]]],
    )  # fmt: skip
    wrong = pairs["VERB", "HEAD", "obj>"]
    assert (wrong.times, wrong.right, wrong.wrong) == (2, 1, 1)
    assert wrong.sentences == [1]
    # Two pairs of words of fifteen, and in the third sentence one that is tied.
    assert wrong.gain == pytest.approx((2 / 15 - 1 / 14) / 3)
    assert pairs["VERB", "obj>", "HEAD"].gain == pytest.approx(-2 / 15 / 3)
    assert pairs["NOUN", "amod<", "HEAD"].times == 3
    assert ("VERB", "obl<", "advmod>") in pairs


def test_two_children_of_one_kind_are_told_apart_by_their_places_in_the_source():
    tree = Tree(
        ["Go", "now", "there"], [-1, 0, 0], ["root", "advmod", "advmod"], ["VERB", "ADV", "ADV"],
        ["_"] * 3,
    )  # fmt: skip
    pairs = pairs_of([tree, tree], [[0, 1, 2], [0, 2, 1]], [[[0], [2], [1]]] * 2)
    assert pairs["VERB", "advmod>1", "advmod>2"].wrong == 1
    assert pairs["VERB", "advmod>2", "advmod>1"].right == 1


def test_what_turns_the_most_comes_first_and_what_has_no_link_is_left_out():
    tree = EATS
    unlinked = ReferenceOrder([[5], [4], [3], [2], [1], [0]], [False] * 6)
    pairs = pairs_of([tree, tree], [list(range(6))] * 2, [unlinked, [[i] for i in range(6)]])
    assert all(pair.times == 1 and pair.right == 1 for pair in pairs.values())
    gains = [pair.gain for pair in pairs.values()]
    assert gains == sorted(gains, reverse=True)


def test_unlinked_words_are_dropped_as_the_metric_says():
    reference = ReferenceOrder(
        [[0], [1], [3], [4], [2], [5]], [True, True, True, False, True, True]
    )
    orders = [list(range(6))]
    drop = order_metric("kendall(unaligned=drop)")
    assert pairs_of([EATS], orders, [reference], drop)["VERB", "HEAD", "obj>"].gain == 1 / 10
    assert pairs_of([EATS], orders, [reference])["VERB", "HEAD", "obj>"].gain == 2 / 15


@st.composite
def corpora(draw):
    drawn = draw(st.lists(trees(6), min_size=1, max_size=3))
    references = []
    for tree in drawn:
        ranks = draw(st.lists(st.integers(0, 5), min_size=len(tree), max_size=len(tree)))
        groups = [[i for i, r in enumerate(ranks) if r == rank] for rank in sorted({*ranks})]
        linked = draw(st.lists(st.booleans(), min_size=len(tree), max_size=len(tree)))
        references.append(ReferenceOrder(groups, linked))
    return Treebank.of(drawn), ReferenceOrders.of(references)


HEADS_FIRST = RuleSet("first", "ud", (Rule(("*",), (Slot((HEAD,)), Slot((OTHER,)))),))
HEADS_LAST = RuleSet("last", "ud", (Rule(("*",), (Slot((OTHER,)), Slot((HEAD,)))),))


@settings(max_examples=60)
@given(corpora(), st.sampled_from(["", "unaligned=drop", "average=pooled"]))
def test_turning_all_pairs_with_the_head_gains_what_they_are_said_to(corpus, options):
    treebank, references = corpus
    metric = order_metric(f"kendall({options})")
    first, last = HEADS_FIRST.reorder(treebank), HEADS_LAST.reorder(treebank)
    # From heads first to heads last only the pairs with a head are turned.
    pairs = item_pairs(treebank, first, references, metric, treebank.upos)
    gain = sum(pair.gain for pair in pairs if HEAD in (pair.first, pair.second))
    before, after = (metric.score(orders, references).corpus for orders in (first, last))
    if references.informative.any():
        assert gain == pytest.approx(after - before)
    else:
        assert pairs == []
        assert np.isnan(before)
