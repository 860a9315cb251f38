"""ROUGE: units counted the slow way, the papers' values, and the numbers of other tools."""

import itertools
import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from nltk.stem.porter import PorterStemmer
from published import LIN_OCH_POLICE, LIN_OCH_WEIGHTED

from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric, rouge
from preorder_eval.metrics.lexical import f_measure, snowball
from preorder_eval.metrics.porter import stem
from preorder_eval.metrics.rouge import (
    reference_runs,
)

PEER = json.loads((Path(__file__).parent / "data/peers_rouge.json").read_text())
ITEMS = [([hypothesis], [[text] for text in texts]) for hypothesis, texts in PEER["items"]]
SINGLE = [item for item in ITEMS if len(item[1]) == 1]
ALL = ["rouge_l", "rouge_w", "rouge_s", "rouge_su", "rouge_n"]
every = pytest.mark.parametrize("name", ALL)


def sentences(seed, words="abcdef", count=150, longest=9):
    rng = random.Random(seed)
    return [rng.choices(words, k=rng.randint(0, longest)) for _ in range(count)]


def sides(hypotheses, references):
    segments = Segments.of(hypotheses, [references])
    return segments.hypotheses, segments.references[0]


def slow_lcs(one, two):
    """The longest of all subsequences of one sentence that are subsequences of the other."""

    def has(rest, wanted):
        return all(word in rest for word in wanted)

    lengths = range(len(one), -1, -1)
    return next(n for n in lengths for ws in itertools.combinations(one, n) if has(iter(two), ws))


def ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def skip_bigrams(words, skip=None, unigrams=None):
    pairs = [
        (words[i], words[j])
        for i, j in itertools.combinations(range(len(words)), 2)
        if skip is None or j - i - 1 <= skip
    ]
    return Counter(pairs + ([] if unigrams is None else words[: max(0, len(words) - unigrams)]))


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


@pytest.mark.parametrize(("reference", "hypothesis", "rouge_l", "rouge_s"), LIN_OCH_POLICE)
def test_published(reference, hypothesis, rouge_l, rouge_s):
    assert metric("rouge_l(beta=1)").score([hypothesis], [reference]).corpus == rouge_l
    score = metric("rouge_s(beta=1)").score([hypothesis], [reference]).corpus
    assert score == pytest.approx(rouge_s, abs=5e-4)


@pytest.mark.parametrize(("reference", "hypothesis", "rouge_w"), LIN_OCH_WEIGHTED)
def test_published_weights(reference, hypothesis, rouge_w):
    score = metric("rouge_w(weight=2,beta=1)").score([hypothesis], [reference]).corpus
    assert score == pytest.approx(rouge_w, abs=5e-4)


def counts_of(units):
    """The units in common and those of each side, where a function lists them."""

    def counts(hypothesis, reference):
        one, two = units(hypothesis), units(reference)
        return (one & two).total(), one.total(), two.total()

    return counts


COUNTS = {
    "rouge_n": counts_of(lambda words: ngrams(words, 1)),
    "rouge_n(n=2)": counts_of(lambda words: ngrams(words, 2)),
    "rouge_n(n=3)": counts_of(lambda words: ngrams(words, 3)),
    "rouge_l": lambda h, r: (slow_lcs(h, r), len(h), len(r)),
    "rouge_w(weight=1.5)": lambda h, r: (table(r, h, 1.5)[0], len(h) ** 1.5, len(r) ** 1.5),
    "rouge_s": counts_of(skip_bigrams),
    "rouge_s(skip=0)": counts_of(lambda words: skip_bigrams(words, 0)),
    "rouge_s(skip=4)": counts_of(lambda words: skip_bigrams(words, 4)),
    "rouge_su": counts_of(lambda words: skip_bigrams(words, None, 0)),
    "rouge_su(skip=1)": counts_of(lambda words: skip_bigrams(words, 1, 0)),
}


@pytest.mark.parametrize("signature", COUNTS)
def test_f_of_units_counted_the_slow_way(signature):
    hypotheses, references = sentences(3), sentences(4)
    result = metric(signature, beta=2.0).score(hypotheses, references)
    root = 1.5 if signature.startswith("rouge_w") else 1
    for h, r, score in zip(hypotheses, references, result.sentence, strict=True):
        both, one, two = COUNTS[signature](h, r)
        expected = 0
        if both:
            recall, precision = (both / two) ** (1 / root), (both / one) ** (1 / root)
            expected = 5 * recall * precision / (recall + 4 * precision)
        elif h == r and len(h) == 1 and signature.startswith("rouge_s"):
            expected = 1  # a single word, which has no pair, against itself
        assert score == pytest.approx(expected)
    assert result.corpus == pytest.approx(result.sentence.mean())


