"""The bootstrap: its coverage, its agreement with scipy, and what it must not depend on."""

import numpy as np
import pytest
import scipy.stats

from preorder_eval.errors import PreorderEvalError
from preorder_eval.stats import bootstrap as module
from preorder_eval.stats import measurement
from preorder_eval.stats.bootstrap import (
    Interval,
    bootstrap,
    confidence_interval,
    resample_sums,
)
from preorder_eval.stats.measurement import (
    Measurement,
    apart,
    largest,
    rounded,
    side_by_side,
    summable,
)


def ratio(sums):
    """Pooled counts; NaN where nothing was counted."""
    counted = sums[..., 1]
    return np.divide(sums[..., 0], counted, out=np.full(counted.shape, np.nan), where=counted > 0)


def scores(values):
    """Statistics whose mean is the corpus value."""
    values = np.asarray(values, dtype=float)
    return np.stack([values, np.ones_like(values)], axis=-1)


def test_resample_sums_are_the_sums_of_the_drawn_rows():
    statistics = np.random.default_rng(1).normal(size=(37, 3))
    rng = np.random.default_rng(5)
    slow = [statistics[rng.integers(0, 37, size=37)].sum(axis=0) for _ in range(200)]
    np.testing.assert_allclose(resample_sums(statistics, 200, seed=5), slow, atol=1e-12)


@pytest.mark.parametrize("size", [1, 7, 100])
def test_the_block_size_does_not_show(monkeypatch, size):
    statistics = np.random.default_rng(1).random((size, 2))
    expected = resample_sums(statistics, 300, seed=3)
    for draws in (1, 64, 1000, 1 << 20):
        monkeypatch.setattr(module, "_DRAWS", draws)
        np.testing.assert_array_equal(resample_sums(statistics, 300, seed=3), expected)


def test_blocks_can_be_drawn_and_summed_in_any_order(monkeypatch):
    statistics = np.random.default_rng(1).random((1000, 2))
    for name in (module, measurement):
        monkeypatch.setattr(name, "BLOCK", 300)
    whole = resample_sums(statistics, 50, seed=3)
    most = largest(statistics)
    drawn = module.block_draws(1000, 50, seed=3)
    assert drawn.shape == (4, 50)
    assert (drawn.sum(axis=0) == 1000).all()
    by_block = np.zeros_like(whole)
    for block in (2, 0, 3, 1):
        rows = rounded(statistics[300 * block : 300 * block + 300], most, 1000)
        by_block += module.block_sums(rows, drawn[block], 3, block)
    np.testing.assert_array_equal(by_block, whole)
    sums = sum(
        rounded(statistics[i : i + 300], most, 1000).sum(axis=0) for i in range(0, 1000, 300)
    )
    np.testing.assert_array_equal(measurement.totals(statistics[None])[0], sums)


def test_blocks_make_no_difference_to_the_distribution(monkeypatch):
    sample = scores(np.random.default_rng(4).beta(5, 2, size=500))
    whole = resample_sums(sample, 20_000, seed=0)[:, 0]
    for name in (module, measurement):
        monkeypatch.setattr(name, "BLOCK", 64)
    by_block = resample_sums(sample, 20_000, seed=0)[:, 0]
    assert scipy.stats.ks_2samp(whole, by_block).pvalue > 0.01
    counts = resample_sums(np.eye(500), 4000, seed=1)
    assert (counts.sum(axis=1) == 500).all()
    # How often a sentence is drawn has mean 1 and variance 1 - 1/S, two of them covary by -1/S.
    assert counts.var() == pytest.approx(1 - 1 / 500, abs=0.01)
    assert (counts[:, 0] * counts[:, 1]).mean() == pytest.approx(1 - 1 / 500, abs=0.08)
    assert (counts[:, 0] * counts[:, 499]).mean() == pytest.approx(1 - 1 / 500, abs=0.08)


def test_a_system_gets_the_same_resamples_alone_and_beside_others():
    rng = np.random.default_rng(2)
    first = Measurement(rng.random((4, 61, 2)), ratio)
    second = Measurement(rng.random((2, 61, 3)) * 100, lambda sums: sums.sum(axis=-1))
    together = bootstrap([first, second], resamples=50)
    alone = bootstrap([second], resamples=50)
    one_system = bootstrap([Measurement(first.statistics[2:3], ratio)], resamples=50)
    np.testing.assert_array_equal(together[1].resampled, alone[0].resampled)
    np.testing.assert_array_equal(together[0].resampled[:, 2], one_system[0].resampled[:, 0])


