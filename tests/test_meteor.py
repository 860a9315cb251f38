"""METEOR, and the fewest chunks."""

import json
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from slow_matching import fewest

import preorder_eval as pe
from preorder_eval.metrics.outputs import meteor
from preorder_eval.metrics.outputs.meteor import Meteor, fewest_chunks

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

    def score(version="original"):
        exact = Meteor(version, "none", tokenize="none", lower=False)
        return exact.score([hypothesis], [reference]).corpus

    if hypothesis == reference:  # the tool does not punish them with any parameters
        assert (score("1.5"), older) == (1, 1)
        assert score() == pytest.approx(1 - 0.5 / len(reference.split()) ** 3)
        return
    if reference.startswith(BEAM):
        assert score("1.5") > newer + 0.01
        assert score() > older + 0.01
    else:
        assert score("1.5") == pytest.approx(newer, rel=1e-9)
        assert score() == pytest.approx(older, rel=1e-9)


@pytest.mark.parametrize(
    ("text", "language", "stem"),
    [
        ("Hunde laufen.", "", "english"),
        ("Hunde laufen.", "de_AT", "german"),
        ("Psi běží.", "cs", "none"),
        ("狗跑了。", "", "none"),
    ],
)
def test_stems_are_of_the_language(text, language, stem):
    result = pe.score([text], [text], ["meteor", "wer"], language=language, resamples=1)
    assert f"stem={stem}" in str(result.metrics[0])
    chosen = pe.score([text], [text], ["meteor(stem=french)"], language=language, resamples=1)
    assert "stem=french" in str(chosen.metrics[0])


def test_identical_sentences_have_no_chunk_in_a_corpus():
    score = Meteor("1.5", "none").score(["a b c", "c d x a b"], ["a b c", "a b c d e"]).corpus
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
    result = Meteor("original", "none").score(sides[0], sides[1:])
    np.testing.assert_allclose(result.sentence, np.max(both, axis=0), atol=1e-12)
    newer = Meteor("1.5", "none").score(sides[0], sides[1]).sentence
    expected = [
        1 if h == r != [] else formula(h, r, 0.75, 1.4, 0.7)
        for h, r in zip(sides[0], sides[1], strict=True)
    ]
    np.testing.assert_allclose(newer, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("chosen", "statistics", "corpus"),
    [
        (Meteor("original", "none", lower=False), [2, 2, 1, 5, 5, 1], 2 / 5 * (1 - 0.5 / 2**3)),
        (Meteor("original"), [5, 5, 1, 5, 5, 1], 1 - 0.5 / 5**3),
        (Meteor(), [4.2, 5, 0, 5, 5, 1], 4.2 / 5),
        (Meteor(lower=False), [3.2, 4, 1, 5, 5, 1], 3.2 / 5 * (1 - 0.6 * 0.25**0.2)),
        (Meteor("1.5", "italian"), [3, 3, 2, 5, 5, 1], 0.6 * (1 - 0.7 * (2 / 3) ** 1.4)),
        (Meteor("1.5", "french"), [3.2, 4, 2, 5, 5, 1], 0.64 * (1 - 0.6 * 0.5**1.4)),
    ],
)
def test_stems_match_too_and_count_less_in_1_5(chosen, statistics, corpus):
    result = chosen.score(["He walked to the houses"], ["he walks to the house"])
    assert result.statistics[0].tolist() == statistics
    assert result.corpus == pytest.approx(corpus)


def test_the_corpus_value_is_that_of_all_counts_together():
    result = Meteor("original", "none").score(["a b c", "d x", "y"], ["c a b", "d", "z"])
    matches, chunks, hypothesis, reference = 4, 3, 6, 5
    f = matches / (0.9 * reference + 0.1 * hypothesis)
    assert result.corpus == pytest.approx(f * (1 - 0.5 * (chunks / matches) ** 3))


sentences = st.lists(st.integers(0, 3), max_size=6)


@given(sentences, sentences)
@example([1, 1, 0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1, 1, 0])  # which no longest runs solve
def test_fewest_chunks_of_all_alignments(hypothesis, reference):
    assert fewest_chunks(hypothesis, reference) == (*fewest(hypothesis, reference), True)


@pytest.mark.parametrize("bound", ["_STATES", "_ALL_STATES"])
def test_the_longest_runs_are_not_always_the_fewest_chunks(monkeypatch, bound):
    # "c c" is matched to the first "c c" of the reference, which leaves "a" and "c" alone.
    pair = list(map(ord, "ccac")), list(map(ord, "accc"))
    assert fewest_chunks(*pair) == (4, 2, True)
    monkeypatch.setattr(meteor, bound, 0)
    assert fewest_chunks(*pair) == (4, 3, False)
    scores = Meteor("original", "none").score(["c c a c"], ["a c c c"])
    assert Meteor("original", "none").cut_short(scores.statistics) == 1


@given(st.integers(61, 67), st.lists(st.integers(0, 66), max_size=6), st.integers(0, 3))
def test_chunks_at_the_border_of_machine_words(size, cuts, lost):
    """Words that occur once have one matching, whose chunks are counted."""
    reference = list(range(size))
    borders = sorted({0, size, *(cut for cut in cuts if cut < size)})
    pieces = [reference[a:b] for a, b in pairwise(borders)]
    hypothesis = [word for piece in reversed(pieces) for word in piece][lost:]
    places = [reference.index(word) for word in hypothesis]
    chunks = 1 + sum(b != a + 1 for a, b in pairwise(places))
    assert fewest_chunks(hypothesis, reference) == (len(hypothesis), chunks, True)
    found = meteor._search(hypothesis, reference, len(hypothesis), chunks + 1)
    assert found == chunks
