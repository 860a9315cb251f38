import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import pair_rules, rule_sets, trees

from preorder_eval.data.treebank import Treebank
from preorder_eval.formats.rules import load_rules

SOME = (rule_sets() | pair_rules()).filter(lambda rules: rules.rules)


@given(SOME, trees(7))
def test_only_what_fires_can_change_an_order(rules, tree):
    treebank = Treebank.of([tree])
    fit = rules.fit(treebank)
    orders = rules.reorder(treebank)
    for rule, place in rules.removable():
        others = rules.without(rule, place).reorder(treebank)
        assert fit.applied(rule, place).any() or others[0] == orders[0]


@given(SOME, st.data())
def test_what_is_left_is_all_but_the_part(rules, data):
    rule, place = data.draw(st.sampled_from(rules.removable()))
    left = rules.without(rule, place).rules
    parts = rules.rules[rule].parts
    if place is None or len(parts) == 1:
        assert left == rules.rules[:rule] + rules.rules[rule + 1 :]
    else:
        assert left[rule].parts == parts[:place] + parts[place + 1 :]
        assert len(left) == len(rules.rules)


def test_children_of_a_slot_and_heads_of_a_rule(gold):
    rules = load_rules("en-ja")
    fit = rules.fit(gold)
    heads = fit.applied(0, None)
    children = fit.applied(0, 1)
    assert np.isin(gold.parents[children], np.flatnonzero(heads)).all()
    assert heads.sum() > 100
    assert children.sum() > 10
