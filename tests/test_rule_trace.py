import pytest
import slow
from hypothesis import given
from strategies import rule_sets, trees

from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.rule import Pair, Rule
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.rules.trace import Step, trace
from preorder_eval.trees.treebank import Tree, Treebank


def applied(steps: list[Step], head: int) -> list[int]:
    """The order that steps give a head's subtree: each head with its children put in its place."""
    after = [item.token for step in steps if step.head == head for item in step.after]
    below = (applied(steps, token) if token != head else [head] for token in after)
    return [token for part in below for token in part] or [head]


@given(rule_sets(), trees())
def test_applying_the_steps_gives_the_order(rules, tree):
    steps = trace(rules, tree)
    [order] = rules.reorder(Treebank.of([tree]))
    if steps:
        assert applied(steps, tree.heads.index(-1)) == order
    else:
        assert order in (list(range(len(tree))), list(range(len(tree)))[::-1])


@given(rule_sets(), trees())
def test_every_head_with_children_is_a_step_below_its_own_head(rules, tree):
    steps = trace(rules, tree)
    heads = slow.lifted(rules, tree).heads
    seen = {-1: -1}
    for step in steps:
        assert step.depth == seen[heads[step.head]] + 1
        seen[step.head] = step.depth
        around = [i for i, head in enumerate(heads) if head == step.head or i == step.head]
        assert [item.token for item in step.before] == around
        assert sorted(item.token for item in step.after) == around
        lifted = [item.token for item in step.before if item.lifted]
        assert lifted == [i for i in around if step.head != i and tree.heads[i] != step.head]
    assert not steps or set(seen) == set(heads)


@pytest.mark.slow
@given(rule_sets(), trees())
def test_items_stand_by_slot_and_within_a_slot_in_source_order_or_its_reverse(rules, tree):
    for step in trace(rules, tree):
        if step.rule is None:
            continue
        rule = rules.rules[step.rule]
        assert step.rule_name == str(rule)
        for item in step.after:
            slot = rule.slots[item.slot]
            assert item.slot_name == str(slot)
            assert item.token != step.head or HEAD in slot.labels
        keys = [
            (item.slot, item.token * (-1 if rule.slots[item.slot].reverse else 1))
            for item in step.after
        ]
        assert keys == sorted(keys)


def test_a_sentence_in_which_no_rule_fires_has_no_steps():
    rules = RuleSet("verbs", "ud", (Rule(("VERB",), (Slot((OTHER,)), Slot((HEAD,)))),))
    tree = Tree(["a", "dog"], [1, -1], ["det", "root"], ["DET", "NOUN"], ["DT", "NN"])
    assert trace(rules, tree) == []
    assert trace(load_rules("none"), tree) == []


def test_a_head_without_a_rule_says_so():
    rules = RuleSet("verbs", "ud", (Rule(("VERB",), (Slot((OTHER,)), Slot((HEAD,)))),))
    tree = Tree(
        ["see", "a", "dog"], [-1, 2, 0], ["root", "det", "obj"], ["VERB", "DET", "NOUN"], ["_"] * 3
    )
    verb, noun = trace(rules, tree)
    assert (verb.rule_name, verb.changed) == ("VERB", True)
    assert (noun.rule, noun.rule_name, noun.changed) == (None, "", False)
    assert {item.slot_name for item in noun.before} == {""}


def test_items_under_a_rule_of_pairs_have_their_label_and_side():
    pair = Pair(Slot(("obj",)), Slot((HEAD,)))
    tree = Tree(["I", "see", "it"], [1, -1, 1], ["nsubj", "root", "obj"], ["X"] * 3, ["_"] * 3)
    [step] = trace(RuleSet("pairs", "ud", (Rule(("*",), pairs=(pair,)),)), tree)
    found = [(tree.words[item.token], item.slot_name) for item in step.after]
    assert found == [("I", "nsubj<"), ("it", "obj>"), ("see", "HEAD")]


@pytest.mark.slow
def test_a_chain_of_thousands_of_words_is_a_sentence_like_any_other():
    size = 3000
    tree = Tree(["x"] * size, [*range(1, size), -1], ["obj"] * size, ["VERB"] * size, ["_"] * size)
    steps = trace(load_rules("en-ja"), tree)
    assert [step.depth for step in steps] == list(range(size - 1))
