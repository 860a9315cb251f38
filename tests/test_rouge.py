"""ROUGE: units counted the slow way, the papers' values, and the numbers of other tools."""

import itertools
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from published import LIN_OCH_POLICE, LIN_OCH_WEIGHTED

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.text.stems import snowball
from preorder_eval.metrics import metric
from preorder_eval.metrics.outputs import rouge
from preorder_eval.metrics.outputs.lexical import f_measure
from preorder_eval.metrics.outputs.rouge import _rouge_score_stemmer

PEER = json.loads((Path(__file__).parent / "data/peers_rouge.json").read_text())
ALL = ["rouge_l", "rouge_w", "rouge_s", "rouge_su", "rouge_n"]
every = pytest.mark.parametrize("name", ALL)


def sentences(seed, words="abcdef", count=150, longest=9):
    rng = random.Random(seed)
    return [rng.choices(words, k=rng.randint(0, longest)) for _ in range(count)]


def slow_lcs(one, two):
    """The longest of all subsequences of one sentence that are subsequences of the other."""

    def has(rest, wanted):
        return all(word in rest for word in wanted)

    lengths = range(len(one), -1, -1)
    return next(n for n in lengths for ws in itertools.combinations(one, n) if has(iter(two), ws))


def ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def skip_bigrams(words, skip=None, unigrams=False):
    pairs = [
        (words[i], words[j])
        for i, j in itertools.combinations(range(len(words)), 2)
        if skip is None or j - i - 1 <= skip
    ]
    return Counter(pairs + (words if unigrams else []))


def table(x, y, a, gap=0.0):
    """The paper's program: x is the reference."""

    def f(k):
        return (1 + gap) * k**a - gap if k else 0

    c = np.zeros((len(x) + 1, len(y) + 1))
    w = np.zeros((len(x) + 1, len(y) + 1))
    for i, j in itertools.product(range(1, len(x) + 1), range(1, len(y) + 1)):
        if x[i - 1] == y[j - 1]:
            k = w[i - 1, j - 1]
            c[i, j] = c[i - 1, j - 1] + f(k + 1) - f(k)
            w[i, j] = k + 1
        else:
            c[i, j] = max(c[i - 1, j], c[i, j - 1])
    return c[-1, -1]


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
    "rouge_w(weight=1.5)": lambda h, r: (table(r, h, 1.5), len(h) ** 1.5, len(r) ** 1.5),
    "rouge_s": counts_of(skip_bigrams),
    "rouge_s(skip=0)": counts_of(lambda words: skip_bigrams(words, 0)),
    "rouge_s(skip=4)": counts_of(lambda words: skip_bigrams(words, 4)),
    "rouge_su": counts_of(lambda words: skip_bigrams(words, None, True)),
    "rouge_su(skip=1)": counts_of(lambda words: skip_bigrams(words, 1, True)),
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
    monkeypatch.setattr(rouge, "_MOST_PAIRS", 6)
    assert metric("rouge_s").score(["a"], ["a b c d"]).corpus == 0
    monkeypatch.setattr(rouge, "_MOST_PAIRS", 5)
    message = "a sentence of 4 words has too many pairs of words; limit the number of words between"
    with pytest.raises(PreorderEvalError, match=message):
        metric("rouge_s").score(["a"], ["a b c d"])
    assert metric("rouge_s(skip=0)").score(["a b"], ["a b c d"]).corpus == 0.5


@pytest.mark.parametrize("weight", [1, 1.2, 1.37, 2, 5])
def test_identical_texts_score_1(weight):
    texts = [text for text in sentences(10, "ab", 100, 30) if text]
    for chosen in (metric("rouge_w", weight=weight), metric("rouge_w", weight=weight, stem=True)):
        scores = chosen.score(texts, texts).sentence
        np.testing.assert_allclose(scores, 1)
        assert (scores <= 1).all()


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


@pytest.mark.parametrize("signature", PEER["ROUGE-1.5.5"])
def test_rouge155(signature):
    for (hypothesis, texts), row in zip(PEER["items"], PEER["ROUGE-1.5.5"][signature], strict=True):
        # It splits at all but these; a pair of single words is 0 there.
        sides = [re.findall("[a-z0-9]+", text.lower()) for text in (hypothesis, *texts)]
        if not (signature.startswith("rouge_s") and max(map(len, sides)) == 1):
            own = recall_precision_f(signature, sides[:1], [sides[1:]])
            assert own == pytest.approx(row, abs=1.1e-5)


@pytest.mark.parametrize("signature", PEER["rouge_score 0.1.2"])
def test_rouge_score(signature):
    for (hypothesis, texts), row in zip(
        PEER["items"], PEER["rouge_score 0.1.2"][signature], strict=True
    ):
        own = recall_precision_f(signature, [hypothesis], [texts])
        assert own == pytest.approx(row, abs=1e-11)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("rouge_s(skip=4.5)", r"rouge_s: skip=4\.5 is not a whole number"),
        ("rouge_l(beta=rate)", "rouge_l: beta=rate is not a number"),
        *((f"rouge_l(beta={bad})", "rouge_l: beta must be from 0 to") for bad in ("inf", "nan")),
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


def test_stems_of_snowball_are_those_of_porter_1980():
    from nltk.stem.porter import PorterStemmer  # which loads much else

    beginnings = ["f", "car", "hop", "relat", "agre", "electr", "probab", "form", "fall"]
    endings = [
        *("s", "es", "ies", "ed", "ing", "eed", "y", "ational", "izer", "ably", "ibly", "ally"),
        *("ousness", "icate", "ful", "ness", "ement", "ion", "tion", "ology", "e", "ll", "iviti"),
    ]
    words = [one + two + three for one in beginnings for two in endings for three in endings]
    peer = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM)
    published = snowball("porter")
    assert [published(word) for word in words] == [peer.stem(word) for word in words]


def test_stems_take_nltk(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk.stem.porter", None)
    _rouge_score_stemmer.cache_clear()
    with pytest.raises(PreorderEvalError, match=r"pip install 'preorder-eval\[stem\]'"):
        metric("rouge_l(stem=true)").score(["a"], ["a"])


def test_stems_of_words_of_up_to_three_letters_stay_as_for_rouge_score():
    both = ["he uses and used it as dies do"], ["he use and using its a die does"]
    matching = metric("rouge_n(n=1,stem=true)").score(*both).corpus
    assert matching == pytest.approx(5 / 8)  # he, use, and, use, die; as rouge_score has it
