import itertools

import numpy as np
from allowed_orders import allowed_orders
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.metrics.fuzzy import kept_adjacencies, kept_by_reference


def joints(order, allowed, words):
    """Which neighbours of an order are neighbours in another, words matched first to first."""
    free, places = list(allowed), []
    for i in order:
        match = next(j for j in free if words[j] == words[i])
        free.remove(match)
        places.append(allowed.index(match))
    return [right == left + 1 for left, right in itertools.pairwise(places)]


def kept(ranks, words):
    """The kept joints of one sentence in system order 0 1 2 …"""
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
        possible = [joints(order, allowed, own) for allowed in allowed_orders(groups)]
        assert not here.pop(), "the last place has no joint"
        assert sum(here) == max(map(sum, possible))
        assert here in possible


def test_a_torn_run_that_is_entered_and_left():
    # The group 1 is y, x y, x (4 words): its middle run is torn between entering and leaving it.
    ranks = [1, 0, 1, 1, 2, 1]
    assert kept(ranks, ["y", "before", "x", "y", "after", "x"]) == [False, True, False, True, False]
    # With nothing to enter it from, leaving it would cost what it gains.
    assert sum(kept([0, 2, 0, 0, 1, 0], ["y", "after", "x", "y", "before", "x"])) == 1


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
