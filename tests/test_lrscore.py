"""LRscore."""

import itertools
import math
import random
import re

import numpy as np
import pytest
from published import BIRCH_TABLE_1

import preorder_eval as pe
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.outputs.bleu import Bleu
from preorder_eval.metrics.outputs.lrscore import LRScore, permutations
from preorder_eval.orders.alignments import Alignments

TEN = " ".join("abcdefghij")


def straight(length):
    return [(i, i) for i in range(length)]


def slow_permutation(links, length):
    """Insert the source words one by one where the paper's conventions say."""
    first = {i: min(t for s, t in links if s == i) for i in {s for s, _ in links}}
    placed = sorted(first, key=lambda i: (first[i], i))
    for i in range(length):
        if i not in first:
            placed.insert(placed.index(i - 1) + 1 if i else 0, i)
    return placed


def slow_similarity(distance, one, other):
    n = len(one)
    one, other = ([order.index(i) for i in range(n)] for order in (one, other))
    if distance == "hamming":
        return sum(a == b for a, b in zip(one, other, strict=True)) / n if n else 1
    pairs = list(itertools.combinations(range(n), 2))
    same = [(one[i] < one[j]) == (other[i] < other[j]) for i, j in pairs]
    return sum(same) / len(pairs) if pairs else 1


@pytest.mark.parametrize(("permutation", "moved", "inversions"), BIRCH_TABLE_1.values())
def test_permutations_of_table_1(permutation, moved, inversions):
    reference = Alignments.of([[(i, place - 1) for i, place in enumerate(permutation)]])
    hypothesis = Alignments.of([straight(10)])
    for distance, expected in (("hamming", 1 - moved / 10), ("kendall", 1 - inversions / 45)):
        result = LRScore(distance, alpha=1.0).score(
            [TEN], [TEN], alignments=(hypothesis, [reference]), source_lengths=[10]
        )
        assert result.corpus == pytest.approx(expected)


def test_conventions_for_links_that_are_no_permutation():
    cases = [
        ([(0, 1), (2, 0)], 3, [2, 0, 1]),  # unaligned: right after the previous source word
        ([(1, 1), (2, 0)], 3, [0, 2, 1]),  # unaligned at the start: first
        ([(0, 2), (2, 2), (3, 0)], 4, [3, 0, 1, 2]),  # many to one: in source order
        ([(0, 0), (0, 3), (1, 1)], 2, [0, 1]),  # one to many: the first target word
        ([(0, 3), (0, 1), (1, 2)], 2, [0, 1]),
        ([], 3, [0, 1, 2]),
        ([], 0, []),
    ]
    for links, length, expected in cases:
        assert permutations(Alignments.of([links]), [length])[0] == expected
    together = permutations(Alignments.of([c[0] for c in cases]), [c[1] for c in cases])
    assert list(together) == [c[2] for c in cases]


def random_corpus(rng, streams, size=9):
    lengths = [rng.choice([0, 1, 2, 3, 6]) for _ in range(size)]
    texts = [
        [" ".join(rng.choices("abcd", k=rng.randint(1, 7))) for _ in range(size)]
        for _ in range(1 + streams)
    ]
    texts[0][0] = ""
    links = [
        [
            [(i, t) for i in range(length) for t in range(len(text.split())) if rng.random() < 0.25]
            for length, text in zip(lengths, side, strict=True)
        ]
        for side in texts
    ]
    return lengths, texts, links


