import math
import random

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

from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics import metric
from preorder_eval.metrics.lepor import Lepor, align, position_and_harmonic


def npd(output, references, n=2):
    position, _ = position_and_harmonic(Segments.of([output], references), n, alpha=9, beta=1)
    return -math.log(position[0])


@pytest.mark.parametrize("figure", [HAN_FIGURE_3_3, HAN_FIGURE_4_2])
def test_alignments_of_the_thesis(figure):
    output, reference, expected, difference = figure
    segments = Segments.of([output.lower()], [reference.lower()])
    places, _ = align(segments.hypotheses, segments.references[0], 2)
    assert [place + 1 or None for place in places.tolist()] == expected
    assert npd(output.lower(), [reference.lower()]) == pytest.approx(difference)


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
    places, with_neighbour = align(segments.hypotheses, segments.references[0], n)
    expected = [
        word for pair in zip(outputs, references, strict=True) for word in slow.align(*pair, n)
    ]
    assert places.tolist() == [-1 if place is None else place for place, _ in expected]
    assert with_neighbour.tolist() == [has for _, has in expected]


def test_a_neighbourhood_larger_than_every_sentence():
    segments = Segments.of(["a b c"], ["c x a a"])
    for n in (2, 4, 10**6):
        assert align(segments.hypotheses, segments.references[0], n)[0].tolist() == [2, -1, 0]


def test_of_two_equally_near_places():
    """The later without a matching neighbour (Figure 3-1's last else), the earlier of two with."""
    segments = Segments.of(["x a y", "x a y"], ["a z a", "a y a"])
    places, _ = align(segments.hypotheses, segments.references[0], 2)
    assert places.tolist() == [-1, 2, -1, -1, 0, 1]


def slow_lepor(output, references, n=2, alpha=9.0, beta=1.0):
    harmonic = slow.harmonic(output, references, 1, alpha, beta) or 0.0
    return (
        slow.length_penalty(output, references)
        * math.exp(-slow.npd(output, references, n))
        * harmonic
    )


@pytest.mark.parametrize("references", [1, 2, 3])
@pytest.mark.parametrize("chosen", [Lepor(), Lepor(alpha=1.0, beta=9.0, n=1), Lepor(n=0)])
def test_against_the_obvious_version(references, chosen):
    outputs, streams = slow.random_pairs(random.Random(references), 300, references)
    result = chosen.score(outputs, streams)
    expected = [
        slow_lepor(output, each, chosen.n, chosen.alpha, chosen.beta)
        for output, *each in zip(outputs, *streams, strict=True)
    ]
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)
    assert result.corpus == pytest.approx(np.mean(expected))


def test_by_hand():
    result = Lepor().score([HAN_FIGURE_3_3[0]], [HAN_FIGURE_3_3[1]])
    recall, precision = 5 / 6, 5 / 5
    expected = math.exp(1 - 6 / 5) * math.exp(-0.52) * 10 / (9 / recall + 1 / precision)
    assert result.corpus == pytest.approx(expected)


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("", "a b", 0),
        ("a b", "", 0),
        ("", "", 0),
        ("a", "b", 0),
        ("a", "a", 1),
        ("a b", "c d", 0),
        ("a", "a b", math.exp(-1) * 0.5 * 10 / (9 + 0.5) * math.exp(-0.5)),
    ],
)
def test_short_and_empty_sentences(output, reference, expected):
    for system in "AB":
        assert Lepor(system=system).score([output], [reference]).corpus == pytest.approx(expected)


def test_system_level():
    outputs, references = ["a b c", "a"], ["a b c", "a b"]
    a, b = (Lepor(system=system).score(outputs, references) for system in "AB")
    np.testing.assert_allclose(a.sentence, b.sentence)
    second = [math.exp(-1), math.exp(-0.5), 10 / (9 / 0.5 + 1)]  # LP, NPosPenal, HPR
    assert a.corpus == pytest.approx((1 + math.prod(second)) / 2)
    assert b.corpus == pytest.approx(math.prod((1 + factor) / 2 for factor in second))


def test_case_is_irrelevant():
    assert Lepor().score(["A b"], ["a B"]).corpus == 1
    assert Lepor(lower=False).score(["A b"], ["a B"]).corpus == 0


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


def test_system_level_of_words_and_tags():
    words, tags = [[*side, "x"] for side in WORDS], [[*side, "NN"] for side in TAGS]
    b = Lepor(mix="1:3", system="B").score(*words, tags=tags).corpus
    of_words, of_tags = (Lepor(system="B").score(*side).corpus for side in (words, tags))
    assert b == pytest.approx((of_words + 3 * of_tags) / 4)


@pytest.mark.parametrize(
    ("mix", "tags", "message"),
    [
        ("1:9", None, "mix=1:9 needs part-of-speech tags"),
        ("1:0", TAGS, "mix=1:0 gives the part-of-speech tags no weight"),
        ("1:9", (["PRP VBP"], TAGS[1]), "hypotheses, sentence 1: 5 words, 2 tags"),
        ("1:9", (TAGS[0], ["NN"]), "reference 1, sentence 1: 6 words, 1 tags"),
        ("1:9", (TAGS[0] * 2, TAGS[1] * 2), "hypotheses: words of 1 sentence, tags of 2"),
        ("1:9", (TAGS[0], [TAGS[1], TAGS[1]]), "tags of 2 references, words of 1"),
    ],
)
def test_tags_that_do_not_fit(mix, tags, message):
    with pytest.raises(PreorderEvalError, match=message):
        Lepor(mix=mix).score(*WORDS, tags=tags)


@pytest.mark.parametrize("mix", ["1", "1:2:3", "0:0", "-1:2", "nan:1", "inf:1", "a:b", ""])
def test_weights_that_are_none(mix):
    with pytest.raises(PreorderEvalError, match=f"metric lepor: mix={mix} is not 2 weights"):
        Lepor(mix=mix)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("lepor(alpha=0,beta=0)", "alpha and beta must not both be 0"),
        ("lepor(n=-1)", "n=-1 is not from 0 up"),
        ("lepor(system=C)", "unknown value of lepor's system 'C'"),
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


def test_unknown_presets():
    with pytest.raises(UnknownNameError, match=r"unknown language pair 'en-ja'.*en-cs"):
        metric("hlepor(pair=en-ja)")
    with pytest.raises(PreorderEvalError, match="bleu: pair is for hlepor, lepor, nlepor"):
        metric("bleu(pair=en-cs)")


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
    with pytest.raises(PreorderEvalError, match="tag_alpha and tag_beta must not both be 0"):
        metric("lepor(tag_alpha=0,tag_beta=0)")


def test_the_worked_example_with_its_full_stops():
    output, reference, places, npd = HAN_FIGURE_3_3_STOPS
    segments = Segments.of([output.lower()], [reference.lower()])
    assert (align(segments.hypotheses, segments.references[0], 2)[0] + 1).tolist() == places
    position, _ = position_and_harmonic(segments, 2, alpha=9, beta=1)
    assert -np.log(position[0]) == pytest.approx(npd, abs=5e-4)
