"""How the oracle divides what a score lacks."""

import pytest

from preorder_eval.analysis.oracle import oracle
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.orders import ReferenceOrder, ReferenceOrders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import HEAD, OTHER, Rule, Slot

EATS = Tree(
    ["He", "eats", "raw", "fish"],
    [1, -1, 3, 1],
    ["nsubj", "root", "amod", "obj"],
    ["PRON", "VERB", "ADJ", "NOUN"],
    ["_"] * 4,
)
# A parser that takes raw for a child of the verb.
RAW = Tree(EATS.words, [1, -1, 1, 1], EATS.labels, EATS.upos, EATS.xpos)


def reference_set(links, tree=EATS):
    return ReferenceSet("raw", [tree.words], Alignments.of([links]), trees=Treebank.of([tree]))


def test_the_three_parts_lead_from_the_score_to_one():
    he_raw_fish_eats = [(0, 0), (1, 3), (2, 1), (3, 2)]
    found = oracle("none", Treebank.of([EATS]), reference_set(he_raw_fish_eats))
    assert [(part.name, part.low) for part in found.parts] == [
        ("rules", pytest.approx(1 / 3)), ("impossible", 0),
    ]  # fmt: skip
    pairs = {(pair.head, pair.first, pair.second): pair for pair in found.pairs}
    assert pairs["VERB", "HEAD", "obj>"].gain == pytest.approx(1 / 3)
    assert found.pairs[0].sentences == [1]
    assert sum(part.high for part in found.parts) == pytest.approx(1 - found.value)


def test_the_parser_can_stand_in_the_way_or_help():
    he_raw_fish_eats = [(0, 0), (1, 3), (2, 1), (3, 2)]
    fish_he_raw_eats = [(0, 1), (1, 3), (2, 2), (3, 0)]
    under_he = Treebank.of([Tree(EATS.words, [1, -1, 0, 1], EATS.labels, EATS.upos, EATS.xpos)])
    found = oracle("none", under_he, reference_set(fish_he_raw_eats))
    assert [part.name for part in found.parts] == ["rules", "parser", "impossible"]
    assert found.parts[1].low == pytest.approx(-1 / 6)
    assert found.gold.low == pytest.approx(5 / 6)
    assert found.value_on_gold == found.value, "no rules leave both trees as they are"

    helped = oracle("none", Treebank.of([RAW]), reference_set(he_raw_fish_eats))
    assert [part.low for part in helped.parts] == pytest.approx([1 / 3, 0, 0])


def test_on_gold_trees_the_same_rules_can_score_more():
    slots = Slot(("nsubj",)), Slot((OTHER,)), Slot((HEAD,))
    rules = Rule(("VERB",), slots)
    reference = reference_set([(0, 0), (1, 3), (2, 1), (3, 2)])  # he raw fish eats
    wrong = {"ud": ["nsubj", "advcl", "amod", "root"], "clearnlp": ["nsubj", "prt", "poss", "ROOT"]}
    for scheme, labels in wrong.items():
        parsed = Tree(EATS.words, [1, 3, 3, -1], labels, EATS.upos, EATS.xpos)
        found = oracle(RuleSet("x", scheme, (rules,)), Treebank.of([parsed]), reference)
        assert found.value == pytest.approx(4 / 6)
        # The gold trees are of scheme ud.
        assert found.value_on_gold == (1 if scheme == "ud" else None)


def test_rules_know_heads_by_the_tags_that_they_go_by():
    tree = Tree(EATS.words, EATS.heads, EATS.labels, EATS.upos, ["PRP", "VBZ", "JJ", "NN"])
    by_xpos = RuleSet("x", "ud", tags="xpos")
    found = oracle(by_xpos, Treebank.of([tree]), ReferenceOrders.of([[[0], [2], [3], [1]]]))
    assert {pair.head for pair in found.pairs} == {"VBZ", "NN"}
    assert (found.reference, found.parser, found.gold) == ("", "", None)


def test_the_bundled_rules_leave_less_to_rules_than_no_rules():
    none, ruled = (oracle(rules, "gold", "en-ja") for rules in ("none", "en-ja"))
    assert none.trees.low == ruled.trees.low > 0.99
    assert none.parts[0].low > 10 * ruled.parts[0].low > 0
    assert ruled.value == pytest.approx(0.9632, abs=0.01)
    [parts, (header, rows)] = ruled.tables()
    assert [row[0] for row in parts[1]] == ["rules", "impossible"]
    assert all(len(row) == len(header) for row in rows)
    assert ruled.summary()["pairs"][0]["sentences"] == ruled.pairs[0].sentences
    assert ruled.summary()["oracle"]["trees"]["not_proven"] == []


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("spearman", "unknown metric of the oracle 'spearman'; known: fuzzy, kendall"),
        ("kendall(references=mean)", "no oracle of .*; take references=best"),
        ("fuzzy(average=pooled)", "no oracle of .*; take average=sentence"),
    ],
)
def test_what_has_no_oracle_is_said(metric, said):
    several = Alternatives.of([[[[0], [1], [2], [3]], [[1], [0], [2], [3]]]])
    with pytest.raises(PreorderEvalError, match=said):
        oracle("none", Treebank.of([EATS]), several, metric)


def test_nothing_to_score_is_said():
    unlinked = ReferenceOrders.of([ReferenceOrder([[0], [1], [2], [3]], [False] * 4)])
    with pytest.raises(PreorderEvalError, match="no sentence has a link"):
        oracle("none", Treebank.of([EATS]), unlinked)
    with pytest.raises(PreorderEvalError, match="a parser takes a reference set"):
        oracle("none", "gold", ReferenceOrders.of([[[0], [1], [2], [3]]]))
    with pytest.raises(PreorderEvalError, match="references of 2 sentences"):
        oracle("none", Treebank.of([EATS]), ReferenceOrders.of([[[0]], [[0]]]))
