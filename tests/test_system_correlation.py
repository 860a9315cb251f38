"""Outliers and groups of metrics."""

import numpy as np
import pytest

from preorder_eval.stats.system_correlation import groups, outliers


def test_the_outlier_of_wmt22():
    """Mean standardised scores of WMT 2022, Japanese–English, as published with the data."""
    means = [0.069, 0.068, 0.059, 0.054, 0.049, 0.046, 0.016, 0.006, 0.006, -0.018, -0.021]
    means += [-0.036, -0.056, -1.285]
    assert outliers(np.array(means)) == [13]


def test_the_rule_is_two_and_a_half_scaled_deviations():
    scores = np.array([-2.0, -1.0, 0.0, 1.0, 2.0, 0.0])
    edge = 2.5 * 1.483 * np.median(np.abs(scores))
    assert outliers(np.append(scores, edge - 0.3)) == []
    assert outliers(np.append(scores, edge + 0.3)) == [6]


@pytest.mark.parametrize("scores", [[1.0], [1.0, 5.0], [1.0, 1.0, 1.0, 9.0]])
def test_without_spread_there_are_no_outliers(scores):
    assert outliers(np.array(scores)) == []


def test_a_group_ends_at_the_first_difference_from_any_of_its_members():
    p = np.ones((5, 5))
    for a, b in ((0, 2), (1, 4), (2, 4), (3, 4)):
        p[a, b] = p[b, a] = 0.01
    assert groups(p, [0, 1, 2, 3, 4]) == [1, 1, 2, 2, 3]
    assert groups(p, [0, 3, 1, 2, 4]) == [1, 1, 1, 2, 3]
    assert groups(np.full((2, 2), np.nan), [0, 1]) == [1, 1]
    assert groups(p, []) == []
