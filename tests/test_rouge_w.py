"""ROUGE-W, and the weighted longest common subsequence."""

import itertools
import random

import numpy as np
import pytest
from published import LIN_OCH_WEIGHTED

from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.rouge import reference_runs, weighted_common


def table(x, y, a, gap=0.0):
    """The paper's program, and the moves that it makes: x is the reference."""

    def f(k):
        return (1 + gap) * k**a - gap if k else 0

    c = np.zeros((len(x) + 1, len(y) + 1))
    w = np.zeros((len(x) + 1, len(y) + 1))
    moves = {}
    for i, j in itertools.product(range(1, len(x) + 1), range(1, len(y) + 1)):
        if x[i - 1] == y[j - 1]:
            k = w[i - 1, j - 1]
            c[i, j] = c[i - 1, j - 1] + f(k + 1) - f(k)
            w[i, j] = k + 1
            moves[i, j] = (1, 1)
        else:
            moves[i, j] = (1, 0) if c[i - 1, j] >= c[i, j - 1] else (0, 1)
            c[i, j] = max(c[i - 1, j], c[i, j - 1])
    return c[-1, -1], moves


def slow_runs(x, y, a):
    """The weight of the runs of the reference's words on the path through the table."""
    moves = table(x, y, a)[1]
    i, j, matched = len(x), len(y), [False] * len(x)
    while i and j:
        down, right = moves[i, j]
        if down and right:
            matched[i - 1] = True
        i, j = i - down, j - right
    return sum(len(list(group)) ** a for hit, group in itertools.groupby(matched) if hit)


def best_weight(x, y, a):
    """The largest weight of all common subsequences."""
    best = 0
    for size in range(1, min(len(x), len(y)) + 1):
        for rows in itertools.combinations(range(len(x)), size):
            for columns in itertools.combinations(range(len(y)), size):
                if all(x[i] == y[j] for i, j in zip(rows, columns, strict=True)):
                    runs, length = 0, 1
                    for k in range(1, size + 1):
                        if k < size and (rows[k] - rows[k - 1], columns[k] - columns[k - 1]) == (
                            1,
                            1,
                        ):
                            length += 1
                        else:
                            runs, length = runs + length**a, 1
                    best = max(best, runs)
    return best


def sentences(seed, count, longest, words="abcdef"):
    rng = random.Random(seed)
    return [rng.choices(words, k=rng.randint(0, longest)) for _ in range(count)]


def sides(hypotheses, references):
    segments = Segments.of(hypotheses, [references])
    return segments.hypotheses, segments.references[0]


@pytest.mark.parametrize(("reference", "hypothesis", "rouge_w"), LIN_OCH_WEIGHTED)
def test_published(reference, hypothesis, rouge_w):
    score = metric("rouge_w(weight=2,beta=1)").score([hypothesis], [reference]).corpus
    assert score == pytest.approx(rouge_w, abs=5e-4)


@pytest.mark.parametrize("a", [1, 1.2, 2])
def test_weights_are_those_of_the_papers_program(a):
    hypotheses, references = sentences(1, 300, 15), sentences(2, 300, 11)
    expected = [table(r, h, a)[0] for h, r in zip(hypotheses, references, strict=True)]
    weights = weighted_common(*sides(hypotheses, references), lambda k: k**a)
    np.testing.assert_allclose(weights, expected, atol=1e-12)


@pytest.mark.parametrize("a", [1.2, 2])
def test_runs_of_the_reference_are_those_of_the_slow_way(a):
    hypotheses, references = sentences(3, 300, 15), sentences(4, 300, 11)
    expected = [slow_runs(r, h, a) for h, r in zip(hypotheses, references, strict=True)]
    runs = reference_runs(*sides(hypotheses, references), a)
    np.testing.assert_allclose(runs, expected, atol=1e-12)


def test_without_repeated_words_no_common_subsequence_weighs_more():
    rng = random.Random(5)
    hypotheses, references = (
        [rng.sample("abcdefgh", rng.randint(0, 6)) for _ in range(100)] for _ in range(2)
    )
    expected = [best_weight(r, h, 2) for h, r in zip(hypotheses, references, strict=True)]
    assert weighted_common(*sides(hypotheses, references), lambda k: k**2.0).tolist() == expected


