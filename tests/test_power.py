"""The smallest differences that a set of sentences can show."""

import json
import math

import numpy as np
import pytest

from preorder_eval.errors import PreorderEvalError
from preorder_eval.results.evaluation import score
from preorder_eval.results.power import power_table, power_text

REF = ["a b c d"] * 60
OUTPUTS = {
    "same": ["a b c d", "a b x y"] * 30,
    "worse": ["a b c x", "a b x y"] * 30,
    "mixed": ["a b x d", "a b c y"] * 30,
}


def test_it_is_2_8_standard_errors_of_the_difference():
    result = score(OUTPUTS, REF, ["per"], resamples=2000)
    header, rows = power_table(result)
    assert header == ["metric", "row", "column", "difference", "detectable"]
    sentences = np.array([result.sentence_scores(name) for name in OUTPUTS])
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert [tuple(row[1:3]) for row in rows] == [
        (list(OUTPUTS)[a], list(OUTPUTS)[b]) for a, b in pairs
    ]
    for (a, b), (*_, difference, smallest) in zip(pairs, rows, strict=True):
        apart = sentences[b] - sentences[a]
        assert difference == pytest.approx(apart.mean())
        error = math.sqrt(np.mean((apart - apart.mean()) ** 2) / len(apart))
        assert smallest == pytest.approx(2.8016 * error, rel=0.05)


def test_systems_that_no_sentence_tells_apart_have_none():
    result = score({"a": REF, "b": REF}, REF, ["per"], resamples=50)
    [row] = power_table(result)[1]
    assert row[-2:] == [0, None]
    assert power_text(result).splitlines()[2].split() == ["per", "a", "b", "+0.0000", "-"]


def test_it_takes_two_systems():
    with pytest.raises(PreorderEvalError, match="a question about two systems"):
        power_table(score({"a": REF}, REF, ["per"]))


def test_evaluate_tells_it(run):
    command = ["evaluate", "--reference", "en-ja", "--parser", "gold", "--power"]
    command += ["--rules", "none", "--rules", "en-ja", "--resamples", 50]
    code, out, err = run(*command)
    assert (code, err) == (0, "")
    assert "The smallest differences that these 300 sentences can show:" in out
    found = json.loads(run(*command, "--json")[1])["power"]
    assert [own["metric"] for own in found] == ["fuzzy(match=word)", "kendall"]
    assert 0 < found[0]["detectable"] < 0.1 < found[0]["difference"]
    last = run(*command, "--tsv")[1].split("\n\n")[-1].splitlines()
    assert last[0].split("\t") == list(found[0])
    assert len(last) == 3
    one = run("evaluate", "--parser", "gold", "--rules", "none", "--power")
    assert one[0] == 2
    assert "a question about two systems" in one[2]
