import itertools
import random
import time

import numpy as np
import pytest
from allowed_orders import best, every_case
from hypothesis import given
from hypothesis import strategies as st
from published import BIRCH_TABLE_1, ISOZAKI_ORDERS

from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.orders import Orders, ReferenceOrders
from preorder_eval.metrics import order
from preorder_eval.metrics.order import Kendall, inversions


def count_inversions(places):
    return sum(left > right for left, right in itertools.combinations(places, 2))


def slow_score(order, groups):
    """1 - the fewest inversions over the pairs that are not tied."""
    tied = sum(len(group) * (len(group) - 1) // 2 for group in groups)
    pairs = len(order) * (len(order) - 1) // 2 - tied
    return 1 + best(lambda places: -count_inversions(places), order, groups) / max(pairs, 1)


@pytest.mark.parametrize(
    ("permutation", "_", "inverted"), BIRCH_TABLE_1.values(), ids=BIRCH_TABLE_1
)
def test_permutations_of_birch(permutation, _, inverted):
    order = [place - 1 for place in permutation]
    result = Kendall().score([order], [[[i] for i in range(10)]])
    assert result.corpus == pytest.approx(1 - inverted / 45)


@pytest.mark.parametrize(("ranks", "tau", "_"), ISOZAKI_ORDERS)
def test_orders_of_isozaki(ranks, tau, _):
    order = [rank - 1 for rank in ranks]
    result = Kendall().score([order], [[[i] for i in range(len(order))]])
    assert round(2 * result.corpus - 1, 3) == tau


def test_every_order_and_tie():
    orders, references = every_case(6)
    scores = Kendall().score(orders, references).sentence
    expected = list(map(slow_score, orders, references))
    np.testing.assert_allclose(scores, expected, atol=1e-12)


def test_sentences_of_all_lengths():
    # Lengths around the borders between widths, and where the small integers end.
    rng = random.Random(2)
    orders = [rng.sample(range(n), n) for n in [*range(1, 35), 119, 120, 121, 128, 129, 255, 260]]
    offsets = np.cumsum([0, *map(len, orders)])
    flat = np.array([i for order in orders for i in order], dtype=np.int32)
    assert inversions(flat, offsets).tolist() == list(map(count_inversions, orders))


ORDERS, REFERENCES = [[1, 0, 2], [3, 2, 1, 0]], [[[0], [1], [2]], [[0], [1], [2], [3]]]


def test_root_of_each_sentence():
    result = Kendall(root=True).score(ORDERS, REFERENCES)
    assert result.sentence.tolist() == pytest.approx([1 - (1 / 3) ** 0.5, 0])
    assert result.corpus == pytest.approx((1 - (1 / 3) ** 0.5) / 2)
    assert result.metric == "kendall(root=true)"


def test_root_of_pooled_counts():
    result = Kendall(root=True, average="pooled").score(ORDERS, REFERENCES)
    assert result.sentence.tolist() == pytest.approx([1 - (1 / 3) ** 0.5, 0])
    assert result.corpus == pytest.approx(1 - (7 / 9) ** 0.5)
    assert result.metric == "kendall(average=pooled,root=true)"


def test_root_is_not_in_the_signature_unless_taken():
    assert str(Kendall()) == "kendall"


@given(st.lists(st.lists(st.integers(0, 6), max_size=9)), st.integers(0, 9))
def test_inversions_of_long_sentences_are_those_of_short_ones(rows, longest):
    rows = [[min(number, len(row) - 1) for number in row] for row in rows]
    expected = list(map(count_inversions, rows))
    numbers = np.array([number for row in rows for number in row], dtype=np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "_LONG", longest)
        assert inversions(numbers, offsets_of(map(len, rows))).tolist() == expected


@pytest.mark.slow
def test_an_order_of_a_million_words_takes_seconds():
    size = 1_000_000
    offsets, places = np.array([0, size]), np.arange(size, dtype=np.int32)
    orders = Orders(offsets, np.roll(places, size // 4))
    references = ReferenceOrders(offsets, places, np.ones(size, dtype=bool))
    start = time.process_time()
    score = Kendall().score(orders, references).corpus
    assert time.process_time() - start < 20  # about 1.5 on a quiet machine
    assert score == pytest.approx(1 - 2 * 0.25 * 0.75, abs=1e-5)
