"""RIBES 1.03.1, and NKT, NSR and their modifiers of Isozaki et al. (2010)."""

import itertools
import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from published import ISOZAKI_SENTENCES

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.outputs.ribes import Factors, align_by_context
from preorder_eval.metrics.segments import Segments

PEER = json.loads((Path(__file__).parent / "data/peers_ribes.json").read_text())["rows"]


def occurrences(ngram, words):
    return [i for i in range(len(words)) if words[i : i + len(ngram)] == ngram]


def places(hypothesis, reference, contexts):
    """The reference place of every hypothesis word, by the first context that occurs once."""
    for i in range(len(hypothesis)):
        for start, stop in contexts(i):
            if 0 <= start < stop <= len(hypothesis):
                ngram = hypothesis[start:stop]
                there = occurrences(ngram, reference)
                if len(there) == len(occurrences(ngram, hypothesis)) == 1:
                    yield there[0] + i - start
                    break


def released(hypothesis, reference):
    """RIBES.py: ever longer n-grams, left before right."""

    def contexts(i):
        for more in range(len(hypothesis)):
            yield from ((i - more, i + 1), (i, i + more + 1))

    return list(places(hypothesis, reference, contexts))


def figure_1(hypothesis, reference):
    """The paper: the word, the bigram with the next one, that with the one before."""
    contexts = ((0, 1), (0, 2), (-1, 1))
    return list(places(hypothesis, reference, lambda i: [(i + a, i + b) for a, b in contexts]))


def brevity(hypothesis, reference):
    return min(1, math.exp(1 - len(reference) / len(hypothesis))) if hypothesis else 0


def slow_ribes(hypothesis, reference, alpha=0.25, beta=0.1):
    if not hypothesis or not reference:
        return 0
    aligned = released(hypothesis, reference)
    n = len(aligned)
    if n == 1 == len(reference):
        nkt = 1
    elif n < 2:
        return 0
    else:
        nkt = sum(a < b for a, b in itertools.combinations(aligned, 2)) / math.comb(n, 2)
    return nkt * (n / len(hypothesis)) ** alpha * brevity(hypothesis, reference) ** beta


def slow_correlations(hypothesis, reference):
    """NKT and NSR."""
    aligned = figure_1(hypothesis, reference)
    n = len(aligned)
    if n < 2:
        return 0, 0
    increasing = sum(a < b for a, b in itertools.combinations(aligned, 2))
    rank = {p: np.mean([k for k, q in enumerate(sorted(aligned)) if p == q]) for p in aligned}
    squares = sum((rank[place] - i) ** 2 for i, place in enumerate(aligned))
    return increasing / math.comb(n, 2), (2 - squares / math.comb(n + 1, 3)) / 2


def slow_modifiers(hypothesis, reference):
    """P, R, F with β = 2, and the brevity penalty, by section 2.3."""
    aligned = figure_1(hypothesis, reference)
    p = len(aligned) / len(hypothesis) if hypothesis else 0
    r = len(set(aligned)) / len(reference) if reference else 0
    f = 5 * p * r / (4 * p + r) if p and r else 0
    return p, r, f, brevity(hypothesis, reference)


@pytest.fixture(scope="module")
def pairs():
    rng = random.Random(3)
    found = []
    for _ in range(400):
        letters = "abcdefgh"[: rng.randint(1, 8)]
        reference = rng.choices(letters, k=rng.randint(0, 13))
        hypothesis = rng.choices(letters, k=rng.randint(0, 12))
        if rng.random() < 0.7:
            cut = rng.randint(0, len(reference))
            hypothesis = [*reference[cut:], *hypothesis[:2], *reference[: rng.randint(0, cut)]]
        found.append((hypothesis, reference))
    return found


@pytest.mark.parametrize("row", PEER, ids=lambda row: row[1][:20])
def test_same_as_ribes_py(row):
    reference, hypothesis, ribes, nkt, precision, bp = row
    values = {(0.25, 0.1): ribes, (0, 0): nkt}
    values |= {(1, 0): nkt * precision, (0, 1): nkt * bp, (0.5, 2): nkt * precision**0.5 * bp**2}
    for (alpha, beta), expected in values.items():
        chosen = metric("ribes", alpha=alpha, beta=beta, lower=False)
        assert chosen.score([hypothesis], [reference]).corpus == pytest.approx(expected, abs=1e-12)


