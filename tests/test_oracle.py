"""The oracle by Kendall's τ against all orders that keep subtrees whole."""

import itertools
import random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, rule_sets

from preorder_eval.analysis.oracle import item_pairs, limit, nearer_items, oracle
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.metrics import order_metric
from preorder_eval.metrics.orders.order import Kendall
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import (
    Alternatives,
    Orders,
    ReferenceOrder,
    ReferenceOrders,
    aligned_only,
)
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules import linear_ordering
from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.pair_costs import fewest_inversions, pair_costs
from preorder_eval.rules.rule import Rule
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.rules.trace import trace
from preorder_eval.trees.treebank import Tree, Treebank

KENDALL, DROP = Kendall(), Kendall(unaligned="drop")
LINKED = corpora(6).filter(lambda corpus: corpus[1].informative.any())
METRICS = ["kendall(unaligned=drop)", "kendall(root=true)", "kendall(average=pooled)"]


class Sentence(NamedTuple):
    """A tree with a reference order."""

    tree: Tree
    reference: ReferenceOrder

    @classmethod
    def of(cls, heads, ranks, linked=None):
        size = range(len(heads))
        labels, blank = ["root" if head < 0 else "dep" for head in heads], ["_"] * len(heads)
        groups = [[i for i in size if ranks[i] == rank] for rank in sorted(set(ranks))]
        tree = Tree([f"w{i}" for i in size], heads, labels, blank, blank)
        return cls(tree, ReferenceOrder(groups, linked))

    @property
    def corpus(self):
        return Treebank.of([self.tree]), ReferenceOrders.of([self.reference])


def whole_orders(tree):
    """Every order in which each subtree's words stand side by side."""

    def of(head):
        parts = [[[head]], *(of(i) for i, above in enumerate(tree.heads) if above == head)]
        return [
            list(itertools.chain(*chosen))
            for permuted in itertools.permutations(parts)
            for chosen in itertools.product(*permuted)
        ]

    return of(tree.heads.index(-1))


def inversions(reference, orders):
    references = ReferenceOrders.of([reference] * len(orders))
    return DROP.counted_losses(Orders.of(orders), references, None)[0].tolist()


# Costs of pairs of items


@pytest.mark.slow
@given(corpora(), rule_sets().filter(lambda rules: rules.rules))
def test_inversions_are_those_of_the_pairs_of_items(corpus, rules):
    treebank, references = corpus
    orders = rules.reorder(treebank)
    inversions = DROP.losses(*aligned_only(orders, references, None)[:2], None)[0]
    costs = pair_costs(treebank, references)
    turned = orders.places[costs.first] > orders.places[costs.second]
    paid = np.bincount(costs.sentence, np.where(turned, costs.turn, costs.keep), len(treebank))
    # A sentence to which no rule applies is not laid out: its subtrees need not be whole.
    sentence = np.repeat(np.arange(len(treebank)), treebank.lengths)
    laid_out = np.bincount(sentence, rules.fit(treebank).above >= 0, len(treebank)) > 0
    assert paid[laid_out].tolist() == inversions[laid_out].tolist()


def test_of_several_reference_orders_the_costs_are_the_mean():
    tree = Tree(["a", "b", "c"], [-1, 0, 0], ["root", "obj", "obl"], ["VERB"] * 3, ["VB"] * 3)
    orders = [[[0], [1], [2]], [[1], [0], [2]], [[1], [2], [0]]]
    costs = pair_costs(Treebank.of([tree]), Alternatives.of([orders]))
    assert list(zip(costs.first.tolist(), costs.second.tolist(), strict=True)) == [
        (0, 1), (0, 2), (1, 2),
    ]  # fmt: skip
    assert costs.keep == pytest.approx([2 / 3, 1 / 3, 0])
    assert np.allclose(costs.keep + costs.turn, 1)


# The fewest inversions


def fewest(sentence):
    """The order found for a sentence, and the least inversions of any."""
    [order], [least] = fewest_inversions(*sentence.corpus)
    return order, least


@given(corpora(6))
def test_no_order_has_fewer(corpus):
    orders, least = fewest_inversions(*corpus)
    for tree, reference, order, fewest in zip(*corpus, orders, least.tolist(), strict=True):
        possible = whole_orders(tree)
        assert order in possible
        assert inversions(reference, [order]) == [fewest] == [min(inversions(reference, possible))]