@pytest.mark.parametrize("distance", ["hamming", "kendall"])
@pytest.mark.parametrize("seed", range(6))
def test_same_as_sentence_by_sentence(distance, seed):
    rng = random.Random(seed)
    lengths, texts, links = random_corpus(rng, 1 + seed % 3)
    ngram, alpha = rng.choice([1, 4]), rng.random()
    chosen = LRScore(distance, ngram, alpha)
    alignments = [Alignments.of(side) for side in links]
    result = chosen.score(
        texts[0], texts[1:], alignments=(alignments[0], alignments[1:]), source_lengths=lengths
    )
    bleu = Bleu(order=ngram, effective_order=True).score(texts[0], texts[1:])
    orders = [[slow_permutation(*pair) for pair in zip(x, lengths, strict=True)] for x in links]
    order_scores = []
    for s in range(len(lengths)):
        d = max(slow_similarity(distance, orders[0][s], side[s]) for side in orders[1:])
        t = len(texts[0][s].split())
        r = min((len(x[s].split()) for x in texts[1:]), key=lambda r: (abs(r - t), r))
        order_scores.append(d * (0 if t == 0 else 1 if t > r else math.exp(1 - r / t)))
    expected = alpha * np.array(order_scores) + (1 - alpha) * bleu.sentence / 100
    np.testing.assert_allclose(result.sentence, expected, atol=1e-12)
    corpus = alpha * np.mean(order_scores) + (1 - alpha) * bleu.corpus / 100
    assert result.corpus == pytest.approx(corpus)
    assert result.corpus == chosen.finish(result.statistics.sum(axis=0))
    assert len(result.statistics) == len(lengths)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("lrscore(alpha", "does not have the form name"),
        ("lrscore(alpha=-0.1)", "metric lrscore: alpha must"),
        ("lrscore(alpha=nan)", "metric lrscore: alpha must"),
        ("lrscore(ngram=2)", "ngram=2 is not 1 or 4"),
        ("lrscore(distance=ulam)", "lrscore's distance 'ulam'"),
        ("LR-HB2", "unknown variant of lrscore 'LR-HB2'"),
        ("LR-HB1(ngram=4)", "LR-HB1 has ngram=1"),
    ],
)
def test_bad_signatures(signature, message):
    with pytest.raises(PreorderEvalError, match=message):
        metric(signature)


@pytest.mark.parametrize(
    ("name", "distance", "ngram"),
    [
        ("LR-HB1", "hamming", 1),
        ("LR-HB4", "hamming", 4),
        ("LR-KB1", "kendall", 1),
        ("LR-KB4", "kendall", 4),
    ],
)
def test_named_variants(name, distance, ngram):
    chosen = metric(f"{name}(alpha=0.25,lower=true)")
    assert chosen == LRScore(distance, ngram, 0.25, lower=True)
    assert str(chosen) == f"lrscore(distance={distance},ngram={ngram},alpha=0.25,lower=true)"
    links = Alignments.of([straight(10)])
    result = chosen.score([TEN], [TEN], alignments=(links, [links]), source_lengths=[10])
    assert result.corpus == pytest.approx(1)


ONE, FAR = Alignments.of([[(0, 0)]]), Alignments.of([[(0, 2)]])


@pytest.mark.parametrize(
    ("alignments", "source_lengths", "message"),
    [
        ((ONE, []), [1], "alignments of 0 references, but there are 1"),
        ((FAR, [ONE]), [1], "hypotheses, sentence 1: link 0-2 is outside its"),
        ((ONE, [FAR]), [1], "reference 1, sentence 1: link 0-2 is outside its"),
        ((ONE, [ONE]), [0], "link 0-0 is outside its 0 source tokens"),
        ((ONE, [ONE]), [1, 1], "hypotheses: alignments of 1 sentence, lengths of"),
    ],
)
def test_what_does_not_fit_is_an_error(alignments, source_lengths, message):
    assert LRScore().score(["a b"], ["a b"], alignments=(ONE, [ONE]), source_lengths=[1]).corpus
    with pytest.raises(PreorderEvalError, match=message):
        LRScore().score(["a b"], ["a b"], alignments=alignments, source_lengths=source_lengths)
    with pytest.raises(PreorderEvalError, match="no sentence to score"):
        LRScore().score([], [], alignments=alignments, source_lengths=[])


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ({"mt": [[(0, 1), (1, 0)]]}, ""),
        ([[[(0, 1), (1, 0)]]], ""),
        ([Alignments.of([[(0, 1), (1, 0)]])], ""),
        ({0: [[(0, 1)]]}, "hyp_alignment has no entry for the output mt"),
        ([], "hyp_alignment has no entry for the output mt"),
        (
            [["0-1"]],
            "hyp_alignment: ['0-1'] is not a list of links; give a list of (source, target)",
        ),
        ([[[(0, 2)]]], "sentence 1: link 0-2 is outside its 2 tokens"),
    ],
)
def test_links_in_memory_are_of_outputs_by_name_or_in_order(links, message):
    given = {"source": [["x", "y"]], "ref_alignment": [[straight(2)]], "hyp_alignment": links}
    if not message:
        assert pe.score({"mt": ["b a"]}, ["a b"], ["lrscore"], **given).value("mt") < 0.36
        return
    with pytest.raises(PreorderEvalError, match=re.escape(message)):
        pe.score({"mt": ["b a"]}, ["a b"], ["lrscore"], **given)
