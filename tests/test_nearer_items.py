import itertools

from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.analysis.nearer_items import nearer_items
from preorder_eval.data.orders import Orders, ReferenceOrder, ReferenceOrders
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rules import load_rules
from preorder_eval.metrics.kendall import Kendall
from preorder_eval.reordering.trace import trace

FLAT = Tree(
    ["He", "eats", "fish", "."],
    [1, -1, 1, 1],
    ["nsubj", "root", "obj", "punct"],
    ["PRON", "VERB", "NOUN", "PUNCT"],
    ["_"] * 4,
)


def steps(rules, tree):
    return trace(load_rules(rules), tree)


def test_a_step_that_could_not_be_better_is_left_out():
    assert nearer_items(FLAT, steps("en-ja", FLAT), ReferenceOrder([[0], [2], [1], [3]])) == {}


def test_ties_and_words_without_links_ask_for_nothing():
    assert nearer_items(FLAT, steps("en-ja", FLAT), ReferenceOrder([[0, 1, 2, 3]])) == {}
    order = ReferenceOrder([[0], [1], [2], [3]], [True, True, False, True])
    assert nearer_items(FLAT, steps("en-ja", FLAT), order) == {}


@given(st.permutations(range(4)))
def test_no_layout_of_the_items_is_nearer(order):
    reference = ReferenceOrder([[i] for i in order])
    nearer = nearer_items(FLAT, steps("en-ja", FLAT), reference)
    shown = [item.token for item in nearer.get(1, ())] or [0, 2, 1, 3]
    layouts = [list(layout) for layout in itertools.permutations(range(4))]
    scores = Kendall().score(
        Orders.of([shown, *layouts]), ReferenceOrders.of([reference] * (1 + len(layouts)))
    )
    assert scores.sentence[0] == scores.sentence.max()


def test_laying_out_every_head_like_that_is_the_oracle():
    from preorder_eval.analysis.fewest_inversions import fewest_inversions

    data = load_reference("en-ja")
    for number in range(0, 60, 7):
        tree, reference = data.trees[number], data.references[number]
        best, _ = fewest_inversions(Treebank.of([tree]), ReferenceOrders.of([reference]))
        made = load_rules("en-ja").reorder(Treebank.of([tree]))
        wanted = nearer_items(tree, steps("en-ja", tree), reference)
        [one, other] = (
            Kendall(unaligned="drop").score(orders, ReferenceOrders.of([reference])).corpus
            for orders in (made, best)
        )
        assert bool(wanted) == (one < other - 1e-9)


def test_without_rules_there_are_no_steps_to_mend():
    assert nearer_items(FLAT, steps("none", FLAT), ReferenceOrder([[3], [2], [1], [0]])) == {}