def test_too_many_items_in_each_others_way_have_a_bound(monkeypatch):
    # Three children of three words like dice of which each beats the next.
    heads = [-1, 0, 1, 1, 0, 4, 4, 0, 7, 7]
    dice = Sentence.of(heads, [0, 2, 4, 9, 1, 6, 8, 3, 5, 7])
    best = min(inversions(dice.reference, whole_orders(dice.tree)))
    assert fewest(dice)[1] == best == 13
    monkeypatch.setattr(linear_ordering, "MOST_EXACT", 2)
    order, least = fewest(dice)
    assert least == 12
    assert inversions(dice.reference, [order])[0] >= best
    found = limit(*dice.corpus, DROP)
    assert found.low < found.high
    assert found.not_proven == [1]
    assert " to " in str(found)
    monkeypatch.setattr(linear_ordering, "MOST_EXACT", 3)  # as many as are in a circle
    assert limit(*dice.corpus, DROP).proven.all()


def test_what_costs_nothing_stays_in_source_order():
    heads = [1, -1, 1, 4, 1]
    for sentence in (Sentence.of(heads, [0] * 5), Sentence.of(heads, [4, 3, 2, 1, 0], [False] * 5)):
        assert fewest(sentence) == ([0, 1, 2, 3, 4], 0)


@pytest.mark.slow
@pytest.mark.parametrize("heads", [[*range(1, 300), -1], [-1, *[0] * 299]])
def test_a_long_chain_and_many_children_are_sentences_like_any_other(heads):
    ranks = list(range(300))[::-1]
    assert fewest(Sentence.of(heads, ranks)) == (ranks, 0)


# The limit of trees


@given(LINKED, st.sampled_from(METRICS))
def test_no_order_of_any_tree_is_better(corpus, signature):
    metric = order_metric(signature)
    found = limit(*corpus, metric)
    assert found.proven.all()
    rows = []
    for tree, reference, order in zip(*corpus, found.orders, strict=True):
        possible = whole_orders(tree)
        assert order in possible
        references = ReferenceOrders.of([reference] * len(possible))
        tried = metric.statistics(Orders.of(possible), references)
        rows.append(tried[np.argmax(metric.finish(tried))])
    best = metric.finish(np.sum(rows, axis=0))
    assert found.low == found.high == pytest.approx(best)
    short = metric.finish(np.array(rows)) < 1 - 1e-9
    assert found.out_of_reach == (np.flatnonzero(short & corpus[1].informative) + 1).tolist()


@pytest.mark.slow
@given(corpora(5), st.integers(0, 99))
def test_of_several_references_the_nearest_counts(corpus, seed):
    rng = random.Random(seed)
    for tree, reference in zip(*corpus, strict=True):
        other = ReferenceOrder([[i] for i in rng.sample(range(len(tree)), len(tree))])
        several = Alternatives.of([[reference, other]])
        found = limit(Treebank.of([tree]), several, DROP)
        best = max(DROP.score([order], several).corpus for order in whole_orders(tree))
        assert found.proven.all()
        assert found.low == pytest.approx(best)
        assert DROP.score(found.orders, several).corpus == found.low


# Pairs of items that stand wrong

TODAY = Tree(
    ["Today", "he", "eats", "raw", "fish", "here"],
    [2, 2, -1, 4, 2, 2],
    ["obl", "nsubj", "root", "amod", "obj", "advmod"],
    ["NOUN", "PRON", "VERB", "ADJ", "NOUN", "ADV"],
    ["_"] * 6,
)


def pairs_of(trees, orders, references):
    treebank, references = Treebank.of(trees), ReferenceOrders.of(references)
    found = item_pairs(treebank, Orders.of(orders), references, KENDALL, treebank.upos)
    return {(pair.head, pair.first, pair.second): pair for pair in found}


def test_kinds_of_items_and_how_often_they_stand_wrong():
    he_raw_fish_eats = [[0], [1], [3], [4], [2], [5]]
    pairs = pairs_of(
        [TODAY] * 3, [[0, 1, 2, 3, 4, 5], [0, 1, 3, 4, 2, 5], [0, 1, 2, 3, 4, 5]],
        [he_raw_fish_eats, he_raw_fish_eats, [[0], [1], [2, 3], [4], [5]]],
    )  # fmt: skip
    wrong = pairs["VERB", "HEAD", "obj>"]
    assert (wrong.times, wrong.right, wrong.wrong) == (2, 1, 1)
    assert wrong.sentences == [1]
    # Two pairs of words of fifteen, and in the third sentence one that is tied.
    assert wrong.gain == pytest.approx((2 / 15 - 1 / 14) / 3)
    assert pairs["VERB", "obj>", "HEAD"].gain == pytest.approx(-2 / 15 / 3)
    assert pairs["NOUN", "amod<", "HEAD"].times == 3
    assert ("VERB", "obl<", "advmod>") in pairs


