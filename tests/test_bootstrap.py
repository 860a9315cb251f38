"""The bootstrap: its coverage, its agreement with scipy, and what it must not depend on."""

import math
import statistics as standard
from dataclasses import astuple

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from published import NEWCOMBE_WILSON

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.stats import FEWEST_UNITS, measurement
from preorder_eval.base.stats import bootstrap as module
from preorder_eval.base.stats.bootstrap import (
    Interval,
    Jackknife,
    bootstrap,
    clustered_wilson,
    percentile_interval,
    student_quantile,
    without_each,
)
from preorder_eval.base.stats.measurement import (
    DRAWN_TOGETHER,
    TIE,
    Measurement,
    apart,
    group_numbers,
    group_sums,
    grouped,
    largest,
    rounded,
    side_by_side,
    spread,
)
from preorder_eval.base.stats.significance import compare_systems


def ratio(sums):
    """Pooled counts; NaN where nothing was counted."""
    counted = sums[..., 1]
    return np.divide(sums[..., 0], counted, out=np.full(counted.shape, np.nan), where=counted > 0)


def scores(values):
    """Statistics whose mean is the corpus value."""
    values = np.asarray(values, dtype=float)
    return np.stack([values, np.ones_like(values)], axis=-1)


@pytest.mark.parametrize("draws", [1, 64, 1 << 17])
def test_resampled_values_are_those_of_the_drawn_rows(monkeypatch, draws):
    monkeypatch.setattr(module, "_DRAWS", draws)
    statistics = np.random.default_rng(1).random((37, 2))
    rng = np.random.default_rng(5)
    slow = [ratio(statistics[rng.integers(0, 37, size=37)].sum(axis=0)) for _ in range(200)]
    [found] = bootstrap([Measurement(statistics[None], ratio)], resamples=200, seed=5)
    np.testing.assert_allclose(found.resampled[:, 0], slow, atol=1e-12)


def test_many_sentences_are_drawn_in_groups_that_parts_can_sum():
    rng = np.random.default_rng(1)
    statistics = rng.random((9000, 2)) * [1, 1000]
    whole = grouped(Measurement(statistics[None], ratio))
    [groups] = whole.statistics
    assert groups.shape == (DRAWN_TOGETHER, 2)
    assert whole.values[0] == pytest.approx(ratio(statistics.sum(axis=0)), rel=1e-12)
    most = largest(statistics)
    parts = [
        group_sums(statistics[first:last], most, first, 9000)
        for first, last in [(5000, 9000), (0, 7), (7, 5000)]
    ]
    np.testing.assert_array_equal(sum(parts), groups)
    numbers = group_numbers(0, 9000)
    slow = [statistics[numbers == group].sum(axis=0) for group in range(0, DRAWN_TOGETHER, 97)]
    np.testing.assert_allclose(groups[::97], slow, rtol=1e-9)
    # Neighbours are in groups of their own, and groups are about equally large.
    assert (np.bincount(group_numbers(0, 1_000_000), minlength=DRAWN_TOGETHER) > 150).all()
    assert len(set(group_numbers(0, 64).tolist())) > 60
    few = Measurement(statistics[None, :DRAWN_TOGETHER], ratio)
    assert grouped(few) is few
    placed = sum(
        group_sums(few.statistics[0, first : first + 1024], most, first, DRAWN_TOGETHER)
        for first in range(0, DRAWN_TOGETHER, 1024)
    )
    np.testing.assert_array_equal(placed, few.statistics[0])


@pytest.mark.slow
def test_groups_make_no_difference_to_width_or_p(monkeypatch):
    """Where neighbours are alike, as in a file that is sorted by length."""
    rng = np.random.default_rng(4)
    quality = np.sort(rng.beta(5, 2, size=6000))
    second = np.clip(quality + rng.normal(0.001, 0.1, size=6000), 0, 1)
    sample = Measurement(scores(np.stack([quality, second])), ratio)
    results = []
    for groups in (DRAWN_TOGETHER, 1 << 20):
        monkeypatch.setattr(measurement, "DRAWN_TOGETHER", groups)
        [drawn] = bootstrap([sample], resamples=4000)
        [[pair]] = compare_systems([sample], higher_is_better=[True], resamples=400)
        interval = drawn.interval(0)
        results.append((interval.high - interval.low, pair.difference.p))
    assert results[0][0] == pytest.approx(results[1][0], rel=0.05)
    assert results[0][1] == pytest.approx(results[1][1], abs=0.05)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_students_quantile_is_scipys(level):
    freedoms = [1, 2, 3, 4, 9, 30, 299, 4095]
    expected = scipy.stats.t.ppf((1 + level) / 2, freedoms)
    assert [student_quantile(level, n) for n in freedoms] == pytest.approx(expected, rel=1e-10)


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


def test_rounded_statistics_add_up_exactly_in_any_order():
    rng = np.random.default_rng(0)
    statistics = np.column_stack([rng.random(999), rng.random(999) * 1e6, np.arange(999)])
    exact = rounded(statistics, largest(statistics), 999)
    for _ in range(20):
        shuffled = rng.permutation(exact)
        np.testing.assert_array_equal(np.cumsum(shuffled, axis=0)[-1], exact.sum(axis=0))
    np.testing.assert_allclose(exact, statistics, rtol=0, atol=1e6 * 999 * 2.0**-52)
    np.testing.assert_array_equal(exact[:, 2], statistics[:, 2])


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


