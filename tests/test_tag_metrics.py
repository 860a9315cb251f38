"""EBLEU and HPPR against the thesis's equations."""

import math
import random

import numpy as np
import pytest
import slow_lepor as slow
from published import HAN_FIGURE_7_2

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.outputs.tag_sequences import Ebleu, Hppr
from preorder_eval.trees.tag_maps import mapped, tag_map


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
    [Ebleu(), Ebleu(smooth="none"), Ebleu(alpha=1.0, beta=9.0, weights="2:1"), Ebleu(weights="1")],
    ids=str,
)
@pytest.mark.parametrize("sources", [1, 2])
def test_ebleu_against_the_obvious_version(chosen, sources):
    translations, streams = slow.random_pairs(random.Random(sources), 300, sources, "abc", 9)
    result = chosen.score(translations, streams)
    expected = [
        slow_ebleu(translation, list(filter(None, each)) or each, chosen)
        for translation, *each in zip(translations, *streams, strict=True)
    ]
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)
    assert result.corpus == pytest.approx(np.mean(expected))


def slow_factors(translation, sources, longest):
    """Position penalty, and per length of n-grams precision and recall (None without any)."""
    lengths = range(1, longest + 1)
    return (
        math.exp(-slow.npd(translation, sources, 2)),
        [slow.harmonic(translation, sources, n, 0, 1) for n in lengths],
        [slow.harmonic(translation, sources, n, 1, 0) for n in lengths],
    )


def slow_hppr(position, precisions, recalls, weights=(1, 8, 1)):
    factors = [position, slow.geometric(precisions, (8, 1, 1)), slow.geometric(recalls, (1, 1, 8))]
    return slow.weighted_harmonic(factors, weights)


def mean(values):
    known = [value for value in values if value is not None]
    return sum(known) / len(known)


@pytest.mark.parametrize("sources", [1, 2])
def test_hppr_against_the_obvious_version(sources):
    translations, streams = slow.random_pairs(random.Random(sources), 300, sources, "abc", 9)
    pairs = zip(translations, *streams, strict=True)
    factors = [slow_factors(translation, each, 3) for translation, *each in pairs]
    result = Hppr().score(translations, streams)
    expected = [slow_hppr(*each) for each in factors]
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)
    positions, precisions, recalls = zip(*factors, strict=True)
    means = (
        [mean(of_length) for of_length in zip(*each, strict=True)] for each in (precisions, recalls)
    )
    assert result.corpus == pytest.approx(slow_hppr(mean(positions), *means))


def test_sequences_of_the_thesis():
    converted = {}
    for treebank, (tags, expected) in HAN_FIGURE_7_2.items():
        universal = mapped(tags, [tag_map(treebank)])
        assert universal == expected
        converted[treebank] = universal.split()
    source, translation = converted["french"], converted["english-penn-2"]
    assert Hppr().score([translation], [source]).corpus == pytest.approx(
        slow_hppr(*slow_factors(translation, [source], 3))
    )


def test_weights_of_different_lengths():
    chosen = Hppr(weights="1:1:0", precision="1", recall="1:1:1:1")
    assert chosen.score(["NP VP"], ["VP NP"]).corpus == pytest.approx(2 / (1 / math.exp(-0.5) + 1))


def test_smoothing_adds_one_from_bigrams_on():
    # 2 of 2 tags, no bigram of one, which becomes 1 of 2.
    half = math.exp(0.1 / 0.9 * math.log(1 / 2)), math.exp(0.5 * math.log(1 / 2))
    expected = 10 / (1 / math.exp(-0.5) + 8 / half[0] + 1 / half[1])
    chosen = Hppr(smooth="add-k")
    assert chosen.score(["NP VP"], ["VP NP"]).corpus == pytest.approx(expected)
    assert chosen.score(["NP VP"], ["NP VP"]).corpus == 1


@pytest.mark.parametrize(
    ("translation", "source", "ebleu", "hppr"),
    [
        ("", "NOUN", 1, 0),
        ("NOUN", "", 1, 0),
        ("", "", 1, 0),
        ("NOUN", "VERB", 1, 0),
        ("NOUN", "NOUN", 0, 1),  # longer n-grams do not exist
        ("NOUN VERB", "VERB NOUN", 1, 0),  # no bigram matches
    ],
)
def test_short_and_empty_sentences(translation, source, ebleu, hppr):
    assert Ebleu(smooth="none").score([translation], [source]).corpus == ebleu
    assert Hppr().score([translation], [source]).corpus == hppr


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("ebleu(alpha=0,beta=0)", "ebleu: alpha and beta must not both be 0"),
        ("ebleu(weights=0:0)", "ebleu: weights=0:0 is not weights from 0 up"),
        ("hppr(weights=1:8)", "weights=1:8 is not 3 weights"),
        ("hppr(precision=0)", "precision=0 is not weights"),
        ("hppr(recall=x)", "recall=x is not weights"),
    ],
)
def test_parameters_out_of_range(signature, message):
    with pytest.raises(PreorderEvalError, match=message):
        metric(signature)


def test_f_of_tags_by_hand():
    """Of 4 and 3 tags 3 are in common, of 3 and 2 bigrams 2, of 2 and 1 trigrams 1."""
    f = metric("tag_f(order=3)")
    result = f.score(["DET NOUN VERB ADV"], ["DET NOUN VERB"])
    assert result.statistics.tolist() == [[3, 2, 1, 4, 3, 2, 3, 2, 1]]
    assert result.corpus == pytest.approx((6 / 7 + 4 / 5 + 2 / 3) / 3)
    # The counts of a corpus are summed; a length that no side has does not count.
    both = f.score(["DET NOUN VERB ADV", "NOUN"], ["DET NOUN VERB", "NOUN"])
    assert both.sentence.tolist() == [result.corpus, 1.0]
    assert both.corpus == pytest.approx((8 / 9 + 4 / 5 + 2 / 3) / 3)
    assert f.score(["NOUN VERB"], [["X X"], ["NOUN VERB"], [""]]).corpus == 1.0
    assert f.score(["", "NOUN"], ["NOUN", ""]).sentence.tolist() == [0.0, 0.0]
