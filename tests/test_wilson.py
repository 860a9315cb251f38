import numpy as np
import pytest
from published import NEWCOMBE_WILSON

from preorder_eval.stats.wilson import clustered_wilson


def interval(hits, counts):
    [ends] = clustered_wilson(np.array(hits), np.array(counts), np.zeros(len(hits), dtype=int), 1)
    return ends


@pytest.mark.parametrize(("hits", "count", "low", "high"), NEWCOMBE_WILSON)
def test_independent_words(hits, count, low, high):
    ones = np.ones(count)
    ends = interval((np.arange(count) < hits).astype(float), ones)
    assert ends == pytest.approx([low, high], abs=5e-5)


def test_as_scipy_has_it():
    from scipy.stats import binomtest

    for hits, count in ((1, 7), (40, 100), (99, 100)):
        expected = binomtest(hits, count).proportion_ci(method="wilson")
        ends = interval((np.arange(count) < hits).astype(float), np.ones(count))
        assert ends == pytest.approx([expected.low, expected.high])


def test_words_that_are_wrong_together_count_as_one():
    apart = interval([1.0, 0.0, 1.0, 0.0, 0.0], [1.0] * 5)
    together = interval([3.0, 0.0, 3.0, 0.0, 0.0], [3.0] * 5)
    np.testing.assert_allclose(together, apart)


def test_words_spread_evenly_do_not_narrow_it():
    np.testing.assert_allclose(interval([1.0] * 4, [2.0] * 4), interval([1.0, 0.0] * 4, [1.0] * 8))


def test_all_alike_or_one_sentence_leaves_room():
    low, high = interval([3.0, 2.0], [3.0, 2.0])
    assert (round(low, 2), high) == (0.34, 1.0)
    low, high = interval([2.0], [4.0])
    assert low < 0.1
    assert high > 0.9


def test_rows_are_apart():
    hits, counts = np.array([1.0, 5, 0, 5]), np.array([1.0, 10, 1, 10])
    rows = clustered_wilson(hits, counts, np.array([0, 1, 0, 1]), 2)
    np.testing.assert_allclose(rows[0], interval([1.0, 0.0], [1.0, 1.0]))
    np.testing.assert_allclose(rows[1], interval([5.0, 5.0], [10.0, 10.0]))


def test_nine_of_ten_intervals_hold_the_truth():
    """Sentences are good or bad as a whole: the words of one depend on each other."""
    rng = np.random.default_rng(7)
    trials, sentences = 400, 60
    counts = rng.integers(2, 9, (trials, sentences)).astype(float)
    hits = rng.binomial(counts.astype(int), rng.choice([0.1, 0.6], (trials, sentences)))
    rows = np.repeat(np.arange(trials), sentences)
    ends = clustered_wilson(hits.ravel().astype(float), counts.ravel(), rows, trials)
    held = np.mean((ends[:, 0] <= 0.35) & (ends[:, 1] >= 0.35))
    assert 0.92 <= held <= 0.98
