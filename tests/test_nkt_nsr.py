"""NKT and NSR of Isozaki et al. (2010)."""

import itertools
import math
import random

import numpy as np
import pytest
from published import ISOZAKI_SENTENCES

from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.ribes import align_by_context


def figure_1(hypothesis, reference):
    """The reference position of each hypothesis word, None for one that is not aligned."""

    def places(words, ngram):
        spans = range(len(words) - len(ngram) + 1)
        return [i for i in spans if words[i : i + len(ngram)] == ngram]

    worder = []
    for i in range(len(hypothesis)):
        found = None
        contexts = [(i, i + 1), (i, i + 2), (i - 1, i + 1)]
        for start, stop in contexts:
            if found is not None or start < 0 or stop > len(hypothesis):
                continue
            ngram = hypothesis[start:stop]
            here, there = places(hypothesis, ngram), places(reference, ngram)
            if len(here) == len(there) == 1:
                found = there[0] + i - start
        worder.append(found)
    return worder


def slow_scores(hypothesis, reference):
    worder = [place for place in figure_1(hypothesis, reference) if place is not None]
    n = len(worder)
    if n < 2:
        return 0, 0, n
    increasing = sum(a < b for a, b in itertools.combinations(worder, 2))
    rank = {p: np.mean([k for k, q in enumerate(sorted(worder)) if p == q]) for p in worder}
    squares = sum((rank[place] - i) ** 2 for i, place in enumerate(worder))
    rho = 1 - squares / math.comb(n + 1, 3)
    return increasing / math.comb(n, 2), (rho + 1) / 2, n


@pytest.fixture(scope="module")
def pairs():
    rng = random.Random(3)
    found = []
    for _ in range(1500):
        letters = "abcdefgh"[: rng.randint(1, 8)]
        reference = rng.choices(letters, k=rng.randint(0, 12))
        hypothesis = rng.choices(letters, k=rng.randint(0, 12))
        if rng.random() < 0.7:
            cut = rng.randint(0, len(reference))
            hypothesis = [*reference[cut:], *hypothesis[:2], *reference[:cut]]
        found.append((hypothesis, reference))
    return found


@pytest.mark.parametrize("row", ISOZAKI_SENTENCES)
def test_values_of_the_paper(row):
    reference, hypothesis, worder, nkt, nsr, precision, recall = row
    segments = Segments.of([hypothesis], [reference])
    sides = segments.hypotheses, segments.references[0]
    aligned = align_by_context(*sides, first="right", longest=2)
    assert (aligned[aligned >= 0] + 1).tolist() == worder
    assert metric("nkt").score(segments).corpus == pytest.approx(nkt, abs=5e-4)
    assert metric("nsr").score(segments).corpus == pytest.approx(nsr, abs=5e-4)
    assert np.mean(aligned >= 0) == pytest.approx(precision)
    assert np.sum(aligned >= 0) / len(reference.split()) == pytest.approx(recall)
    assert metric("modifier").score(segments).corpus == pytest.approx(precision)
    assert metric("modifier(kind=recall)").score(segments).corpus == pytest.approx(recall)
    full = metric("nkt(alpha=1)").score(segments).corpus
    assert full == pytest.approx(nkt * precision, abs=5e-4)


def test_same_as_the_slow_way(pairs):
    hypotheses, references = map(list, zip(*pairs, strict=True))
    expected = [slow_scores(*pair) for pair in pairs]
    nkt, nsr, aligned = map(np.array, zip(*expected, strict=True))
    segments = Segments.of(hypotheses, references)
    np.testing.assert_allclose(metric("nkt").score(segments).sentence, nkt, atol=1e-12)
    np.testing.assert_allclose(metric("nsr").score(segments).sentence, nsr, atol=1e-12)
    lengths = np.array([len(h) for h in hypotheses])
    precision = aligned / np.maximum(lengths, 1)
    weighted = metric("nsr(alpha=0.25)").score(segments).sentence
    np.testing.assert_allclose(weighted, nsr * precision**0.25, atol=1e-12)
    bp = [
        min(1, math.exp(1 - len(r) / len(h))) if h else 0
        for h, r in zip(hypotheses, references, strict=True)
    ]
    with_bp = metric("nkt(bp=true)").score(segments).sentence
    np.testing.assert_allclose(with_bp, nkt * bp, atol=1e-12)


