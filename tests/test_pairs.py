"""Rules of pairs against trying all orders of every head and its children."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
import slow
import strategies
from hypothesis import assume, given
from hypothesis import strategies as st

from preorder_eval.analysis.check_rules import check_rules
from preorder_eval.rules import linear_ordering, pairs
from preorder_eval.rules.linear_ordering import best_order, order_cost
from preorder_eval.rules.rule_reading import parse_rules
from preorder_eval.rules.trace import trace
from preorder_eval.trees.treebank import Tree, Treebank

START = 'name = "mine"\nscheme = "ud"\n'
BOOKS = Tree(
    ["She", "reads", "books", "in", "Tokyo", "."], [1, -1, 1, 4, 1, 1],
    ["nsubj", "root", "obj", "case", "obl", "punct"],
    ["PRON", "VERB", "NOUN", "ADP", "PROPN", "PUNCT"], ["_"] * 6,
)  # fmt: skip


@pytest.mark.slow
@given(strategies.pair_rules(), strategies.trees(most=7))
def test_no_order_of_a_head_and_its_children_goes_against_less(rules, tree):
    for step in trace(rules, tree):
        least = min(
            slow.pairs_broken(rules, tree, step.head, order)
            for order in permutations(item.token for item in step.before)
        )
        after = [item.token for item in step.after]
        assert slow.pairs_broken(rules, tree, step.head, after) == least


@pytest.mark.slow
@given(strategies.pair_rules(), st.lists(strategies.trees(most=7), min_size=2, max_size=6))
def test_trees_come_out_together_as_each_by_itself(rules, trees):
    alone = [order for tree in trees for order in rules.reorder(Treebank.of([tree]))]
    assert list(rules.reorder(Treebank.of(trees))) == alone


def in_one_block(turn, size, head):
    """The items of one block as they come out, by what decides every two of them."""
    one, other = np.triu_indices(size, 1)
    front = np.where(turn > 0, other, one)
    wins = np.bincount(front, minlength=size)
    return pairs._laid_out(np.array([0, size]), np.arange(size) == head, turn, wins)


@given(st.lists(st.integers(-3, 3), min_size=10, max_size=10), st.integers(1, 3), st.integers(0, 4))
def test_what_else_stands_in_a_block_decides_no_tie(turns, more, head):
    """A number for every two of five items is the pair that turns or keeps them, 0 for none."""
    size = 5 + more
    turn = np.zeros((size, size), dtype=np.int16)
    turn[np.triu_indices(5, 1)] = turns
    alone, together = (in_one_block(turn[np.triu_indices(n, 1)], n, head) for n in (5, size))
    assert together.tolist() == [*alone.tolist(), *range(5, size)]


@st.composite
def circles(draw):
    """What decides every two of five items, all in one circle, and which item is the head."""
    turn = draw(st.lists(st.integers(-2, 2), min_size=10, max_size=10))
    wins = [0] * 5
    for (one, other), number in zip(combinations(range(5), 2), turn, strict=True):
        wins[other if number > 0 else one] += 1
    wins.sort()
    assume(all(sum(wins[:n]) > n * (n - 1) / 2 for n in range(1, 5)))
    return turn, draw(st.integers(0, 4))


def against(order, turn, head):
    """What an order of five items in a circle goes against, the most important first."""
    given_up, others, by_first, side = 0, 0, [], 0
    first = min(abs(number) for number in turn if number)
    for (one, other), number in zip(combinations(range(5), 2), turn, strict=True):
        turned = order.index(one) > order.index(other)
        given_up += number != 0 and turned != (number > 0)
        others += number == 0 and turned
        side += number == 0 and turned and head in (one, other)
        if abs(number) == first:
            by_first.append(turned)
    return given_up, others, inversions(order), by_first, side


def laid_out(turn, head):
    return in_one_block(np.array(turn, dtype=np.int16), 5, head).tolist()


@pytest.mark.slow
@given(circles())
def test_no_order_of_a_circle_is_better(circle):
    turn, head = circle
    best = min(against(order, turn, head) for order in permutations(range(5)))
    assert against(laid_out(turn, head), turn, head) == best


@pytest.mark.slow
@given(circles())
def test_no_move_of_one_item_makes_the_order_of_many_better(circle):
    turn, head = circle
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pairs, "MOST_EXACT", 4)
        order = laid_out(turn, head)
    for item in order:
        rest = [other for other in order if other != item]
        for place in range(5):
            moved = [*rest[:place], item, *rest[place:]]
            assert against(moved, turn, head) >= against(order, turn, head)


def inversions(order: tuple[int, ...] | list[int]) -> int:
    """Pairs that stand against the source order."""
    return sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])


VERBS, ALL = '[[rule]]\nhead = "VERB"\n', '[[rule]]\nhead = "*"\n'
CASES = {
    "what no pair decides stays in source order": (
        f'{VERBS}pairs = [["obj>", "HEAD"], ["obl>", "HEAD"]]\n',
        "She books in Tokyo reads .",
    ),
    "the first pair that fits decides": (
        f'{VERBS}pairs = [["HEAD", "obj"], ["OTHER>", "HEAD"]]\n',
        "She in Tokyo . reads books",
    ),
    "also by the first of its kinds": (
        f'{VERBS}pairs = [[{{ label = "obl", sibling = "obj" }}, "obj"], ["obj", "obl"]]\n',
        "She reads in Tokyo books .",
    ),
    "a head has the sisters that its condition names, or none": (
        f'{VERBS}pairs = [["obj>", {{ label = "HEAD", sibling = "aux" }}], ["obl>", "HEAD"]]\n',
        "She in Tokyo reads books .",
    ),
    "a rule for all heads decides what the rule for verbs leaves open": (
        f'{VERBS}pairs = [["HEAD", "obj"]]\n'
        f'{ALL}pairs = [["obj", "HEAD"], ["HEAD", "case"], ["obl", "HEAD"]]\n',
        "She Tokyo in reads books .",
    ),
    "of pairs in a circle as few as possible are given up": (
        f'{ALL}pairs = [["obj", "nsubj"], ["HEAD", "obj"], ["nsubj", "HEAD"], ["punct", "OTHER"]]',
        "reads . books She in Tokyo",
    ),
    "pairs reverse the source order": (
        f'{ALL}pairs = [["OTHER>", "OTHER>", "reverse"]]\n',
        "She reads . in Tokyo books",
    ),
    "or keep it": (
        f'{ALL}pairs = [["punct", "OTHER>", "keep"], ["OTHER>", "OTHER>", "reverse"]]\n',
        "She reads in Tokyo books .",
    ),
    "pairs go before slots": (
        f'{VERBS}order = ["OTHER", "HEAD", "punct"]\n'
        f'{ALL}pairs = [["HEAD", "case"], ["HEAD", "obl"]]\n',
        "She books reads Tokyo in .",
    ),
    "of circles as cheap to open, the first pair of the file keeps the source order": (
        f'{ALL}pairs = [["obl", "obj"], ["obj", "HEAD"], ["HEAD", "obl"]]\n',
        "She books reads in Tokyo .",
    ),
    "whichever pair that is": (
        f'{ALL}pairs = [["obj", "HEAD"], ["obl", "obj"], ["HEAD", "obl"]]\n',
        "She reads in Tokyo books .",
    ),
    "where no pair decides, children stay on their side of the head: behind it": (
        f'{ALL}pairs = [["obl", "HEAD"]]\n',
        "She in Tokyo reads books .",
    ),
}


@pytest.mark.parametrize(("rules", "expected"), CASES.values(), ids=CASES)
def test_pairs_decide_the_order_of_items(rules, expected):
    [order] = parse_rules(START + rules, "mine.toml").reorder(Treebank.of([BOOKS]))
    assert " ".join(BOOKS.words[i] for i in order) == expected


def test_a_child_that_moves_over_its_head_leaves_the_head_behind_the_others():
    tree = Tree(
        ["in", "the", "old", "house"], [3, 3, 3, -1],
        ["case", "det", "amod", "root"], ["ADP", "DET", "ADJ", "NOUN"], ["_"] * 4,
    )  # fmt: skip
    rules = parse_rules(f'{START}{ALL}pairs = [["HEAD", "case"]]\n', "mine.toml")
    [order] = rules.reorder(Treebank.of([tree]))
    assert " ".join(tree.words[i] for i in order) == "the old house in"


def test_a_circle_is_named_by_the_pair_given_up_and_those_against_it():
    named = '["obj", "HEAD"], ["punct", "obj"], ["obl", "obj"], ["HEAD", "obl"]'
    rules = parse_rules(f"{START}{ALL}pairs = [{named}]\n", "mine.toml")
    [circle] = rules.fit(Treebank.of([BOOKS])).circles()
    assert [*map(str, circle)] == ["obj before HEAD", "HEAD before obl", "obl before obj"]
    assert check_rules(rules).circles[0].given_up == "obj before HEAD"  # in the constructions


def test_no_order_is_cheaper_and_of_equal_ones_none_is_closer_to_the_source():
    for random in map(np.random.default_rng, range(60)):
        size = int(random.integers(1, 7))
        cost = random.integers(0, 4, (size, size)).astype(float)
        order, proven = best_order(cost)
        by_hand = min((order_cost(cost, list(p)), inversions(p)) for p in permutations(range(size)))
        assert proven
        assert (order_cost(cost, order), inversions(order)) == by_hand


def test_parts_that_are_not_tangled_are_solved_one_by_one():
    cost = np.zeros((40, 40))
    cost[np.tril_indices(40, -1)] = 1  # everything prefers the source order …
    cost[7, 5], cost[5, 7] = 0, 2  # … but for one pair two places apart
    order, proven = best_order(cost)
    assert proven
    assert order_cost(cost, order) == 1
    assert order[:5] == [0, 1, 2, 3, 4]
    assert order[8:] == list(range(8, 40))


@pytest.mark.parametrize("seed", range(10))
def test_too_many_tangled_items_give_a_good_order_that_is_not_called_proven(seed, monkeypatch):
    cost = np.random.default_rng(seed).random((8, 8))
    best, _ = best_order(cost)
    monkeypatch.setattr(linear_ordering, "MOST_EXACT", 2)
    order, proven = best_order(cost)
    assert not proven
    assert sorted(order) == list(range(8))
    source = order_cost(cost, list(range(8)))
    assert order_cost(cost, best) <= order_cost(cost, order) <= source


@pytest.mark.parametrize(("most", "known"), [(3, True), (2, False)])
def test_as_many_items_in_a_circle_as_the_bound_are_proven(most, known, monkeypatch):
    monkeypatch.setattr(linear_ordering, "MOST_EXACT", most)
    circle = np.array([[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    assert best_order(circle)[1] == known


def test_the_time_for_very_many_items_in_a_circle_is_bounded(monkeypatch):
    monkeypatch.setattr(linear_ordering, "_COMPARED", 3 * 4**2)
    moved = []

    def endlessly(item, rest, place):
        moved.append(item)
        return (place + 1) % 4

    assert sorted(linear_ordering.by_moves(4, endlessly).tolist()) == [0, 1, 2, 3]
    assert moved == 3 * [0, 1, 2, 3]
