import numpy as np
import pytest
import slow
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from preorder_eval.data.ragged import Column
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.rules import failing_examples, load_rules
from preorder_eval.reordering.conditions import Slot
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import Rule
from preorder_eval.resources import bundled_names


@pytest.mark.slow
@settings(max_examples=150)
@given(strategies.rule_sets(), st.lists(strategies.trees(), min_size=1, max_size=3))
def test_the_engine_agrees_with_recursion(rules, trees):
    orders = rules.reorder(Treebank.of(trees))
    assert list(orders) == [slow.reorder(rules, tree) for tree in trees]


@pytest.mark.slow
@settings(max_examples=2000)
@given(strategies.rule_sets(), st.lists(strategies.trees(), min_size=1, max_size=3))
def test_the_engine_agrees_with_recursion_on_very_many(rules, trees):
    orders = rules.reorder(Treebank.of(trees))
    assert list(orders) == [slow.reorder(rules, tree) for tree in trees]


@given(st.lists(strategies.trees(), min_size=1, max_size=3))
def test_no_rules_leave_every_sentence_as_it_is(trees):
    orders = load_rules("none").reorder(Treebank.of(trees))
    assert list(orders) == [list(range(len(tree))) for tree in trees]


@given(st.lists(strategies.trees(), min_size=1, max_size=3))
def test_reverse_turns_every_sentence_around(trees):
    orders = load_rules("reverse").reorder(Treebank.of(trees))
    assert list(orders) == [list(range(len(tree)))[::-1] for tree in trees]


@pytest.mark.parametrize("name", bundled_names("rules"))
def test_worked_examples(name):
    assert failing_examples(load_rules(name)) == []


@pytest.mark.parametrize("name", sorted(set(bundled_names("rules")) - {"none", "reverse"}))
def test_every_rule_file_has_a_worked_example(name):
    assert load_rules(name).examples


@pytest.mark.slow
def test_bundled_rules_agree_with_recursion_on_the_gold_trees(gold):
    for name in bundled_names("rules"):
        rules = load_rules(name)
        if rules.scheme != "ud" or any(rule.pairs for rule in rules.rules):
            continue  # tests/test_pairs.py looks at pairs
        for tree, order in zip(gold, rules.reorder(gold), strict=True):
            assert order == slow.reorder(rules, tree)


@pytest.mark.parametrize("name", ["en-ja", "en-ja-learned", "reverse"])
def test_how_many_trees_are_reordered_at_once_makes_no_difference(name, gold, monkeypatch):
    rules = load_rules(name)
    monkeypatch.setattr("preorder_eval.reordering.rule_set._AT_ONCE", 100)
    assert list(rules.reorder(gold)) == list(rules.reorder_unchecked(gold))


def test_a_chain_of_5000_tokens():
    size = 5000
    labels = Column.of(["root"] + ["obj"] * (size - 1))
    tags = Column.of(["VERB"] * size)
    heads = np.arange(-1, size - 1, dtype=np.int32)
    chain = Treebank(np.array([0, size]), Column.of(["w"] * size), heads, labels, tags, tags)
    assert load_rules("head-final-reverse-after").reorder(chain)[0] == list(range(size))[::-1]


def test_trees_of_another_scheme_are_refused():
    stanford = Tree(
        ["He", "went", "to", "town"], [1, -1, 1, 2], ["nsubj", "root", "prep", "pobj"],
        ["PRON", "VERB", "ADP", "NOUN"], ["PRP", "VBD", "IN", "NN"],
    )  # fmt: skip
    with pytest.raises(
        PreorderEvalError, match=r"'ud'.* 'prep', 'pobj'; they look like 'clearnlp'"
    ):
        load_rules("en-ja").reorder(Treebank.of([stanford]))
    surface = Tree(["to", "go"], [-1, 0], ["root", "comp:obj"], ["PART", "VERB"], ["TO", "VB"])
    with pytest.raises(PreorderEvalError, match="they look like 'sud'"):
        load_rules("en-ja").reorder(Treebank.of([surface]))


def test_labels_of_no_scheme_are_refused():
    tree = Tree(["a", "b"], [-1, 0], ["TOP", "left"], ["NOUN"] * 2, ["NN"] * 2)
    with pytest.raises(PreorderEvalError, match="labels such as 'TOP', 'left'"):
        load_rules("en-ja").reorder(Treebank.of([tree]))


def test_trees_without_the_tags_that_rules_go_by_are_refused():
    tree = Tree(["Go", "home"], [-1, 0], ["root", "advmod"], ["_"] * 2, ["VB", "RB"])
    with pytest.raises(PreorderEvalError, match="goes by UPOS tags, but the trees have none"):
        load_rules("en-ja").reorder(Treebank.of([tree]))


def test_a_slot_with_conditions_goes_before_one_without():
    slots = (
        Slot(("OTHER",)),
        Slot(("advmod",), words=("not",)),
        Slot(("HEAD",)),
        Slot(("advmod",)),
        Slot(("advmod",), side="before"),
    )
    rules = RuleSet("test", "ud", (Rule(("VERB",), slots),))
    tree = Tree(
        ["often", "not", "I", "run", "fast"], [3, 3, 3, -1, 3],
        ["advmod", "advmod", "nsubj", "root", "advmod"],
        ["ADV", "PART", "PRON", "VERB", "ADV"], ["_"] * 5,
    )  # fmt: skip
    order = rules.reorder(Treebank.of([tree]))[0]
    assert [tree.words[i] for i in order] == ["I", "not", "run", "fast", "often"]
