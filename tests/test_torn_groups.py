import itertools

from allowed_orders import allowed_orders
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.metrics.shared.torn_groups import kept_joints


def joints(order, allowed, words):
    """Which neighbours of an order are neighbours in another, words matched first to first."""
    free, places = list(allowed), []
    for i in order:
        match = next(j for j in free if words[j] == words[i])
        free.remove(match)
        places.append(allowed.index(match))
    return [right == left + 1 for left, right in itertools.pairwise(places)]


@st.composite
def sentences(draw):
    """Groups of tied words, and words with repetitions, none across groups; system order 0 1 2 …"""
    ranks = draw(st.lists(st.integers(0, 2), min_size=1, max_size=7))
    numbers = sorted(set(ranks))
    ranks = [numbers.index(rank) for rank in ranks]
    words = [10 * rank + draw(st.integers(0, 2)) for rank in ranks]
    return ranks, words


@given(sentences())
def test_as_many_as_any_allowed_order_keeps_and_all_in_one(sentence):
    ranks, words = sentence
    order = list(range(len(ranks)))
    groups = [[i for i in order if ranks[i] == r] for r in range(max(ranks) + 1)]
    possible = [joints(order, allowed, words) for allowed in allowed_orders(groups)]
    kept = kept_joints(ranks, words)
    assert sum(kept) == max(map(sum, possible))
    assert kept in possible


def test_a_torn_run_that_is_entered_and_left():
    # The group 1 is y, x y, x (4 words): its middle run is torn between entering and leaving it.
    ranks = [1, 0, 1, 1, 2, 1]
    y, x, before, after = range(4)
    kept = kept_joints(ranks, [y, before, x, y, after, x])
    assert kept == [False, True, False, True, False]
    # With nothing to enter it from, leaving it would cost what it gains.
    assert sum(kept_joints([0, 2, 0, 0, 1, 0], [y, after, x, y, before, x])) == 1
