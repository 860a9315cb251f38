"""Approximate randomization: against scipy, against all swaps one by one, and by simulation."""

import itertools

import numpy as np
import pytest
import scipy.stats

from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.randomization import randomization


def ratio(sums):
    counted = sums[..., 1]
    return np.divide(sums[..., 0], counted, out=np.full(counted.shape, np.nan), where=counted > 0)


def scores(values):
    values = np.asarray(values, dtype=float)
    return np.stack([values, np.ones_like(values)], axis=-1)


def p_value(first, second, finish, **options):
    both = Measurement(np.stack([first, second]), finish)
    return float(randomization([both], **options)[0][0, 1])


def mean_difference(a, b, axis=-1):
    return b.mean(axis=axis) - a.mean(axis=axis)


def slow_p(first, second, finish):
    """The share of all ways of swapping rows that differ at least as much as the real way."""
    real = abs(finish(second.sum(axis=0)) - finish(first.sum(axis=0)))
    hits = 0
    for swapped in itertools.product([False, True], repeat=len(first)):
        chosen = np.array(swapped)[:, None]
        a, b = np.where(chosen, second, first), np.where(chosen, first, second)
        difference = abs(finish(b.sum(axis=0)) - finish(a.sum(axis=0)))
        hits += not difference < real - 1e-9
    return hits / 2 ** len(first)


@pytest.mark.parametrize("seed", range(5))
def test_small_samples_get_scipys_exact_p(seed):
    first, second = np.random.default_rng(seed).random((2, 9)) ** [[1], [1.5]]
    exact = scipy.stats.permutation_test(
        (first, second), mean_difference, permutation_type="samples", n_resamples=np.inf
    )
    assert p_value(scores(first), scores(second), ratio) == pytest.approx(exact.pvalue)


@pytest.mark.parametrize("seed", range(5))
def test_pooled_counts_and_ties_agree_with_swapping_one_by_one(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 4, size=(2, 8, 2)).astype(float)
    expected = slow_p(first, second, ratio)
    assert p_value(first, second, ratio) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_random_trials_approach_the_exact_p(seed):
    first, second = np.random.default_rng(seed).random((2, 12)) ** [[1], [1.5]]
    exact = scipy.stats.permutation_test(
        (first, second), mean_difference, permutation_type="samples", n_resamples=np.inf
    )
    p = p_value(scores(first), scores(second), ratio, trials=4000, seed=seed)
    assert p != exact.pvalue  # 4,096 ways are more than the trials
    assert p == pytest.approx(exact.pvalue, abs=0.03)


def test_p_is_never_smaller_than_the_trials_can_show():
    first, second = np.zeros(50), np.ones(50)
    assert p_value(scores(first), scores(second), ratio, trials=999) == 1 / 1000


def test_rounding_does_not_tell_equal_differences_apart():
    # Tenths add up to slightly different sums in different orders, whole numbers do not.
    first, second = np.random.default_rng(0).integers(0, 4, size=(2, 40))
    for trials in (500, 5000):
        whole = p_value(scores(first), scores(second), ratio, trials=trials)
        assert p_value(scores(first / 10), scores(second / 10), ratio, trials=trials) == whole


def test_no_difference_gives_p_1():
    values = np.random.default_rng(0).random(40)
    assert p_value(scores(values), scores(values), ratio) == 1
    swapped = values.copy()
    swapped[[0, 1]] = values[[1, 0]]  # other sentences, the same sum
    assert p_value(scores(values), scores(swapped), ratio) == 1
    assert p_value(scores(values[:5]), scores(values[:5]), ratio) == 1


def test_p_at_most_5_percent_comes_in_5_percent_of_trials():
    rng = np.random.default_rng(0)
    p = np.array(
        [
            p_value(*scores(rng.beta(6, 3, size=(2, 40))), ratio, trials=400, seed=trial)
            for trial in range(1000)
        ]
    )
    assert 33 <= np.count_nonzero(p <= 0.05) <= 67
    assert 440 <= np.count_nonzero(p <= 0.5) <= 560


def test_the_matrix_holds_all_pairs_and_each_is_as_if_alone():
    rng = np.random.default_rng(3)
    first = Measurement(scores(rng.random((3, 50)) ** [[1], [1.2], [1.5]]), ratio)
    second = Measurement(scores(rng.random((2, 50))), ratio)
    p, other = randomization([first, second], trials=300, seed=7)
    assert p.shape == (3, 3)
    assert other.shape == (2, 2)
    np.testing.assert_array_equal(p, p.T)
    np.testing.assert_array_equal(np.diag(p), 1)
    for a, b in itertools.combinations(range(3), 2):
        alone = p_value(first.statistics[a], first.statistics[b], ratio, trials=300, seed=7)
        assert p[a, b] == alone


def test_only_the_seed_makes_a_difference():
    systems = scores(np.random.default_rng(0).random((2, 50)))
    runs = [p_value(*systems, ratio, trials=500, seed=seed) for seed in (0, 0, 1)]
    assert runs[0] == runs[1] != runs[2]


def test_left_out_sentences_change_nothing():
    first, second = scores(np.random.default_rng(0).random((2, 8)))
    zeros = np.zeros((2, 2))
    p = p_value(np.vstack([first, zeros]), np.vstack([second, zeros]), ratio)
    assert p == pytest.approx(p_value(first, second, ratio))


def test_without_a_value_p_is_unknown():
    assert np.isnan(p_value(np.zeros((20, 2)), np.zeros((20, 2)), ratio))