def test_two_children_of_one_kind_are_told_apart_by_their_places_in_the_source():
    labels, tags = ["root", "advmod", "advmod"], ["VERB", "ADV", "ADV"]
    tree = Tree(["go", "away", "now"], [-1, 0, 0], labels, tags, ["_"] * 3)
    away_go_now = [[1], [0], [2]]
    pairs = pairs_of([tree] * 2, [[1, 2, 0], [2, 1, 0]], [[[0], [2], [1]], away_go_now])
    assert pairs["VERB", "advmod>1", "advmod>2"].wrong == 1
    assert pairs["VERB", "advmod>2", "advmod>1"].wrong == 1


HEADS_FIRST = RuleSet("first", "ud", (Rule(("*",), (Slot((HEAD,)), Slot((OTHER,)))),))
HEADS_LAST = RuleSet("last", "ud", (Rule(("*",), (Slot((OTHER,)), Slot((HEAD,)))),))


@given(LINKED, st.sampled_from(["", "unaligned=drop", "average=pooled"]))
def test_turning_all_pairs_with_the_head_gains_what_they_are_said_to(corpus, options):
    treebank, references = corpus
    metric = order_metric(f"kendall({options})")
    first, last = HEADS_FIRST.reorder(treebank), HEADS_LAST.reorder(treebank)
    # From heads first to heads last only the pairs with a head are turned.
    pairs = item_pairs(treebank, first, references, metric, treebank.upos)
    gain = sum(pair.gain for pair in pairs if HEAD in (pair.first, pair.second))
    gains = [round(pair.gain, 12) for pair in pairs]
    assert gains == sorted(gains, reverse=True)
    before, after = (metric.score(orders, references).corpus for orders in (first, last))
    assert gain == pytest.approx(after - before)


# Steps of a trace that could be better


def inverted(costs, head, items):
    """The inversions between these items of a head, in this order."""
    place = {item.token: at for at, item in enumerate(items)}
    columns = (costs.block, costs.first, costs.second, costs.keep, costs.turn)
    return sum(
        keep if place[one] < place[other] else turn
        for block, one, other, keep, turn in zip(*columns, strict=True)
        if block == head
    )


@pytest.mark.slow
@given(LINKED, rule_sets().filter(lambda rules: rules.rules))
def test_the_layouts_that_are_nearer_make_the_fewest_inversions(corpus, rules):
    for tree, reference in zip(*corpus, strict=True):
        costs = pair_costs(Treebank.of([tree]), ReferenceOrders.of([reference]))
        steps = trace(rules, tree)
        nearer = nearer_items(tree, steps, reference)
        for step in steps:
            now = inverted(costs, step.head, step.after)
            orders = itertools.permutations(step.before)
            least = min(inverted(costs, step.head, items) for items in orders)
            assert (step.head in nearer) == (now > least)
            assert inverted(costs, step.head, nearer.get(step.head, step.after)) == least


# What the score lacks

EATS = Tree(
    ["He", "eats", "raw", "fish"],
    [1, -1, 3, 1],
    ["nsubj", "root", "amod", "obj"],
    ["PRON", "VERB", "ADJ", "NOUN"],
    ["_"] * 4,
)
HE_RAW_FISH_EATS = [(0, 0), (1, 3), (2, 1), (3, 2)]


def eats(heads, labels=EATS.labels):
    return Treebank.of([Tree(EATS.words, heads, labels, EATS.upos, EATS.xpos)])


def reference_set(links):
    return ReferenceSet("raw", [EATS.words], Alignments.of([links]), trees=Treebank.of([EATS]))


def metric_of(orders, links):
    return order_metric("fuzzy").score(orders, reference_set(links).references).corpus


def test_the_parts_lead_from_the_score_to_one():
    found = oracle("none", Treebank.of([EATS]), reference_set(HE_RAW_FISH_EATS))
    assert [(part.cause, part.low) for part in found.shortfalls()] == [
        ("rules", pytest.approx(1 / 3)), ("impossible", 0),
    ]  # fmt: skip
    pairs = {(pair.head, pair.first, pair.second): pair for pair in found.pairs}
    assert pairs["VERB", "HEAD", "obj>"].gain == pytest.approx(1 / 3)
    assert found.pairs[0].sentences == [1]
    assert found.verdict.endswith(
        "τ 0.667 (FRS 0.333), with the best rules 1.000 (FRS 1.000); 1 sentence"
    )
    parts, items = found.view()
    assert [row[:6] for row in parts.rows] == [
        ["rules", "0.667", "1.000", "33.33", "100%", "66.67"],
        ["impossible", "1.000", "1", "0.00", "0%", "0.00"],
    ]
    assert items.rows == [[pytest.approx(100 / 3), 1, 0, 1, "VERB", "HEAD", "obj>", "1"]]
    assert "above the oracle" not in repr(found)
    assert sum(part.high for part in found.shortfalls()) == pytest.approx(1 - found.value)


