"""The n-grams that hypotheses share with any of their references."""

import random
from collections import Counter

import numpy as np
import pytest

from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared import clipped_ngrams as module
from preorder_eval.metrics.shared.clipped_ngrams import clipped_ngrams


def ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def slow(hypotheses, streams, n):
    """Sorted tuples of segment, matches, occurrences in all references, and of the first words."""
    references = [reference for stream in streams for reference in stream]
    occurrences = sum((ngrams(r, n) for r in references), Counter())
    before = sum((ngrams(r, n - 1) for r in references), Counter())
    found = []
    for s, hypothesis in enumerate(hypotheses):
        for gram, count in ngrams(hypothesis, n).items():
            matched = min(count, max(ngrams(stream[s], n)[gram] for stream in streams))
            first = sum(map(len, references)) if n == 1 else before[gram[:-1]]
            if matched:
                found.append((s, matched, occurrences[gram], first))
    return sorted(found)


def random_texts(rng, streams):
    words = "abcde"[: rng.randint(1, 5)]
    return [
        [rng.choices(words, k=rng.choice([0, 1, 2, 5, 9])) for _ in range(7)]
        for _ in range(1 + streams)
    ]


@pytest.mark.parametrize("seed", range(30))
def test_same_as_counting_one_by_one(seed):
    hypotheses, *streams = random_texts(random.Random(seed), 1 + seed % 3)
    found = list(clipped_ngrams(Segments.of(hypotheses, streams), 5))
    for n, matches in enumerate(found, 1):
        rows = sorted(zip(*(column.tolist() for column in matches), strict=True))
        assert rows == slow(hypotheses, streams, n)
    assert len(found) == 5


def test_large_numbers_are_sorted_another_way(monkeypatch):
    rng = np.random.default_rng(0)
    key, place = rng.integers(0, 9, 50), rng.permutation(50)
    packed = module._sorted(key, place)
    far = module._sorted(key + (1 << 61), place)
    np.testing.assert_array_equal(packed[0], far[0] - (1 << 61))
    np.testing.assert_array_equal(packed[1], far[1])
