"""Correlation coefficients over systems and as sums over items, outliers, and estimates."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.judgments.correlation import (
    accuracy,
    delta_avg,
    groups,
    kendall,
    outliers,
    pearson,
    spearman,
    williams,
)
from preorder_eval.judgments.segment_correlation import (
    kendall_influence,
    smaller_before,
    spearman_influence,
)

SAMPLES = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=3, max_size=12
).filter(lambda pairs: all(len(set(side)) > 1 for side in zip(*pairs, strict=True)))
COEFFICIENTS = [(pearson, "pearsonr"), (spearman, "spearmanr"), (kendall, "kendalltau")]


@pytest.mark.parametrize(("own", "theirs"), COEFFICIENTS)
@given(pairs=SAMPLES)
def test_coefficients_are_those_of_scipy(own, theirs, pairs):
    x, y = np.array(pairs, dtype=float).T
    assert own(x, y) == pytest.approx(getattr(scipy.stats, theirs)(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize(("own", "theirs"), COEFFICIENTS)
def test_a_constant_side_is_undefined(own, theirs):
    assert np.isnan(own(np.full(5, 0.1) * 3, np.arange(5.0)))
    assert np.isnan(own(np.arange(5.0), np.full(5, 1 / 3)))


@given(pairs=SAMPLES)
def test_accuracy_counts_pairs_in_the_order_of_the_second(pairs):
    x, y = np.array(pairs, dtype=float).T
    told = [(i, j) for i in range(len(x)) for j in range(i) if y[i] != y[j]]
    right = [(i, j) for i, j in told if (x[i] - x[j]) * (y[i] - y[j]) > 0]
    assert accuracy(x, y) == pytest.approx(len(right) / len(told))


def williams_by_determinant(r12, r13, r23, n):
    """Williams' t as Steiger (1980) writes it, with scipy's distribution."""
    determinant = np.linalg.det([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    spread = 2 * determinant * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / spread)
    return 2 * scipy.stats.t.sf(abs(t), n - 3)


@pytest.mark.parametrize(
    "values", [(0.9, 0.5, 0.6, 14), (0.3, 0.4, -0.2, 5), (0.99, 0.98, 0.97, 9)]
)
def test_williams_test(values):
    assert williams(*values) == pytest.approx(williams_by_determinant(*values))
    first, second, between, n = values
    assert williams(second, first, between, n) == pytest.approx(williams(*values))


@pytest.mark.parametrize("systems", [4, 5, 14, 60, 201])
def test_williams_test_to_the_last_digit(systems):
    for first in np.linspace(-0.9, 0.9, 19):
        wanted = williams_by_determinant(first, 0.3, 0.1, systems)
        assert williams(first, 0.3, 0.1, systems) == pytest.approx(wanted, rel=0, abs=1e-12)


def test_williams_test_at_the_edges():
    assert williams(0.7, 0.7, 0.5, 10) == 1
    assert williams(0.7, 0.7, 1.0, 10) == 1
    assert williams(1.0, -1.0, -1.0, 4) < 1e-3
    assert np.isnan(williams(0.7, 0.5, 0.5, 3))
    assert np.isnan(williams(0.7, np.nan, np.nan, 10))


def slow_spearman(x, y, weights):
    """Pearson's r of weighted mid-ranks, in weighted samples."""
    a, b = (np.sign(v[:, None] - v) @ weights / 2 for v in (x, y))
    return (weights * a * b).sum() / np.sqrt((weights * a * a).sum() * (weights * b * b).sum())


def slow_kendall(x, y, weights):
    """τ-b over all pairs, each as often as the product of its weights."""
    a, b = (np.sign(v[:, None] - v) for v in (x, y))
    return (
        weights
        @ (a * b)
        @ weights
        / np.sqrt((weights @ (a * a) @ weights) * (weights @ (b * b) @ weights))
    )


KINDS = [
    (spearman_influence, slow_spearman, "spearmanr"),
    (kendall_influence, slow_kendall, "kendalltau"),
]


