"""Rank correlations as sums over items, against scipy, derivatives and the real bootstrap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from preorder_eval.stats import influence


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
    (influence.spearman, slow_spearman, stats.spearmanr),
    (influence.kendall, slow_kendall, stats.kendalltau),
]


@pytest.mark.parametrize(("own", "slow", "scipy"), KINDS)
@given(pairs=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=15))
def test_values_and_derivatives(own, slow, scipy, pairs):
    x, y = np.array(pairs, dtype=float).T
    found = own(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert np.isnan(found.value)
        return
    assert found.value == pytest.approx(scipy(x, y).statistic, abs=1e-9)
    assert found.items.sum() == pytest.approx(0, abs=1e-9)
    for item in range(len(x)):
        step = 1e-5 * np.eye(len(x))[item]
        slope = (slow(x, y, 1 + step) - slow(x, y, 1 - step)) / 2e-5
        assert found.items[item] == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize(("own", "slow", "scipy"), KINDS)
def test_the_tangent_is_as_wide_as_the_real_bootstrap(own, slow, scipy):
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    y = (x + 2 * rng.normal(size=300)).round(1)
    found = own(x, y)
    draws = rng.integers(0, 300, size=(300, 300))
    counts = np.array([np.bincount(drawn, minlength=300) for drawn in draws])
    tangent = found.value + (counts - 1) @ found.items
    real = np.array([scipy(x[drawn], y[drawn]).statistic for drawn in draws])
    assert tangent.std() == pytest.approx(real.std(), rel=0.05)
    assert np.corrcoef(tangent, real)[0, 1] > 0.98


@given(st.integers(0, 40).flatmap(lambda n: st.permutations(range(n))))
def test_smaller_before(sequence):
    expected = {v: sum(u < v for u in sequence[:i]) for i, v in enumerate(sequence)}
    found = influence.smaller_before(np.array(sequence, dtype=np.int64))
    assert found.tolist() == [expected[value] for value in range(len(sequence))]
