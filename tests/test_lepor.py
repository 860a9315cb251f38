"""LEPOR, hLEPOR and nLEPOR: Han's figures, obvious versions, and the numbers of other programs."""

import json
import math
import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import slow_lepor as slow
from published import (
    HAN_FIGURE_3_3,
    HAN_FIGURE_3_3_STOPS,
    HAN_FIGURE_3_4,
    HAN_FIGURE_4_2,
    HAN_TABLE_5_3,
)

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.outputs.lepor import Hlepor, Lepor, Nlepor
from preorder_eval.metrics.outputs.lepor_factors import aligned_words, position_penalty
from preorder_eval.metrics.segments import Segments

PEERS = json.loads((Path(__file__).parent / "data/peers_lepor.json").read_text())["pairs"]


def npd(output, references, n=2):
    return -math.log(position_penalty(Segments.of([output], references), n)[0])


@pytest.mark.parametrize("figure", [HAN_FIGURE_3_3, HAN_FIGURE_4_2, HAN_FIGURE_3_3_STOPS])
def test_alignments_of_the_thesis(figure):
    output, reference, expected, difference = figure
    segments = Segments.of([output.lower()], [reference.lower()])
    places, _ = aligned_words(segments.hypotheses, segments.references[0], 2)
    assert [place + 1 or None for place in places.tolist()] == [place or None for place in expected]
    assert npd(output.lower(), [reference.lower()]) == pytest.approx(difference, abs=5e-4)


def test_two_references_of_the_thesis():
    output, references, expected = HAN_FIGURE_3_4
    lengths = [len(reference.split()) for reference in references]
    differences = [abs(i / 6 - p / lengths[r - 1]) for i, (r, p) in enumerate(expected, 1)]
    found = npd(output.lower(), [[reference.lower()] for reference in references])
    assert found == pytest.approx(sum(differences) / 6)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 20])
def test_alignments_of_many_sentences(n):
    # Lengths around those where the small integers of the preferences end.
    rng = random.Random(n)
    lengths = [*[0, 1, 2, 3, 5, 8, 14] * 60, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300]
    outputs, references = (
        [
            [rng.choice("abcdef" + side) for _ in range(length)]
            for length in rng.sample(lengths, len(lengths))
        ]
        for side in "gh"
    )
    segments = Segments.of(outputs, references)
    places, with_neighbour = aligned_words(segments.hypotheses, segments.references[0], n)
    expected = [
        word for pair in zip(outputs, references, strict=True) for word in slow.align(*pair, n)
    ]
    assert places.tolist() == [-1 if place is None else place for place, _ in expected]
    assert with_neighbour.tolist() == [has for _, has in expected]


def test_of_two_equally_near_places():
    """The later without a matching neighbour (Figure 3-1's last else), the earlier of two with."""
    segments = Segments.of(["x a y", "x a y"], ["a z a", "a y a"])
    places, _ = aligned_words(segments.hypotheses, segments.references[0], 2)
    assert places.tolist() == [-1, 2, -1, -1, 0, 1]


# Many variants of a metric need the same of the same sentences.
slow_npd, slow_harmonic = cache(slow.npd), cache(slow.harmonic)


def factors_of(output, references, chosen, longest=1):
    """LP, NPosPenal and HPR of n-grams, for each length."""
    output, references = tuple(output), tuple(map(tuple, references))
    lengths = range(1, longest + 1)
    return (
        slow.length_penalty(output, references),
        math.exp(-slow_npd(output, references, chosen.n)),
        [slow_harmonic(output, references, n, chosen.alpha, chosen.beta) for n in lengths],
    )


def by_formula(chosen, output, references):
    weights = [float(part) for part in getattr(chosen, "weights", "1").split(":")]
    longest = len(weights) if chosen.name == "nlepor" else 1
    length, position, harmonics = factors_of(output, references, chosen, longest)
    if chosen.name == "hlepor":
        return slow.weighted_harmonic([harmonics[0] or 0.0, length, position], weights)
    return length * position * slow.geometric(harmonics, weights)