@pytest.mark.parametrize(("own", "slow", "theirs"), KINDS)
@given(pairs=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=15))
def test_values_and_derivatives(own, slow, theirs, pairs):
    x, y = np.array(pairs, dtype=float).T
    found = own(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert np.isnan(found.value)
        return
    assert found.value == pytest.approx(getattr(scipy.stats, theirs)(x, y).statistic, abs=1e-9)
    assert found.items.sum() == pytest.approx(0, abs=1e-9)
    for item in range(len(x)):
        step = 1e-5 * np.eye(len(x))[item]
        slope = (slow(x, y, 1 + step) - slow(x, y, 1 - step)) / 2e-5
        assert found.items[item] == pytest.approx(slope, abs=1e-6)


@given(st.integers(0, 40).flatmap(lambda n: st.permutations(range(n))))
def test_smaller_before(sequence):
    expected = {v: sum(u < v for u in sequence[:i]) for i, v in enumerate(sequence)}
    found = smaller_before(np.array(sequence, dtype=np.int64))
    assert found.tolist() == [expected[value] for value in range(len(sequence))]


def test_the_outlier_of_wmt22():
    """Mean standardised scores of WMT 2022, Japanese–English, as published with the data."""
    means = [0.069, 0.068, 0.059, 0.054, 0.049, 0.046, 0.016, 0.006, 0.006, -0.018, -0.021]
    means += [-0.036, -0.056, -1.285]
    assert outliers(np.array(means)) == [13]


def test_the_rule_is_two_and_a_half_scaled_deviations():
    scores = np.array([-2.0, -1.0, 0.0, 1.0, 2.0, 0.0])
    edge = 2.5 * 1.483 * np.median(np.abs(scores))
    assert outliers(np.append(scores, edge - 0.3)) == []
    assert outliers(np.append(scores, edge + 0.3)) == [6]


@pytest.mark.parametrize("scores", [[1.0], [1.0, 5.0], [1.0, 1.0, 1.0, 9.0]])
def test_without_spread_there_are_no_outliers(scores):
    assert outliers(np.array(scores)) == []


def test_a_group_ends_at_the_first_difference_from_any_of_its_members():
    p = np.ones((5, 5))
    for a, b in ((0, 2), (1, 4), (2, 4), (3, 4)):
        p[a, b] = p[b, a] = 0.01
    assert groups(p, [0, 1, 2, 3, 4]) == [1, 1, 2, 2, 3]
    assert groups(p, [0, 3, 1, 2, 4]) == [1, 1, 1, 2, 3]
    assert groups(np.full((2, 2), np.nan), [0, 1]) == [1, 1]
    assert groups(p, []) == []


def slow_delta_avg(estimates, values):
    """Equation (7-1) for estimates without ties."""
    ranked = [value for _, value in sorted(zip(estimates, values, strict=True), reverse=True)]
    size = len(ranked)
    results = []
    for n in range(2, size // 2 + 1):
        ends = [k * size // n for k in range(1, n)]
        heads = [sum(ranked[:end]) / end for end in ends]
        results.append(sum(heads) / (n - 1) - sum(ranked) / size)
    return sum(results) / len(results)


@given(st.lists(st.integers(-9, 9), min_size=4, max_size=15), st.randoms())
def test_delta_avg(values, random):
    estimates = random.sample(range(100), len(values))
    found = delta_avg(np.array(estimates, dtype=float), np.array(values, dtype=float))
    assert found == pytest.approx(slow_delta_avg(estimates, values), abs=1e-9)


def test_ties_count_as_the_mean_of_all_their_orders():
    values = np.array([5.0, 1.0, 3.0, 2.0])
    orders = [np.array([4.0, 3.0, 2.0, 1.0]), np.array([3.0, 4.0, 2.0, 1.0])]
    mean = np.mean([delta_avg(order, values) for order in orders])
    assert delta_avg(np.array([4.0, 4.0, 2.0, 1.0]), values) == pytest.approx(mean)
    assert delta_avg(np.zeros(4), values) == 0


def test_too_few():
    with pytest.raises(PreorderEvalError, match="it needs equally many of both, and at least four"):
        delta_avg(np.ones(3), np.ones(3))
