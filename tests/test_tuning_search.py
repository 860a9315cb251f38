"""Exact search and hill climbing."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.meta_evaluation.tuning.search import (
    exact_search,
    hill_climb,
    line_search,
    share_above,
    starting_points,
)
from preorder_eval.meta_evaluation.tuning.space import Space

lines = st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=1, max_size=12)


def count_above(own, at):
    return sum(start + slope * at > 0 for start, slope in own)


@given(lines)
def test_line_search_is_brute_force_over_all_crossings(own):
    crossings = {Fraction(-start, slope) for start, slope in own if slope}
    borders = sorted({Fraction(0), Fraction(1), *(c for c in crossings if 0 < c < 1)})
    spans = list(itertools.pairwise(borders))
    counts = [count_above(own, (low + high) / 2) for low, high in spans]
    found = line_search(*np.array(own, dtype=float).T, 0, 1)
    assert found.value == max(counts)
    best = [span for span, count in zip(spans, counts, strict=True) if count == max(counts)]
    assert np.allclose(found.intervals, np.array(best, dtype=float))
    # And no setting at all is better, borders included.
    assert found.value >= max(count_above(own, Fraction(i, 60)) for i in range(1, 60))
    assert all(count_above(own, border) <= max(counts) for border in borders[1:-1])


def test_an_interval_that_is_only_rounding_is_passed_over():
    starts, slopes = np.array([-0.5, 0.5 + 1e-13]), np.array([1.0, -1.0])
    assert line_search(starts, slopes, 0, 1).value == 1


def test_the_setting_is_the_middle_with_few_digits():
    space = Space.of("nkt(alpha=?)")
    # One pair needs alpha > 0.3117, another alpha < 0.4021.
    own = np.array([[-0.3117, 0.4021], [1.0, -1.0]])
    found = exact_search(space, own, [space.default])
    assert found.value == 1
    assert found.point.tolist() == [0.4]
    [(low, high)] = found.intervals
    assert (low.tolist(), high.tolist()) == ([0.3117], [0.4021])


@pytest.mark.parametrize("seed", range(5))
def test_with_several_parameters_no_direction_helps_any_more(seed):
    rng = np.random.default_rng(seed)
    space = Space.of("ribes(alpha=?,beta=?)")
    own = rng.normal(size=(3, 25))
    starts = starting_points(space, 3, seed)
    found = exact_search(space, own, starts)
    assert found.value == share_above(own, found.point)
    assert found.value >= max(share_above(own, start) for start in starts)
    for direction in space.directions:
        for steps in np.linspace(*space.span(found.point, direction), 40):
            assert share_above(own, space.walk(found.point, direction, steps)) <= found.value


def test_hill_climbing_reaches_the_top_of_a_hill():
    space = Space.of("hlepor(weights=?)")
    top = np.array([1.0, 1.5, 3.5])

    def value(point):
        return -np.square(point - top).sum()

    found = hill_climb(space, value, starting_points(space, 3, seed=1))
    assert found.point == pytest.approx(top, abs=0.02)
    assert found.value == value(found.point)
    assert found.intervals == ()


def test_restarts_get_over_a_local_maximum():
    space = Space.of("nkt(alpha=?)")

    def value(point):
        return 2.0 if 0.9 < point[0] < 0.95 else -abs(point[0])

    assert hill_climb(space, value, starting_points(space, 1, 0)).value == 0
    assert hill_climb(space, value, starting_points(space, 40, 0)).value == 2


def test_where_nothing_is_defined_the_value_is_the_lowest():
    space = Space.of("nkt(alpha=?)")
    found = hill_climb(space, lambda point: np.nan, starting_points(space, 2, 0))
    assert found.value == -np.inf


def test_the_first_start_is_the_default_and_the_others_depend_on_the_seed():
    space = Space.of("ribes(alpha=?,beta=?)")
    first, second, other = (starting_points(space, 4, seed) for seed in (0, 0, 1))
    assert first[0].tolist() == [0.25, 0.1]
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)
