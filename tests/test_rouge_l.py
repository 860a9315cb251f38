"""ROUGE-L, and the longest common subsequence."""

import itertools
import random

import numpy as np
import pytest
from published import LIN_OCH_POLICE

from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.metrics import metric
from preorder_eval.metrics.rouge import longest_common


def slow_lcs(one, two):
    """The longest of all subsequences of one sentence that are subsequences of the other."""

    def has(rest, wanted):
        return all(word in rest for word in wanted)

    for length in range(len(one), -1, -1):
        for words in itertools.combinations(one, length):
            if has(iter(two), words):
                return length
    raise AssertionError


def sentences(seed, count=150, longest=8):
    rng = random.Random(seed)
    return [rng.choices("abcde", k=rng.randint(0, longest)) for _ in range(count)]


@pytest.mark.parametrize(("reference", "hypothesis", "rouge_l", "_"), LIN_OCH_POLICE)
def test_published(reference, hypothesis, rouge_l, _):
    assert metric("rouge_l(beta=1)").score([hypothesis], [reference]).corpus == rouge_l


def test_lengths_are_those_of_all_subsequences():
    hypotheses, references = sentences(1), sentences(2)
    segments = Segments.of(hypotheses, [references])
    expected = [slow_lcs(h, r) for h, r in zip(hypotheses, references, strict=True)]
    assert longest_common(segments.hypotheses, segments.references[0]).tolist() == expected


def test_any_word_number_will_do():
    """Also those that as characters would be surrogates, or no characters at all."""
    codes = np.array([0, 0xD800, 0xDFFF, 0x10FFFF, 2**31 - 1, 2**31 - 2], dtype=np.int32)
    one = Tokens(np.array([0, 4, 6]), codes)
    two = Tokens(np.array([0, 3, 5]), codes[[1, 2, 3, 5, 4]])
    assert longest_common(one, two).tolist() == [3, 1]
    assert longest_common(one.part(0, 1), two.part(0, 1)).tolist() == [3]


def test_score():
    hypotheses, references = sentences(3), sentences(4)
    result = metric("rouge_l", beta=2).score(hypotheses, references)
    for h, r, score in zip(hypotheses, references, result.sentence, strict=True):
        common = slow_lcs(h, r)
        expected = 0
        if common:
            recall, precision = common / len(r), common / len(h)
            expected = 5 * recall * precision / (recall + 4 * precision)
        assert score == pytest.approx(expected)
    assert result.corpus == pytest.approx(result.sentence.mean())
