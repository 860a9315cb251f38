"""ROUGE-N."""

import random

import pytest
from test_ngrams import count_ngrams

from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric


def sentences(seed, count=200):
    rng = random.Random(seed)
    return [rng.choices("abcd", k=rng.randint(0, 14)) for _ in range(count)]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_score(n):
    hypotheses, references = sentences(3), sentences(4)
    result = metric("rouge_n", n=n).score(hypotheses, references)
    for h, r, score in zip(hypotheses, references, result.sentence, strict=True):
        one, two = count_ngrams(h, n), count_ngrams(r, n)
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