def test_too_many_skip_bigrams(monkeypatch):
    monkeypatch.setattr(rouge, "_MOST_PAIRS", 5)
    message = "a sentence of 4 words has too many pairs of words; limit how many stand between"
    with pytest.raises(PreorderEvalError, match=message):
        metric("rouge_s").score(["a"], ["a b c d"])
    assert metric("rouge_s(skip=0)").score(["a b"], ["a b c d"]).corpus == 0.5


@pytest.mark.parametrize("a", [1.2, 2])
def test_runs_of_the_reference_are_those_of_the_slow_way(a):
    hypotheses, references = sentences(3, longest=15), sentences(4, longest=11)
    expected = [slow_runs(r, h, a) for h, r in zip(hypotheses, references, strict=True)]
    runs = reference_runs(*sides(hypotheses, references), a)
    np.testing.assert_allclose(runs, expected, atol=1e-12)


@pytest.mark.parametrize("weight", [1, 1.2, 1.37, 2, 5])
def test_identical_texts_score_1(weight):
    texts = [text for text in sentences(10, "ab", 100, 30) if text]
    for chosen in (metric("rouge_w", weight=weight), metric("rouge_w", weight=weight, stem=True)):
        scores = chosen.score(texts, texts).sentence
        np.testing.assert_allclose(scores, 1)
        assert (scores <= 1).all()


@pytest.mark.parametrize(("weight", "gap"), [(1, 0.5), (1.2, 3.0)])
def test_with_a_gap_as_the_papers_program(weight, gap):
    hypotheses, references = sentences(8, longest=12), sentences(9, longest=10)

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


def test_single_words_and_empty_sides():
    hypotheses = ["a", "a", "a", "a b", "", ""]
    references = ["a", "b", "a b", "a", "a", ""]
    score = metric("rouge_s").score(hypotheses, references).sentence
    assert score.tolist() == [1, 0, 0, 0, 0, 0]
    score = metric("rouge_su").score(hypotheses, references).sentence
    assert score.tolist() == [1, 0, 0.5, 0.5, 0, 0]
    best = metric("rouge_s").score(["a", "a"], [["b", "a c"], ["a", "b"]]).sentence
    assert best.tolist() == [1, 0]


def recall_precision_f(signature, hypothesis, references):
    """β = 0 makes F precision, and a large β recall."""
    betas = (1e6, 0, metric(signature).beta)
    return [
        metric(signature, beta=b, tokenize="none").score(hypothesis, references).corpus
        for b in betas
    ]


@pytest.mark.slow
@pytest.mark.parametrize("signature", PEER["ROUGE-1.5.5"])
def test_rouge155(signature):
    for item, row in zip(ITEMS, PEER["ROUGE-1.5.5"][signature], strict=True):
        assert recall_precision_f(signature, *item) == pytest.approx(row, abs=1e-9)


def test_rouge155_with_the_best_reference():
    rows = PEER["ROUGE-1.5.5 -f B, the item with several references"]
    [item] = [item for item in ITEMS if len(item[1]) > 1]
    for signature, row in rows.items():
        assert recall_precision_f(signature, *item) == pytest.approx(row, abs=1e-9)


def test_rouge155_weights():
    own = metric("rouge_w(mode=rouge155)")
    weights = PEER["ROUGE-1.5.5 -t 1, weight in common of ROUGE-W-1.2"]
    for item, weight in zip(ITEMS, weights, strict=True):
        segments = own.prepared(Segments.of(*item))
        overlaps = [own.overlap(segments.hypotheses, each) for each in segments.references]
        assert sum(each.both[0] for each in overlaps) == pytest.approx(weight, abs=1e-12)


@pytest.mark.parametrize("signature", ["rouge_n(n=1)", "rouge_n(n=2)", "rouge_l"])
def test_rouge_score(signature):
    rows = PEER["rouge_score 0.1.2, items with one reference"][signature]
    for item, row in zip(SINGLE, rows, strict=True):
        assert recall_precision_f(signature, *item) == pytest.approx(row, abs=1e-11)


def test_py_rouge_has_the_faults_of_rouge155():
    for item, row in zip(ITEMS, PEER["py-rouge 1.1, rouge-w 1.2"], strict=True):
        score = recall_precision_f("rouge_w(mode=rouge155)", *item)
        assert score == pytest.approx(row, abs=1.1e-5)


def test_rouge155_of_identical_texts():
    same = (["a b c d e"], ["a b c d e"])
    assert metric("rouge_w(mode=rouge155)").score(*same).corpus < 0.9
    for name in ("rouge_l", "rouge_s", "rouge_su", "rouge_n"):
        assert metric(name, mode="rouge155").score(*same).corpus == 1
        assert metric(name, mode="rouge155").score(["a b"], ["c d"]).corpus == 0
    for name in ("rouge_s", "rouge_su"):
        assert metric(name, mode="rouge155").score(["a"], ["a"]).corpus == 0


