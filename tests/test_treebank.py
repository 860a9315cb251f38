from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import slow
import strategies
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.ragged import Column
from preorder_eval.data.treebank import Tree, Treebank, broken_trees, tree_defect
from preorder_eval.errors import PreorderEvalError


@given(st.lists(strategies.trees(), min_size=1, max_size=4))
def test_arrays_give_the_trees_back(trees):
    assert list(Treebank.of(trees)) == trees


@given(st.lists(strategies.trees(), min_size=1, max_size=4), st.data())
def test_any_of_the_trees_can_be_taken(trees, data):
    chosen = data.draw(st.lists(st.integers(0, len(trees) - 1)))
    taken = Treebank.of(trees).take(np.array(chosen, dtype=np.int64))
    assert list(taken) == [trees[i] for i in chosen]


@given(st.lists(strategies.trees(), min_size=1, max_size=4), st.data())
def test_a_part_is_some_of_the_trees(trees, data):
    first = data.draw(st.integers(0, len(trees)))
    last = data.draw(st.integers(first, len(trees)))
    part = [replace(tree, comments=()) for tree in trees[first:last]]
    assert list(Treebank.of(trees).part(first, last)) == part


@given(st.lists(strategies.trees(), min_size=1, max_size=4))
def test_subtree_sizes(trees):
    expected = [slow.subtree_size(tree, i) for tree in trees for i in range(len(tree))]
    assert Treebank.of(trees).subtree_sizes.tolist() == expected


def test_subtree_sizes_of_a_deep_chain():
    size = 5000
    labels = Column.of(["root"] + ["obj"] * (size - 1))
    tags = Column.of(["VERB"] * size)
    heads = np.arange(-1, size - 1, dtype=np.int32)
    chain = Treebank(np.array([0, size]), Column.of(["w"] * size), heads, labels, tags, tags)
    assert chain.subtree_sizes.tolist() == list(range(size, 0, -1))


@given(st.lists(st.integers(-1, 5), min_size=1, max_size=6))
def test_broken_trees_agree_with_networkx(heads):
    in_range = all(head < len(heads) for head in heads)
    graph = nx.DiGraph([(head, i) for i, head in enumerate(heads)])
    # With the artificial root -1, a tree of n tokens is an arborescence whose root has one child.
    is_tree = in_range and nx.is_arborescence(graph) and heads.count(-1) == 1
    broken = broken_trees(np.array(heads, dtype=np.int32), offsets_of([len(heads)]))
    assert broken.tolist() == [not is_tree]
    assert (tree_defect(heads) is None) == is_tree


def test_defects_are_named():
    assert tree_defect([-1, -1]) == "2 roots: tokens 1, 2"
    assert tree_defect([-1, 7]) == "token 2 has head 8, but there are 2 tokens"
    assert tree_defect([-1, 2, 3, 1]) == "a cycle of heads: 2 → 3 → 4 → 2"


def test_a_treebank_refuses_what_is_no_tree():
    tree = Tree(["a", "b"], [1, 0], ["dep", "dep"], ["X", "X"], ["_", "_"])
    with pytest.raises(PreorderEvalError, match="sentence 2: no root"):
        Treebank.of([Tree(["a"], [-1], ["root"], ["X"], ["_"]), tree])


def test_a_tree_is_a_graph_with_the_tokens_as_attributes():
    tree = Tree(["dogs", "bark"], [1, -1], ["nsubj", "root"], ["NOUN", "VERB"], ["NNS", "VBP"])
    graph = tree.to_networkx()
    assert graph.nodes[0] == {"word": "dogs", "upos": "NOUN", "xpos": "NNS"}
    assert graph.edges[1, 0] == {"label": "nsubj"}


def test_lower_words_merge_what_differs_in_case():
    tree = Tree(["The", "THE", "cat"], [2, 2, -1], ["det", "det", "root"], ["DET"] * 3, ["DT"] * 3)
    assert list(Treebank.of([tree]).lower_words) == ["the", "the", "cat"]
