"""The consensus of n-best lists, against expected similarities by the metrics, pair by pair."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc
from strategies import parses

import preorder_eval as pe
from preorder_eval.base.arrays import offsets_of
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.metrics import order_metric
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.consensus_orders import (
    consensus_orders,
    consensus_trees,
    expected_similarity,
)
from preorder_eval.rules.rule import Rule
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.nbest_files import format_nbest
from preorder_eval.trees.treebank import Tree, Treebank, broken_trees

LAST = RuleSet("head-last", "ud", (Rule(("*",), (Slot((OTHER,)), Slot((HEAD,)))),))
FIRST = RuleSet("head-first", "ud", (Rule(("*",), (Slot((HEAD,)), Slot((OTHER,)))),))


def similarity(one, other, words):
    """The mean of τ and FRS of two orders, by the public metrics."""
    reference = [[[i] for i in other]]
    scores = [order_metric(m).score([one], reference, [words]) for m in ("kendall", "fuzzy")]
    return sum(score.corpus for score in scores) / 2


@st.composite
def lists(draw, scored=True):
    """The lists of a few sentences, with scores."""
    trees = draw(parses())
    flat = [tree for parsed in trees for tree in parsed]
    score = st.floats(-8, 0) if scored else st.just(np.nan)
    scores = draw(st.lists(score, min_size=len(flat), max_size=len(flat)))
    return NBest(Treebank.of(flat), offsets_of(map(len, trees)), np.array(scores, dtype=float))


@given(st.data())
def test_expected_similarity_is_that_of_the_metrics(data):
    size = data.draw(st.integers(1, 6))
    orders = data.draw(st.lists(st.permutations(range(size)), min_size=1, max_size=5))
    weights = np.array(data.draw(st.lists(st.floats(0.01, 1), min_size=5, max_size=5)))
    weights = weights[: len(orders)] / weights[: len(orders)].sum()
    words = data.draw(st.lists(st.sampled_from("abc"), min_size=size, max_size=size))
    expected = [
        sum(w * similarity(one, other, words) for w, other in zip(weights, orders, strict=True))
        for one in orders
    ]
    codes = np.array(["abc".index(word) for word in words])
    assert expected_similarity(np.array(orders), weights, codes) == pytest.approx(expected)


@pytest.mark.slow
@given(lists(), st.sampled_from([LAST, FIRST]))
def test_the_chosen_tree_is_one_of_the_list_with_the_nearest_order(nbest, rules):
    chosen = consensus_trees(nbest, rules)
    assert not broken_trees(chosen.heads, chosen.offsets).any()
    orders, picked = list(rules.reorder(nbest.trees)), list(rules.reorder(chosen))
    for number, own in enumerate(nbest.lists()):
        assert chosen[number] in [nbest.trees[n] for n in own]
        shares = np.exp(nbest.scores[own] - nbest.scores[own].max())
        shares /= shares.sum()

        def expected(order, own=own, shares=shares, words=chosen[number].words):
            pairs = zip(shares, (orders[n] for n in own), strict=True)
            return sum(share * similarity(order, other, words) for share, other in pairs)

        assert expected(picked[number]) == pytest.approx(max(expected(orders[n]) for n in own))


def test_the_more_likely_of_two_orders_stands_and_its_first_tree():
    words, tags = ["eat", "fish"], ["VERB", "NOUN"]
    kept = Tree(words, [-1, 0], ["root", "obj"], tags, tags)
    turned = Tree(words, [1, -1], ["obj", "root"], tags, tags)
    again = Tree(words, [1, -1], ["nsubj", "root"], tags, tags)
    nbest = NBest(
        Treebank.of([kept, turned, again, again]), np.array([0, 4]), np.log([0.4, 0.3, 0.2, 0.1])
    )
    reverse = RuleSet("head-last", "ud", LAST.rules)
    assert consensus_trees(nbest, FIRST)[0] == turned  # 0.6 of the probability, not the 1-best
    assert consensus_trees(nbest.top(2), reverse)[0] == kept


def test_trees_too_unlikely_for_numbers_have_their_shares():
    trees = Treebank.of([Tree(["Go"], [-1], ["root"], ["VERB"], ["_"])] * 2)
    scores = np.log([0.6, 0.2]) - 2000
    found = NBest(trees, np.array([0, 2]), scores).probabilities()
    np.testing.assert_allclose(found, [0.75, 0.25])


@given(lists(scored=False))
def test_trees_without_scores_count_the_same(nbest):
    even = NBest(nbest.trees, nbest.offsets, np.full(len(nbest.scores), -1.0))
    assert consensus_trees(nbest, LAST).heads.tolist() == consensus_trees(even, LAST).heads.tolist()


@given(lists())
def test_several_lists_are_one(nbest):
    both = consensus_orders([(nbest, LAST), (nbest, LAST)])
    assert list(both) == list(LAST.reorder(consensus_trees(nbest, LAST)))
    likely = NBest(
        nbest.trees,
        nbest.offsets,
        np.where(np.isin(np.arange(len(nbest.scores)), nbest.offsets[:-1]), 0.0, -60.0),
    )
    three = [(likely, FIRST), (nbest.top(1), FIRST), (nbest.top(1), LAST)]
    assert list(consensus_orders(three)) == list(FIRST.reorder(nbest.top(1).trees))


def test_several_lists_are_of_the_same_sentences():
    tree = Tree(["eat", "fish"], [-1, 0], ["root", "obj"], ["VERB", "NOUN"], ["VB", "NN"])
    one = NBest(Treebank.of([tree]), np.array([0, 1]), np.zeros(1))
    other = NBest(
        Treebank.of([Tree(["drink", *tree.words[1:]], *list(vars(tree).values())[1:5])]),
        one.offsets,
        one.scores,
    )
    for wrong in ([], [(one, LAST), (other, LAST)]):
        with pytest.raises(PreorderEvalError, match="one or more n-best lists of the same"):
            consensus_orders(wrong)


@pytest.mark.slow
def test_a_system_by_consensus_keeps_the_trees_that_give_its_orders(bundled_reference, parser):
    few = bundled_reference.take(range(36, 60), "few")
    system = Parsed.by("en-web(consensus=8)", few).reordered("en-ja")
    made_from = system.origin()
    assert list(made_from.rules.reorder(made_from.trees)) == list(system.orders)
    best = list(made_from.rules.reorder(parser.parse(few.source)))
    assert list(system.orders) != best
    identity = system.made_by["parser"]
    assert (identity["consensus"], identity["sha256"]) == (8, parser.identity.sha256)
    result = pe.evaluate(few, systems=[system])
    assert "trees chosen by consensus for en-web(consensus=8) (from up to 8)" in " ".join(
        repr(result).split()
    )


@pytest.mark.slow
def test_commands(run, tmp_path, bundled_reference):
    """evaluate, reorder, rules show and n-best files agree."""
    few = bundled_reference.take(range(40), "few")
    name = "en-web(truecase=never,consensus=8)"
    system = Parsed.by(name, few).reordered("en-ja")
    text = tmp_path / "s.en"
    text.write_text("".join(" ".join(words) + "\n" for words in few.source))
    options = ("--rules", "en-ja", "--output", "order")
    code, out, _ = run("reorder", "--parser", name, "--source", text, *options)
    assert (code, [list(map(int, line.split())) for line in out.splitlines()]) == (
        0,
        list(system.orders),
    )
    parses = find_parser("en-web(truecase=never)").parse(few.source, 8)
    (tmp_path / "s.conllu").write_text(format_nbest(parses))
    listed = Parsed.by(f"{tmp_path / 's.conllu'}(consensus=8)", few).reordered("en-ja")
    assert list(listed.orders) == list(system.orders)
    sentence = " ".join(few.source[7])
    _, out, _ = run("rules", "show", "en-ja", "--parser", name, "--sentence", sentence, "--json")
    assert json.loads(out)["order"] == system.orders[7]


@pytest.mark.slow
def test_the_component_sets_the_chosen_trees_and_their_orders(bundled_reference):
    nlp = pe.load_pipeline()
    nlp.add_pipe("preorder", config={"rules": "en-ja", "consensus": 8})
    few = bundled_reference.take(range(12), "few")
    system = Parsed.by("en-web(truecase=never,consensus=8)", few).reordered("en-ja")
    docs = list(nlp.pipe(Doc(nlp.vocab, words=words) for words in few.source))
    assert [list(doc._.preorder) for doc in docs] == list(system.orders)
    trees, chosen = pe.from_docs(docs), system.origin().trees
    assert trees.heads.tolist() == chosen.heads.tolist()
    assert list(trees.labels) == list(chosen.labels)
    assert list(trees.xpos) == list(chosen.xpos)