@pytest.mark.parametrize("references", [1, 2, 3])
@pytest.mark.parametrize(
    "signature",
    [
        *("lepor", "lepor(alpha=1,beta=9,n=1)", "lepor(n=0)"),
        *(f"hlepor(weights={own})" for own in ("3:2:1", "1:3:7", "0:1:1", "0.5:0:0")),
        *(f"nlepor(weights={own})" for own in ("1:1", "1", "8:1:1", "1:0:2", "1:1:1:1")),
    ],
)
def test_against_the_obvious_version(references, signature):
    chosen = metric(signature)
    outputs, streams = slow.random_pairs(random.Random(references), 80, references, "abcd", 10)
    result = chosen.score(outputs, streams)
    expected = [
        by_formula(chosen, output, each) for output, *each in zip(outputs, *streams, strict=True)
    ]
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)
    assert result.corpus == pytest.approx(np.mean(expected))


@pytest.mark.parametrize(
    ("name", "output", "reference", "expected"),
    [
        ("lepor", "", "a b", 0),
        ("lepor", "a b", "", 0),
        ("lepor", "", "", 0),
        ("lepor", "a", "b", 0),
        ("lepor", "a", "a", 1),
        ("lepor", "a", "a b", math.exp(-1) * 0.5 * 10 / (9 + 0.5) * math.exp(-0.5)),
        ("hlepor", "a b", "c d", 0),
        ("hlepor", "", "", 0),
        ("hlepor(weights=0:1:1)", "a b", "c d", 1),
        ("nlepor", "a", "a", 1),  # no bigram on either side
        ("nlepor", "a", "a b", 0),  # none of the reference's bigrams
        ("nlepor", "a b", "b a", 0),
        ("nlepor", "a b", "a b", 1),
    ],
)
@pytest.mark.parametrize("system", ["A", "B"])
def test_short_and_empty_sentences(name, output, reference, expected, system):
    result = metric(name, system=system).score([output], [reference])
    assert result.corpus == pytest.approx(expected)


def test_system_level():
    outputs, references = ["a b c", "a"], ["a b c", "a b"]
    a, b = (Lepor(system=system).score(outputs, references) for system in "AB")
    np.testing.assert_allclose(a.sentence, b.sentence)
    second = [math.exp(-1), math.exp(-0.5), 10 / (9 / 0.5 + 1)]  # LP, NPosPenal, HPR
    assert a.corpus == pytest.approx((1 + math.prod(second)) / 2)
    assert b.corpus == pytest.approx(math.prod((1 + factor) / 2 for factor in second))


def test_system_level_of_nlepor():
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


WORDS = (["they claim at least ."], ["at least they say so ."])
TAGS = ([HAN_FIGURE_4_2[0]], [HAN_FIGURE_4_2[1]])


@pytest.mark.parametrize("system", ["A", "B"])
def test_words_and_tags(system):
    of_words = Lepor(lower=False).score(*WORDS).corpus
    of_tags = Lepor(lower=False).score(*TAGS).corpus
    mixed = Lepor(mix="1:9", system=system)
    assert mixed.score(*WORDS, tags=TAGS).corpus == pytest.approx((of_words + 9 * of_tags) / 10)
    tags = Segments.of(*TAGS)
    assert Lepor(mix="0:2").score(*WORDS, tags=tags).corpus == pytest.approx(of_tags)


