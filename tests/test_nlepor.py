import math
import random

import numpy as np
import pytest
import slow_lepor as slow

from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.lepor import Lepor, Nlepor


def slow_nlepor(output, references, weights):
    lengths = range(1, len(weights) + 1)
    harmonics = [slow.harmonic(output, references, n, 9, 1) for n in lengths]
    return (
        slow.length_penalty(output, references)
        * math.exp(-slow.npd(output, references, 2))
        * slow.geometric(harmonics, weights)
    )


@pytest.mark.parametrize("weights", ["1:1", "1", "8:1:1", "1:0:2", "1:1:1:1"])
@pytest.mark.parametrize("references", [1, 2])
def test_against_the_obvious_version(weights, references):
    outputs, streams = slow.random_pairs(random.Random(references), 300, references, "abc", 9)
    result = Nlepor(weights=weights).score(outputs, streams)
    numbers = [float(part) for part in weights.split(":")]
    expected = [
        slow_nlepor(output, each, numbers) for output, *each in zip(outputs, *streams, strict=True)
    ]
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)
    assert 0 < result.corpus < 1


def test_with_single_words_it_is_lepor():
    outputs, streams = slow.random_pairs(random.Random(3), 100, 2)
    for system in "AB":
        nlepor = Nlepor(weights="1", system=system).score(outputs, streams)
        lepor = Lepor(system=system).score(outputs, streams)
        np.testing.assert_allclose(nlepor.sentence, lepor.sentence, atol=1e-12)
        # Where both sides are empty nothing is averaged: HPR of words is 0 in lepor.
        assert system == "B" or nlepor.corpus == pytest.approx(lepor.corpus)


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("a", "a", 1),  # no bigram on either side
        ("a", "a b", 0),  # none of the reference's bigrams
        ("a b", "b a", 0),
        ("a b", "a b", 1),
        ("", "a b", 0),
        ("a b", "", 0),
        ("", "", 0),
    ],
)
def test_short_and_empty_sentences(output, reference, expected):
    for system in "AB":
        assert Nlepor(system=system).score([output], [reference]).corpus == pytest.approx(expected)


def test_system_level():
    outputs, references = ["a b c", "a", "a b"], ["a b c", "a", "a b d e"]
    third = [  # LP, NPosPenal, HPR of words and of bigrams
        math.exp(-1),
        math.exp(-(1 / 2 - 1 / 4 + 1 - 2 / 4) / 2),
        10 / (9 / 0.5 + 1),
        10 / (9 / (1 / 3) + 1),
    ]
    a, b = (Nlepor(system=system).score(outputs, references) for system in "AB")
    np.testing.assert_allclose(a.sentence, b.sentence)
    product = third[0] * third[1] * math.sqrt(third[2] * third[3])
    assert a.corpus == pytest.approx((2 + product) / 3)
    length, position, words = ((2 + factor) / 3 for factor in third[:3])
    bigrams = (1 + third[3]) / 2  # the second segment has none
    assert b.corpus == pytest.approx(length * position * math.sqrt(words * bigrams))


def test_words_and_tags():
    words, tags = (["a b c"], ["a c d e"]), (["X Y Z"], ["Y X Y Z"])
    expected = (Nlepor().score(*words).corpus + 9 * Nlepor().score(*tags).corpus) / 10
    for system in "AB":
        chosen = Nlepor(mix="1:9", system=system)
        assert chosen.score(*words, tags=tags).corpus == pytest.approx(expected)


@pytest.mark.parametrize("weights", ["0", "1:x", "1:-1"])
def test_weights_that_are_none(weights):
    with pytest.raises(PreorderEvalError, match=f"nlepor: weights={weights} is not weights from 0"):
        metric(f"nlepor(weights={weights})")
