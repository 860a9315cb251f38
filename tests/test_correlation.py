"""Correlation coefficients, against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from preorder_eval.stats.correlation import accuracy, kendall, pearson, spearman, williams

SAMPLES = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=3, max_size=12
).filter(lambda pairs: all(len(set(side)) > 1 for side in zip(*pairs, strict=True)))
COEFFICIENTS = [
    (pearson, stats.pearsonr),
    (spearman, stats.spearmanr),
    (kendall, stats.kendalltau),
]


@pytest.mark.parametrize(("own", "scipy"), COEFFICIENTS)
@given(pairs=SAMPLES)
def test_coefficients_are_those_of_scipy(own, scipy, pairs):
    x, y = np.array(pairs, dtype=float).T
    assert own(x, y) == pytest.approx(scipy(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize(("own", "scipy"), COEFFICIENTS)
def test_many_samples_at_once(own, scipy):
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 9, size=(2, 4, 3, 8)).astype(float)
    found = own(x, y)
    assert found.shape == (4, 3)
    assert found[2, 1] == pytest.approx(scipy(x[2, 1], y[2, 1]).statistic)


@pytest.mark.parametrize(("own", "scipy"), COEFFICIENTS)
def test_a_constant_side_is_undefined(own, scipy):
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
    return 2 * stats.t.sf(abs(t), n - 3)


@pytest.mark.parametrize(
    "values", [(0.9, 0.5, 0.6, 14), (0.3, 0.4, -0.2, 5), (0.99, 0.98, 0.97, 9)]
)
def test_williams_test(values):
    assert williams(*values) == pytest.approx(williams_by_determinant(*values))
    first, second, between, n = values
    assert williams(second, first, between, n) == pytest.approx(williams(*values))


def test_williams_test_keeps_its_level():
    """Two metrics that are equally good differ in about 5 % of experiments."""
    rng = np.random.default_rng(0)
    people, *noise = rng.normal(size=(3, 2000, 14))
    a, b = (people + own for own in noise)
    p = [
        williams(*own, 14)
        for own in zip(pearson(a, people), pearson(b, people), pearson(a, b), strict=True)
    ]
    assert np.mean(np.array(p) <= 0.05) == pytest.approx(0.05, abs=0.015)


def test_williams_test_at_the_edges():
    assert williams(0.7, 0.7, 0.5, 10) == 1
    assert williams(0.7, 0.7, 1.0, 10) == 1
    assert williams(1.0, -1.0, -1.0, 4) < 1e-3
    assert np.isnan(williams(0.7, 0.5, 0.5, 3))
    assert np.isnan(williams(0.7, np.nan, np.nan, 10))
