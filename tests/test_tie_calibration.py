"""acc_eq with calibrated ties, against the definition over all pairs and all ε."""

import itertools
from collections import defaultdict

import numpy as np
import pytest

from preorder_eval.data.judgments import HumanScores
from preorder_eval.meta_evaluation.statistic import Statistic, statistics_for
from preorder_eval.stats import tie_calibration
from preorder_eval.stats.bootstrap import bootstrap
from preorder_eval.stats.tie_calibration import tie_calibrated

GROUPINGS = ("segment", "within-system", "within-segment")


def slow_accuracy(grouping, x, y, threshold, margin=0.0):
    """C, D, T_h, T_m and T_hm of Deutsch et al. (2023) counted pair by pair."""
    groups = defaultdict(list)
    for system, segment in np.argwhere(~np.isnan(y)):
        group = {"segment": 0, "within-system": system, "within-segment": segment}[grouping]
        groups[group].append((x[system, segment], y[system, segment]))
    accuracies = []
    for outputs in groups.values():
        right, pairs = 0, 0
        for (a, h), (b, g) in itertools.combinations(outputs, 2):
            people = 0 if abs(h - g) <= margin else np.sign(h - g)
            metric = 0 if abs(a - b) <= threshold else np.sign(a - b)
            right += people == metric
            pairs += 1
        if pairs:
            accuracies.append(right / pairs)
    return np.mean(accuracies)


def slow_best(grouping, x, y, margin=0.0):
    known = x[~np.isnan(y)]
    thresholds = sorted({0.0, *(abs(a - b) for a, b in itertools.combinations(known, 2))})
    values = [slow_accuracy(grouping, x, y, threshold, margin) for threshold in thresholds]
    return max(values), thresholds[int(np.argmax(values))]


@pytest.fixture(params=range(6))
def data(request):
    """Whole numbers, so that people and metrics tie; some outputs are not judged."""
    rng = np.random.default_rng(request.param)
    y = rng.integers(0, 4, size=(4, 7)).astype(float)
    x = np.stack([y + rng.integers(-2, 3, size=y.shape), rng.integers(0, 9, size=y.shape)])
    y[rng.random(y.shape) < 0.2] = np.nan
    return x.astype(float), y


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("margin", [0.0, 1.0])
def test_same_as_by_definition(grouping, margin, data):
    x, y = data
    thresholds, measurement = tie_calibrated(grouping, x, y, margin)
    for scores, threshold, value in zip(x, thresholds, measurement.values, strict=True):
        best, first = slow_best(grouping, scores, y, margin)
        assert value == pytest.approx(best, abs=1e-12)
        assert threshold == pytest.approx(first)


@pytest.mark.slow
@pytest.mark.parametrize("grouping", GROUPINGS)
def test_where_only_some_thresholds_are_tried(grouping, data, monkeypatch):
    x, y = data
    exact = tie_calibrated(grouping, x, y).measurement.values
    monkeypatch.setattr(tie_calibration, "_EXACT", 0)
    thresholds, measurement = tie_calibrated(grouping, x, y)
    # Of whole numbers the sample has every difference that there is.
    np.testing.assert_allclose(measurement.values, exact, atol=1e-12)
    assert (thresholds >= 0).all()


def test_a_metric_of_fine_scores_is_not_favoured():
    """People tie half of the pairs: without calibration ties are never agreed on."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, size=(5, 40)).astype(float)
    x = y + rng.normal(0, 0.1, size=y.shape)
    assert slow_accuracy("within-segment", x, y, 0.0) < 0.6
    [threshold], measurement = tie_calibrated("within-segment", x[None], y)
    assert 0.2 < threshold < 0.9
    assert measurement.values[0] > 0.97


@pytest.mark.parametrize("grouping", ["segment", "within-system"])
def test_the_influence_is_the_derivative(grouping):
    """A segment drawn twice, computed anew at the same ε, against the tangent."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 5, size=(3, 120)).astype(float)
    x = (y + rng.normal(0, 2, size=y.shape))[None]
    [threshold], measurement = tie_calibrated(grouping, x, y)
    weights = np.ones(120)
    weights[[3, 50]] = 0, 2
    tangent = measurement.finish((measurement.statistics * weights[:, None]).sum(axis=1))[0]
    drawn = np.repeat(np.arange(120), weights.astype(int))
    anew = slow_accuracy(grouping, x[0][:, drawn], y[:, drawn], threshold)
    assert tangent == pytest.approx(anew, abs=2e-3)
    [sampled] = bootstrap([measurement], resamples=200)
    assert sampled.interval(0).low < measurement.values[0] < sampled.interval(0).high


def test_nothing_judged_twice_has_no_value():
    y = np.array([[1.0, np.nan], [np.nan, 1.0]])
    thresholds, measurement = tie_calibrated("within-segment", y[None], y)
    assert thresholds.tolist() == [0]
    assert np.isnan(measurement.values).all()


def test_the_statistics_by_name():
    system, segment = map(np.ravel, np.indices((3, 5)))
    score = np.arange(15.0) % 4
    people = HumanScores(("a", "b", "c"), 5, system, segment, score, 0 * system)
    named = {str(own): own for own in statistics_for(people)}
    for grouping in GROUPINGS:
        chosen = named[f"{grouping}.acc_eq"]
        assert chosen.costly == (grouping != "within-segment")
        x = people.means[None]
        assert chosen.measure(x, people, 0.0).values.tolist() == [1]
    assert not Statistic("system", "spa").over_systems
