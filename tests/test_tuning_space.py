"""Which parameters are free, and where they can go."""

import numpy as np
import pytest

from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.tuning.space import Space, shortest


def test_a_point_makes_a_metric():
    space = Space.of("ribes(alpha=?, beta=?0..3, lower=false)")
    assert str(space.metric([0.5, 2.5])) == "ribes(alpha=0.5,beta=2.5,lower=false)"
    assert space.low.tolist() == [0, 0]
    assert space.high.tolist() == [1, 3]
    assert space.default.tolist() == [0.25, 0.1]
    assert space.signature == "ribes(alpha=?,beta=?0..3,lower=false)"


def test_a_name_of_birch_and_osborne():
    space = Space.of("LR-HB1(alpha=?)")
    assert str(space.metric([0.25])) == "lrscore(distance=hamming,ngram=1,alpha=0.25)"


def test_shared_settings_hold_where_nothing_else_is_said():
    assert Space.of("nkt(alpha=?)", tokenize="char").signature == "nkt(alpha=?,tokenize=char)"
    own = Space.of("nkt(alpha=?,tokenize=13a)", tokenize="char")
    assert own.signature == "nkt(alpha=?,tokenize=13a)"


@pytest.mark.parametrize(
    ("signature", "total"),
    [("lepor(alpha=?,beta=?)", 10), ("hlepor(weights=?)", 6), ("nlepor(weights=?:?:?)", 3)],
)
def test_free_ratios_keep_the_sum_of_their_defaults(signature, total):
    space = Space.of(signature)
    rng = np.random.default_rng(0)
    points = [space.default, *space.corners(), *(space.random(rng) for _ in range(5))]
    for point in points:
        assert sum(point) == pytest.approx(total)
        for direction in space.directions:
            for steps in space.span(point, direction):
                end = space.walk(point, direction, steps)
                assert sum(end) == pytest.approx(total)
                assert end.min() >= 0


@pytest.mark.parametrize("signature", ["hlepor(weights=?:?:1)", "hlepor(weights=?0..2:?:?)"])
def test_ratios_that_are_not_all_free_do_not(signature):
    space = Space.of(signature)
    assert space.sums == ()
    assert (space.directions == np.eye(len(space.parameters))).all()


def test_a_walk_stays_inside():
    space = Space.of("ribes(alpha=?,beta=?)")
    low, high = space.span(np.array([0.25, 0.1]), np.array([1.0, 0.0]))
    assert (low, high) == (-0.25, 0.75)
    assert space.walk(np.array([0.25, 0.1]), np.array([1.0, 0.0]), 2).tolist() == [1, 0.1]


@pytest.mark.parametrize(
    ("signature", "error"),
    [
        ("lrscore(alpha=0.3)", "no parameter is free.*lrscore has alpha"),
        ("wer", "no parameter is free.*wer has none"),
        ("lrscore(apha=?)", "unknown parameter of lrscore 'apha' .did you mean 'alpha'"),
        ("lrscore(ngram=?)", "ngram=. cannot be fitted.*lrscore has alpha"),
        ("ribes(lower=?)", "lower=. cannot be fitted.*ribes has alpha, beta"),
        ("nkt(alpha=?0..2)", "alpha=2.0 is not from 0 to 1"),
        ("nkt(alpha=?1..0)", "is not . or a range such as"),
        ("nkt(alpha=?0..inf)", "is not . or a range such as"),
        ("nkt(alpha=0?)", "is not . or a range such as"),
        ("nkt(alpha=?,alpha=?)", "is not one key=value"),
        ("lepor(alpha=?,beta=0)", "must not both be 0"),
        ("hlepor(weights=?:?)", "is not 3 weights"),
        ("hlepor(weights=?:x:1)", "is not 3 weights"),
        ("fuzzy(match=?)", "match=. cannot be fitted.*fuzzy has none"),
        ("nktt(alpha=?)", "unknown metric 'nktt' .did you mean 'nkt'"),
        ("nkt(alpha=?", "is not written as name"),
    ],
)
def test_what_cannot_be_fitted_is_one_line(signature, error):
    with pytest.raises(PreorderEvalError, match=error) as caught:
        Space.of(signature)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("width", [1.0, 0.01, 1e-6])
def test_the_shortest_number_stays_inside(width):
    middle = 0.123456789
    low, high = middle - width / 2, middle + width / 2
    found = shortest(middle, low, high)
    assert low < found < high
    digits = len(str(found)) - 2
    assert not low < round(middle, digits - 1) < high or digits == 1
