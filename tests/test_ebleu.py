import math
import random

import numpy as np
import pytest
import slow_lepor as slow

from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics import metric
from preorder_eval.metrics.ebleu import Ebleu
from preorder_eval.metrics.shared.universal_tags import PARTS_OF_SPEECH, universal_parts_of_speech


def slow_ebleu(translation, sources, chosen):
    weights = [float(part) for part in chosen.weights.split(":")]
    harmonics = [
        slow.harmonic(translation, sources, n, chosen.alpha, chosen.beta)
        for n in range(1, len(weights) + 1)
    ]
    return 1 - slow.length_penalty(translation, sources) * slow.geometric(harmonics, weights)


@pytest.mark.parametrize(
    "chosen", [Ebleu(), Ebleu(alpha=1.0, beta=9.0, weights="2:1"), Ebleu(weights="1")], ids=str
)
@pytest.mark.parametrize("sources", [1, 2])
def test_against_the_obvious_version(chosen, sources):
    translations, streams = slow.random_pairs(random.Random(sources), 300, sources, "abc", 9)
    result = chosen.score(translations, streams)
    expected = [
        slow_ebleu(translation, each, chosen)
        for translation, *each in zip(translations, *streams, strict=True)
    ]
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)
    assert result.corpus == pytest.approx(np.mean(expected))


def test_by_hand():
    # 4 tags against 3: MLP exp(1 - 4/3); R and P are 3/3 and 3/4, of bigrams 2/2 and 2/3.
    words, bigrams = 10 / (9 / 1 + 1 / (3 / 4)), 10 / (9 / 1 + 1 / (2 / 3))
    expected = 1 - math.exp(1 - 4 / 3) * math.sqrt(words * bigrams)
    chosen = Ebleu(weights="1:1")
    assert chosen.score(["DET NOUN VERB ."], ["DET NOUN VERB"]).corpus == pytest.approx(expected)
    assert not Ebleu.higher_is_better


@pytest.mark.parametrize(
    ("translation", "source", "expected"),
    [
        ("", "NOUN", 1),
        ("NOUN", "", 1),
        ("", "", 1),
        ("NOUN", "VERB", 1),
        ("NOUN", "NOUN", 0),  # longer n-grams do not exist
        ("NOUN", "NOUN VERB", 1),  # no bigram of the source
    ],
)
def test_short_and_empty_sentences(translation, source, expected):
    assert Ebleu().score([translation], [source]).corpus == expected


def test_parameters_out_of_range():
    with pytest.raises(PreorderEvalError, match="ebleu: alpha and beta must not both be 0"):
        metric("ebleu(alpha=0,beta=0)")
    with pytest.raises(PreorderEvalError, match="ebleu: weights=0:0 is not weights from 0 up"):
        metric("ebleu(weights=0:0)")


def test_parts_of_speech():
    tags = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
    assert len(PARTS_OF_SPEECH) == 12
    assert set(universal_parts_of_speech(tags.split())) == set(PARTS_OF_SPEECH)
    assert universal_parts_of_speech(PARTS_OF_SPEECH) == list(PARTS_OF_SPEECH)
    with pytest.raises(UnknownNameError, match="unknown part-of-speech tag 'NN'"):
        universal_parts_of_speech(["NOUN", "NN"])
