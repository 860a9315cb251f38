"""Phrases that a reference order tears apart."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from preorder_eval.analysis.torn_subtrees import torn_subtrees
from preorder_eval.data.orders import ReferenceOrders
from preorder_eval.data.treebank import Treebank


@st.composite
def trees_with_orders(draw):
    tree = draw(trees(most=6))
    ranks = draw(st.lists(st.integers(0, 3), min_size=len(tree), max_size=len(tree)))
    return tree, [[i for i, r in enumerate(ranks) if r == rank] for rank in sorted(set(ranks))]


def torn_slowly(tree, groups):
    """The heads whose subtrees stand together in no order that the ties allow."""
    torn = []
    for head in range(len(tree)):
        subtree = {head}
        for _ in tree.heads:
            subtree |= {i for i, h in enumerate(tree.heads) if h in subtree}
        together = False
        for choice in itertools.product(*map(itertools.permutations, groups)):
            order = [i for group in choice for i in group]
            places = [k for k, i in enumerate(order) if i in subtree]
            together |= places[-1] - places[0] == len(places) - 1
        torn.append(not together)
    return torn


@given(st.lists(trees_with_orders(), min_size=1, max_size=2))
def test_torn_subtrees_are_the_slow_version(cases):
    treebank = Treebank.of([tree for tree, _ in cases])
    orders = ReferenceOrders.of([groups for _, groups in cases])
    expected = [torn for case in cases for torn in torn_slowly(*case)]
    assert torn_subtrees(treebank, orders).tolist() == expected
