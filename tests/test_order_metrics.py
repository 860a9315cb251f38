"""Hamming, footrule, Spearman, Kendall, Ulam and exact match against obvious versions."""

import itertools
import random
import statistics

import numpy as np
import pytest
import scipy
from allowed_orders import allowed_orders, best, every_case
from hypothesis import given
from hypothesis import strategies as st
from published import BIRCH_TABLE_1, ISOZAKI_ORDERS

from preorder_eval.base.arrays import offsets_of
from preorder_eval.metrics import metric
from preorder_eval.metrics.orders import inversions as inversions_module
from preorder_eval.metrics.orders.inversions import inversions, longest_rises
from preorder_eval.metrics.orders.order import Kendall, Spearman
from preorder_eval.orders.orders import Orders, ReferenceOrders


def count_inversions(places):
    return sum(left > right for left, right in itertools.combinations(places, 2))


def slow_kendall(order, groups):
    """1 - the fewest inversions over the pairs that are not tied."""
    tied = sum(len(group) * (len(group) - 1) // 2 for group in groups)
    pairs = len(order) * (len(order) - 1) // 2 - tied
    return 1 + best(lambda places: -count_inversions(places), order, groups) / max(pairs, 1)


def slow_spearman(order, groups):
    """Pearson's correlation of the places in the two orders, tied words in the middle."""
    middle = {}
    for group in groups:
        before = len(middle)
        middle |= dict.fromkeys(group, before + (len(group) - 1) / 2)
    if len(groups) == 1:
        return 1
    return (statistics.correlation(range(len(order)), [middle[i] for i in order]) + 1) / 2


def share_in_place(places):
    return sum(place == i for i, place in enumerate(places)) / len(places)


def nearness(places):
    size = len(places)
    distances = sum(abs(place - i) for i, place in enumerate(places))
    return 1 - distances / (size**2 // 2) if size > 1 else 1


def longest_rise(numbers):
    """The length of the longest subsequence that never falls, by trying every ending."""
    longest = []
    for i, number in enumerate(numbers):
        longest.append(1 + max((longest[j] for j in range(i) if numbers[j] <= number), default=0))
    return max(longest)


def share_that_stays(places):
    return (longest_rise(places) - 1) / (len(places) - 1) if len(places) > 1 else 1


@pytest.mark.parametrize(
    ("name", "slow"),
    [
        ("kendall", slow_kendall),
        ("spearman", slow_spearman),
        ("exact", lambda order, groups: order in allowed_orders(groups)),
        ("hamming", lambda *case: best(share_in_place, *case)),
        ("footrule", lambda *case: best(nearness, *case)),
        ("ulam", lambda *case: best(share_that_stays, *case)),
    ],
)
@pytest.mark.parametrize("longest", [5, pytest.param(6, marks=pytest.mark.slow)])
def test_every_order_and_tie(name, slow, longest):
    orders, references = every_case(longest)
    scores = metric(name).score(orders, references).sentence
    np.testing.assert_allclose(scores, list(map(slow, orders, references)), atol=1e-12)


@pytest.mark.parametrize(
    ("permutation", "moved", "inverted"), BIRCH_TABLE_1.values(), ids=BIRCH_TABLE_1
)
def test_permutations_of_birch(permutation, moved, inverted):
    case = [[place - 1 for place in permutation]], [[[i] for i in range(10)]]
    assert metric("hamming").score(*case).corpus == pytest.approx(1 - moved / 10)
    assert metric("kendall").score(*case).corpus == pytest.approx(1 - inverted / 45)


@pytest.mark.parametrize(("ranks", "tau", "rho"), ISOZAKI_ORDERS)
def test_orders_of_isozaki(ranks, tau, rho):
    case = [[rank - 1 for rank in ranks]], [[[i] for i in range(len(ranks))]]
    assert round(2 * metric("kendall").score(*case).corpus - 1, 3) == tau
    assert round(2 * metric("spearman").score(*case).corpus - 1, 3) == rho


def test_spearman_agrees_with_scipy_on_long_sentences():
    rng = random.Random(3)
    for size in (20, 50, 200):
        order = rng.sample(range(size), size)
        ranks = [rng.randrange(size // 3) for _ in range(size)]
        groups = [[i for i in range(size) if ranks[i] == r] for r in sorted(set(ranks))]
        rho = scipy.stats.spearmanr(range(size), [ranks[i] for i in order]).statistic
        assert Spearman().score([order], [groups]).corpus == pytest.approx((rho + 1) / 2)


ORDERS, REFERENCES = [[1, 0, 2], [3, 2, 1, 0]], [[[0], [1], [2]], [[0], [1], [2], [3]]]


def test_spearman_pooled_without_ties_is_distances_over_largest_distances():
    pooled = Spearman(average="pooled").score(ORDERS, REFERENCES)
    assert pooled.corpus == pytest.approx(1 - (2 + 20) / (2 * (4 + 10)))


@pytest.mark.parametrize(
    ("chosen", "corpus"),
    [
        (Kendall(root=True), (1 - (1 / 3) ** 0.5) / 2),
        (Kendall(root=True, average="pooled"), 1 - (7 / 9) ** 0.5),
    ],
    ids=str,
)
def test_root_of_each_sentence_or_of_pooled_counts(chosen, corpus):
    result = chosen.score(ORDERS, REFERENCES)
    assert result.sentence.tolist() == pytest.approx([1 - (1 / 3) ** 0.5, 0])
    assert result.corpus == pytest.approx(corpus)


@pytest.mark.parametrize(
    ("fast", "slow"), [(inversions, count_inversions), (longest_rises, longest_rise)]
)
def test_sentences_of_all_lengths(fast, slow):
    # Lengths around the borders between widths, and where the small integers end.
    rng = random.Random(2)
    lengths = [*range(1, 35), 119, 120, 121, 128, 129, 255, 260]
    rows = [[rng.randrange(n) for _ in range(n)] for n in lengths]
    flat = np.array([number for row in rows for number in row], dtype=np.int32)
    assert fast(flat, offsets_of(lengths)).tolist() == list(map(slow, rows))


@given(st.lists(st.lists(st.integers(0, 6), max_size=9)), st.integers(0, 9))
def test_inversions_of_long_sentences_are_those_of_short_ones(rows, longest):
    rows = [[min(number, len(row) - 1) for number in row] for row in rows]
    expected = list(map(count_inversions, rows))
    numbers = np.array([number for row in rows for number in row], dtype=np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inversions_module, "_LONG", longest)
        assert inversions(numbers, offsets_of(map(len, rows))).tolist() == expected


@pytest.mark.slow
def test_an_order_of_a_million_words_takes_seconds():
    size = 1_000_000
    offsets, places = np.array([0, size]), np.arange(size, dtype=np.int32)
    orders = Orders(offsets, np.roll(places, size // 4))
    references = ReferenceOrders(offsets, places, np.ones(size, dtype=bool))
    score = Kendall().score(orders, references).corpus
    assert score == pytest.approx(1 - 2 * 0.25 * 0.75, abs=1e-5)
