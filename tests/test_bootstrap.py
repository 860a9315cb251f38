"""The bootstrap: its coverage, its agreement with scipy, and what it must not depend on."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from preorder_eval.errors import PreorderEvalError
from preorder_eval.stats import bootstrap as module
from preorder_eval.stats import measurement
from preorder_eval.stats.bootstrap import (
    Interval,
    bootstrap,
    confidence_interval,
    percentile_interval,
    resample_sums,
)
from preorder_eval.stats.measurement import (
    TIE,
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


def sums_of(statistics, resamples, seed):
    return resample_sums([Measurement(statistics[None], ratio)], resamples, seed)


def test_resample_sums_are_the_sums_of_the_drawn_rows():
    statistics = np.random.default_rng(1).normal(size=(37, 3))
    rng = np.random.default_rng(5)
    slow = [statistics[rng.integers(0, 37, size=37)].sum(axis=0) for _ in range(200)]
    np.testing.assert_allclose(sums_of(statistics, 200, seed=5), slow, atol=1e-12)


@pytest.mark.parametrize("size", [1, 7, 100])
def test_the_block_size_does_not_show(monkeypatch, size):
    statistics = np.random.default_rng(1).random((size, 2))
    expected = sums_of(statistics, 300, seed=3)
    for draws in (1, 64, 1000, 1 << 20):
        monkeypatch.setattr(module, "_DRAWS", draws)
        np.testing.assert_array_equal(sums_of(statistics, 300, seed=3), expected)


def test_blocks_can_be_drawn_and_summed_in_any_order(monkeypatch):
    statistics = np.random.default_rng(1).random((1000, 2))
    for name in (module, measurement):
        monkeypatch.setattr(name, "BLOCK", 300)
    whole = sums_of(statistics, 50, seed=3)
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
    whole = sums_of(sample, 20_000, seed=0)[:, 0]
    for name in (module, measurement):
        monkeypatch.setattr(name, "BLOCK", 64)
    by_block = sums_of(sample, 20_000, seed=0)[:, 0]
    assert scipy.stats.ks_2samp(whole, by_block).pvalue > 0.01
    counts = sums_of(np.eye(500), 4000, seed=1)
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


def widened(level, sampled):
    """What a normal interval must be asked for to be as wide as t times the jackknife's error."""
    [own] = sampled.jackknives
    errors = own.error / np.std(sampled.resampled)
    t = scipy.stats.t.ppf((1 + level) / 2, own.size - 1)
    return 1 - 2 * scipy.stats.norm.cdf(-t * errors)


def scipys(data, statistic, level, method):
    found = scipy.stats.bootstrap(
        data,
        statistic,
        paired=True,
        n_resamples=20_000,
        confidence_level=level,
        method=method,
        rng=np.random.default_rng(1),
    )
    return found.confidence_interval


def test_intervals_are_scipys():
    sample = np.random.default_rng(4).beta(5, 2, size=30) ** 3
    [sampled] = bootstrap([Measurement(scores(sample)[None], ratio)], resamples=20_000)
    own = sampled.interval(0, level=0.9)
    other = scipys((sample,), np.mean, widened(0.9, sampled), "BCa")
    assert own.value == pytest.approx(sample.mean())
    assert (own.low, own.high) == pytest.approx((other.low, other.high), abs=0.004)
    own = percentile_interval(own.value, sampled.resampled[:, 0], 0.9)
    other = scipys((sample,), np.mean, 0.9, "percentile")
    assert (own.low, own.high) == pytest.approx((other.low, other.high), abs=0.004)


def test_the_interval_of_pooled_counts_is_scipys():
    rng = np.random.default_rng(4)
    kept = rng.integers(0, 10, size=25)
    possible = kept + rng.integers(0, 10, size=25)

    def share(kept, possible, axis=-1):
        return kept.sum(axis=axis) / possible.sum(axis=axis)

    statistics = np.stack([kept, possible], axis=-1).astype(float)
    own = confidence_interval(statistics, ratio, resamples=20_000)
    [sampled] = bootstrap([Measurement(statistics[None], ratio)], resamples=20_000)
    other = scipys((kept, possible), share, widened(0.95, sampled), "BCa")
    assert (own.low, own.high) == pytest.approx((other.low, other.high), abs=0.01)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8))
def test_intervals_stay_among_the_resampled_values(counts):
    [sampled] = bootstrap([Measurement(np.array([counts], dtype=float), ratio)], resamples=50)
    interval = sampled.interval(0)
    if np.isnan(sampled.values[0]):
        assert np.isnan([interval.low, interval.high]).all()
        return
    known = sampled.resampled[~np.isnan(sampled.resampled)]
    assert known.min() <= interval.low <= interval.high <= known.max()
    narrow = sampled.interval(0, level=0.5)
    assert interval.low <= narrow.low <= narrow.high <= interval.high


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
    return scores(np.where(rng.random(shape) < 0.3, 1.0, kept))


def tied(rng, shape):
    """Scores of four values alone."""
    return scores(rng.choice(4, p=[0.1, 0.2, 0.3, 0.4], size=shape) / 3)


def near_the_ceiling(rng, shape):
    """Four in five sentences are perfect."""
    return scores(np.where(rng.random(shape) < 0.8, 1.0, rng.beta(2, 2, size=shape)))


def ngrams(rng, shape):
    """Lengths, lengths of references, and the n-grams that match and that there are, as of BLEU."""
    words = 3 + rng.negative_binomial(3, 3 / 23, size=shape)
    of_reference = np.maximum(1, np.round(words * rng.lognormal(0.02, 0.15, size=shape)))
    quality = rng.beta(5, 4, size=shape)
    matching = [rng.binomial(words, quality)]
    for n in range(1, 4):
        chances = np.minimum(matching[-1], np.maximum(words - n, 0))
        matching.append(rng.binomial(chances, 0.35 + 0.5 * quality))
    possible = [np.maximum(words - n, 0) for n in range(4)]
    return np.stack([words, of_reference, *matching, *possible], axis=-1).astype(float)


def bleu(sums):
    """Papineni et al. (2002), 0 where no 4-gram matches."""
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.exp(np.log(sums[..., 2:6] / sums[..., 6:10]).mean(axis=-1))
        return precisions * np.exp(np.minimum(0, 1 - sums[..., 1] / sums[..., 0]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "finish"), [(graded, ratio), (tied, ratio), (near_the_ceiling, ratio), (ngrams, bleu)]
)
@pytest.mark.parametrize("size", [10, 30, 100, 300])
def test_how_often_intervals_hold_the_truth(make, finish, size):
    """As often as they say, from 30 sentences on; of 10 less often, which is said beside them."""
    times = 4000
    population = make(np.random.default_rng(99), 2_000_000).sum(axis=0)
    truth = float(finish(population))
    held = 0
    for seed in range(times // 500):
        samples = make(np.random.default_rng([size, seed]), (500, size))
        [sampled] = bootstrap([Measurement(samples, finish)], seed=seed)
        intervals = [sampled.interval(system) for system in range(500)]
        held += sum(own.low - TIE <= truth <= own.high + TIE for own in intervals)
    error = math.sqrt(0.95 * 0.05 / times)
    least, most = (0.80, 0.97) if size < 30 else (0.94 - 2 * error, 0.96 + 2 * error)
    assert least <= held / times <= most, held / times
