"""Wrongly placed words: breaks, groups and what they cost, children on the wrong side."""

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.analysis.misplaced import all_words, break_down, groupings, placement
from preorder_eval.base.arrays import sums
from preorder_eval.metrics.orders.fuzzy import Fuzzy
from preorder_eval.metrics.orders.order import Kendall
from preorder_eval.orders.orders import Orders, ReferenceOrders, SourceWords, aligned_only
from preorder_eval.trees.treebank import Tree, Treebank

# Placement


def arrays(orders, references, words):
    return Orders.of(orders), ReferenceOrders.of(references), SourceWords.of(words)


@pytest.mark.parametrize(
    ("words", "order", "groups", "expected"),
    [
        (  # I | books | him | gave today
            "I gave him books today", [0, 3, 2, 1, 4], [[0], [2], [3], [1], [4]],
            {"breaks": [1, 1, 2, 2, 0], "wrong": [1, 1, 1, 1, 0], "inversions": [0, 0, 1, 1, 0]},
        ),
        (  # The reference keeps "the big" and "big dog" adjacent, and not "dog now".
            "see the big dog now", [2, 1, 0, 3, 4], [[1], [2], [3], [0], [4]],
            {"wrongly_split": [0, 1, 1, 1, 0], "wrongly_kept": [0, 0, 0, 1, 1]},
        ),
        (  # The score matches the first "the" with the one that comes first in the reference.
            "the man in the house", [0, 1, 2, 3, 4], [[3], [4], [2], [0], [1]],
            {"breaks": [1, 2, 1, 1, 1], "wrongly_kept": [0, 1, 1, 1, 0]},
        ),
    ],
)  # fmt: skip
def test_which_words_are_wrongly_placed(words, order, groups, expected):
    # Beside sentences of one word, whose ends are no breaks.
    placed = placement(
        *arrays([[0], order, [0]], [[[0]], groups, [[0]]], [["a"], words.split(), ["b"]]), Fuzzy()
    )
    for name, values in expected.items():
        assert getattr(placed, name).tolist() == [0, *values, 0]


# Groupings

SENTENCES = [["Dogs", "bark"], ["Go"], ["dogs", "go", "home"]]


def bank(comments=((), (), ())):
    columns = [
        ([1, -1], ["nsubj", "root"], ["NOUN", "VERB"]),
        ([-1], ["root"], ["VERB"]),
        ([1, -1, 1], ["nsubj", "root", "advmod"], ["NOUN", "VERB", "ADV"]),
    ]
    return Treebank.of(
        [
            Tree(words, *of_tree, ["_"] * len(words), lines)
            for words, of_tree, lines in zip(SENTENCES, columns, comments, strict=True)
        ]
    )


def grouped(own=None, gold=None):
    found = groupings(SourceWords.of(SENTENCES), own, gold)
    return {by: list(column) for by, column in found.items()}


@pytest.mark.parametrize("side", ["own", "gold"])
def test_with_trees(side):
    found = grouped(**{side: bank()})
    assert found["upos"] == ["NOUN", "VERB", "VERB", "NOUN", "VERB", "ADV"]
    assert found["label"] == ["nsubj", "root", "root", "nsubj", "root", "advmod"]
    assert found["head"] == ["VERB", "(root)", "(root)", "VERB", "(root)", "VERB"]
    assert list(found) == ["word", "upos", "label", "head", "length"]
    assert list(grouped()) == ["word", "length"]
    assert found["word"] == ["dogs", "bark", "go", "dogs", "go", "home"]


def test_phenomenon_of_the_gold_trees():
    comments = [("# phenomenon = statement",), (), ("# phenomenon = statement",)]
    assert "phenomenon" not in grouped(own=bank(comments))
    found = grouped(own=bank(), gold=bank(comments))["phenomenon"]
    assert found == ["statement"] * 2 + ["(none)"] + ["statement"] * 3


def test_buckets_of_length_stand_in_order():
    sentences = [["w"] * n for n in (61, 60, 5, 6)]
    lengths = groupings(SourceWords.of(sentences), None, None)["length"]
    assert list(dict.fromkeys(lengths)) == ["61+", "41-60", "1-5", "6-10"]
    assert lengths.names[0] == "1-5"
    assert lengths.names[-1] == "61+"


