"""Costs of pairs of items against Kendall's τ, which counts the same inversions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import rule_sets, trees

from preorder_eval.analysis.pair_costs import pair_costs
from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.orders import ReferenceOrder, ReferenceOrders
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.metrics import order_metric

TAU = order_metric("kendall(unaligned=drop)")


@st.composite
def corpora(draw):
    """Trees with reference orders that have ties and words without links."""
    drawn = draw(st.lists(trees(7), min_size=1, max_size=4))
    references = []
    for tree in drawn:
        groups: list[list[int]] = []
        for token in draw(st.permutations(range(len(tree)))):
            if groups and draw(st.integers(0, 3)) == 0:
                groups[-1].append(token)
            else:
                groups.append([token])
        aligned = draw(st.lists(st.booleans(), min_size=len(tree), max_size=len(tree)))
        references.append(ReferenceOrder(groups, aligned))
    return Treebank.of(drawn), ReferenceOrders.of(references)


@given(corpora(), rule_sets().filter(lambda rules: rules.rules))
def test_inversions_are_those_of_the_pairs_of_items(corpus, rules):
    treebank, references = corpus
    orders = rules.reorder(treebank)
    inversions = TAU.losses(*aligned(orders, references), None)[0]
    costs = pair_costs(treebank, references)
    turned = orders.places[costs.first] > orders.places[costs.second]
    paid = np.where(turned, costs.turn, costs.keep)
    sentence = np.searchsorted(treebank.offsets, costs.block, side="right") - 1
    # A sentence in which no rule fired is not laid out: its subtrees need not be whole.
    projective = laid_out(treebank, rules)
    by_sentence = np.bincount(sentence, paid, len(treebank))
    assert by_sentence[projective].tolist() == inversions[projective].tolist()


def aligned(orders, references):
    from preorder_eval.data.orders import aligned_only

    return aligned_only(orders, references, None)[:2]


def laid_out(treebank, rules):
    fit = rules.fit(treebank)
    sentence = np.repeat(np.arange(len(treebank)), treebank.lengths)
    return np.bincount(sentence, fit.above >= 0, len(treebank)) > 0


def test_pairs_of_a_corpus_that_is_taken_in_portions_are_the_same(monkeypatch):
    random = np.random.default_rng(0)
    tree = Tree(["a"] * 6, [-1, 0, 1, 0, 3, 0], ["root"] + ["obj"] * 5, ["NOUN"] * 6, ["NN"] * 6)
    treebank = Treebank.of([tree] * 9)
    references = ReferenceOrders.of([[[int(i)] for i in random.permutation(6)] for _ in range(9)])
    whole = pair_costs(treebank, references)
    monkeypatch.setattr("preorder_eval.analysis.pair_costs._AT_ONCE", 40)
    for column in ("block", "first", "second", "keep", "turn"):
        parts = getattr(pair_costs(treebank, references), column)
        assert parts.tolist() == getattr(whole, column).tolist()


def test_of_several_reference_orders_the_costs_are_the_mean():
    tree = Tree(["a", "b", "c"], [-1, 0, 0], ["root", "obj", "obl"], ["VERB"] * 3, ["VB"] * 3)
    orders = [[[0], [1], [2]], [[1], [0], [2]], [[1], [2], [0]]]
    costs = pair_costs(Treebank.of([tree]), Alternatives.of([orders]))
    told = zip(costs.first.tolist(), costs.second.tolist(), costs.keep.tolist(), strict=True)
    assert [(a, b, round(cost, 9)) for a, b, cost in told] == [
        (0, 1, round(2 / 3, 9)), (0, 2, round(1 / 3, 9)), (1, 2, 0.0),
    ]  # fmt: skip
    assert np.allclose(costs.keep + costs.turn, 1)
