"""ROUGE-N, and n-grams."""

import random
from collections import Counter

import numpy as np
import pytest

from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.shared.ngrams import shared_ngrams


def ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def sentences(seed, count=200):
    rng = random.Random(seed)
    return [rng.choices("abcd", k=rng.randint(0, 14)) for _ in range(count)]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 20])
@pytest.mark.parametrize("times", [1, 7, 2**28])  # word numbers whose powers do not fit
def test_counts_are_those_of_the_slow_way(n, times):
    hypotheses, references = sentences(1), sentences(2)
    segments = Segments.of(hypotheses, [references])
    sides = [
        Tokens(s.offsets, s.codes * times) for s in (segments.hypotheses, *segments.references)
    ]
    grams = [(ngrams(h, n), ngrams(r, n)) for h, r in zip(hypotheses, references, strict=True)]
    shared = shared_ngrams(*sides, n)
    assert shared.both.tolist() == [(one & two).total() for one, two in grams]
    assert shared.hypothesis.tolist() == [one.total() for one, _ in grams]
    assert shared.reference.tolist() == [two.total() for _, two in grams]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_score(n):
    hypotheses, references = sentences(3), sentences(4)
    result = metric("rouge_n", n=n).score(hypotheses, references)
    for h, r, score in zip(hypotheses, references, result.sentence, strict=True):
        one, two = ngrams(h, n), ngrams(r, n)
        both = (one & two).total()
        expected = 2 * both / (one.total() + two.total()) if both else 0
        assert score == pytest.approx(expected)


def test_too_short_sentences_score_0():
    result = metric("rouge_n(n=2)").score(["a", "a", "a b", ""], ["a", "a b", "a", ""])
    assert result.sentence.tolist() == [0, 0, 0, 0]


def test_n_in_the_signature():
    assert str(metric("rouge_n(n=3)")) == "rouge_n(beta=1.0,n=3)"
    with pytest.raises(PreorderEvalError, match="rouge_n: n=0 is not from 1 to 100"):
        metric("rouge_n(n=0)")


def test_no_segments():
    nothing = Tokens(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32))
    assert [len(counts) for counts in shared_ngrams(nothing, nothing, 2)] == [0, 0, 0]
