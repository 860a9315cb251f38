"""Scores as functions of parameters: the same as the metric's own everywhere."""

import numpy as np
import pytest
from judged_outputs import JudgedOutputs

from preorder_eval.meta_evaluation.tuning.curves import Finished, Lines, Rescored, curves
from preorder_eval.meta_evaluation.tuning.space import Space

LINES = [
    "LR-HB1(alpha=?)",
    "LR-HB4(alpha=?)",
    "LR-KB1(alpha=?)",
    "LR-KB4(alpha=?0.2..0.7)",
    "nkt(alpha=?)",
    "nkt(alpha=?,bp=true)",
    "nkt(alpha=?,modifier=recall,power=2)",
    "nkt(alpha=0.5,root=true,power=?)",
    "nsr(alpha=?)",
    "ribes(alpha=?,beta=?)",
    "ribes(alpha=0.3,beta=?0..5)",
    "lepor(alpha=?,beta=?)",
    "lepor(alpha=?)",
    "lepor(alpha=?,beta=3,system=B)",
    "hlepor(alpha=?,beta=?)",
    "hlepor(weights=?)",
    "hlepor(weights=?:?:1)",
    "hlepor(weights=?1..2:?:?,alpha=5)",
]
OTHERS = {
    "nlepor(weights=?)": Finished,
    "hlepor(weights=?,alpha=?,beta=?)": Rescored,
    "nlepor(alpha=?)": Rescored,
    "nkt(alpha=?,root=true)": Rescored,
    "nkt(alpha=1,modifier=fmeasure,beta=?)": Rescored,
    "modifier(kind=fmeasure,beta=?)": Rescored,
    "fmeasure(beta=?)": Finished,
    "fmeasure(beta=?,jackknife=true)": Finished,
    "rouge_l(beta=?)": Rescored,
    "gtm(e=?)": Rescored,
}


@pytest.fixture(scope="module")
def data():
    return {number: JudgedOutputs(references=number) for number in (1, 2)}


def assert_same_scores(found, space, data):
    rng = np.random.default_rng(3)
    for point in [space.default, *(space.random(rng) for _ in range(4))]:
        wanted = data.scores(space.metric(point))
        assert found.scores(point) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("signature", LINES)
def test_lines(data, signature):
    space = Space.of(signature)
    found = curves(space, 1, data[1].score)
    assert isinstance(found, Lines)
    assert_same_scores(found, space, data[1])


@pytest.mark.parametrize("signature", LINES)
def test_lines_put_outputs_in_the_order_of_their_scores(data, signature):
    space = Space.of(signature)
    found = curves(space, 1, data[1].score)
    point = space.random(np.random.default_rng(5))
    heights, scores = found.heights(point), data[1].scores(space.metric(point))
    higher = heights[:2] - heights[1:] > 1e-9
    assert (higher == (scores[:2] - scores[1:] > 1e-9)).all()


@pytest.mark.parametrize("signature", OTHERS)
def test_what_draws_no_lines(data, signature):
    space = Space.of(signature)
    found = curves(space, 1, data[1].score)
    assert type(found) is OTHERS[signature]
    assert_same_scores(found, space, data[1])


@pytest.mark.parametrize(
    ("signature", "lines"),
    [
        ("LR-KB4(alpha=?)", True),
        ("hlepor(weights=?)", True),
        ("nkt(alpha=?)", False),
        ("ribes(alpha=?,beta=?)", False),
        ("hlepor(alpha=?,beta=?)", False),
    ],
)
def test_the_best_of_two_references_is_no_line_where_parameters_choose_it(data, signature, lines):
    space = Space.of(signature)
    found = curves(space, 2, data[2].score)
    assert isinstance(found, Lines) == lines
    assert_same_scores(found, space, data[2])


def test_nothing_is_scored_again_for_a_setting_that_was_just_tried(data):
    calls = []

    def score(metric):
        calls.append(metric)
        return data[1].score(metric)

    space = Space.of("rouge_l(beta=?)")
    found = curves(space, 1, score)
    before = len(calls)
    assert (found.scores(space.default) == found.scores(space.default)).all()
    assert len(calls) == before + 1


def test_lines_are_drawn_through_as_few_points_as_can_be(data):
    calls = []

    def score(metric):
        calls.append(metric)
        return data[1].score(metric)

    curves(Space.of("ribes(alpha=?,beta=?)"), 1, score)
    assert len(calls) == 3
