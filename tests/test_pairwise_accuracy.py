"""acc_eq with calibrated ties and soft pairwise accuracy, against their definitions."""

import itertools
from collections import defaultdict

import numpy as np
import pytest
import scipy

from preorder_eval.judgments import pairwise_accuracy
from preorder_eval.judgments.human_scores import HumanScores
from preorder_eval.judgments.meta import meta
from preorder_eval.judgments.metric_scores import MetricScores
from preorder_eval.judgments.pairwise_accuracy import (
    sign_flip_p,
    soft_measurement,
    soft_pairwise_accuracy,
    soft_values,
    tie_calibrated,
)
from preorder_eval.judgments.segment_correlation import standardised


def slow_accuracy(x, y, threshold, margin=0.0):
    """C, D, T_h, T_m and T_hm of Deutsch et al. (2023) counted pair by pair."""
    groups = defaultdict(list)
    for system, segment in np.argwhere(~np.isnan(y)):
        groups[segment].append((x[system, segment], y[system, segment]))
    accuracies = []
    for outputs in groups.values():
        right, pairs = 0, 0
        for (a, h), (b, g) in itertools.combinations(outputs, 2):
            people = 0 if abs(h - g) < margin else np.sign(h - g)
            metric = 0 if abs(a - b) <= threshold else np.sign(a - b)
            right += people == metric
            pairs += 1
        if pairs:
            accuracies.append(right / pairs)
    return np.mean(accuracies)


def human_scores(y):
    system, segment = np.nonzero(~np.isnan(y))
    names = tuple(f"s{r}" for r in range(len(y)))
    return HumanScores(names, y.shape[1], system, segment, y[system, segment], 0 * system)


def slow_best(x, y, margin=0.0):
    known = x[~np.isnan(y)]
    thresholds = sorted({0.0, *(abs(a - b) for a, b in itertools.combinations(known, 2))})
    values = [slow_accuracy(x, y, threshold, margin) for threshold in thresholds]
    return max(values), thresholds[int(np.argmax(values))]


@pytest.fixture(params=range(3))
def data(request):
    """Whole numbers, so that people and metrics tie; some outputs are not judged."""
    rng = np.random.default_rng(request.param)
    y = rng.integers(0, 4, size=(4, 7)).astype(float)
    x = np.stack([y + rng.integers(-2, 3, size=y.shape), rng.integers(0, 9, size=y.shape)])
    y[rng.random(y.shape) < 0.2] = np.nan
    return x.astype(float), y


@pytest.mark.parametrize("margin", [0.0, 1.0])
def test_same_as_by_definition(margin, data):
    x, y = data
    thresholds, _, measurement = tie_calibrated(x, human_scores(y).pairs(margin))
    for scores, threshold, value in zip(x, thresholds, measurement.values, strict=True):
        best, first = slow_best(scores, y, margin)
        assert value == pytest.approx(best, abs=1e-12)
        assert threshold == pytest.approx(first)


def test_nothing_judged_twice_has_no_value():
    y = np.array([[1.0, np.nan], [np.nan, 1.0]])
    thresholds, _, measurement = tie_calibrated(y[None], human_scores(y).pairs())
    assert thresholds.tolist() == [0]
    assert np.isnan(measurement.values).all()


def slow_p(first, second, flips):
    """The share of swaps of the two systems, segment by segment, with a mean farther ahead."""
    real = np.mean(first - second)
    reached = 0
    for flip in flips:
        a, b = np.where(flip, second, first), np.where(flip, first, second)
        beyond = np.mean(a - b) - real
        reached += 0.5 if abs(beyond) < 1e-12 else float(beyond > 0)
    return reached / len(flips)


def slow_spa(x, y, flips):
    terms = []
    for a, b in itertools.combinations(range(len(y)), 2):
        both = ~np.isnan(y[a]) & ~np.isnan(y[b])
        if both.any():
            own = [flip[both] for flip in flips]
            p_people, p_metric = (slow_p(v[a][both], v[b][both], own) for v in (y, x))
            terms.append(1 - abs(p_people - p_metric))
    return np.mean(terms)


def judged(seed, systems, segments, missing=0.0):
    rng = np.random.default_rng(seed)
    y = rng.normal(0, 1, size=(systems, segments)) + np.linspace(0, 1, systems)[:, None]
    x = np.stack([y + rng.normal(0, spread, size=y.shape) for spread in (0.5, 3)])
    y[rng.random(y.shape) < missing] = np.nan
    return x, y


