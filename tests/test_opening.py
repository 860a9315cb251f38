import pytest

from preorder_eval.reporting.opening import opening, opening_pair
from preorder_eval.results.scoring import score


def test_metrics_have_short_names_and_axes_with_ends():
    outputs = {"one": ["a b c d e f"], "two": ["a"]}
    data = opening(score(outputs, ["a"], ["wer", "ribes(alpha=0.5)", "nist"], resamples=5), [2])
    assert [metric["short"] for metric in data["metrics"]] == ["wer", "ribes(alpha=0.5)", "nist"]
    assert [metric["higher"] for metric in data["metrics"]] == [False, True, True]
    assert data["metrics"][0]["ends"] == [0.0, 5.0], "as far as there are scores"
    assert data["metrics"][1]["ends"] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("sizes", "pair"), [([1], [0, None]), ([5], [0, 4]), ([1, 1], [0, 1]), ([3, 1, 4], [2, 7])]
)
def test_the_last_systems_of_the_runs_open(sizes, pair):
    assert opening_pair(sizes) == pair
