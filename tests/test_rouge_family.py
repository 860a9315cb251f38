"""What the ROUGE metrics share: F, several references, stems; and the numbers of other tools."""

import json
from pathlib import Path

import numpy as np
import pytest
from nltk.stem.porter import PorterStemmer

from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import metric
from preorder_eval.metrics.lexical import f_measure, porter, replaced

PEER = json.loads((Path(__file__).parent / "data/peers_rouge.json").read_text())
ITEMS = [([hypothesis], [[text] for text in texts]) for hypothesis, texts in PEER["items"]]
SINGLE = [item for item in ITEMS if len(item[1]) == 1]
ALL = ["rouge_l", "rouge_w", "rouge_s", "rouge_su", "rouge_n"]
every = pytest.mark.parametrize("name", ALL)


def recall_precision_f(signature, hypothesis, references):
    """β = 0 makes F precision, and a large β recall."""
    betas = (1e6, 0, metric(signature).beta)
    return [metric(signature, beta=b).score(hypothesis, references).corpus for b in betas]


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


@every
@pytest.mark.parametrize("choice", ["jackknife=true", "tokenize=char"])
def test_rouge155_has_no_other_choices(name, choice):
    parameter = choice.partition("=")[0]
    with pytest.raises(PreorderEvalError, match=f"{name}: ROUGE-1.5.5 has no {parameter}"):
        metric(f"{name}(mode=rouge155,{choice})")


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
    for bad in ("-1", "inf", "nan"):
        with pytest.raises(PreorderEvalError, match=f"{name}: beta=.* is not from 0 to"):
            metric(f"{name}(beta={bad})")


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


@every
def test_jackknife(name):
    hypotheses = ["a b c d", "c b a", "x y"]
    references = [["a b", "a", "x y"], ["a b c x y", "c a", "y z"], ["a d", "b a", "x x y"]]
    sets = [references[1:], references[::2], references[:2]]
    expected = np.mean([metric(name).score(hypotheses, s).sentence for s in sets], axis=0)
    own = metric(f"{name}(jackknife=true)")
    np.testing.assert_allclose(own.score(hypotheses, references).sentence, expected)
    one = own.score(hypotheses, references[0]).sentence
    assert one.tolist() == metric(name).score(hypotheses, references[0]).sentence.tolist()


@every
def test_stem(name):
    hypotheses, references = ["Police kills the gunmen"], ["police killed the gunmen"]
    assert metric(f"{name}(stem=true)").score(hypotheses, references).corpus == pytest.approx(1)
    assert metric(name).score(hypotheses, references).corpus < 1


def test_stems_are_those_of_porter_1980():
    beginnings = ["f", "car", "hop", "relat", "agre", "electr", "probab", "form", "fall"]
    endings = [
        *("s", "es", "ies", "ed", "ing", "eed", "y", "ational", "izer", "ably", "ibly", "ally"),
        *("ousness", "icate", "ful", "ness", "ement", "ion", "tion", "ology", "e", "ll", "iviti"),
    ]
    words = [one + two + three for one in beginnings for two in endings for three in endings]
    peer = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM)
    stem = porter()
    assert [stem(word) for word in words] == [peer.stem(word) for word in words]


def test_words_replaced_by_none_and_several():
    segments = Segments.of(["a-b - c", "", "c"], [["b-c", "-", "a"], ["-", "c", "-"]])
    new = replaced(segments, lambda word: [part for part in word.split("-") if part])
    words = [[[new.names[c] for c in s] for s in t] for t in (new.hypotheses, *new.references)]
    assert words == [
        [["a", "b", "c"], [], ["c"]],
        [["b", "c"], [], ["a"]],
        [[], ["c"], []],
    ]
