"""Precision, recall, F-measure, word error rate and position-independent error rate."""

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.metrics import metric

PEER = json.loads((Path(__file__).parent / "data/peers_wer.json").read_text())["rows"]


def edits(hypothesis, reference):
    """Levenshtein's distance by the textbook."""
    row = list(range(len(reference) + 1))
    for i, word in enumerate(hypothesis, 1):
        last, row = row, [i]
        for j, other in enumerate(reference, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (word != other)))
    return row[-1]


def common(hypothesis, reference):
    return (Counter(hypothesis) & Counter(reference)).total()


def bag_errors(hypothesis, reference):
    """|r| - correct + max(0, |h| - |r|), PER times |r|."""
    missing = len(reference) - common(hypothesis, reference)
    return missing + max(0, len(hypothesis) - len(reference))


def rate(part, whole):
    return part / max(whole, 1)


def f_measure(beta):
    def value(correct, output, reference):
        p, r = rate(correct, output), rate(correct, reference)
        return (1 + beta**2) * p * r / (r + beta**2 * p) if p * r else 0

    return value


def words(hypothesis, reference):
    return common(hypothesis, reference), len(hypothesis), len(reference)


# The counts of a sentence, and the value of counts.
SLOW = {
    "wer": (lambda h, r: (edits(h, r), len(r)), rate),
    "per": (lambda h, r: (bag_errors(h, r), len(r)), rate),
    "precision": (words, lambda correct, output, _: rate(correct, output)),
    "recall": (words, lambda correct, _, reference: rate(correct, reference)),
    "fmeasure": (words, f_measure(1)),
    "fmeasure(beta=3)": (words, f_measure(3)),
}
every = pytest.mark.parametrize("signature", SLOW)


def sentences(seed, count=300, shortest=0):
    rng = random.Random(seed)
    return [rng.choices("abcdefgh", k=rng.randint(shortest, 10)) for _ in range(count)]


@every
def test_same_as_the_slow_way(signature):
    counts, value = SLOW[signature]
    hypotheses, references = sentences(1), sentences(2)
    rows = [counts(*pair) for pair in zip(hypotheses, references, strict=True)]
    result = metric(signature).score(hypotheses, references)
    np.testing.assert_array_equal(result.statistics, rows)
    np.testing.assert_allclose(result.sentence, [value(*row) for row in rows], atol=1e-12)
    assert result.corpus == pytest.approx(value(*np.sum(rows, axis=0).tolist()))


@every
def test_the_best_reference_counts(signature):
    counts, value = SLOW[signature]
    hypotheses, streams = sentences(1), [sentences(n, shortest=1) for n in (2, 3, 4)]
    result = metric(signature).score(hypotheses, streams)
    for s, hypothesis in enumerate(hypotheses):
        rows = [counts(hypothesis, stream[s]) for stream in streams]
        if signature in ("wer", "per"):  # the fewest errors, of these the longest reference
            nearest = min(rows, key=lambda row: (row[0], -row[1]))
            assert result.statistics[s].tolist() == list(nearest)
        else:
            assert result.sentence[s] == pytest.approx(max(value(*row) for row in rows))


@pytest.mark.parametrize("row", PEER, ids=lambda row: row[1][:20])
def test_wer_same_as_jiwer(row):
    reference, hypothesis, edits, wer = row
    result = metric("wer").score([hypothesis], [reference])
    assert result.statistics.tolist() == [[edits, len(reference.split())]]
    assert result.corpus == pytest.approx(wer, abs=1e-12)
