"""Minimal pairs: the words whose order differs, and who has both sentences right."""

import dataclasses

import pytest

from preorder_eval.analysis.minimal_pairs import contrast_words, pair_accuracy
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.systems import System
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.reference_orders import alternatives
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.treebank import Tree, Treebank

PHENOMENA = ["particle", "particle", "particle", "particle", "that", "that"]


def tree(words, kind, pair):
    """A flat tree of a sentence of a pair."""
    heads = [-1] + [0] * (len(words) - 1)
    labels = ["root"] + ["dep"] * (len(words) - 1)
    tags = ["X"] * len(words)
    comments = (f"# pair = {pair}", f"# phenomenon = {kind}")
    return Tree(words, heads, labels, tags, tags, comments=comments)


@pytest.fixture
def data():
    """Three pairs of a sentence of three words that is kept, and one whose first two turn round."""
    words = ["a", "b", "c"]
    trees = [tree(words, kind, f"{kind}-{n // 2}") for n, kind in enumerate(PHENOMENA)]
    links = [[(0, 0), (1, 1), (2, 2)], [(0, 1), (1, 0), (2, 2)]] * 3
    return ReferenceSet("x", [words] * 6, Alignments.of(links), trees=Treebank.of(trees))


def test_a_pair_is_right_if_both_sentences_are(data):
    kept, turned = [0, 1, 2], [1, 0, 2]
    systems = [
        System.from_orders([kept] * 6, data, name="one reading"),
        System.from_orders([kept, turned] * 2 + [turned, kept], data, name="both"),
    ]
    rows = pair_accuracy(evaluate(data, systems, resamples=10)).flat()[1]
    assert [row[:5] for row in rows] == [
        ["one reading", "all", 3, 0, 3],
        ["one reading", "particle", 2, 0, 2],
        ["one reading", "that", 1, 0, 1],
        ["both", "all", 3, 2, 0],
        ["both", "particle", 2, 2, 0],
        ["both", "that", 1, 0, 0],
    ]
    # Wilson's interval of 2 of 3, by hand: (.6667 + 1.9207/3 ± 1.96 √(.0741 + .3201/3)) / 2.2805
    assert rows[3][5:] == pytest.approx([2 / 3, 0.2077, 0.9385], abs=5e-4)


def test_the_rest_of_the_sentence_may_stand_anywhere(data):
    orders = [[2, 0, 1], [2, 1, 0]] * 3  # c first, where the reference has it last
    found = pair_accuracy(
        evaluate(data, [System.from_orders(orders, data, name="s")], resamples=10)
    )
    assert found.cells("phenomenon") == ["all", "particle", "that"]
    assert found.cells("both right") == [3, 2, 1]


def test_words_are_shared_by_form_and_time_and_only_fixed_orders_differ():
    source = [["To", "b", "to", "x"], ["b", "y", "to", "To"]]
    # first: To b to x; second: to(2) y b To(4); "x" and "y" are not shared.
    links = [[(0, 0), (1, 1), (2, 2), (3, 3)], [(2, 0), (1, 1), (0, 2), (3, 3)]]
    data = ReferenceSet("x", source, Alignments.of(links))
    # To before b; the second "to" behind b in both: only b and the second one keep their order.
    assert contrast_words(data, 0, 1) == ([], [])
    turned = [links[0], [(0, 0), (1, 1), (2, 2), (3, 3)]]
    data = ReferenceSet("x", source, Alignments.of(turned))
    assert contrast_words(data, 0, 1) == ([(0, 1)], [(0, 2)])
    tied = [links[0], [(0, 0), (1, 1), (2, 0), (3, 3)]]
    assert contrast_words(ReferenceSet("x", source, Alignments.of(tied)), 0, 1) == ([], [])


def test_what_a_second_order_undoes_is_no_contrast(data):
    blocks = [[((0, 0), (1, 1))], []] * 3  # the first two words of every first sentence
    other, _ = alternatives([3] * 6, [(data.alignments, blocks)])
    free = dataclasses.replace(data, alternatives=other)
    assert contrast_words(data, 0, 1) == ([(0, 1)], [(1, 0)])
    assert contrast_words(free, 0, 1) == ([], [])
    system = System.from_orders([[0, 1, 2]] * 6, free, name="s")
    assert pair_accuracy(evaluate(free, [system], resamples=10)) is None


def test_a_set_without_pairs_has_no_accuracy(data):
    plain = dataclasses.replace(data, trees=None)
    system = System.from_orders([[0, 1, 2]] * 6, plain, name="s")
    assert pair_accuracy(evaluate(plain, [system], resamples=10)) is None


@pytest.mark.parametrize(
    ("suite", "rules", "pairs", "right"),
    [
        ("contrast@ja", "en-ja", 129, 126),
        ("contrast@ko", "en-ko", 120, 110),
        ("contrast@tr", "en-tr", 108, 96),
    ],
)
def test_the_bundled_suites_on_gold_trees(suite, rules, pairs, right):
    """What the rules of a language allow; nothing is right without reordering."""
    reference = load_reference(suite)
    systems = [
        System.from_orders(load_rules(name).reorder(reference.trees), reference, name=name)
        for name in (rules, "none")
    ]
    found = pair_accuracy(evaluate(reference, systems, resamples=10)).rows
    counts = [row[:4] for row in found if row[1] == "all"]
    assert counts == [[rules, "all", pairs, right], ["none", "all", pairs, 0]]
