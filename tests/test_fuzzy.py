import itertools

import numpy as np
import pytest
from allowed_orders import adjacencies, allowed_orders, best, every_case, every_repetition
from hypothesis import given
from hypothesis import strategies as st
from published import TALBOT_FIGURES, TALBOT_REFERENCE

from preorder_eval.base.arrays import offsets_of
from preorder_eval.metrics.orders.fuzzy import Fuzzy, kept_adjacencies, kept_by_reference
from preorder_eval.orders.orders import Orders, ReferenceOrders, SourceWords


def equation_1(places):
    """1 - (C - 1) / (M - 1) from the reference places of the words in system order."""
    chunks = 1 + sum(right != left + 1 for left, right in itertools.pairwise(places))
    return 1.0 if len(places) == 1 else 1 - (chunks - 1) / (len(places) - 1)


def by_words(order, groups, words):
    """The best value if the first unmatched instance of a word in the reference is taken."""

    def value(allowed):
        kept = adjacencies(order, allowed, words)
        return sum(kept) / len(kept) if kept else 1.0

    return max(value(allowed) for allowed in allowed_orders(groups))


@pytest.mark.parametrize(("system", "score"), TALBOT_FIGURES)
def test_figures_of_the_paper(system, score):
    reference = TALBOT_REFERENCE.split()
    order = [reference.index(word) for word in system.split()]
    groups = [[i] for i in range(len(order))]
    for match in ("word", "position"):
        assert Fuzzy(match=match).score([order], [groups], [reference]).corpus == score


@pytest.mark.parametrize("longest", [5, pytest.param(6, marks=pytest.mark.slow)])
def test_every_order_and_tie(longest):
    orders, references = every_case(longest)
    scores = Fuzzy(match="position").score(orders, references).sentence
    expected = [best(equation_1, *case) for case in zip(orders, references, strict=True)]
    np.testing.assert_allclose(scores, expected, atol=1e-12)


def test_every_order_tie_and_repetition():
    cases = [
        (order, groups, words)
        for order, groups in zip(*every_case(4), strict=True)
        for words in every_repetition(len(order))
    ]
    orders, references, numbers = map(list, zip(*cases, strict=True))
    words = [[f"w{number}" for number in sentence] for sentence in numbers]
    scores = Fuzzy().score(orders, references, words).sentence
    np.testing.assert_allclose(scores, [by_words(*case) for case in cases], atol=1e-12)


def kept(ranks, words):
    """The kept adjacencies of one sentence in system order 0 1 2 …"""
    groups = [[i for i, r in enumerate(ranks) if r == rank] for rank in range(max(ranks) + 1)]
    order = Orders.of([range(len(ranks))])
    found = kept_by_reference(order, ReferenceOrders.of([groups]), SourceWords.of([words]))
    return found.tolist()[:-1]


@st.composite
def sentences(draw):
    """Orders, groups of tied words, and words with repetitions, within groups or across them."""
    ranks = draw(st.lists(st.integers(0, 2), min_size=1, max_size=7))
    size, numbers = len(ranks), sorted(set(ranks))
    groups = [[i for i in range(size) if ranks[i] == number] for number in numbers]
    words = draw(st.lists(st.sampled_from("abc"), min_size=size, max_size=size))
    return draw(st.permutations(range(size))), groups, words


@given(st.lists(sentences(), min_size=1, max_size=3))
def test_as_many_as_any_allowed_order_keeps_and_all_in_one(corpus):
    orders, references, words = map(list, zip(*corpus, strict=True))
    found = kept_by_reference(
        Orders.of(orders), ReferenceOrders.of(references), SourceWords.of(words)
    ).tolist()
    for order, groups, own in corpus:
        here, found = found[: len(order)], found[len(order) :]
        possible = [adjacencies(order, allowed, own) for allowed in allowed_orders(groups)]
        assert not here.pop(), "the last place has no neighbour"
        assert sum(here) == max(map(sum, possible))
        assert here in possible


def test_of_equally_good_choices_the_earlier_borders_and_the_first_crossing():
    # Either pair can stand at the border; the run of the group 1 can be first or last.
    assert kept([0, 1, 0, 1], list("abcd")) == [True, False, False]
    assert kept([0, 1, 2, 1], list("abcd")) == [True, False, False]
    # Joining 0 1 2 as far as it goes, or 0 1 and 2 3: the border between 1 and 2 comes first.
    assert kept([0, 1, 2, 3, 2, 0, 1], list("abcdefg")) == [False, True, False, False, False, True]


def test_a_chain_of_torn_groups_through_a_whole_sentence():
    # 0 1 2 … n … 2 1 0: each group is torn in two, so every second border can be crossed.
    up = np.arange(1001)
    ranks = np.concatenate([up, up[-2::-1]]).astype(np.int32)
    found = kept_adjacencies(ranks, offsets_of([len(ranks)]))
    assert np.flatnonzero(found).tolist() == list(range(0, 1000, 2))


def test_no_sentence_and_empty_sentences():
    nothing = np.array([], dtype=np.int32)
    assert kept_adjacencies(nothing, offsets_of([])).tolist() == []
    assert kept_adjacencies(nothing, offsets_of([0, 0])).tolist() == []
    ranks = np.array([0, 1, 0, 0, 1], dtype=np.int32)
    assert kept_adjacencies(ranks, offsets_of([0, 3, 0, 2, 0])).tolist() == [
        *[True, False, False],
        *[True, False],
    ]