def test_rouge155_has_its_own_tokens_and_case():
    own = metric("rouge_l(mode=rouge155)")
    assert own.score(["Ein Mädchen, 3.5"], ["ein m dchen 3 5"]).corpus == 1
    assert own.score(["猫 が"], ["猫 が"]).corpus == 0
    # The Kelvin sign lowers to k, but is none of a-z.
    assert own.score(["\u212a"], ["k"]).corpus == 0
    # Three letters are too few for stemming.
    stemming = metric("rouge_l(mode=rouge155,stem=true)")
    assert stemming.score(["ties"], ["tied"]).corpus == 1
    assert stemming.score(["as"], ["a"]).corpus == 0


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("rouge_l(mode=rouge155,jackknife=true)", r"rouge_l: ROUGE-1\.5\.5 has no jackknife"),
        ("rouge_s(mode=rouge155,tokenize=char)", r"rouge_s: ROUGE-1\.5\.5 has no tokenize"),
        ("rouge_w(gap=1,mode=rouge155)", r"ROUGE-1\.5\.5 has no gap"),
        ("rouge_w(weight=0.9)", r"rouge_w: weight must be from 1 to 5, not 0\.9"),
        ("rouge_n(n=0)", "rouge_n: n must be from 1 to 100, not 0"),
        ("rouge_s(skip=-1)", "rouge_s: skip must be from 0 to"),
        ("rouge_s(skip=4.5)", r"rouge_s: skip=4\.5 is not a whole number"),
        ("rouge_l(beta=rate)", "rouge_l: beta=rate is not a number"),
        *(
            (f"rouge_l(beta={bad})", "rouge_l: beta must be from 0 to")
            for bad in (-1, "inf", "nan")
        ),
    ],
)
def test_parameters_that_mean_nothing(signature, message):
    with pytest.raises(PreorderEvalError, match=message):
        metric(signature)


def test_beta():
    recall, precision = np.array([0.25, 0.6, 0, 1]), np.array([0.75, 0.4, 0, 1])
    assert f_measure(recall, precision, 0).tolist() == precision.tolist()
    np.testing.assert_allclose(f_measure(recall, precision, 1e6), recall)
    for r, p, f in zip(recall, precision, f_measure(recall, precision, "ratio"), strict=True):
        expected = f_measure(np.array([r]), np.array([p]), p / r)[0] if r else 0
        assert f == pytest.approx(expected)


@every
def test_beta_of_the_paper(name):
    chosen = metric(f"{name}(beta=ratio)")
    assert metric(str(chosen)) == chosen
    hypotheses, references = ["a b c x c", "x", "a b"], ["a b c d e f g", "a", "a b"]
    recall, precision = (
        metric(name, beta=b).score(hypotheses, references).sentence for b in (1e6, 0)
    )
    expected = f_measure(recall, precision, "ratio")
    np.testing.assert_allclose(chosen.score(hypotheses, references).sentence, expected)
    assert expected[0] != pytest.approx(f_measure(recall, precision, 1)[0])


@every
def test_recall_and_precision_are_the_largest_over_references(name):
    hypothesis, references = ["a b c d"], [["a b"], ["a b c x y z"], ["q"]]
    each = [
        [metric(name, beta=b).score(hypothesis, [r]).corpus for b in (1e6, 0)] for r in references
    ]
    recall, precision = np.max(each, axis=0)
    assert recall > each[1][0]
    assert precision > each[0][1]
    expected = f_measure(np.array([recall]), np.array([precision]), 1)[0]
    assert metric(name).score(hypothesis, references).corpus == pytest.approx(expected)


def test_stems_are_those_of_porter_1980_and_of_nltk():
    beginnings = ["f", "car", "hop", "relat", "agre", "electr", "probab", "form", "fall"]
    endings = [
        *("s", "es", "ies", "ed", "ing", "eed", "y", "ational", "izer", "ably", "ibly", "ally"),
        *("ousness", "icate", "ful", "ness", "ement", "ion", "tion", "ology", "e", "ll", "iviti"),
    ]
    words = [one + two + three for one in beginnings for two in endings for three in endings]
    peer = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM)
    published = snowball("porter")
    assert [published(word) for word in words] == [peer.stem(word) for word in words]
    words += ["skies", "dying", "news", "succeed", "dies", "died", "enjoyed", "spy", "using"]
    words += ["carefully", "theology", "additionally", "possibly", "falling", "filed", "controlled"]
    extended = PorterStemmer()
    assert [stem(word) for word in words] == [extended.stem(word) for word in words]


def test_stems_of_words_of_up_to_three_letters_stay_as_for_rouge_score():
    both = ["he uses and used it as dies do"], ["he use and using its a die does"]
    matching = metric("rouge_n(n=1,stem=true)").score(*both).corpus
    assert matching == pytest.approx(5 / 8)  # he, use, and, use, die; as rouge_score has it
