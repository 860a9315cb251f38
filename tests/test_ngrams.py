"""The n-grams that hypotheses share with any of their references."""

import random
from collections import Counter

import numpy as np
import pytest

from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.metrics import ngrams
from preorder_eval.metrics.ngrams import matched_ngrams


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


def test_no_segments():
    nothing = Tokens(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32))
    assert matched_ngrams(nothing, [nothing], [1, 2]).shape == (0, 2)
