"""Word error rate and position-independent error rate."""

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


def bag_errors(hypothesis, reference):
    """|r| - correct + max(0, |h| - |r|), from SPEC's PER times |r|."""
    correct = sum((Counter(hypothesis) & Counter(reference)).values())
    return len(reference) - correct + max(0, len(hypothesis) - len(reference))


SLOW = {"wer": edits, "per": bag_errors}
both = pytest.mark.parametrize("name", SLOW)


def sentences(seed, count=500):
    rng = random.Random(seed)
    return [rng.choices("abcdefgh", k=rng.randint(0, 10)) for _ in range(count)]


@pytest.mark.parametrize("row", PEER, ids=lambda row: row[1][:20])
def test_wer_same_as_jiwer(row):
    reference, hypothesis, edits, wer = row
    result = metric("wer").score([hypothesis], [reference])
    assert result.statistics.tolist() == [[edits, len(reference.split())]]
    assert result.corpus == pytest.approx(wer, abs=1e-12)


@both
def test_same_as_the_slow_way(name):
    hypotheses, references = sentences(1), sentences(2)
    result = metric(name).score(hypotheses, references)
    errors = np.array([SLOW[name](*pair) for pair in zip(hypotheses, references, strict=True)])
    lengths = np.array([len(reference) for reference in references])
    np.testing.assert_array_equal(result.statistics, np.stack([errors, lengths], axis=1))
    np.testing.assert_allclose(result.sentence, errors / np.maximum(lengths, 1))
    assert result.corpus == pytest.approx(errors.sum() / lengths.sum())


@both
def test_the_nearest_reference_counts(name):
    hypotheses, streams = sentences(1), [sentences(2), sentences(3), sentences(4)]
    result = metric(name).score(hypotheses, streams)
    for s, hypothesis in enumerate(hypotheses):
        found = [(SLOW[name](hypothesis, stream[s]), -len(stream[s])) for stream in streams]
        fewest, longest = min(found)
        assert result.statistics[s].tolist() == [fewest, -longest]


def test_per_is_at_most_wer():
    hypotheses, references = sentences(5), sentences(6)
    wer, per = (metric(name).score(hypotheses, references).sentence for name in ("wer", "per"))
    assert (per <= wer).all()
    assert (per < wer).any()


def test_per_equation():
    result = metric("per").score(["d c b a", "a b c d e f", "a b"], ["a b c d", "b c", "a b c d"])
    assert result.sentence.tolist() == [0, (6 - 2) / 2, 0.5]


@both
def test_empty_sides(name):
    result = metric(name).score(["", "a b", "", "a"], ["a b", "", "", "b"])
    assert result.sentence.tolist() == [1, 2, 0, 1]
    assert result.corpus == 5 / 3
    assert metric(name).score(["a b c"], [""]).corpus == 3
