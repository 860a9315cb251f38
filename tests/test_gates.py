"""Gates on comparisons: what fails, what a gate means, and what it is too blind to see."""

import numpy as np
import pytest
from small_orders import GOOD, SENTENCES, THREE, evaluated

from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.results.comparison import compare
from preorder_eval.results.gates import failures, insensitive, parse_gate
from preorder_eval.results.scoring import score


@pytest.fixture(scope="module")
def result():
    return evaluated(THREE)


def test_a_gate_fails_if_the_whole_interval_lies_below_it(result):
    compared = compare(result, systems=["good", "poor"])
    high = compared.metrics[0].difference.at_95.high
    assert high < -0.01
    for threshold, fails in ((0, True), (high + 1e-6, True), (high - 1e-6, False), (-1, False)):
        lines = failures(compared, [parse_gate(f"fuzzy:{threshold}")])
        assert bool(lines) == fails
    [line] = failures(compared, [parse_gate("fuzzy:-0.01"), parse_gate("kendall:-0.999")])
    value = -compared.metrics[0].difference.value
    assert line.startswith(f"gate fuzzy:-0.01 failed: fuzzy(match=word) fell by {value:.4f}, 95 %")
    assert not failures(compare(result, systems=["poor", "good"]), [parse_gate("fuzzy:0")])


def test_a_gate_of_an_error_rate_fails_where_it_rises():
    reference = ["a b c d"] * 20
    made = score({"good": reference, "poor": ["a b d c"] * 20}, reference, ["wer"], resamples=10)
    [line] = failures(compare(made, systems=["good", "poor"]), [parse_gate("wer:-0.01")])
    assert "wer rose by 0.5000" in line
    assert not failures(compare(made, systems=["good", "poor"]), [parse_gate("wer:-0.5")])
    assert not failures(compare(made, systems=["poor", "good"]), [parse_gate("wer:0")])


def test_a_gate_means_a_metric_by_signature_or_by_the_only_one_of_its_name(result):
    both = ["fuzzy(match=word)", "fuzzy(match=position)"]
    compared = compare(result, systems=["good", "poor"], metrics=both)
    [line] = failures(compared, [parse_gate("fuzzy(match=position):-0.01")])
    assert "fuzzy(match=position) fell" in line
    [line] = failures(compared, [parse_gate("fuzzy:-0.01")])  # as evaluate reads it
    assert "fuzzy(match=word) fell" in line
    compared = compare(result, systems=["good", "poor"], metrics=both[1:])
    [line] = failures(compared, [parse_gate("fuzzy:-0.01")])
    assert "fuzzy(match=position) fell" in line
    for unknown in ("kendall:-0.01", "fuzzy(match=word):-0.01", "fuzy:0"):
        with pytest.raises(UnknownNameError):
            failures(compared, [parse_gate(unknown)])


def test_a_gate_says_how_blind_it_is():
    rng = np.random.default_rng(7)
    systems = {name: [rng.permutation(5) for _ in range(SENTENCES)] for name in "ab"}
    compared = compare(evaluated(systems, resamples=100), systems=["a", "b"])
    seen = compared.detectable(0)
    [line] = insensitive(compared, [parse_gate("fuzzy:-0.005"), parse_gate("fuzzy:-0.9")])
    assert line.startswith(
        f"gate fuzzy:-0.005: with 29 sentences it sees falls of {seen + 0.005:.4f} or more"
    )
    worse = compare(evaluated(THREE), systems=["good", "poor"])
    assert failures(worse, [parse_gate("fuzzy:-0.005")])
    assert insensitive(worse, [parse_gate("fuzzy:-0.005")]) == []
    same = compare(evaluated({"a": GOOD, "b": GOOD}), systems=["a", "b"])
    assert insensitive(same, [parse_gate("fuzzy:0")]) == []


@pytest.mark.parametrize(
    "text",
    ["fuzzy", "fuzzy:", ":-0.1", "fuzzy:x", "fuzzy:0.005", "fuzzy:nan", "fuzzy:-inf", "", " :-1"],
)
def test_a_malformed_gate_says_how_to_write_one(text):
    with pytest.raises(PreorderEvalError, match=r"is not METRIC:NUMBER .* such as fuzzy:-0\.005"):
        parse_gate(text)