def test_the_parser_can_stand_in_the_way_or_help():
    fish_he_raw_eats = [(0, 1), (1, 3), (2, 2), (3, 0)]
    found = oracle("none", eats([1, -1, 0, 1]), reference_set(fish_he_raw_eats))
    assert [part.cause for part in found.shortfalls()] == ["rules", "parser", "impossible"]
    assert found.shortfalls()[1].low == pytest.approx(-1 / 6)
    assert found.gold.low == pytest.approx(5 / 6)
    assert [row[4] for row in found.view()[0].rows] == ["100%", "-25%", "25%"]
    assert found.tables()[2].rows == [] == found.view(whole=True)[2:]
    assert found.value_on_gold == found.value, "no rules leave both trees as they are"
    assert "its trees reorder better than gold trees" in repr(found)

    helped = oracle("none", eats([1, -1, 1, 1]), reference_set(HE_RAW_FISH_EATS))
    assert [part.low for part in helped.shortfalls()] == pytest.approx([1 / 3, 0, 0])
    # By FRS the same orders lead to 1, and only the gold tree does not reach its reference.
    assert sum(part.frs for part in found.shortfalls()) == pytest.approx(1 - found.frs[0])
    assert found.frs[1:] == [1, pytest.approx(metric_of(found.gold.orders, fish_he_raw_eats))]
    assert (found.trees.out_of_reach, found.gold.out_of_reach) == ([], [1])
    assert "reference order of 0 sentences; with gold trees, of 1" in repr(found)


@pytest.mark.parametrize(
    ("scheme", "labels", "on_gold"),
    [
        ("ud", ["nsubj", "advcl", "amod", "root"], 1),
        ("clearnlp", ["nsubj", "prt", "poss", "ROOT"], None),  # gold trees are of scheme ud
    ],
)
def test_on_gold_trees_the_same_rules_can_score_more(scheme, labels, on_gold):
    rules = Rule(("VERB",), (Slot(("nsubj",)), Slot((OTHER,)), Slot((HEAD,))))
    parsed = eats([1, 3, 3, -1], labels)
    found = oracle(RuleSet("x", scheme, (rules,)), parsed, reference_set(HE_RAW_FISH_EATS))
    assert found.value == pytest.approx(4 / 6)
    assert found.value_on_gold == on_gold


def test_rules_know_heads_by_the_tags_that_they_go_by():
    tree = Tree(EATS.words, EATS.heads, EATS.labels, EATS.upos, ["PRP", "VBZ", "JJ", "NN"])
    by_xpos = RuleSet("x", "ud", tags="xpos")
    found = oracle(by_xpos, Treebank.of([tree]), ReferenceOrders.of([[[0], [2], [3], [1]]]))
    assert {pair.head for pair in found.pairs} == {"VBZ", "NN"}
    assert (found.inputs.name, found.inputs.parser, found.gold) == ("", "", None)


def test_a_tree_with_crossing_arcs_that_no_rule_fits_can_beat_the_oracle():
    heads = [2, -1, 1, 0]  # the first word is below the third, and the last below the first
    tree = Tree(["a", "b", "c", "d"], heads, ["dep"] * 4, ["X"] * 4, ["_"] * 4)
    found = oracle("none", Treebank.of([tree]), ReferenceOrders.of([[[0], [1], [2], [3]]]))
    assert "the rules score above the oracle" in repr(found)


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("spearman", "unknown metric of the oracle 'spearman'; known: kendall"),
        ("kendall(references=mean)", "no oracle for .*; set references=best"),
        ("kendall(average=pooled)", "no oracle for .*; set average=sentence"),
    ],
)
def test_what_has_no_oracle_is_said(metric, said):
    several = Alternatives.of([[[[0], [1], [2], [3]], [[1], [0], [2], [3]]]])
    with pytest.raises(PreorderEvalError, match=said):
        oracle("none", Treebank.of([EATS]), several, metric)


def test_no_sentences_have_no_limit_to_look_for():
    found = limit(Treebank.of([]), ReferenceOrders.of([]), KENDALL)
    assert (len(found.orders), found.out_of_reach) == (0, [])


def test_a_sentence_with_too_many_pairs_of_words_is_refused():
    size = 2049
    chain = Tree(["w"] * size, list(range(-1, size - 1)), *[["x"] * size] * 3)
    reference = ReferenceOrders.of([[[word] for word in range(size)]])
    with pytest.raises(PreorderEvalError, match="sentence 1 has 2,049 words"):
        pair_costs(Treebank.of([chain]), reference)