def test_the_interval_of_pooled_counts_is_scipys():
    rng = np.random.default_rng(4)
    kept = rng.integers(0, 10, size=25)
    possible = kept + rng.integers(0, 10, size=25)

    def share(kept, possible, axis=-1):
        return kept.sum(axis=axis) / possible.sum(axis=axis)

    statistics = np.stack([kept, possible], axis=-1).astype(float)
    [sampled] = bootstrap([Measurement(statistics[None], ratio)], resamples=20_000)
    own = sampled.interval(0)
    other = scipys((kept, possible), share, widened(0.95, sampled), "BCa")
    assert (own.low, own.high) == pytest.approx((other.low, other.high), abs=0.01)
    own = percentile_interval(own.value, sampled.resampled[:, 0], 0.9)
    other = scipys((kept, possible), share, 0.9, "percentile")
    assert (own.low, own.high) == pytest.approx((other.low, other.high), abs=0.01)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_intervals_stay_among_the_resampled_values(counts):
    [sampled] = bootstrap([Measurement(np.array([counts], dtype=float), ratio)], resamples=50)
    interval = sampled.interval(0)
    if np.isnan(sampled.values[0]) or len(counts) < FEWEST_UNITS:
        assert np.isnan([interval.low, interval.high]).all()
        return
    known = sampled.resampled[~np.isnan(sampled.resampled)]
    assert known.min() <= interval.low <= interval.high <= known.max()
    narrow = sampled.interval(0, level=0.5)
    assert interval.low <= narrow.low <= narrow.high <= interval.high


def test_resamples_without_a_value_are_left_out():
    # Two sentences in six can be scored: one in eleven resamples draws neither of them.
    statistics = np.array([[[0.5, 1], [0, 0], [0, 0]] * 2])
    [result] = bootstrap([Measurement(statistics, ratio)], resamples=2000)
    empty = np.isnan(result.resampled[:, 0]).mean()
    assert empty == pytest.approx((2 / 3) ** 6, abs=0.02)
    assert result.interval(0) == Interval(0.5, 0.5, 0.5)


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
    found = [astuple(Jackknife.of(without_each(rows, ratio))) for rows in statistics]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_of_a_mean_the_jackknife_has_the_usual_standard_error():
    sample = np.random.default_rng(0).beta(6, 3, size=40)
    own = Jackknife.of(without_each(scores(sample), ratio))
    assert own.error == pytest.approx(scipy.stats.sem(sample))
    assert own.acceleration == pytest.approx(scipy.stats.skew(sample) / (6 * math.sqrt(40)))


def interval(hits, counts):
    [ends] = clustered_wilson(np.array(hits), np.array(counts), np.zeros(len(hits), dtype=int), 1)
    return ends


@pytest.mark.parametrize(("hits", "count", "low", "high"), NEWCOMBE_WILSON)
def test_independent_words(hits, count, low, high):
    ones = np.ones(count)
    ends = interval((np.arange(count) < hits).astype(float), ones)
    assert ends == pytest.approx([low, high], abs=5e-5)


def test_words_that_are_wrong_together_count_as_one_and_never_for_more():
    apart = interval([1.0, 0.0, 1.0, 0.0, 0.0], [1.0] * 5)
    np.testing.assert_allclose(interval([3.0, 0.0, 3.0, 0.0, 0.0], [3.0] * 5), apart)
    np.testing.assert_allclose(interval([1.0] * 4, [2.0] * 4), interval([1.0, 0.0] * 4, [1.0] * 8))


def test_all_alike_or_one_sentence_leaves_room_and_rows_are_apart():
    low, high = interval([3.0, 2.0], [3.0, 2.0])
    assert (round(low, 2), high) == (0.34, 1.0)
    low, high = interval([2.0], [4.0])
    assert low < 0.1 < 0.9 < high
    hits, counts = np.array([1.0, 5, 0, 5]), np.array([1.0, 10, 1, 10])
    rows = clustered_wilson(hits, counts, np.array([0, 1, 0, 1]), 2)
    np.testing.assert_allclose(rows, [interval([1.0, 0], [1.0, 1]), interval([5.0, 5], [10.0, 10])])


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


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=6))
def test_spread_against_the_standard_library(values):
    summary = spread(values)
    assert summary["mean"] == pytest.approx(standard.fmean(values), abs=1e-12)
    assert summary["sd"] == pytest.approx(standard.stdev(values), abs=1e-12)
    assert (summary["min"], summary["max"]) == (min(values), max(values))
    assert math.isnan(spread(values[:1])["sd"])


def graded(rng, shape):
    """Shares of adjacent pairs that are kept, almost a third of them all, as fuzzy scores are."""
    pairs = rng.integers(3, 25, size=shape)
    kept = rng.binomial(pairs, 0.72) / pairs
    return scores(np.where(rng.random(shape) < 0.3, 1.0, kept))


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
@pytest.mark.parametrize(("make", "finish"), [(graded, ratio), (ngrams, bleu)])
@pytest.mark.parametrize("size", [10, 30])
def test_how_often_intervals_hold_the_truth(make, finish, size):
    """As often as they say, from 30 sentences on; of 10 less often, which is said beside them."""
    times = 2000
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