@pytest.mark.parametrize(("seed", "missing"), [(0, 0.0), (1, 0.3), (2, 0.3)])
def test_with_all_sign_flips_as_by_definition(seed, missing):
    x, y = judged(seed, 4, 8, missing)
    flips = [np.array(flip) for flip in itertools.product([False, True], repeat=8)]
    expected = [slow_spa(scores, y, flips) for scores in x]
    np.testing.assert_allclose(soft_pairwise_accuracy(x, y), expected, atol=1e-12)


def test_with_some_sign_flips_close_to_the_definition():
    x, y = judged(7, 4, 60, 0.1)
    rng = np.random.default_rng(3)
    flips = list(rng.random((1000, 60)) < 0.5)
    expected = [slow_spa(scores, y, flips) for scores in x]
    found = soft_pairwise_accuracy(x, y, permutations=1000)
    np.testing.assert_allclose(found, expected, atol=0.04)


def test_the_normal_distribution_is_scipys():
    z = np.concatenate([np.linspace(-38, 38, 2001), [-1e-9, 0.0, 1e-9]])
    found = pairwise_accuracy._normal(z, np.ones_like(z))
    assert found == pytest.approx(scipy.stats.norm.sf(z), rel=1e-12, abs=1e-300)


def test_by_normal_distributions_close_to_the_permutations():
    x, y = judged(9, 5, 300, 0.1)
    exact = soft_pairwise_accuracy(x, y, permutations=5000)
    np.testing.assert_allclose(soft_measurement(x, y).values, exact, atol=0.01)
    # Neither depends on the scale of the metric.
    np.testing.assert_allclose(soft_measurement(100 * x - 7, y).values, exact, atol=0.01)


@pytest.mark.parametrize("seed", range(3))
def test_the_normal_distributions_are_the_same_by_sums_and_by_products(seed):
    x, y = judged(seed, 5, 30, 0.3)
    y[0, 1:], y[:2, 0] = np.nan, 1.0  # one segment alone has scores of the first and the second
    found = soft_values(standardised(x, ~np.isnan(y)), y, sign_flip_p(y))
    np.testing.assert_allclose(found, soft_measurement(x, y).values, atol=1e-12)


@pytest.mark.parametrize("segments", [8, 40])
def test_ties_count_one_half_so_that_no_order_of_systems_matters(segments):
    """Few grades make many flips tie; those of mt-metrics-eval differ by order then."""
    x, y = (np.rint(scores) for scores in judged(3, 5, segments))
    found = soft_pairwise_accuracy(x, y)
    for order in ([4, 3, 2, 1, 0], [2, 0, 4, 1, 3]):
        assert soft_pairwise_accuracy(x[:, order], y[order]).tolist() == found.tolist()
        by_normal = soft_measurement(x[:, order], y[order]).values
        np.testing.assert_allclose(by_normal, soft_measurement(x, y).values, atol=1e-12)
    if segments == 8:
        flips = [np.array(flip) for flip in itertools.product([False, True], repeat=8)]
        np.testing.assert_allclose(found, [slow_spa(scores, y, flips) for scores in x])


@pytest.mark.parametrize("side", ["metric", "humans"])
def test_who_tells_no_outputs_apart_has_no_value(side):
    x, y = judged(5, 3, 20)
    x[0], y = (1.0, y) if side == "metric" else (x[0], np.ones_like(y))
    none = [True, side == "humans"]
    exact, by_sums = soft_pairwise_accuracy(x, y), soft_measurement(x, y).values
    for values in (exact, by_sums, soft_values(x, y, sign_flip_p(y))):
        assert np.isnan(values).tolist() == none


def test_nothing_judged_in_common_has_no_value():
    y = np.array([[1.0, np.nan], [np.nan, 1.0]])
    assert np.isnan(soft_pairwise_accuracy(y[None], y)).all()
    assert np.isnan(soft_measurement(np.ones((1, 2, 2)), y).values).all()


def test_in_the_table_with_interval_and_permutation_test():
    x, y = judged(11, 4, 150)
    system, segment = map(np.ravel, np.indices(y.shape))
    people = HumanScores(tuple("abcd"), 150, system, segment, y.ravel(), 0 * system)
    metrics = [
        MetricScores(name, np.stack([scores, np.ones_like(scores)], axis=-1), _mean)
        for name, scores in zip(("near", "far"), x, strict=True)
    ]
    result = meta(metrics, people, by="system.spa", resamples=100)
    sampled = result.statistics["system.spa"]
    np.testing.assert_allclose(sampled.values, soft_pairwise_accuracy(x, y))
    for number in range(2):
        interval = sampled.interval(number)
        assert 0 < interval.low <= interval.high <= 1
    assert 0 < result.p[0, 1] == result.p[1, 0] <= 1
    assert "within-segment.acc_eq" in result.statistics


def _mean(statistics):
    return statistics[..., 0] / statistics[..., 1]
