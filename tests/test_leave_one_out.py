"""What values and differences owe to single sentences."""

import math
from dataclasses import astuple

import numpy as np
import pytest
import scipy.stats

from preorder_eval.stats.leave_one_out import FewDifferent, Jackknife, few_different, jackknife
from preorder_eval.stats.measurement import Measurement


def ratio(sums):
    """Pooled counts; NaN where nothing was counted."""
    counted = sums[..., 1]
    return np.divide(sums[..., 0], counted, out=np.full(counted.shape, np.nan), where=counted > 0)


def scores(values):
    """Statistics of sentence scores whose mean is the value."""
    values = np.asarray(values, dtype=float)
    return np.stack([values, np.ones_like(values)], axis=-1)


@pytest.mark.parametrize("seed", range(3))
def test_the_jackknife_leaves_out_one_sentence_after_the_other(seed):
    statistics = np.random.default_rng(seed).integers(0, 4, size=(2, 9, 2)).astype(float)
    statistics[0, :8] = 0  # without the last sentence there is no value
    expected = []
    for rows in statistics:
        without = [ratio(np.delete(rows, left_out, axis=0).sum(axis=0)) for left_out in range(9)]
        without = np.array(without)[~np.isnan(without)]
        away = without.mean() - without
        squares = (away**2).sum()
        # Efron & Tibshirani (1993), equations 11.5 and 14.15
        error = math.sqrt(8 / 9 * squares * 9 / len(without))
        expected.append((9, error, (away**3).sum() / (6 * squares**1.5) if squares else 0))
    found = [astuple(own) for own in jackknife(Measurement(statistics, ratio))]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_of_a_mean_the_jackknife_has_the_usual_standard_error():
    sample = np.random.default_rng(0).beta(6, 3, size=40)
    [own] = jackknife(Measurement(scores([sample]), ratio))
    assert own.error == pytest.approx(scipy.stats.sem(sample))
    assert own.acceleration == pytest.approx(scipy.stats.skew(sample) / (6 * math.sqrt(40)))


def differing(count, size=100):
    """Two systems that differ by 1 on some of their sentences."""
    return Measurement(scores([np.zeros(size), np.arange(size) < count]), ratio)


@pytest.mark.parametrize(
    ("count", "size", "is_few"),
    [
        (0, 100, False),
        (1, 100, True),
        (24, 100, True),
        (25, 100, False),
        (4, 9, True),
        (4, 8, False),
    ],
)
def test_few_are_less_than_25_and_than_half(count, size, is_few):
    [found] = few_different(differing(count, size), [(0, 1)])
    assert (found is not None) == is_few
    assert found is None or found.differing == count


def test_each_pair_by_its_own_statistics():
    same = np.random.default_rng(0).random(100)
    systems = [same, np.where(np.arange(100) < 3, 0, same), same]
    pairs = [(0, 1), (0, 2), (2, 1), (1, 0)]
    found = few_different(Measurement(scores(systems), ratio), pairs)
    assert [few and few.differing for few in found] == [3, None, 3, 3]
    assert found[0] == found[2]
    assert found[0].jackknife.error == found[3].jackknife.error
    assert found[0].jackknife.acceleration == -found[3].jackknife.acceleration


@pytest.mark.parametrize("count", [3, 10, 20])
def test_differences_of_one_kind_are_counts_of_poissons(count):
    """The upper end is about the exact one of a Poisson distribution (Garwood 1936)."""
    size = 10_000
    [found] = few_different(differing(count, size), [(0, 1)])
    exact = scipy.stats.chi2.ppf(0.975, 2 * count + 2) / 2
    assert found.ends(count / size, 0.95)[1] * size == pytest.approx(exact, rel=0.15)
    assert found.ends(count / size, 0.95)[1] * size >= exact


def test_a_higher_level_reaches_farther():
    few = FewDifferent(5, Jackknife(50, 0.1, 0.02))
    (low, high), (lower, higher) = few.ends(0.3, 0.9), few.ends(0.3, 0.95)
    assert lower < low < 0.3 < high < higher
