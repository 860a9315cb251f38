from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.analysis.breakdown import Breakdown, all_words, break_down
from preorder_eval.analysis.groupings import Grouping, groupings
from preorder_eval.analysis.joints import placement
from preorder_eval.data.orders import Orders, ReferenceOrder, ReferenceOrders, SourceWords
from preorder_eval.data.ragged import Column
from preorder_eval.metrics.fuzzy import Fuzzy


def corpus(sentences, orders, groups, linked=None):
    linked = linked or [True] * len(sentences)
    references = ReferenceOrders.of(
        ReferenceOrder(order, [link] * len(words))
        for words, order, link in zip(sentences, groups, linked, strict=True)
    )
    return Orders.of(orders), references, SourceWords.of(sentences)


def by_word(orders, references, words):
    grouping = groupings(words, None, None)[0]
    return break_down(grouping, placement(orders, references, words), references)


@st.composite
def corpora(draw):
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6))
    sentences = [draw(st.lists(st.sampled_from("abC"), min_size=n, max_size=n)) for n in sizes]
    orders, references = ([draw(st.permutations(range(n))) for n in sizes] for _ in range(2))
    linked = [True, *(draw(st.booleans()) for _ in sizes[1:])]
    return corpus(sentences, orders, [[[i] for i in r] for r in references], linked)


@given(corpora())
def test_costs_add_up_to_what_the_score_has_lost(flat):
    _, references, words = flat
    scores = Fuzzy().score(*flat)
    placed = placement(*flat)
    for grouping in groupings(words, None, None):
        groups = break_down(grouping, placed, references).groups
        assert sum(g.cost for g in groups) == pytest.approx(1 - scores.corpus)
        total = all_words(placed, references)
        assert sum(g.count for g in groups) == total.count
        assert sum(g.wrong for g in groups) == total.wrong
    for s in range(len(references)):
        left_out = np.isnan(scores.sentence[s])
        assert (s + 1 in total.sentences) == (not left_out and scores.sentence[s] < 1)


def test_a_group_says_what_is_wrong_and_where():
    # a | b | c d, a b, c | B | a; joints broken: 2 of 3, none of 1, 2 of 2.
    flat = corpus(
        [["a", "b", "c", "d"], ["a", "b"], ["c", "B", "a"]],
        [[0, 1, 2, 3], [0, 1], [0, 1, 2]],
        [[[1], [0], [2], [3]], [[0], [1]], [[2], [1], [0]]],
    )
    groups = {group.name: group for group in by_word(*flat).groups}
    b = groups["b"]
    assert (b.count, b.wrong, b.share.value) == (3, 2, 2 / 3)
    assert b.share.low < 2 / 3 < b.share.high
    assert b.cost == pytest.approx((2 / 2 / 3 + 2 / 2 / 2) / 3)
    assert b.inversions == pytest.approx((1 + 0 + 2) / 3)
    assert b.sentences == (3, 1)
    assert groups["d"].sentences == ()
    assert list(groups) == ["b", "a", "c", "d"]


def test_sentences_without_links_count_nowhere():
    flat = corpus(
        [["a", "b"], ["a", "b"]], [[1, 0], [1, 0]], [[[0], [1]], [[0], [1]]], [True, False]
    )
    assert [(g.count, g.sentences) for g in by_word(*flat).groups] == [(1, (1,)), (1, (1,))]
    assert sum(g.cost for g in by_word(*flat).groups) == 1


def test_buckets_keep_their_own_order():
    flat = corpus([["a", "b"]], [[0, 1]], [[[1], [0]]])
    groups = Column(np.array([1, 0], dtype=np.int32), ("low", "high"))
    placed = placement(*flat)
    found = break_down(Grouping("confidence", groups, ordered=True), placed, flat[1])
    assert [group.name for group in found.groups] == ["low", "high"]


def test_groups_of_few_words_can_be_left_out():
    flat = corpus([["a", "a", "b"]], [[0, 1, 2]], [[[0], [1], [2]]])
    breakdown = by_word(*flat)
    counts = Counter({"a": 2, "b": 1})
    assert {g.name: g.count for g in breakdown.groups} == counts
    assert [g.name for g in breakdown.at_least(2).groups] == ["a"]
    assert isinstance(breakdown.at_least(3), Breakdown)