@pytest.mark.parametrize(
    ("mix", "tags", "message"),
    [
        ("1:9", None, "mix=1:9 needs part-of-speech tags"),
        ("1:0", TAGS, "mix=1:0 gives the part-of-speech tags no weight"),
        ("1:9", (["PRP VBP"], TAGS[1]), "hypotheses, sentence 1: 5 words, 2 tags"),
        ("1:9", (TAGS[0], ["NN"]), "reference 1, sentence 1: 6 words, 1 tag"),
        ("1:9", (TAGS[0] * 2, TAGS[1] * 2), "hypotheses: words for 1 sentence, tags for 2"),
        ("1:9", (TAGS[0], [TAGS[1], TAGS[1]]), "tags for 2 references, words for 1"),
    ],
)
def test_tags_that_do_not_fit(mix, tags, message):
    with pytest.raises(PreorderEvalError, match=message):
        Lepor(mix=mix).score(*WORDS, tags=tags)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("lepor(mix=1:2:3)", "mix=1:2:3 is not 2 weights"),
        ("lepor(mix=0:0)", "mix=0:0 is not 2 weights"),
        ("lepor(mix=inf:1)", "mix=inf:1 is not 2 weights"),
        ("lepor(alpha=0,beta=0)", "alpha and beta must not both be 0"),
        ("hlepor(weights=3:2)", "hlepor: weights=3:2 is not 3 weights"),
        ("nlepor(weights=1:x)", "weights=1:x is not weights"),
        ("nlepor(weights=1:-1)", "weights=1:-1 is not weights"),
        ("hlepor(pair=en-ja)", r"unknown language pair 'en-ja'.*en-cs"),
        ("bleu(pair=en-cs)", "bleu: pair is for hlepor, lepor, nlepor"),
    ],
)
def test_parameters_out_of_range(signature, message):
    with pytest.raises(PreorderEvalError, match=message):
        metric(signature)


@pytest.mark.parametrize("pair", HAN_TABLE_5_3)
def test_presets(pair):
    weights, tag_weights, ratio, tag_ratio, mix = HAN_TABLE_5_3[pair]
    chosen = metric(f"hlepor(pair={pair})")
    assert (chosen.weights, f"{chosen.alpha:g}:{chosen.beta:g}") == (weights, ratio)
    assert chosen.mix == (mix or "1:0")
    assert chosen.counts_tags == bool(tag_weights)
    if tag_weights:
        of_tags = f"{chosen.tag_alpha:g}:{chosen.tag_beta:g}"
        assert (chosen.tag_weights, of_tags) == (tag_weights, tag_ratio)
    assert metric(str(chosen)) == chosen
    without = metric(f"hlepor(pair={pair},mix=1:0)")
    assert (without.weights, without.mix) == (weights, "1:0")
    assert 0 < without.score(*WORDS).corpus < 1
    for name in ("lepor", "nlepor"):
        other = metric(f"{name}(pair={pair})")
        assert (other.alpha, other.beta) == ((1, 9) if pair == "cs-en" else (9, 1))


def test_tags_may_weigh_recall_and_precision_otherwise():
    words, tags = (["a b c"], ["a b"]), (["N V N"], ["N V"])
    mixed = metric("lepor(alpha=9,beta=1,mix=1:3,tag_alpha=1,tag_beta=9)")
    expected = (
        metric("lepor(alpha=9,beta=1)").score(*words).corpus
        + 3 * metric("lepor(alpha=1,beta=9)").score(*tags).corpus
    ) / 4
    assert mixed.score(*words, tags=tags).corpus == pytest.approx(expected)
    same = metric("lepor(alpha=1,beta=9,mix=0:1)").score(*words, tags=tags).corpus
    assert same == metric("lepor(alpha=1,beta=9)").score(*tags).corpus


@pytest.mark.parametrize("system", ["A", "B"])
def test_tags_have_their_own_weights(system):
    words, tags = (["a b c"], ["a c d e"]), (["X Y Z"], ["Y X Y Z"])
    chosen = Hlepor(weights="1:3:7", tag_weights="7:2:1", mix="1:9", system=system)
    of_words = Hlepor(weights="1:3:7").score(*words).corpus
    of_tags = Hlepor(weights="7:2:1").score(*tags).corpus
    assert of_words != of_tags
    assert chosen.score(*words, tags=tags).corpus == pytest.approx((of_words + 9 * of_tags) / 10)


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
