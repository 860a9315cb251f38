"""METEOR."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from nltk.translate.meteor_score import exact_match
from slow_matching import fewest

from preorder_eval.errors import UnknownNameError
from preorder_eval.metrics.meteor import Meteor

PEERS = json.loads((Path(__file__).parent / "data/peers_lexical.json").read_text())
# Pairs with many repeated words, where METEOR 1.5's beam search ends with more chunks.
BEAM = ("w6 w5 w2 w2", "w6 w7 w3 w3", "w0 w5 w3 w2")


def formula(hypothesis, reference, alpha, beta, gamma):
    matches, chunks = fewest(hypothesis, reference)
    if not matches:
        return 0
    precision, recall = matches / len(hypothesis), matches / len(reference)
    f = precision * recall / (alpha * precision + (1 - alpha) * recall)
    return f * (1 - gamma * (chunks / matches) ** beta)


@pytest.mark.parametrize("row", PEERS["rows"], ids=lambda row: row[1][:20])
def test_same_as_meteor_1_5(row):
    reference, hypothesis, *_, newer, older = row
    newer_score = Meteor("1.5").score([hypothesis], [reference]).corpus
    score = Meteor().score([hypothesis], [reference]).corpus
    if reference.startswith(BEAM):
        assert newer_score > newer + 0.01
        assert score > older + 0.01
        return
    assert newer_score == pytest.approx(newer, rel=1e-9)
    if hypothesis == reference:  # the tool does not punish them with any parameters
        assert older == 1
        assert score == pytest.approx(1 - 0.5 / len(reference.split()) ** 3)
    else:
        assert score == pytest.approx(older, rel=1e-9)


@pytest.mark.parametrize("row", PEERS["rows"], ids=lambda row: row[1][:20])
def test_the_beam_of_meteor_1_5(row):
    reference, hypothesis, *_, newer, older = row
    score = Meteor("1.5", beam=40).score([hypothesis], [reference]).corpus
    assert score == pytest.approx(newer, rel=1e-9)
    if hypothesis != reference:
        score = Meteor(beam=40).score([hypothesis], [reference]).corpus
        assert score == pytest.approx(older, rel=1e-9)


def test_stems_in_the_beam():
    hypothesis, reference = "He walked to the houses", "he walks to the house"
    [counts] = Meteor("1.5", stem=True, beam=40).score([hypothesis], [reference]).statistics
    assert counts.tolist() == [3.5, 5, 0, 5, 5, 1]
    [counts] = Meteor("1.5", beam=40).score([hypothesis], [reference]).statistics
    assert counts.tolist() == [2, 2, 1, 5, 5, 1]


@pytest.mark.slow
def test_a_beam_over_too_many_places_is_given_up():
    text = " ".join(["a"] * 600)
    result = Meteor(beam=40).score([text, "a b"], [text + " b", "a b"])
    assert result.statistics.tolist() == [[600, 600, 1, 600, 601, 0], [2, 2, 1, 2, 2, 1]]


def test_identical_sentences_have_no_chunk_in_a_corpus():
    score = Meteor("1.5").score(["a b c", "c d x a b"], ["a b c", "a b c d e"]).corpus
    assert score == pytest.approx(0.7690, abs=5e-5)  # as METEOR 1.5 prints it


@pytest.mark.parametrize("seed", range(6))
def test_same_as_all_alignments(seed):
    rng = random.Random(seed)
    words = "abcde"[: rng.randint(1, 5)]
    sides = [[rng.choices(words, k=rng.randint(0, 6)) for _ in range(40)] for _ in range(3)]
    both = [
        [formula(*pair, 0.9, 3, 0.5) for pair in zip(sides[0], side, strict=True)]
        for side in sides[1:]
    ]
    result = Meteor().score(sides[0], sides[1:])
    np.testing.assert_allclose(result.sentence, np.max(both, axis=0), atol=1e-12)
    newer = Meteor("1.5").score(sides[0], sides[1]).sentence
    expected = [
        1 if h == r != [] else formula(h, r, 0.75, 1.4, 0.7)
        for h, r in zip(sides[0], sides[1], strict=True)
    ]
    np.testing.assert_allclose(newer, expected, atol=1e-12)


def test_equations_2_18_and_2_19():
    # 5 of 6 words match, in 2 chunks: P = 5/6, R = 5/5.
    score = Meteor().score(["c d e x a b"], ["a b c d e"]).corpus
    assert score == pytest.approx(10 * 5 / 6 / (1 + 9 * 5 / 6) * (1 - 0.5 * (2 / 5) ** 3))


def test_as_many_words_match_as_for_nltk():
    rng = random.Random(0)
    sides = [[rng.choices("abcdefgh", k=rng.randint(1, 15)) for _ in range(50)] for _ in range(2)]
    counted = Meteor().score(*sides).statistics[:, 1]
    nltk = [len(exact_match(h, r)[0]) for h, r in zip(*sides, strict=True)]
    assert counted.tolist() == nltk


def test_stems_match_too_and_count_half_in_1_5():
    hypothesis, reference = "He walked to the houses", "he walks to the house"
    exact = Meteor().score([hypothesis], [reference]).statistics[0]
    assert exact.tolist() == [2, 2, 1, 5, 5, 1]
    stem = Meteor(stem=True).score([hypothesis], [reference])
    assert stem.statistics[0].tolist() == [5, 5, 1, 5, 5, 1]
    assert stem.corpus == pytest.approx(1 - 0.5 / 5**3)
    newer = Meteor("1.5", stem=True).score([hypothesis], [reference])
    assert newer.statistics[0].tolist() == [3.5, 5, 0, 5, 5, 1]
    assert newer.corpus == pytest.approx(3.5 / 5)


def test_the_corpus_value_is_that_of_all_counts_together():
    result = Meteor().score(["a b c", "d x", "y"], ["c a b", "d", "z"])
    matches, chunks, hypothesis, reference = 4, 3, 6, 5
    f = matches / (0.9 * reference + 0.1 * hypothesis)
    assert result.corpus == pytest.approx(f * (1 - 0.5 * (chunks / matches) ** 3))


def test_undefined_cases_score_0():
    for version in ("original", "1.5"):
        result = Meteor(version).score(["", "a", "", "a"], ["a", "", "", "b"])
        assert result.sentence.tolist() == [0] * 4
        assert Meteor(version).score([""], [""]).corpus == 0


def test_an_unknown_version():
    with pytest.raises(UnknownNameError, match="meteor's version '2'"):
        Meteor("2")
