"""N-grams that match, and NIST's score."""

import json
import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base.arrays import offsets_of
from preorder_eval.metrics.outputs import ngrams
from preorder_eval.metrics.outputs.ngrams import matched_ngrams
from preorder_eval.metrics.outputs.nist import Nist
from preorder_eval.metrics.segments import Segments, Tokens

PEERS = json.loads((Path(__file__).parent / "data/peers_lexical.json").read_text())


def ngrams_of(words, n):
    return zip(*(words[first:] for first in range(n)), strict=False)


def count_ngrams(words, n):
    return Counter(ngrams_of(words, n))


def clipped(hypothesis, references, n):
    """The n-grams that match, each as often as in the one reference that has it most often."""
    most = Counter()
    for reference in references:
        most |= count_ngrams(reference, n)
    return Counter(filter(most.__contains__, ngrams_of(hypothesis, n))) & most


def few_words(rng, streams):
    words = "abcde"[: rng.randint(1, 5)]
    return [
        [rng.choices(words, k=rng.choice([0, 1, 2, 5, 9])) for _ in range(7)]
        for _ in range(1 + streams)
    ]


def tokens(*sentences):
    lengths = [len(sentence) for sentence in sentences]
    return Tokens(offsets_of(lengths), np.concatenate(sentences).astype(np.int32))


@pytest.mark.parametrize(("words", "segments"), [(1 << 17, 1), (1 << 15, 16), (1 << 16, 2)])
def test_numbers_of_many_words_and_segments_stay_apart(words, segments):
    """Were they to exceed 64 bits, n-grams that differ in their first words would be the same."""
    every = np.arange(words)
    hypotheses = np.split(every, segments)
    # Other first words, by what 64 bits cannot hold; and the n-grams of another segment.
    first = np.array([words // 2, 0, 0, 0])
    apart = [(hypothesis[-4:] + first) % words for hypothesis in hypotheses]
    moved = np.roll(np.array(hypotheses), segments // 2, axis=0)[:, -4:]
    for references in (apart, moved):
        pairs = list(zip(hypotheses, references, strict=True))
        expected = [
            [sum(clipped(h.tolist(), [r.tolist()], n).values()) for n in (3, 4)] for h, r in pairs
        ]
        found = ngrams._matched_ngrams([tokens(*hypotheses), tokens(*references)], [3, 4])
        assert found.tolist() == expected


def slow_nist(hypotheses, streams, order=5):
    references = [reference for stream in streams for reference in stream]
    counts = {
        n: sum((count_ngrams(r, n) for r in references), Counter()) for n in range(1, order + 1)
    }
    counts[0] = {(): sum(map(len, references))}
    score = 0
    for n in range(1, order + 1):
        information = total = 0
        for s, hypothesis in enumerate(hypotheses):
            clip = Counter()
            for stream in streams:
                clip |= count_ngrams(stream[s], n)
            for gram, count in (count_ngrams(hypothesis, n) & clip).items():
                information += count * math.log2(counts[n - 1][gram[:-1]] / counts[n][gram])
            total += max(len(hypothesis) - n + 1, 0)
        score += information / total if total else 0
    c, r = sum(map(len, hypotheses)), sum(map(len, references)) / len(streams)
    ratio = min(c / r, 1) if c and r else 1
    return score * math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(ratio) ** 2)


def random_texts(seed, streams, shortest):
    rng = random.Random(seed)
    words = "abcdefgh"[: rng.randint(2, 8)]
    # An empty reference beside others is none: see test_missing_references.
    return [
        [rng.choices(words, k=rng.randint(least, 12)) for _ in range(8)]
        for least in (shortest, *[max(shortest, streams > 1)] * streams)
    ]


def test_same_as_nltk_for_sentences():
    compared = 0
    for row in PEERS["rows"]:
        if row[6] is not None:
            assert Nist(lower=False).score([row[1]], [row[0]]).corpus == pytest.approx(
                row[6], rel=1e-12
            )
            compared += 1
    assert compared > 15


def test_same_as_nltk_for_corpora_of_one_reference():
    from nltk.translate.nist_score import corpus_nist  # which loads much else

    for seed in range(10):
        hypotheses, references = random_texts(seed, 1, shortest=5)
        expected = corpus_nist([[reference] for reference in references], hypotheses)
        assert Nist().score(hypotheses, references).corpus == pytest.approx(expected, rel=1e-12)


def test_same_as_counting_one_by_one():
    for seed in range(20):
        hypotheses, *streams = random_texts(seed, 1 + seed % 3, shortest=0)
        for order in (1, 3, 5):
            result = Nist(order).score(hypotheses, streams)
            assert result.corpus == pytest.approx(slow_nist(hypotheses, streams, order), rel=1e-12)


def test_matches_counted_one_by_one(monkeypatch):
    for seed in range(30):
        monkeypatch.setattr(ngrams, "_TOKENS", [1 << 17, 20, 1][seed % 3])
        hypotheses, *streams = few_words(random.Random(seed), 1 + seed % 5)
        segments = Segments.of(hypotheses, streams)
        lengths = [[1, 2, 3, 4, 5], [3], [1, 4]][seed % 3]
        found = matched_ngrams(segments.hypotheses, segments.references, lengths)
        assert found.tolist() == [
            [clipped(hypothesis, references, n).total() for n in lengths]
            for hypothesis, *references in zip(hypotheses, *streams, strict=True)
        ]


@pytest.mark.parametrize("times", [7, 2**28])  # word numbers whose powers do not fit
def test_large_word_numbers(times):
    texts = few_words(random.Random(0), 2)
    segments = Segments.of(texts[0], texts[1:])
    small = [segments.hypotheses, *segments.references]
    large = [Tokens(side.offsets, side.codes * times) for side in small]
    found = [matched_ngrams(side, references, range(1, 9)) for side, *references in (small, large)]
    np.testing.assert_array_equal(*found)


def test_no_segments():
    nothing = Tokens(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32))
    assert matched_ngrams(nothing, [nothing], [1, 2]).shape == (0, 2)


@st.composite
def sides_at_the_border(draw):
    """Sides whose numbers of n-grams take about 62 bits, because words are many or n is large."""
    segments, streams = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    n = draw(st.sampled_from([1, 2, 3, 4, 26]))
    room = (1 << 62 >> streams.bit_length()) // segments
    bound = math.floor((room * draw(st.sampled_from([0.9, 1.1, 4, 16, 64]))) ** (1 / n))
    bound = min(max(bound, 5), 1 << 31)
    words = st.lists(st.sampled_from([0, 1, bound - 2, bound - 1]), min_size=n - 1, max_size=n + 3)
    sides = [[draw(words) for _ in range(segments)] for _ in range(streams)]
    outputs = [draw(st.sampled_from([some, some[1:], [*some, 0]])) for some in sides[0]]
    return [outputs, *sides], [1, n, n + 1] if n > 1 else [1, 2]


@given(sides_at_the_border(), st.sampled_from([1, 2, 5, 1 << 17]))
def test_numbers_of_ngrams_at_the_border_of_their_room(sides, at_once):
    texts, lengths = sides
    tokens = [
        Tokens(offsets_of(map(len, side)), np.array([w for s in side for w in s], dtype=np.int32))
        for side in texts
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "_TOKENS", at_once)
        found = matched_ngrams(tokens[0], tokens[1:], lengths)
    assert found.tolist() == [
        [clipped(hypothesis, references, n).total() for n in lengths]
        for hypothesis, *references in zip(*texts, strict=True)
    ]
