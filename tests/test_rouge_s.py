"""ROUGE-S and ROUGE-SU, and skip-bigrams."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from published import LIN_OCH_POLICE

from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.rouge import shared_skip_bigrams

LIMITS = [None, 0, 1, 4]


def skip_bigrams(words, skip=None, unigrams=None):
    pairs = [
        (words[i], words[j])
        for i, j in itertools.combinations(range(len(words)), 2)
        if skip is None or j - i - 1 <= skip
    ]
    return Counter(pairs + ([] if unigrams is None else words[: max(0, len(words) - unigrams)]))


def sentences(seed, count=150, words="abcdefgh"):
    rng = random.Random(seed)
    return [rng.choices(words, k=rng.randint(0, 14)) for _ in range(count)]


def rows(hypotheses, references, skip, unigrams):
    for h, r in zip(hypotheses, references, strict=True):
        one, two = skip_bigrams(h, skip, unigrams), skip_bigrams(r, skip, unigrams)
        yield (one & two).total(), one.total(), two.total()


@pytest.mark.parametrize(("reference", "hypothesis", "_", "rouge_s"), LIN_OCH_POLICE)
def test_published(reference, hypothesis, _, rouge_s):
    score = metric("rouge_s(beta=1)").score([hypothesis], [reference]).corpus
    assert score == pytest.approx(rouge_s, abs=5e-4)


@pytest.mark.parametrize("unigrams", [None, 0, 1])
@pytest.mark.parametrize("skip", LIMITS)
def test_counts_are_those_of_the_slow_way(skip, unigrams):
    hypotheses, references = sentences(1), sentences(2)
    segments = Segments.of(hypotheses, [references])
    sides = (segments.hypotheses, segments.references[0])
    expected = list(zip(*rows(hypotheses, references, skip, unigrams), strict=True))
    assert [tuple(c) for c in shared_skip_bigrams(*sides, skip, unigrams)] == expected


def test_large_word_numbers_are_told_apart():
    """Their squares would not fit in 64 bits."""
    codes = np.array([2**31 - 1, 2**31 - 2, 5, 2**31 - 1], dtype=np.int32)
    one = Tokens(np.array([0, 3, 4, 4]), codes)
    two = Tokens(np.array([0, 2, 4, 4]), codes)
    both = Tokens(np.tile(np.arange(0, 17, 4), 1), np.tile(codes, 4))
    assert shared_skip_bigrams(one, two, None, 0).both.tolist() == [3, 1, 0]
    assert shared_skip_bigrams(both, both, None).both.tolist() == [6] * 4


@pytest.mark.parametrize("skip", LIMITS)
@pytest.mark.parametrize(("name", "unigrams"), [("rouge_s", None), ("rouge_su", 0)])
def test_score(name, unigrams, skip):
    hypotheses, references = sentences(3), sentences(4)
    chosen = metric(name, skip="none" if skip is None else skip, beta=0.5)
    result = chosen.score(hypotheses, references).sentence
    counts = rows(hypotheses, references, skip, unigrams)
    for score, (both, one, two) in zip(result, counts, strict=True):
        if both:
            recall, precision = both / two, both / one
            f = 1.25 * recall * precision / (recall + 0.25 * precision)
            assert score == pytest.approx(f)
        elif one or two:
            assert score == 0


def test_no_skip_is_bigrams():
    hypotheses, references = sentences(5), sentences(6)
    long = [i for i in range(150) if len(hypotheses[i]) > 1]
    hypotheses, references = ([side[i] for i in long] for side in (hypotheses, references))
    np.testing.assert_allclose(
        metric("rouge_s(skip=0)").score(hypotheses, references).sentence,
        metric("rouge_n(n=2)").score(hypotheses, references).sentence,
    )


def test_single_words_and_empty_sides():
    hypotheses = ["a", "a", "a", "a b", "", ""]
    references = ["a", "b", "a b", "a", "a", ""]
    score = metric("rouge_s").score(hypotheses, references).sentence
    assert score.tolist() == [1, 0, 0, 0, 0, 0]
    score = metric("rouge_su").score(hypotheses, references).sentence
    assert score.tolist() == [1, 0, 0.5, 0.5, 0, 0]
    best = metric("rouge_s").score(["a", "a"], [["b", "a c"], ["a", "b"]]).sentence
    assert best.tolist() == [1, 0]


def test_the_limit_in_the_signature():
    assert str(metric("rouge_s")) == "rouge_s(beta=1.0,skip=none)"
    assert metric("rouge_su(skip=4)").skip == 4
    with pytest.raises(PreorderEvalError, match="rouge_s: skip=-1 is not from 0 to"):
        metric("rouge_s(skip=-1)")
    with pytest.raises(PreorderEvalError, match=r"rouge_s: skip=4\.5 is not a whole number"):
        metric("rouge_s(skip=4.5)")
