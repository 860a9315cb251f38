"""chrF against sacrebleu."""

import json
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.chrf import CHRF
from test_bleu import random_texts

from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.chrf import Chrf

PEERS = json.loads((Path(__file__).parent / "data/peers_lexical.json").read_text())


def test_same_as_sacrebleu_for_sentences():
    for reference, hypothesis, _, plain, with_words, *_ in PEERS["rows"]:
        for chosen, expected in ((Chrf(), plain), (Chrf(word_order=2), with_words)):
            score = chosen.score([hypothesis], [reference]).corpus
            assert score == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("parameters", [(6, 0, 2), (6, 2, 2), (3, 1, 1), (1, 0, 3), (2, 0, 0)])
@pytest.mark.parametrize("seed", range(6))
def test_same_as_sacrebleu(parameters, seed):
    hypotheses, *streams = random_texts(seed, streams=1 + seed % 3)
    chosen, scorer = Chrf(*parameters), CHRF(*parameters)
    result = chosen.score(hypotheses, streams)
    expected = scorer.corpus_score(hypotheses, streams).score
    assert result.corpus == pytest.approx(expected, rel=1e-12)
    one_by_one = [
        scorer.sentence_score(hypothesis, list(references)).score
        for hypothesis, *references in zip(hypotheses, *streams, strict=True)
    ]
    np.testing.assert_allclose(result.sentence, one_by_one, rtol=1e-12)
    assert chosen.sacrebleu_signature(len(streams)) == str(scorer.get_signature())


def test_same_as_sacrebleu_for_other_letters_and_white_space():
    hypotheses = [
        "犬が 走る。",
        "na\u00efve\u3000\tcaf\u00e9",
        "\U0001f600 \U0001f601a",
        '("a") b,',
    ]
    references = ["犬は走った。", "naive café", "\U0001f601\U0001f600 a", "('a' ) b, c"]
    for words in (0, 2):
        scorer = CHRF(word_order=words)
        result = Chrf(word_order=words).score(hypotheses, references)
        expected = scorer._extract_corpus_statistics(hypotheses, [references])
        np.testing.assert_array_equal(result.statistics, expected)
    assert Chrf().score(["\ud800 a"], ["a\ud800"]).corpus > 0  # half a surrogate pair


def test_lower_case():
    expected = CHRF(lowercase=True).corpus_score(["A b"], [["a B c"]]).score
    assert Chrf(lower=True).score(["A b"], ["a B c"]).corpus == pytest.approx(expected)
    assert "case:lc" in Chrf(lower=True).sacrebleu_signature()


def test_undefined_cases_score_0():
    result = Chrf().score(["", "a", "", "a"], ["a", "", "", "b"])
    assert result.sentence.tolist() == [0] * 4
    assert Chrf().score([""], [""]).corpus == 0


def test_bad_parameters():
    with pytest.raises(PreorderEvalError, match="char_order=0 is not from 1 to 100"):
        Chrf(char_order=0)
    with pytest.raises(PreorderEvalError, match="beta=-1 is not from 0 to 1000"):
        Chrf(beta=-1)
