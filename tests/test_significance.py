"""Mark, interval and p of a difference: one decision, against all subsets one by one."""

import itertools
import math

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.stats.bootstrap import Interval, bootstrap
from preorder_eval.base.stats.measurement import TIE, Measurement
from preorder_eval.base.stats.significance import (
    Difference,
    compare_systems,
    exhaustive,
    few_different,
    holm,
    subsets,
)

LEVELS = ((0.05, "at_95"), (0.10, "at_90"))


def ratio(sums):
    """Pooled counts; NaN where nothing was counted."""
    counted = sums[..., 1]
    return np.divide(sums[..., 0], counted, out=np.full(counted.shape, np.nan), where=counted > 0)


def mean(*systems):
    """A metric whose value is the mean of sentence scores."""
    values = np.asarray(systems, dtype=float)
    return Measurement(np.stack([values, np.ones_like(values)], axis=-1), ratio)


def compared(measurement, pair=(0, 1), higher=True, **options):
    [[found]] = compare_systems([measurement], higher_is_better=[higher], pairs=[pair], **options)
    return found.difference


def p_value(*systems, trials=10_000, **options):
    """The p of two systems whose value is the mean of sentence scores."""
    return compared(mean(*systems), resamples=trials // 10, **options).p


def reach(first, second, alpha):
    """How far an interval reaches where few sentences differ, leaving out one after the other."""
    size = len(first)
    differing = sum(tuple(a) != tuple(b) for a, b in zip(first, second, strict=True))
    if differing == 0 or 2 * differing >= size:
        return math.inf, -math.inf
    without = []
    for left_out in range(size):
        a, b = (ratio(np.delete(own, left_out, axis=0).sum(axis=0)) for own in (first, second))
        without.append(float(b - a))
    known = [value for value in without if not math.isnan(value)]
    middle = sum(known) / len(known)
    error = math.sqrt((size - 1) / len(known) * sum((value - middle) ** 2 for value in known))
    skewness = -scipy.stats.skew(known) / math.sqrt(len(known)) if error > 1e-9 else 0
    t = scipy.stats.t.ppf(1 - alpha / 2, size - 1)
    value = float(ratio(second.sum(axis=0)) - ratio(first.sum(axis=0)))
    moved = value + error * skewness * (1 + 2 * t**2) / 6
    wide = error * math.sqrt(t**2 + t**4 / differing)
    return moved - wide, moved + wide


def slow(measurement):
    """p and the ends of both intervals, from all subsets one by one."""
    first, second = measurement.statistics
    whole = ratio(second.sum(axis=0)) - ratio(first.sum(axis=0))
    differences = []
    for size in range(1, len(first) + 1):
        for chosen in itertools.combinations(range(len(first)), size):
            a, b = (ratio(own[list(chosen)].sum(axis=0)) for own in (first, second))
            inside = np.isin(np.arange(len(first)), chosen)[:, None]
            one, other = (np.where(inside, *both) for both in ((second, first), (first, second)))
            lowered = whole - (ratio(other.sum(axis=0)) - ratio(one.sum(axis=0)))
            alone, lowered = (0.0 if abs(x) < 1e-9 else float(x) for x in (b - a, lowered))
            agree = (alone > 0) == (lowered > 0) and (alone < 0) == (lowered < 0)
            differences.append(alone if agree and not math.isnan(alone) else lowered)
    trials = len(differences) + 1
    below = 1 + sum(not d > 1e-9 for d in differences)  # those without a value are on both sides
    above = 1 + sum(not d < -1e-9 for d in differences)
    low = sorted(-math.inf if math.isnan(d) else d for d in differences)
    high = sorted((math.inf if math.isnan(d) else d for d in differences), reverse=True)
    ends = []
    for numerator in (5, 10):
        k = trials * numerator // 200
        below_end, above_end = (low[k - 1], high[k - 1]) if k else (math.nan, math.nan)
        if k and math.isfinite(below_end) and math.isfinite(above_end):
            from_few, to_few = reach(first, second, numerator / 100)
            ends.append(below_end if below_end > 1e-9 else min(below_end, from_few))
            ends.append(above_end if above_end < -1e-9 else max(above_end, to_few))
        else:
            ends += [below_end, above_end]
    few = np.count_nonzero((first != second).any(axis=1)) < 6
    ends = [end if math.isfinite(end) and not few else math.nan for end in ends]
    ends = [min(ends[0], whole), max(ends[1], whole), min(ends[2], whole), max(ends[3], whole)]
    return min(1, 2 * min(below, above) / trials), ends


def ends_of(difference):
    return [end for own in (difference.at_95, difference.at_90) for end in (own.low, own.high)]


counts = st.tuples(st.integers(0, 3), st.integers(0, 3))
small = st.integers(1, 8).flatmap(
    lambda size: st.lists(
        st.lists(counts, min_size=size, max_size=size), min_size=2, max_size=2
    ).map(lambda systems: Measurement(np.array(systems, dtype=float), ratio))
)


@given(small)
def test_small_samples_agree_with_all_subsets_one_by_one(measurement):
    difference = compared(measurement)
    if math.isnan(difference.value):
        assert np.isnan([difference.p, *ends_of(difference)]).all()
        assert (difference.mark, math.isnan(difference.detectable)) == ("0", True)
        return
    p, ends = slow(measurement)
    assert difference.p == pytest.approx(p)
    assert ends_of(difference) == pytest.approx(ends, nan_ok=True, abs=1e-9)


def geometric(sums):
    """The geometric mean of two shares, as in BLEU; a subset's value is not that of its swap."""
    return np.sqrt((sums[..., 0] + 0.1) * (sums[..., 1] + 0.1)) / (sums[..., 2] + 0.2)


@given(st.integers(8, 40), st.sampled_from([ratio, geometric]), st.integers(0, 2**32 - 1))
def test_drawn_swaps_count_in_both_tails(size, of, seed):
    statistics = np.random.default_rng(seed).integers(1, 5, size=(2, size, 3)).astype(float)
    first, second = statistics
    hits = 1
    for inside in np.concatenate(list(subsets(size, 100, seed)))[..., None] == 1:
        a, b = np.where(inside, second, first), np.where(inside, first, second)
        swapped = of(b.sum(axis=0)) - of(a.sum(axis=0))
        hits += abs(swapped) >= abs(of(second.sum(axis=0)) - of(first.sum(axis=0))) - 1e-9
    found = compared(Measurement(statistics, of), resamples=10, seed=seed)
    assert found.p == pytest.approx(hits / 101)
    assert (found.p <= 0.05) == (found.at_95.low > 0 or found.at_95.high < 0)


@given(
    st.integers(1, 40),
    st.floats(0, 1),
    st.integers(0, 3),
    st.integers(1, 30),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_mark_interval_and_p_are_one_decision(size, share, better, resamples, higher, seed):
    rng = np.random.default_rng(seed)
    counted = rng.integers(0, 4, size=size)
    first = rng.integers(0, 4, size=size)
    second = np.where(rng.random(size) < share, rng.integers(0, 4 + better, size=size), first)
    both = np.array([[first, counted], [second, counted]], dtype=float).transpose(0, 2, 1)
    difference = compared(Measurement(both, ratio), higher=higher, resamples=resamples, seed=seed)
    outside = {}
    for alpha, name in LEVELS:
        interval = getattr(difference, name)
        outside[name] = interval.low > 0 or interval.high < 0
        assert outside[name] == (difference.p <= alpha and difference.differing >= 6)
        assert math.isnan(interval.low) or interval.low <= difference.value <= interval.high
        assert not interval.low > interval.high
    stars = "**" if outside["at_95"] else "*" if outside["at_90"] else ""
    sign = "+" if (difference.value > 0) == higher else "-"
    assert difference.mark == (sign + stars if stars else "0")
    if not math.isnan(difference.at_95.low):
        assert difference.at_95.low <= difference.at_90.low
        assert difference.at_90.high <= difference.at_95.high


@given(st.integers(1, 30), st.integers(0, 2**32 - 1), st.sampled_from(["randomization", "koehn"]))
def test_the_other_way_round_everything_changes_its_sign(size, seed, test):
    rng = np.random.default_rng(seed)
    measurement = Measurement(rng.integers(0, 4, size=(2, size, 2)).astype(float), ratio)
    one, other = (compared(measurement, pair, test=test, resamples=50) for pair in ((0, 1), (1, 0)))
    assert one.value == pytest.approx(-other.value, nan_ok=True)
    assert one.p == pytest.approx(other.p, nan_ok=True)
    low_95, high_95, low_90, high_90 = (-end for end in ends_of(other))
    assert ends_of(one) == pytest.approx([high_95, low_95, high_90, low_90], nan_ok=True)
    assert (one.won, one.lost) == pytest.approx((other.lost, other.won), nan_ok=True)
    opposite = {"+": "-", "-": "+"}
    assert one.mark == opposite.get(other.mark[0], "0") + other.mark[1:]
    assert ends_of(one.reversed()) == pytest.approx(ends_of(other), nan_ok=True)
    assert one.reversed().mark == other.mark
    lower = compared(measurement, test=test, resamples=50, higher=False)
    assert lower.mark == other.mark  # lower is better: the first system takes the second's place


def test_koehns_test_counts_the_resamples_won():
    values = np.random.default_rng(0).random((2, 40)) ** [[1.2], [1]]
    measurement = mean(*values)
    difference = compared(measurement, test="koehn", resamples=300, seed=5)
    [sampled] = bootstrap([measurement], resamples=300, seed=5)
    gained = sampled.resampled[:, 1] - sampled.resampled[:, 0]
    assert (difference.won, difference.lost) == (np.mean(gained > 0), np.mean(gained < 0))
    expected = np.quantile(gained, [0.025, 0.975, 0.05, 0.95])
    assert ends_of(difference) == pytest.approx(expected.tolist())
    assert math.isnan(difference.p)


def test_koehns_marks_are_the_levels_of_tables_3_to_5():
    better = {(1, 0): "+**", (0.95, 0.05): "+**", (0.949, 0.051): "+*", (0.9, 0.05): "+*"}
    worse = {(0.07, 0.93): "-*", (0.04, 0.96): "-**"}
    zero = Interval(0, 0, 0)
    for (a, b), mark in {**better, (0.899, 0.101): "0", (0, 0): "0", **worse}.items():
        assert Difference(0, zero, zero, math.nan, "koehn", won=a, lost=b).mark == mark
        assert Difference(0, zero, zero, math.nan, "koehn", False, won=b, lost=a).mark == mark


@pytest.mark.parametrize("test", ["randomization", "koehn"])
def test_all_pairs_come_row_by_row_and_each_is_as_if_alone(test):
    rng = np.random.default_rng(0)
    first = mean(*rng.random((4, 30)) ** [[1], [1.3], [2], [1.1]])
    second = Measurement(rng.random((2, 30, 2)), ratio)
    options = {"test": test, "resamples": 40, "seed": 3}
    found, other = compare_systems([first, second], higher_is_better=[True, False], **options)
    every = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert [(pair.first, pair.second) for pair in found] == every
    corrected = holm([pair.difference.p for pair in found])
    assert [pair.p_holm for pair in found] == pytest.approx(corrected, nan_ok=True)
    for pair in found:
        alone = mean(*first.statistics[[pair.first, pair.second], :, 0])
        assert pair.difference == compared(alone, **options)
    [pair] = other
    assert pair.difference == compared(second, higher=False, **options)
    asked = [(0, 2), (3, 0)]
    [few] = compare_systems([first], higher_is_better=[True], pairs=asked, **options)
    assert [(pair.first, pair.second) for pair in few] == asked
    assert few[0].difference == found[1].difference


def test_a_difference_that_is_detectable_is_seen_four_times_in_five():
    rng = np.random.default_rng(0)
    n, times = 100, 400
    noise = rng.choice([0, 0, 1, -1], size=(times, n)) + rng.normal(0, 0.1, size=(times, n))
    smallest = compared(mean(np.zeros(n), noise[0])).detectable
    assert smallest == pytest.approx((1.96 + 0.84) * noise[0].std() / 10, rel=0.03)
    true = (1.96 + 0.84) * math.sqrt((0.5 + 0.01) / n)
    systems = np.concatenate([np.zeros((1, n)), noise + true])
    [found] = compare_systems(
        [mean(*systems)],
        higher_is_better=[True],
        pairs=[(0, system) for system in range(1, times + 1)],
        resamples=100,
    )
    seen = np.mean([pair.difference.mark == "+**" for pair in found])
    assert 0.74 <= seen <= 0.86


def sentence_scores(rng, times, size, share, gain):
    """Scores of 0, 1/3, 2/3 and 1 in which a share of the sentences differs; the true gain."""
    chances = np.array([0.1, 0.2, 0.3, 0.4])
    first, second = rng.choice(4, p=chances, size=(2, times, size)) / 3
    second = np.where(rng.random((times, size)) < gain, 1.0, second)
    second = np.where(rng.random((times, size)) < share, second, first)
    ones = np.ones((times, size))
    both = np.stack([np.stack([own, ones], axis=-1) for own in (first, second)], axis=1)
    return both, share * gain * (1 - chances @ np.arange(4) / 3)


def pooled_counts(rng, times, size, share, gain):
    """Matched words of outputs of 2 words or more, as in BLEU; the true gain."""
    systems = []
    for chance in (0.5, 0.5 + gain / 2):
        words = 2 + rng.poisson(18, size=(times, size))
        hits = rng.beta(6 * chance, 6 * (1 - chance), size=(times, size))
        systems.append(np.stack([rng.binomial(words, hits), words], axis=-1))
    first, second = systems
    second = np.where(rng.random((times, size, 1)) < share, second, first)
    return np.stack([first, second], axis=1).astype(float), share * gain / 2


def simulated(make, size, share, gain, times):
    """Differences of pairs of systems, and the true one."""
    both, true = make(np.random.default_rng(size), times, size, share, gain)
    measurement = Measurement(both.reshape(2 * times, size, 2), ratio)
    pairs = [(2 * time, 2 * time + 1) for time in range(times)]
    [found] = compare_systems([measurement], higher_is_better=[True], pairs=pairs, resamples=100)
    return [pair.difference for pair in found], true


@pytest.mark.slow
@pytest.mark.parametrize("make", [sentence_scores, pooled_counts])
@pytest.mark.parametrize(("size", "share"), [(10, 1.0), (100, 0.05), (100, 0.4)])
def test_marks_of_equal_systems_are_few_and_p_is_uniform(make, size, share):
    times = 2000
    differences, _ = simulated(make, size, share, 0, times)
    p = np.array([difference.p for difference in differences])
    assert np.mean([difference.mark.endswith("**") for difference in differences]) <= 0.055
    assert np.mean([d.at_95.low > TIE or d.at_95.high < -TIE for d in differences]) <= 0.055
    for alpha in (0.05, 0.1, 0.2, 0.5, 0.8):
        error = math.sqrt(alpha * (1 - alpha) / times)
        assert np.mean(p <= alpha) <= alpha + 3 * error
        # Ties of the two systems make p larger than it need be.
        least = {sentence_scores: 0.75, pooled_counts: 1}[make] if size * share >= 30 else 0
        assert np.mean(p <= alpha) >= least * alpha - 3 * error


@pytest.mark.slow
@pytest.mark.parametrize("make", [sentence_scores, pooled_counts])
@pytest.mark.parametrize(
    ("size", "share", "most"), [(30, 0.4, 0.97), (100, 0.05, 1), (300, 0.05, 0.97)]
)
def test_intervals_hold_true_differences(make, size, share, most):
    """As often as they say; there are none where fewer than six sentences differ."""
    differences, true = simulated(make, size, share, 0.3, times=1000)
    intervals = [d.at_95 for d in differences if d.differing >= 6]
    held = np.mean([i.low - TIE <= true <= i.high + TIE for i in intervals])
    assert 0.95 - 2 * math.sqrt(0.95 * 0.05 / len(intervals)) <= held <= most


def reach_of(count, size):
    """How far the interval of two systems reaches that differ by 1 on some of their sentences."""
    return few_different(*mean(np.zeros(size), np.arange(size) < count).statistics, ratio, 0.95)


def test_few_are_less_than_25_and_than_half():
    assert all(reach_of(count, size) for count, size in ((1, 100), (24, 100), (4, 9)))
    assert not any(reach_of(count, size) for count, size in ((0, 100), (25, 100), (4, 8)))


@pytest.mark.parametrize("count", [3, 10, 20])
def test_differences_of_one_kind_are_counts_of_poissons(count):
    """The upper end is about the exact one of a Poisson distribution (Garwood 1936)."""
    exact = scipy.stats.chi2.ppf(0.975, 2 * count + 2) / 2
    assert exact <= reach_of(count, 10_000)[1] * 10_000 <= 1.15 * exact


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
def test_the_block_size_does_not_show(size):
    expected = np.concatenate(list(subsets(size, 501, seed=4)))
    for tosses in (1, 100, 1 << 20):
        blocks = list(subsets(size, 501, 4, tosses))
        np.testing.assert_array_equal(np.concatenate(blocks), expected)


def rejected(p_values, level):
    """Which hypotheses the step-down procedure of Holm (1979) rejects at a level."""
    remaining = dict(enumerate(p_values))
    out = set()
    while remaining:
        smallest = min(remaining, key=remaining.get)
        if remaining[smallest] > level / len(remaining):
            break
        out.add(smallest)
        del remaining[smallest]
    return out


@pytest.mark.parametrize("seed", range(8))
def test_what_comes_out_at_or_below_a_level_is_what_the_procedure_rejects(seed):
    rng = np.random.default_rng(seed)
    p = rng.random(rng.integers(1, 12)) ** 4
    if seed % 2:
        p = np.round(p, 2)  # with ties
    corrected = holm(p)
    for level in [*rng.random(20), 0.05, 0.01]:
        assert set(np.flatnonzero(corrected <= level)) == rejected(p, level)


def test_nothing_is_above_1_and_a_single_test_is_left_alone():
    assert holm([0.6, 0.7]).tolist() == [1, 1]
    assert holm([0.3]).tolist() == [0.3]
    assert holm([]).tolist() == []


def scipys_p(first, second):
    def difference(a, b, axis):
        return b.mean(axis=axis) - a.mean(axis=axis)

    return scipy.stats.permutation_test(
        (first, second), difference, permutation_type="samples", n_resamples=np.inf
    ).pvalue


@pytest.mark.parametrize("seed", range(3))
def test_p_is_scipys_exactly_or_about(seed):
    systems = np.random.default_rng(seed).random((2, 12)) ** [[1], [1.5]]
    assert p_value(*systems[:, :9]) == pytest.approx(scipys_p(*systems[:, :9]))
    exact, drawn = scipys_p(*systems), p_value(*systems, trials=4000, seed=seed)
    assert drawn != exact  # 4,096 ways are more than the trials
    assert drawn == pytest.approx(exact, abs=0.03)


def test_p_at_its_ends():
    assert p_value(np.zeros(50), np.ones(50), trials=990) == 1 / 991
    values = np.random.default_rng(0).random(40)
    swapped = values.copy()
    swapped[[0, 1]] = values[[1, 0]]  # other sentences, the same sum
    for other in (values, swapped, values + 1e-13):
        assert p_value(values, other) == p_value(values[:5], other[:5]) == 1
        difference = compared(mean(values, other))
        assert (difference.p, difference.mark) == (1, "0")
    assert np.isnan(ends_of(compared(mean(values, values)))).all(), "no sentence differs"
    assert math.isnan(compared(mean(values, values)).detectable)
    for sentences, mark in ((4, "0"), (5, "0"), (6, "+**")):
        difference = compared(mean([0] * sentences, [1] * sentences))
        sign_test = scipy.stats.binomtest(sentences, sentences).pvalue
        assert (difference.mark, difference.p) == (mark, sign_test)
        assert math.isnan(difference.at_95.low) == (sentences < 6)
    with pytest.raises(PreorderEvalError, match="cannot be resampled"):
        compared(mean([], []))


def test_rounding_does_not_tell_equal_differences_apart():
    # Tenths add up to slightly different sums in different orders, whole numbers do not.
    systems = np.random.default_rng(0).integers(0, 4, size=(2, 40))
    for trials in (500, 5000):
        assert p_value(*systems / 10, trials=trials) == p_value(*systems, trials=trials)
