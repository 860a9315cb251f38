"""Rules of pairs against trying all orders of every head and its children."""

from itertools import permutations

import pytest
import slow
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.formats.rules import parse_rules
from preorder_eval.reordering.trace import trace

START = 'name = "mine"\nscheme = "ud"\n'
BOOKS = Tree(
    ["She", "reads", "books", "in", "Tokyo", "."], [1, -1, 1, 4, 1, 1],
    ["nsubj", "root", "obj", "case", "obl", "punct"],
    ["PRON", "VERB", "NOUN", "ADP", "PROPN", "PUNCT"], ["_"] * 6,
)  # fmt: skip


def reordered(rules: str, tree: Tree = BOOKS) -> str:
    [order] = parse_rules(START + rules, "mine.toml").reorder(Treebank.of([tree]))
    return " ".join(tree.words[i] for i in order)


@pytest.mark.slow
@settings(max_examples=60)
@given(strategies.pair_rules(), strategies.trees(most=7))
def test_no_order_of_a_head_and_its_children_goes_against_less(rules, tree):
    for step in trace(rules, tree):
        least = min(
            slow.pairs_broken(rules, tree, step.head, order)
            for order in permutations(item.token for item in step.before)
        )
        after = [item.token for item in step.after]
        assert slow.pairs_broken(rules, tree, step.head, after) == least


@settings(max_examples=30)
@given(strategies.pair_rules(), st.lists(strategies.trees(most=7), min_size=2, max_size=6))
def test_trees_come_out_together_as_each_by_itself(rules, trees):
    alone = [order for tree in trees for order in rules.reorder(Treebank.of([tree]))]
    assert list(rules.reorder(Treebank.of(trees))) == alone


def test_what_no_pair_tells_stays_in_source_order():
    rules = '[[rule]]\nhead = "VERB"\npairs = [["obj>", "HEAD"], ["obl>", "HEAD"]]\n'
    assert reordered(rules) == "She books in Tokyo reads ."


def test_the_first_pair_that_fits_decides():
    pairs = '[[rule]]\nhead = "VERB"\npairs = [["HEAD", "obj"], ["OTHER>", "HEAD"]]\n'
    assert reordered(pairs) == "She in Tokyo . reads books"
    particular = '{ label = "obl", sibling = "obj" }'
    pairs = f'[[rule]]\nhead = "VERB"\npairs = [[{particular}, "obj"], ["obj", "obl"]]\n'
    assert reordered(pairs) == "She reads in Tokyo books ."


def test_a_rule_for_all_heads_tells_what_the_rule_for_verbs_leaves_open():
    rules = (
        '[[rule]]\nhead = "VERB"\npairs = [["HEAD", "obj"]]\n'
        '[[rule]]\nhead = "*"\npairs = [["obj", "HEAD"], ["HEAD", "case"], ["obl", "HEAD"]]\n'
    )
    assert reordered(rules) == "She Tokyo in reads books ."


def test_pairs_that_go_round_in_a_circle_give_up_as_few_as_possible():
    rules = (
        '[[rule]]\nhead = "*"\n'
        'pairs = [["obj", "nsubj"], ["HEAD", "obj"], ["nsubj", "HEAD"], ["punct", "OTHER"]]\n'
    )
    assert reordered(rules) == "reads . books She in Tokyo"


def test_pairs_that_turn_round_or_keep_the_source_order():
    rules = '[[rule]]\nhead = "*"\npairs = [["OTHER>", "OTHER>", "reverse"]]\n'
    assert reordered(rules) == "She reads . in Tokyo books"
    rules = (
        '[[rule]]\nhead = "*"\n'
        'pairs = [["punct", "OTHER>", "keep"], ["OTHER>", "OTHER>", "reverse"]]\n'
    )
    assert reordered(rules) == "She reads in Tokyo books ."


def test_pairs_go_before_slots():
    rules = (
        '[[rule]]\nhead = "VERB"\norder = ["OTHER", "HEAD", "punct"]\n'
        '[[rule]]\nhead = "*"\npairs = [["HEAD", "case"], ["HEAD", "nsubj"]]\n'
    )
    assert reordered(rules) == "books Tokyo in reads She ."
