import math
import random

import numpy as np
import pytest
import slow_lepor as slow

from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.tags import Ebleu


def slow_ebleu(translation, sources, chosen):
    weights = [float(part) for part in chosen.weights.split(":")]
    added = chosen.smooth == "add-k"
    harmonics = [
        slow.harmonic(translation, sources, n, chosen.alpha, chosen.beta, added and n > 1)
        for n in range(1, len(weights) + 1)
    ]
    return 1 - slow.length_penalty(translation, sources) * slow.geometric(harmonics, weights)


@pytest.mark.parametrize(
    "chosen",
    [
        Ebleu(),
        Ebleu(smooth="none"),
        Ebleu(alpha=1.0, beta=9.0, weights="2:1"),
        Ebleu(weights="1"),
    ],
    ids=str,
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
    chosen = Ebleu(weights="1:1", smooth="none")
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
    ],
)
@pytest.mark.parametrize("smooth", ["none", "add-k"])
def test_short_and_empty_sentences(translation, source, expected, smooth):
    assert Ebleu(smooth=smooth).score([translation], [source]).corpus == expected


def test_without_smoothing_a_length_that_never_matches_spoils_all():
    pair = ["DET NOUN VERB DET NOUN"], ["DET NOUN DET VERB NOUN"]
    assert Ebleu(smooth="none").score(*pair).corpus == 1
    # 5/5 tags; 1 of 4 bigrams, none of 3 and of 2 longer ones, and one more of each.
    expected = 1 - (1 * 2 / 5 * 1 / 4 * 1 / 3) ** 0.25
    assert Ebleu().score(*pair).corpus == pytest.approx(expected)


def test_parameters_out_of_range():
    with pytest.raises(PreorderEvalError, match="ebleu: alpha and beta must not both be 0"):
        metric("ebleu(alpha=0,beta=0)")
    with pytest.raises(PreorderEvalError, match="ebleu: weights=0:0 is not weights from 0 up"):
        metric("ebleu(weights=0:0)")
