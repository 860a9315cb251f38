import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
import slow_lepor as slow

from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.lepor import Hlepor

PEERS = json.loads((Path(__file__).parent / "data/peers_lepor.json").read_text())["pairs"]
# hLepor 0.0.4 looks the nearest place with a matching neighbour up in the list of all places, so
# that it aligns this pair's last w6 with the wrong one.
FAULTY = "w20 w24 w21 w7 w35"


@pytest.mark.parametrize("weights", ["7:2:1", "3:2:1"])
def test_against_hlepor_of_pypi(weights):
    pairs = [pair for pair in PEERS if not pair["hypothesis"].startswith(FAULTY)]
    assert len(pairs) == len(PEERS) - 1
    result = Hlepor(weights=weights).score(
        [pair["hypothesis"] for pair in pairs], [pair["reference"] for pair in pairs]
    )
    expected = [pair[f"pypi_{weights.replace(':', '_')}"] for pair in pairs]
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)


@pytest.mark.parametrize("weights", ["7:2:1", "3:2:1"])
def test_the_faults_of_hlepor_of_pypi(weights):
    sides = ([pair[side] for pair in PEERS] for side in ("hypothesis", "reference"))
    result = metric(f"hlepor(weights={weights},mode=pypi)").score(*sides)
    expected = [pair[f"pypi_{weights.replace(':', '_')}"] for pair in PEERS]
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)


def test_the_faults_of_hlepor_of_pypi_with_several_references():
    chosen = metric("hlepor(mode=pypi)")
    each = [chosen.score(["a stone on a bird"], [r]).corpus for r in ("a bird", "a bird on it")]
    assert chosen.score(["a stone on a bird"], [["a bird"], ["a bird on it"]]).corpus >= max(each)
    assert chosen.score(["", "x"], ["a", ""]).corpus == 0


def test_blocks_of_two_words():
    """Section 4.1 by hand: of bigrams 2 of 3 and 2 of 4 match, no word has another place."""
    chosen = Hlepor(ngram=2)
    output, reference = ["a b c d"], ["a b c x d"]
    recall, precision = 2 / 4, 2 / 3
    harmonic = 10 / (9 / recall + 1 / precision)
    npd = (3 * abs(0) + sum(abs(i / 4 - i / 5) for i in (1, 2, 3)) + abs(4 / 4 - 5 / 5)) / 4
    expected = 6 / (3 / harmonic + 2 / math.exp(1 - 5 / 4) + 1 / math.exp(-npd))
    assert chosen.score(output, reference).corpus == pytest.approx(expected)
    assert chosen.score(output, output).corpus == 1
    assert chosen.score(["a"], ["a"]).corpus == 1, "too short for a block: word by word"
    assert chosen.score(["a"], ["a b"]).corpus == 0
    assert Hlepor(ngram=1) == Hlepor()


def test_against_the_authors_program():
    pairs = [pair for pair in PEERS if "perl_3_2_1" in pair]
    result = Hlepor().score(
        [pair["hypothesis"] for pair in pairs], [pair["reference"] for pair in pairs]
    )
    expected = [pair["perl_3_2_1"] for pair in pairs]
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)


def test_where_hlepor_of_pypi_is_wrong():
    [pair] = [pair for pair in PEERS if pair["hypothesis"].startswith(FAULTY)]
    output, reference = pair["hypothesis"].split(), pair["reference"].split()
    # It takes the w6 in place 4 of the reference, without w15 beside it, for the one in place 8.
    assert slow.align(output, reference, 2)[9] == (7, True)
    score = Hlepor().score([output], [reference]).corpus
    assert score == pytest.approx(slow_hlepor(output, [reference], (3, 2, 1)))
    assert 0.001 < score - pair["pypi_3_2_1"] < 0.002


def slow_hlepor(output, references, weights):
    harmonic = slow.harmonic(output, references, 1, 9, 1) or 0.0
    position = math.exp(-slow.npd(output, references, 2))
    length = slow.length_penalty(output, references)
    return slow.weighted_harmonic([harmonic, length, position], weights)


@pytest.mark.parametrize("weights", ["3:2:1", "1:3:7", "0:1:1", "0.5:0:0"])
@pytest.mark.parametrize("references", [1, 2])
def test_against_the_obvious_version(weights, references):
    outputs, streams = slow.random_pairs(random.Random(references), 200, references)
    result = Hlepor(weights=weights).score(outputs, streams)
    numbers = [float(part) for part in weights.split(":")]
    expected = [
        slow_hlepor(output, each, numbers) for output, *each in zip(outputs, *streams, strict=True)
    ]
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)


def test_system_level():
    outputs, references = ["a b c", "a"], ["a b c", "a b"]
    second = [10 / (9 / 0.5 + 1), math.exp(-1), math.exp(-0.5)]  # HPR, LP, NPosPenal
    a, b = (Hlepor(system=system).score(outputs, references).corpus for system in "AB")
    assert a == pytest.approx((1 + slow.weighted_harmonic(second, (3, 2, 1))) / 2)
    means = [(1 + factor) / 2 for factor in second]
    assert b == pytest.approx(slow.weighted_harmonic(means, (3, 2, 1)))


@pytest.mark.parametrize("system", ["A", "B"])
def test_tags_have_their_own_weights(system):
    words, tags = (["a b c"], ["a c d e"]), (["X Y Z"], ["Y X Y Z"])
    chosen = Hlepor(weights="1:3:7", tag_weights="7:2:1", mix="1:9", system=system)
    of_words = Hlepor(weights="1:3:7").score(*words).corpus
    of_tags = Hlepor(weights="7:2:1").score(*tags).corpus
    assert of_words != of_tags
    assert chosen.score(*words, tags=tags).corpus == pytest.approx((of_words + 9 * of_tags) / 10)


def test_nothing_matches():
    assert Hlepor().score(["a b"], ["c d"]).corpus == 0
    assert Hlepor(system="B").score(["a b", ""], ["c d", ""]).corpus == 0
    assert Hlepor(weights="0:1:1").score(["a b"], ["c d"]).corpus == 1


@pytest.mark.parametrize("parameter", ["weights", "tag_weights"])
def test_weights_that_are_none(parameter):
    with pytest.raises(PreorderEvalError, match=f"hlepor: {parameter}=3:2 is not 3 weights"):
        metric(f"hlepor({parameter}=3:2)")
