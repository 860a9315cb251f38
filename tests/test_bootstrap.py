"""The bootstrap: its coverage, its agreement with scipy, and what it must not depend on."""

import numpy as np
import pytest
import scipy.stats

from preorder_eval.errors import PreorderEvalError
from preorder_eval.stats import bootstrap as module
from preorder_eval.stats.bootstrap import (
    Bootstrap,
    Difference,
    Interval,
    bootstrap,
    confidence_interval,
    resample_sums,
)
from preorder_eval.stats.measurement import Measurement, apart, side_by_side, summable


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
    measurement = Measurement(scores(np.random.default_rng(0).random((2, 50))), ratio)
    runs = [bootstrap([measurement], resamples=20, seed=seed)[0].resampled for seed in (0, 0, 1)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert (runs[0] != runs[2]).all()


def test_side_by_side_and_apart_are_inverse():
    rng = np.random.default_rng(0)
    measurements = [
        Measurement(rng.random((3, 5, 2)), ratio),
        Measurement(rng.random((1, 5, 4)), ratio),
    ]
    for row, sums in enumerate(side_by_side(measurements)):
        for measurement, part in zip(measurements, apart(sums[None], measurements), strict=True):
            np.testing.assert_allclose(part[0], measurement.statistics[:, row])


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


def test_the_paired_interval_is_scipys():
    rng = np.random.default_rng(4)
    kept = rng.integers(0, 10, size=(2, 25))
    possible = kept + rng.integers(0, 10, size=25)

    def difference(a, b, c, axis=-1):
        return (b.sum(axis=axis) - a.sum(axis=axis)) / c.sum(axis=axis)

    statistics = np.stack([kept, np.stack([possible[0]] * 2)], axis=-1).astype(float)
    [own] = bootstrap([Measurement(statistics, ratio)], resamples=20_000)
    other = scipy.stats.bootstrap(
        (kept[0], kept[1], possible[0]),
        difference,
        paired=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    at_95 = own.difference(0, 1).at_95
    interval = other.confidence_interval
    assert (at_95.low, at_95.high) == pytest.approx((interval.low, interval.high), abs=0.01)
    won = np.mean(other.bootstrap_distribution > 0)
    assert own.difference(0, 1).won == pytest.approx(won, abs=0.02)


def test_a_95_percent_interval_covers_the_truth_in_95_percent_of_trials():
    rng = np.random.default_rng(0)
    covered = np.zeros(2)
    for trial in range(1000):
        first = rng.beta(6, 3, size=100)
        second = first * rng.beta(8, 2, size=100)  # loses a fifth on average
        [result] = bootstrap(
            [Measurement(scores([first, second]), ratio)], resamples=400, seed=trial
        )
        single, paired = result.interval(0), result.difference(0, 1).at_95
        covered += single.low <= 6 / 9 <= single.high, paired.low <= -6 / 9 / 5 <= paired.high
    assert (covered >= 930).all()
    assert (covered <= 970).all()


def test_equal_systems_raise_a_false_alarm_in_5_percent_of_trials_on_each_side():
    rng = np.random.default_rng(0)
    marks = []
    for trial in range(1000):
        systems = scores(rng.beta(6, 3, size=(2, 60)))
        [result] = bootstrap([Measurement(systems, ratio)], resamples=200, seed=trial)
        marks.append(result.difference(0, 1).mark)
    for mark in ("+**", "-**"):
        assert 30 <= marks.count(mark) <= 75
    for mark in ("+*", "-*"):  # from 90 to 95 %
        assert 30 <= marks.count(mark) <= 75


@pytest.mark.parametrize(
    ("won", "lost", "mark"),
    [
        (1.0, 0.0, "+**"),
        (0.95, 0.05, "+**"),
        (0.949, 0.051, "+*"),
        (0.9, 0.05, "+*"),
        (0.899, 0.101, "0"),
        (0.0, 0.0, "0"),
        (0.07, 0.93, "-*"),
        (0.04, 0.96, "-**"),
    ],
)
def test_marks_are_the_levels_of_tables_3_to_5(won, lost, mark):
    interval = Interval(0, 0, 0)
    assert Difference(interval, interval, won, lost).mark == mark


def test_a_difference_counts_the_resamples_won_and_lost():
    resampled = np.array([[0.1, 0.2], [0.3, 0.1], [0.2, 0.2], [0.0, 0.4]])
    difference = Bootstrap(np.array([0.2, 0.25]), resampled).difference(0, 1)
    assert (difference.value, difference.won, difference.lost) == (pytest.approx(0.05), 0.5, 0.25)
    assert Bootstrap(np.array([0.2, 0.25]), resampled).difference(1, 0).won == 0.25


def test_equal_systems_differ_by_nothing():
    values = np.random.default_rng(0).random(33)
    systems = Measurement(scores([values, values]), ratio)
    difference = bootstrap([systems])[0].difference(0, 1)
    assert difference.at_95 == difference.at_90 == Interval(0, 0, 0)
    assert (difference.won, difference.lost, difference.mark) == (0, 0, "0")


def test_equal_sums_of_different_sentences_are_no_win():
    values = np.random.default_rng(0).random(33) / 3
    [result] = bootstrap([Measurement(scores([values, values + 1e-13]), ratio)])
    assert result.difference(0, 1).mark == "0"


def test_resamples_without_a_value_are_left_out():
    # One sentence in three can be scored: a third of the resamples of three draw none of it.
    statistics = np.array([[[0.5, 1], [0, 0], [0, 0]], [[0.7, 1], [0, 0], [0, 0]]])
    [result] = bootstrap([Measurement(statistics, ratio)], resamples=2000)
    empty = np.isnan(result.resampled[:, 0]).mean()
    assert empty == pytest.approx((2 / 3) ** 3, abs=0.04)
    assert result.interval(0) == Interval(0.5, 0.5, 0.5)
    difference = result.difference(0, 1)
    assert difference.at_95.low == pytest.approx(0.2)
    assert difference.won == pytest.approx(1 - empty)


def test_without_any_value_the_interval_is_unknown():
    interval = confidence_interval(np.zeros((4, 2)), ratio)
    assert np.isnan([interval.value, interval.low, interval.high]).all()
