"""Random subsets: all of them once, or coins that are fair and know nothing of each other."""

import itertools

import numpy as np
import pytest

from preorder_eval.stats import subsets as module
from preorder_eval.stats.subsets import exhaustive, subsets


@pytest.mark.parametrize("size", [1, 3, 8])
def test_where_trials_allow_it_every_subset_comes_once(size):
    assert exhaustive(size, 2**size)
    found = np.concatenate(list(subsets(size, 2**size, seed=0)))
    assert sorted(map(tuple, found)) == sorted(itertools.product([0, 1], repeat=size))


def test_every_sentence_is_in_half_of_the_time_on_its_own():
    found = np.concatenate(list(subsets(40, 2000, seed=0)))
    assert found.shape == (2000, 40)
    assert set(np.unique(found)) == {0, 1}
    np.testing.assert_allclose(found.mean(axis=0), 0.5, atol=0.06)
    correlation = np.corrcoef(found.T) - np.eye(40)
    assert np.abs(correlation).max() < 0.12


@pytest.mark.parametrize("size", [3, 31, 32, 33, 200])
def test_the_block_size_does_not_show(monkeypatch, size):
    expected = np.concatenate(list(subsets(size, 500, seed=4)))
    for tosses in (1, 100, 1 << 20):
        monkeypatch.setattr(module, "_TOSSES", tosses)
        np.testing.assert_array_equal(np.concatenate(list(subsets(size, 500, seed=4))), expected)


@pytest.mark.parametrize("size", [97, 1000])
def test_a_part_of_the_sentences_meets_the_coins_of_the_whole(monkeypatch, size):
    whole = np.concatenate(list(subsets(size, 500, seed=5)))
    monkeypatch.setattr(module, "_TOSSES", 999)
    for first in range(0, size, 32):
        part = np.concatenate(list(module.subsets_of_part(first, size, size, 500, seed=5)))
        np.testing.assert_array_equal(part, whole[:, first:])
