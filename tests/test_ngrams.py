"""The n-grams that hypotheses share with any of their references."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.metrics import ngrams
from preorder_eval.metrics.ngrams import matched_ngrams
from preorder_eval.metrics.shared import ngram_information
from preorder_eval.metrics.shared.ngram_information import matched_information


def count_ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def clipped(hypothesis, references, n):
    """The n-grams that match, each as often as in the one reference that has it most often."""
    most = Counter()
    for reference in references:
        most |= count_ngrams(reference, n)
    return count_ngrams(hypothesis, n) & most


def random_texts(rng, streams):
    words = "abcde"[: rng.randint(1, 5)]
    return [
        [rng.choices(words, k=rng.choice([0, 1, 2, 5, 9])) for _ in range(7)]
        for _ in range(1 + streams)
    ]


@pytest.mark.parametrize("seed", range(30))
def test_same_as_counting_one_by_one(seed, monkeypatch):
    monkeypatch.setattr(ngrams, "_TOKENS", [1 << 17, 20, 1][seed % 3])
    hypotheses, *streams = random_texts(random.Random(seed), 1 + seed % 5)
    segments = Segments.of(hypotheses, streams)
    lengths = [[1, 2, 3, 4, 5], [3], [1, 4]][seed % 3]
    found = matched_ngrams(segments.hypotheses, segments.references, lengths)
    assert found.tolist() == [
        [clipped(hypothesis, references, n).total() for n in lengths]
        for hypothesis, *references in zip(hypotheses, *streams, strict=True)
    ]


@pytest.mark.parametrize("seed", range(30))
def test_information_counted_one_by_one(seed):
    hypotheses, *streams = random_texts(random.Random(seed), 1 + seed % 3)
    references = [reference for stream in streams for reference in stream]
    occurrences = Counter({(): sum(map(len, references))})
    for n in range(1, 6):
        occurrences += sum((count_ngrams(r, n) for r in references), Counter())
    expected = [
        [
            sum(
                count * math.log2(occurrences[gram[:-1]] / occurrences[gram])
                for gram, count in clipped(hypothesis, own, n).items()
            )
            for n in range(1, 6)
        ]
        for hypothesis, *own in zip(hypotheses, *streams, strict=True)
    ]
    found = matched_information(Segments.of(hypotheses, streams), 5)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_sentences_of_all_lengths():
    rng = random.Random(0)
    lengths = [*[0, 1, 2, 3, 5, 8, 14] * 30, 31, 32, 33, 254, 255, 256, 257, 300]
    outputs, references = (
        [[rng.choice(letters) for _ in range(n)] for n in rng.sample(lengths, len(lengths))]
        for letters in ("abbc", "abcdd")
    )
    segments = Segments.of([*outputs, ["a"] * 300], [*references, ["a"] * 290])
    found = matched_ngrams(segments.hypotheses, segments.references, range(1, 5))
    for row, output, reference in zip(found[:-1], outputs, references, strict=True):
        assert row.tolist() == [clipped(output, [reference], n).total() for n in range(1, 5)]


@pytest.mark.parametrize("times", [7, 2**28])  # word numbers whose powers do not fit
def test_large_word_numbers(times):
    texts = random_texts(random.Random(0), 2)
    segments = Segments.of(texts[0], texts[1:])
    small = [segments.hypotheses, *segments.references]
    large = [Tokens(side.offsets, side.codes * times) for side in small]
    found = [matched_ngrams(side, references, range(1, 9)) for side, *references in (small, large)]
    np.testing.assert_array_equal(*found)


def test_large_numbers_are_sorted_another_way():
    rng = np.random.default_rng(0)
    key, place = rng.integers(0, 9, 50), rng.permutation(50)
    packed = ngram_information._sorted(key, place)
    far = ngram_information._sorted(key + (1 << 61), place)
    np.testing.assert_array_equal(packed[0], far[0] - (1 << 61))
    np.testing.assert_array_equal(packed[1], far[1])


def test_no_segments():
    nothing = Tokens(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32))
    assert matched_ngrams(nothing, [nothing], [1, 2]).shape == (0, 2)