def test_ribes_the_slow_way(pairs):
    hypotheses, references = map(list, zip(*pairs, strict=True))
    expected = [slow_ribes(*pair) for pair in pairs]
    result = metric("ribes").score(hypotheses, references)
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)
    # With a second reference the better one counts, sentence by sentence.
    others = references[1:] + references[:1]
    second = [slow_ribes(*pair) for pair in zip(hypotheses, others, strict=True)]
    both = metric("ribes").score(hypotheses, [references, others])
    np.testing.assert_allclose(both.sentence, np.maximum(expected, second), atol=1e-12)


@pytest.mark.parametrize("signature", ["ribes", "nkt(alpha=0.5)", "modifier(kind=bp)"])
def test_factors_make_the_scores_of_sentences(signature, pairs):
    hypotheses, references = map(list, zip(*pairs, strict=True))
    of = metric(signature)
    for streams in (references, [references, references[1:] + references[:1]]):
        factors = Factors(of=of).score(hypotheses, streams)
        np.testing.assert_allclose(factors.sentence, of.score(hypotheses, streams).sentence)


def test_the_wider_context_changes_the_papers_example():
    reference, hypothesis = ISOZAKI_SENTENCES[2][:2]
    assert metric("ribes").score([hypothesis], [reference]).corpus == pytest.approx(
        0.3091, abs=5e-5
    )


def test_lower_cases_by_default():
    texts = ["The dog Sees the Cat"], ["the dog sees THE cat"]
    assert str(metric("ribes")) == "ribes(alpha=0.25,beta=0.1)"
    assert metric("ribes").score(*texts).corpus == 1
    assert metric("ribes(lower=false)").score(*texts).corpus == 0


def test_an_empty_reference_among_others_is_left_out():
    segments = Segments.of(["a b", "a b"], [["", "b a c"], ["a b", ""]])
    assert metric("ribes").score(segments).sentence.tolist() == [1, 0]


@pytest.mark.parametrize("row", ISOZAKI_SENTENCES)
def test_values_of_the_paper(row):
    reference, hypothesis, worder, nkt, nsr, precision, recall = row
    segments = Segments.of([hypothesis], [reference])
    sides = segments.hypotheses, segments.references[0]
    aligned = align_by_context(*sides, released=False)
    assert (aligned[aligned >= 0] + 1).tolist() == worder
    assert metric("nkt").score(segments).corpus == pytest.approx(nkt, abs=5e-4)
    assert metric("nsr").score(segments).corpus == pytest.approx(nsr, abs=5e-4)
    assert np.mean(aligned >= 0) == pytest.approx(precision)
    assert np.sum(aligned >= 0) / len(reference.split()) == pytest.approx(recall)
    assert metric("modifier").score(segments).corpus == pytest.approx(precision)
    assert metric("modifier(kind=recall)").score(segments).corpus == pytest.approx(recall)
    full = metric("nkt(alpha=1)").score(segments).corpus
    assert full == pytest.approx(nkt * precision, abs=5e-4)


def test_correlations_and_modifiers_the_slow_way(pairs):
    segments = Segments.of(*map(list, zip(*pairs, strict=True)))
    nkt, nsr = np.array([slow_correlations(*pair) for pair in pairs]).T
    modifiers = np.array([slow_modifiers(*pair) for pair in pairs]).T
    expected = {"nkt": nkt, "nsr": nsr, "nsr(alpha=0.25)": nsr * modifiers[0] ** 0.25}
    expected["nkt(bp=true)"] = nkt * modifiers[3]
    kinds = ("precision", "recall", "fmeasure,beta=2", "bp")
    for kind, values in zip(kinds, modifiers, strict=True):
        expected[f"modifier(kind={kind})"] = values
        if kind != "bp":
            expected[f"nkt(alpha=0.5,modifier={kind})"] = nkt * np.sqrt(values)
    for signature, values in expected.items():
        scores = metric(signature).score(segments).sentence
        np.testing.assert_allclose(scores, values, atol=1e-12)


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
    "signature", ["nkt(beta=2)", "modifier(kind=recall,beta=2)", "nsr(modifier=bp)"]
)
def test_parameters_that_mean_nothing(signature):
    with pytest.raises(PreorderEvalError, match=r"beta|modifier"):
        metric(signature)