def test_only_the_seed_makes_a_difference():
    sample = Measurement(scores(np.random.default_rng(0).random((2, 50))), ratio)
    runs = [bootstrap([sample], resamples=20, seed=seed)[0].resampled for seed in (0, 0, 1)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert (runs[0] != runs[2]).all()


def test_side_by_side_and_apart_are_inverse():
    rng = np.random.default_rng(0)
    measurements = [
        Measurement(rng.random((3, 5, 2)), ratio),
        Measurement(rng.random((1, 5, 4)), ratio),
    ]
    for row, sums in enumerate(side_by_side(measurements)):
        for of_metric, part in zip(measurements, apart(sums[None], measurements), strict=True):
            np.testing.assert_allclose(part[0], of_metric.statistics[:, row])


@pytest.mark.parametrize("sizes", [(5, 6), (0,), ()])
def test_what_has_no_common_sentences_is_refused(sizes):
    with pytest.raises(PreorderEvalError, match="cannot be resampled"):
        bootstrap([Measurement(np.zeros((2, size, 2)), ratio) for size in sizes])


def test_summable_statistics_add_up_exactly_in_any_order():
    rng = np.random.default_rng(0)
    statistics = np.column_stack([rng.random(999), rng.random(999) * 1e6, np.arange(999)])
    rounded = summable(statistics)
    for _ in range(20):
        shuffled = rng.permutation(rounded)
        np.testing.assert_array_equal(np.cumsum(shuffled, axis=0)[-1], rounded.sum(axis=0))
    np.testing.assert_allclose(rounded, statistics, rtol=0, atol=1e6 * 999 * 2.0**-52)
    np.testing.assert_array_equal(rounded[:, 2], statistics[:, 2])


def test_the_interval_is_scipys():
    sample = np.random.default_rng(4).beta(5, 2, size=30)
    own = confidence_interval(scores(sample), ratio, level=0.9, resamples=20_000)
    other = scipy.stats.bootstrap(
        (sample,),
        np.mean,
        n_resamples=20_000,
        confidence_level=0.9,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert own.value == pytest.approx(sample.mean())
    assert (own.low, own.high) == pytest.approx((other.low, other.high), abs=0.003)


def test_the_interval_of_pooled_counts_is_scipys():
    rng = np.random.default_rng(4)
    kept = rng.integers(0, 10, size=25)
    possible = kept + rng.integers(0, 10, size=25)

    def share(kept, possible, axis=-1):
        return kept.sum(axis=axis) / possible.sum(axis=axis)

    statistics = np.stack([kept, possible], axis=-1).astype(float)
    own = confidence_interval(statistics, ratio, resamples=20_000)
    other = scipy.stats.bootstrap(
        (kept, possible),
        share,
        paired=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert (own.low, own.high) == pytest.approx((other.low, other.high), abs=0.01)


def test_a_95_percent_interval_covers_the_truth_in_95_percent_of_trials():
    rng = np.random.default_rng(0)
    trials = Measurement(scores(rng.beta(6, 3, size=(1000, 100))), ratio)
    [result] = bootstrap([trials], resamples=400)
    intervals = [result.interval(trial) for trial in range(1000)]
    assert 930 <= sum(own.low <= 6 / 9 <= own.high for own in intervals) <= 970


def test_resamples_without_a_value_are_left_out():
    # One sentence in three can be scored: a third of the resamples of three draw none of it.
    statistics = np.array([[[0.5, 1], [0, 0], [0, 0]]])
    [result] = bootstrap([Measurement(statistics, ratio)], resamples=2000)
    empty = np.isnan(result.resampled[:, 0]).mean()
    assert empty == pytest.approx((2 / 3) ** 3, abs=0.04)
    assert result.interval(0) == Interval(0.5, 0.5, 0.5)


def test_without_any_value_the_interval_is_unknown():
    interval = confidence_interval(np.zeros((4, 2)), ratio)
    assert np.isnan([interval.value, interval.low, interval.high]).all()


def graded(rng, shape):
    """Shares of some joints that are kept, almost a third of them all: as fuzzy scores are."""
    joints = rng.integers(3, 25, size=shape)
    kept = rng.binomial(joints, 0.72) / joints
    return np.where(rng.random(shape) < 0.3, 1.0, kept)


def tied(rng, shape):
    """Scores of four values alone."""
    return rng.choice(4, p=[0.1, 0.2, 0.3, 0.4], size=shape) / 3


@pytest.mark.slow
@pytest.mark.parametrize("make", [graded, tied])
@pytest.mark.parametrize(
    ("size", "least", "most"),
    [(10, 0.88, 0.93), (30, 0.93, 0.95), (100, 0.94, 0.955), (300, 0.94, 0.955)],
)
def test_how_often_intervals_of_scores_hold_the_truth(make, size, least, most):
    """Percentile intervals are too narrow for few sentences, as is said beside them."""
    truth = make(np.random.default_rng(99), 4_000_000).mean()
    covered = []
    for seed in range(10):
        samples = make(np.random.default_rng([size, seed]), (1000, size))
        [sampled] = bootstrap([Measurement(scores(samples), ratio)], seed=seed)
        intervals = [sampled.interval(system) for system in range(1000)]
        covered += [own.low <= truth <= own.high for own in intervals]
    assert least <= np.mean(covered) <= most