def test_with_repeated_words_the_papers_program_may_miss_the_best():
    hypotheses, references = sentences(6, 100, 6, "abc"), sentences(7, 100, 6, "abc")
    best = np.array([best_weight(r, h, 2) for h, r in zip(hypotheses, references, strict=True)])
    weights = weighted_common(*sides(hypotheses, references), lambda k: k**2.0)
    assert (weights <= best).all()
    # It takes the last match of b, which breaks the run.
    assert weighted_common(*sides([list("ab")], [list("abb")]), lambda k: k**2.0).tolist() == [2]
    assert best_weight("abb", "ab", 2) == 4


def test_weight_1_is_rouge_l_without_repeated_words():
    hypotheses, references = ["a b c d e f", "c a b"], ["b a d c f e", "a b c"]
    np.testing.assert_allclose(
        metric("rouge_w(weight=1)").score(hypotheses, references).sentence,
        metric("rouge_l").score(hypotheses, references).sentence,
    )


def test_score():
    hypotheses, references = sentences(8, 200, 12), sentences(9, 200, 12)
    result = metric("rouge_w(weight=1.5,beta=3)").score(hypotheses, references)
    for h, r, score in zip(hypotheses, references, result.sentence, strict=True):
        weight, expected = table(r, h, 1.5)[0], 0
        if weight:
            recall, precision = ((weight / len(side) ** 1.5) ** (1 / 1.5) for side in (r, h))
            expected = 10 * recall * precision / (recall + 9 * precision)
        assert score == pytest.approx(expected)


@pytest.mark.parametrize("weight", [1, 1.2, 1.37, 2, 5])
def test_identical_texts_score_1(weight):
    texts = [text for text in sentences(10, 100, 30, "ab") if text]
    for chosen in (metric("rouge_w", weight=weight), metric("rouge_w", weight=weight, stem=True)):
        scores = chosen.score(texts, texts).sentence
        np.testing.assert_allclose(scores, 1)
        assert (scores <= 1).all()


def test_empty_sides_score_0():
    assert metric("rouge_w").score(["", "a", ""], ["a", "", ""]).sentence.tolist() == [0, 0, 0]


def test_weight_must_not_punish_runs():
    with pytest.raises(PreorderEvalError, match=r"rouge_w: weight=0\.9 is not from 1 to 5"):
        metric("rouge_w(weight=0.9)")


def test_a_gap_is_charged_for_every_run():
    """f(k) = αk - β with α = 2 and β = 1, by hand: two runs of two weigh 3 each, one of four 7."""
    chosen = metric("rouge_w(weight=1,gap=1)")
    two_runs = chosen.score(["a b x c d"], ["a b c d"]).corpus
    recall, precision = (6 / 7 + 1) / 2, (6 / 9 + 1) / 2
    assert two_runs == pytest.approx(2 * recall * precision / (recall + precision))
    assert chosen.score(["a b c d"], ["a b c d"]).corpus == 1
    assert chosen.score(["x"], ["a b c d"]).corpus == 0


@pytest.mark.parametrize(("weight", "gap"), [(1, 0.5), (1.2, 3.0)])
def test_with_a_gap_as_the_papers_program(weight, gap):
    hypotheses, references = sentences(8, 200, 12), sentences(9, 200, 10)

    def inverse(share):
        return ((share + gap) / (1 + gap)) ** (1 / weight) if share else 0

    expected = []
    for x, y in zip(references, hypotheses, strict=True):
        weighed = table(x, y, weight, gap)[0]
        full = [(1 + gap) * len(side) ** weight - gap if side else 1 for side in (x, y)]
        r, p = (inverse(weighed / each) for each in full)
        expected.append(2 * r * p / (r + p) if r + p else 0)
    scores = metric(f"rouge_w(weight={weight},gap={gap})").score(hypotheses, references)
    np.testing.assert_allclose(scores.sentence, expected, atol=1e-12)


def test_rouge155_has_no_gap():
    with pytest.raises(PreorderEvalError, match=r"ROUGE-1\.5\.5 has no gap"):
        metric("rouge_w(gap=1,mode=rouge155)")
