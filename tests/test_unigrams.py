"""Unigram precision, recall and F-measure."""

import random
from collections import Counter

import numpy as np
import pytest

from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric


def sentences(seed, count=400):
    rng = random.Random(seed)
    return [rng.choices("abcdefgh", k=rng.randint(0, 10)) for _ in range(count)]


def counts(hypothesis, reference):
    correct = sum((Counter(hypothesis) & Counter(reference)).values())
    return correct, len(hypothesis), len(reference)


def values(correct, output, reference, beta):
    p = correct / output if output else 0
    r = correct / reference if reference else 0
    f = (1 + beta**2) * p * r / (r + beta**2 * p) if p * r else 0
    return {"precision": p, "recall": r, f"fmeasure(beta={beta})": f}


@pytest.mark.parametrize("beta", [0.5, 1.0, 3.0])
def test_same_as_the_slow_way(beta):
    hypotheses, references = sentences(1), sentences(2)
    rows = [counts(*pair) for pair in zip(hypotheses, references, strict=True)]
    total = values(*np.sum(rows, axis=0).tolist(), beta)
    for name in total:
        result = metric(name).score(hypotheses, references)
        expected = [values(*row, beta)[name] for row in rows]
        np.testing.assert_allclose(result.sentence, expected, atol=1e-12)
        assert result.corpus == pytest.approx(total[name])


def test_the_best_reference_counts():
    hypotheses, streams = sentences(1), [sentences(2), sentences(3), sentences(4)]
    for name in values(1, 1, 1, 2.0):
        result = metric(name).score(hypotheses, streams)
        for s, hypothesis in enumerate(hypotheses):
            best = max(values(*counts(hypothesis, stream[s]), 2.0)[name] for stream in streams)
            assert result.sentence[s] == pytest.approx(best)


def test_empty_sides_score_0():
    for name in ("precision", "recall", "fmeasure"):
        result = metric(name).score(["", "a", ""], ["a", "", ""])
        assert result.sentence.tolist() == [0, 0, 0]
        assert metric(name).score([""], [""]).corpus == 0


def test_counted_by_hand():
    reference = "that ensures that the military will forever heed Party commands"
    hypothesis = "which ensures that the military always obeys the commands of the party"
    result = metric("precision").score([hypothesis], [reference])
    assert result.statistics.tolist() == [[5, 12, 10]]


def test_beta():
    assert str(metric("fmeasure")) == "fmeasure(beta=1.0)"
    with pytest.raises(PreorderEvalError, match=r"fmeasure: beta=-1\.0 is not from 0 to 1000000"):
        metric("fmeasure(beta=-1)")