# Groups and their costs


def by_word(orders, references, words, metric=None):
    column = groupings(words, None, None)["word"]
    placed = placement(orders, references, words, metric or Fuzzy())
    return break_down(column, placed, references.offsets)


METRICS = [
    Fuzzy(match=match, average=average, unaligned=unaligned)
    for match in ("word", "position")
    for average in ("sentence", "pooled")
    for unaligned in ("attach", "drop")
]


@st.composite
def corpora(draw):
    linked = strategies.corpora(6).filter(lambda corpus: corpus[1].informative.any())
    treebank, references = draw(linked)
    orders = [draw(st.permutations(range(len(tree)))) for tree in treebank]
    return Orders.of(orders), references, SourceWords.of(treebank.sentences)


@given(corpora())
def test_halves_of_breaks_and_inversions_add_up_to_what_the_metrics_count(flat):
    placed = placement(*flat, Fuzzy())
    for halves, metric in ((placed.breaks, Fuzzy()), (placed.inversions, Kendall())):
        lost, _ = metric.losses(*flat)
        np.testing.assert_array_equal(sums(halves, flat[0].offsets), 2 * lost)


@given(corpora(), st.sampled_from(METRICS))
def test_costs_add_up_to_what_the_score_has_lost(flat, metric):
    _, references, words = flat
    scores = metric.score(*flat)
    placed = placement(*flat, metric)
    in_scored = np.repeat(references.informative, references.lengths)
    counted = (in_scored if metric.unaligned == "attach" else references.aligned).sum()
    for by, column in groupings(words, None, None).items():
        ordered = by == "length"
        groups = break_down(column, placed, references.offsets, ordered=ordered)
        assert sum(g.cost for g in groups) == pytest.approx(1 - scores.corpus)
        places = [column.names.index(g.name) for g in groups]
        in_order = places if ordered else [-g.cost for g in groups]
        assert in_order == sorted(in_order)
        total = all_words(placed, references.offsets)
        assert sum(g.count for g in groups) == total.count == counted
        assert sum(g.wrong for g in groups) == total.wrong
    for s in range(len(references)):
        left_out = np.isnan(scores.sentence[s])
        assert (s + 1 in total.sentences) == (not left_out and scores.sentence[s] < 1)


@pytest.mark.slow
@given(corpora())
def test_without_unaligned_words_the_rest_is_placed_as_if_it_were_all(flat):
    orders, references, _ = flat
    metric = Fuzzy(unaligned="drop")
    placed = placement(*flat, metric)
    alone = placement(*aligned_only(*flat), Fuzzy())
    linked = references.aligned
    for name, there in vars(placed).items():
        at = linked[orders.tokens] if name == "broken" else linked
        np.testing.assert_array_equal(there[at], getattr(alone, name))
        assert not there[~at].any()
    lost, _ = metric.counted_losses(*flat)
    np.testing.assert_array_equal(sums(placed.broken, orders.offsets), lost)
    of_links = [g.count for g in by_word(*flat, metric)]
    assert sum(of_links) == linked.sum()


def test_a_group_says_what_is_wrong_and_where():
    # a | b | c d, a b, c | B | a; breaks: 2 of 3, none of 1, 2 of 2.
    flat = arrays(
        [[0, 1, 2, 3], [0, 1], [0, 1, 2]],
        [[[1], [0], [2], [3]], [[0], [1]], [[2], [1], [0]]],
        [["a", "b", "c", "d"], ["a", "b"], ["c", "B", "a"]],
    )
    groups = {group.name: group for group in by_word(*flat)}
    b = groups["b"]
    assert (b.count, b.wrong, b.share.value) == (3, 2, 2 / 3)
    assert b.share.low < 2 / 3 < b.share.high
    assert b.cost == pytest.approx((2 / 2 / 3 + 2 / 2 / 2) / 3)
    assert b.inversions == pytest.approx((1 + 0 + 2) / 3)
    assert b.sentences == [3, 1]
    assert groups["d"].sentences == []
    assert list(groups) == ["b", "a", "c", "d"]
