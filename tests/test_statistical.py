"""Scores against trying all orders, and learned from orders that rules have made."""

from itertools import permutations

import numpy as np
import pytest
import slow
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from preorder_eval.analysis.learning import learn_rules
from preorder_eval.analysis.pair_costs import pair_costs
from preorder_eval.analysis.pair_evidence import Evidence
from preorder_eval.analysis.statistical import learn_scores
from preorder_eval.data.orders import ReferenceOrders
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rules import format_rules, load_rules, parse_rules
from preorder_eval.metrics import order_metric
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import HEAD, Pair, Rule, Slot
from preorder_eval.reordering.trace import trace

TAU = order_metric("kendall(unaligned=drop)")


@st.composite
def scored_rules(draw):
    def side():
        label = draw(st.sampled_from([HEAD, *strategies.LABELS]))
        sides = st.sampled_from([None, "before", "after"])
        return Slot((label,), side=None if label == HEAD else draw(sides))

    pairs = tuple(
        Pair(side(), side(), score=draw(st.integers(-4, 4)) / 2)
        for _ in range(draw(st.integers(1, 6)))
    )
    return RuleSet("scored", "ud", (Rule(("*",), pairs=pairs),))


@settings(max_examples=100)
@given(scored_rules(), strategies.trees(most=6))
def test_no_order_of_a_head_and_its_children_has_a_higher_sum(rules, tree):
    for step in trace(rules, tree):
        head = step.head
        items = [item.token for item in step.before]

        def turning(one, other, head=head):
            return sum(
                pair.score
                for pair in rules.rules[0].pairs
                if slow.fits(pair.first, tree, tree.upos, one, head)
                and slow.fits(pair.second, tree, tree.upos, other, head)
            )

        def total(order, turning=turning):
            return sum(
                turning(b, a) for place, a in enumerate(order) for b in order[place + 1 :] if b < a
            )

        best = max(total(order) for order in permutations(items))
        assert total([item.token for item in step.after]) == pytest.approx(best)


@pytest.mark.slow
def test_scores_come_near_to_rules_that_made_the_references():
    trees = load_reference("en-ja").trees.take(np.arange(150))
    orders = load_rules("head-final-reverse-after").reorder(trees)
    references = ReferenceOrders.of([[i] for i in order] for order in orders)
    evidence = Evidence.of(trees, pair_costs(trees, references), words=False)
    rules = RuleSet("learned", "ud", (Rule(("*",), pairs=learn_scores(evidence, 1.0)),))
    assert TAU.score(rules.reorder(trees), references).corpus > 0.98
    assert parse_rules(format_rules(rules), "x") == rules
    assert learn_scores(evidence, 1.0) == rules.rules[0].pairs


def test_a_stronger_penalty_makes_smaller_scores():
    trees = load_reference("en-ja").trees.take(np.arange(60))
    references = load_reference("en-ja").allowed.take(np.arange(60))
    evidence = Evidence.of(trees, pair_costs(trees, references), words=False)
    weak, strong = (learn_scores(evidence, strength) for strength in (1.0, 30.0))
    assert max(abs(p.score) for p in strong) < max(abs(p.score) for p in weak)


@pytest.mark.slow
def test_a_statistical_orderer_is_a_rule_set_like_any_other():
    result = learn_rules("gold", "en-tr", statistical=True, words=False, folds=2, name="model")
    again = parse_rules(result.toml(), "model.toml")
    assert again == result.rules
    assert again.rules[0].scored
    assert result.left_out[0] > result.before[0]
    assert [trial.clarity for trial in result.trials] == [None]
