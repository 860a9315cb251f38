"""RIBES 1.03.1."""

import itertools
import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from published import ISOZAKI_SENTENCES

from preorder_eval.data.segments import Segments
from preorder_eval.metrics import metric

PEER = json.loads((Path(__file__).parent / "data/peers_ribes.json").read_text())["rows"]


def occurrences(ngram, words):
    return [i for i in range(len(words)) if words[i : i + len(ngram)] == ngram]


def place(i, hypothesis, reference):
    """The reference position of hypothesis word i: ever longer n-grams, left before right."""
    for more in range(len(hypothesis)):
        for start, stop in ((i - more, i + 1), (i, i + more + 1)):
            if start >= 0 and stop <= len(hypothesis):
                ngram = hypothesis[start:stop]
                there = occurrences(ngram, reference)
                if len(there) == len(occurrences(ngram, hypothesis)) == 1:
                    return there[0] + i - start
    return None


def slow_ribes(hypothesis, reference, alpha=0.25, beta=0.1):
    if not hypothesis or not reference:
        return 0
    places = [place(i, hypothesis, reference) for i in range(len(hypothesis))]
    places = [p for p in places if p is not None]
    n = len(places)
    if n == 1 == len(reference):
        nkt = 1
    elif n < 2:
        return 0
    else:
        nkt = sum(a < b for a, b in itertools.combinations(places, 2)) / math.comb(n, 2)
    bp = min(1, math.exp(1 - len(reference) / len(hypothesis)))
    return nkt * (n / len(hypothesis)) ** alpha * bp**beta


@pytest.mark.parametrize("row", PEER, ids=lambda row: row[1][:20])
def test_same_as_ribes_py(row):
    reference, hypothesis, ribes, nkt, precision, bp = row
    values = {(0.25, 0.1): ribes, (0, 0): nkt}
    values |= {(1, 0): nkt * precision, (0, 1): nkt * bp, (0.5, 2): nkt * precision**0.5 * bp**2}
    for (alpha, beta), expected in values.items():
        chosen = metric("ribes", alpha=alpha, beta=beta, lower=False)
        assert chosen.score([hypothesis], [reference]).corpus == pytest.approx(expected, abs=1e-12)


def test_the_corpus_value_is_the_mean_of_sentences():
    references, hypotheses, values = ([row[i] for row in PEER] for i in range(3))
    result = metric("ribes(lower=false)").score(hypotheses, references)
    np.testing.assert_allclose(result.sentence, values, atol=1e-12)
    assert result.corpus == pytest.approx(np.mean(values))


def test_same_as_the_slow_way():
    rng = random.Random(5)
    pairs = []
    for _ in range(1500):
        letters = "abcdefgh"[: rng.randint(1, 8)]
        reference = rng.choices(letters, k=rng.randint(0, 14))
        cut = rng.randint(0, len(reference))
        middle = rng.choices(letters, k=rng.randint(0, 3))
        pairs.append(([*reference[cut:], *middle, *reference[: rng.randint(0, cut)]], reference))
    hypotheses, references = map(list, zip(*pairs, strict=True))
    expected = [slow_ribes(*pair) for pair in pairs]
    result = metric("ribes").score(hypotheses, references)
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)
    # With a second reference the better one counts, sentence by sentence.
    others = references[1:] + references[:1]
    second = [slow_ribes(*pair) for pair in zip(hypotheses, others, strict=True)]
    both = metric("ribes").score(hypotheses, [references, others])
    np.testing.assert_allclose(both.sentence, np.maximum(expected, second), atol=1e-12)


def test_long_and_repetitive_sentences():
    hypotheses = ["a b " * 12 + "c " + "a b " * 6, "a " * 30]
    references = ["a b " * 6 + "c " + "a b " * 12, "a " * 29]
    pairs = zip(hypotheses, references, strict=True)
    expected = [slow_ribes(*(text.split() for text in pair)) for pair in pairs]
    assert metric("ribes").score(hypotheses, references).sentence == pytest.approx(expected)


def test_the_wider_context_changes_the_papers_example():
    reference, hypothesis = ISOZAKI_SENTENCES[2][:2]
    assert metric("ribes").score([hypothesis], [reference]).corpus == pytest.approx(
        0.3091, abs=5e-5
    )


def test_lower_cases_by_default():
    texts = ["The dog Sees the Cat"], ["the dog sees THE cat"]
    assert str(metric("ribes")) == "ribes(alpha=0.25,beta=0.1)"
    assert metric("ribes").score(*texts).corpus == 1
    assert metric("ribes(lower=false)").score(*texts).corpus == 0


def test_empty_sides_and_one_word_references():
    hypotheses = ["", "a", "", "a", "a b", "a", "b"]
    references = ["a b", "", "", "a", "a", "a b", "a"]
    result = metric("ribes").score(hypotheses, references)
    assert result.sentence.tolist() == pytest.approx([0, 0, 0, 1, 0.5**0.25, 0, 0])


def test_an_empty_reference_among_others_is_left_out():
    segments = Segments.of(["a b", "a b"], [["", "b a c"], ["a b", ""]])
    assert metric("ribes").score(segments).sentence.tolist() == [1, 0]