def slow_modifiers(hypothesis, reference):
    """P, R, F with β = 2, and the brevity penalty, by section 2.3."""
    aligned = [place for place in figure_1(hypothesis, reference) if place is not None]
    p = len(aligned) / len(hypothesis) if hypothesis else 0
    r = len(set(aligned)) / len(reference) if reference else 0
    f = 5 * p * r / (4 * p + r) if p and r else 0
    bp = min(1, math.exp(1 - len(reference) / len(hypothesis))) if hypothesis else 0
    return p, r, f, bp


def test_modifiers_by_themselves_and_as_factors(pairs):
    hypotheses, references = map(list, zip(*pairs, strict=True))
    segments = Segments.of(hypotheses, references)
    nkt, _, _ = map(np.array, zip(*(slow_scores(*pair) for pair in pairs), strict=True))
    expected = np.array([slow_modifiers(*pair) for pair in pairs]).T
    kinds = ("precision", "recall", "fmeasure,beta=2", "bp")
    for kind, values in zip(kinds, expected, strict=True):
        scores = metric(f"modifier(kind={kind})").score(segments).sentence
        np.testing.assert_allclose(scores, values, atol=1e-12)
        if kind != "bp":
            weighted = metric(f"nkt(alpha=0.5,modifier={kind})").score(segments).sentence
            np.testing.assert_allclose(weighted, nkt * np.sqrt(values), atol=1e-12)


def test_clipped_unigrams_are_another_precision():
    # Both have all the words of the other, but no bigram of the first "the" is in both.
    pair = ["the cat the dog"], ["cat the dog the"]
    assert metric("precision").score(*pair).corpus == 1
    assert metric("modifier").score(*pair).corpus == 0.75


def test_functions_of_table_3():
    reference, hypothesis = ISOZAKI_SENTENCES[2][:2]
    nkt = metric("nkt").score([hypothesis], [reference]).corpus
    for signature, expected in (
        ("nkt(power=0.5)", math.sqrt(nkt)),
        ("nkt(root=true)", 1 - math.sqrt(1 - nkt)),
        ("nkt(alpha=0.25,power=1.5)", nkt**1.5),  # P is 1
        ("nkt(root=true,power=2)", (1 - math.sqrt(1 - nkt)) ** 2),
    ):
        scores = metric(signature).score([hypothesis, hypothesis], [reference, hypothesis])
        assert scores.sentence.tolist() == [pytest.approx(expected), 1]
        assert scores.corpus == pytest.approx((expected + 1) / 2), "functions of sentences"


@pytest.mark.parametrize(
    "signature", ["nkt(beta=2)", "modifier(kind=recall,beta=2)", "nkt(power=0)", "nsr(modifier=bp)"]
)
def test_parameters_that_mean_nothing(signature):
    with pytest.raises(PreorderEvalError, match=r"beta|power|modifier"):
        metric(signature)


def test_two_words_may_stand_for_one_place():
    # The first "a" is told by "x" before it, the second by "y" after it.
    pair = list("xaqay"), list("xayba")
    assert figure_1(*pair) == [0, 1, None, 1, 2]
    assert metric("nkt").score([pair[0]], [pair[1]]).corpus == pytest.approx(5 / 6)
    assert metric("nsr").score([pair[0]], [pair[1]]).corpus == pytest.approx(slow_scores(*pair)[1])


def test_the_next_word_is_tried_before_the_previous_one():
    # "a" is told by "b a" and by "a c", which stand at different places of the reference.
    segments = Segments.of(["b a c a"], ["a c b a"])
    sides = segments.hypotheses, segments.references[0]
    right = align_by_context(*sides, first="right", longest=2)
    left = align_by_context(*sides, first="left", longest=2)
    assert right.tolist() == [2, 0, 1, -1]
    assert left.tolist() == [2, 3, 1, -1]


def test_the_best_reference_counts():
    hypotheses, streams = ["a b c", "c b a"], [["a b c", "a b c"], ["c b a", "c a b"]]
    assert metric("nkt").score(hypotheses, streams).sentence.tolist() == [1, pytest.approx(2 / 3)]


def test_undefined_cases_score_0():
    hypotheses, references = ["", "a", "", "a", "a b", "a x"], ["a b", "", "", "a", "c d", "a y"]
    for name in ("nkt", "nsr", "nkt(alpha=1)", "nkt(bp=true)"):
        assert metric(name).score(hypotheses, references).sentence.tolist() == [0] * 6


def test_alpha_is_a_share():
    with pytest.raises(PreorderEvalError, match=r"metric nkt: alpha=1\.5 is not from 0 to 1"):
        metric("nkt(alpha=1.5)")
