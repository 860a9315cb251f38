"""How often each decision is printed, of equal systems and of systems with a known gain."""

from collections import Counter

import numpy as np
import pytest

from preorder_eval.results.comparison import compare
from preorder_eval.results.gates import judge, parse_gate
from preorder_eval.results.inputs import with_documents
from preorder_eval.results.scoring import score, score_inputs

WORDS = np.array(list("abcdefghijklmnopqrst"))
REPEATS = 60


def texts(rng, size, error, ties=0.0, documents=0):
    """References, and two outputs: words replaced with a chance of their own in each document."""
    reference = rng.choice(WORDS, (size, 12))
    shift = rng.normal(0, 0.08, (2, documents or 1)) * (documents > 0)
    of = np.arange(size) * max(documents, 1) // size
    outputs, same = [], rng.random(size) < ties
    for number, chance in enumerate((0.3, 0.3 + error)):
        wrong = rng.random(reference.shape) < (chance + shift[number, of])[:, None]
        outputs.append(np.where(wrong, "x", reference))
        outputs[number][same] = outputs[0][same]
    lines = [[" ".join(row) for row in each] for each in (reference, *outputs)]
    return lines[0], lines[1], lines[2], [f"d{n}" for n in of]


def checked(result):
    """The verdict's decision, held against its mark, interval, gate, JSON and words."""
    [difference, comparison] = result.difference(0, 1), compare(result)
    found, facts = result.found, result.to_dict()["verdict"]
    decision, mark = found.decision, difference.mark
    assert facts["decision"] == decision == comparison.found.decision
    assert (decision.direction != 0) == mark.endswith("**")
    if decision.leaning:
        assert mark[0] == "+-"[decision.leaning < 0]
    interval = difference.at_95
    if decision.direction:
        assert not interval.low <= 0 <= interval.high
    failed, _ = judge(comparison, [parse_gate(f"{result.metrics[0].name}:0")])
    assert bool(failed) == (decision.direction < 0)
    told = {"better": "better than", "worse": "worse than"}.get(decision.kind, "No ")
    assert told in result.verdict
    assert facts["differing"] >= 6 or not decision.direction
    return decision


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["per", "bleu"])
@pytest.mark.parametrize(
    ("size", "ties", "documents"),
    [
        (5, 0, 0),
        (10, 0, 0),
        (20, 0, 0),
        (20, 0.8, 0),
        (50, 0, 0),
        (50, 0.8, 0),
        (250, 0, 0),
        (250, 0, 25),
    ],
)
def test_equal_systems_are_rarely_told_apart(size, ties, documents, metric, tmp_path):
    """Of 60 pairs 3 are expected at most; 9 have a chance of .3%."""
    found = Counter()
    for trial in range(REPEATS):
        rng = np.random.default_rng([trial, size])
        reference, base, new, of = texts(rng, size, 0.0, ties, documents)
        result = score({"base": base, "new": new}, reference, [metric], resamples=50, seed=trial)
        if documents:
            (tmp_path / "d").write_text("\n".join(of) + "\n")
            inputs = with_documents(result.inputs, tmp_path / "d")
            result = score_inputs(inputs, [metric], sampling=result.sampling)
        found[checked(result).direction != 0] += 1
    assert found[True] <= (0 if size == 5 else 8)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "least"), [(20, 0.3), (50, 0.8), (250, 1.0)])
def test_a_known_gain_is_found(size, least):
    """Errors fall from 40% to 30% of words: more sentences find it more often."""
    found = Counter()
    for trial in range(REPEATS):
        reference, new, base, _ = texts(np.random.default_rng([trial, 7]), size, 0.1)
        result = score({"base": base, "new": new}, reference, ["per"], resamples=50, seed=trial)
        found[checked(result).leaning] += 1
    assert found[1] >= least * REPEATS
    assert found[-1] <= 1


@pytest.mark.slow
@pytest.mark.parametrize("systems", [1, 2, 10])
def test_of_equal_systems_none_is_called_best(systems):
    """The best of 10 is compared with 9 others, and each of these with it."""
    called = 0
    for trial in range(REPEATS):
        rng = np.random.default_rng([trial, 11])
        reference, *_ = texts(rng, 50, 0.0)
        words = np.array([line.split() for line in reference])
        outputs = {
            f"s{n}": [" ".join(row) for row in np.where(rng.random(words.shape) < 0.3, "x", words)]
            for n in range(systems)
        }
        result = score(outputs, reference, ["per"], resamples=50, seed=trial)
        called += bool(result.found.decision and result.found.decision.direction)
        called += bool(result.found.worse)
        if systems == 1:
            assert result.verdict == ""
    assert called <= 8
