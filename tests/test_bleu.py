"""BLEU against sacrebleu."""

import itertools
import json
import random
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics.bleu import Bleu

PEERS = json.loads((Path(__file__).parent / "data/peers_lexical.json").read_text())
SMOOTH = ("exp", "floor", "add-k", "none")
VARIANTS = list(itertools.product((1, 2, 3, 4), SMOOTH, (False, True)))


def random_texts(seed, size=12, streams=2):
    rng = random.Random(seed)
    words = "abcdefghij"[: rng.randint(2, 10)]
    return [
        [" ".join(rng.choices(words, k=rng.choice([0, 1, 2, 3, 4, 8, 20]))) for _ in range(size)]
        for _ in range(1 + streams)
    ]


def test_same_as_sacrebleu_for_sentences():
    chosen = Bleu(effective_order=True)
    for reference, hypothesis, expected, *_ in PEERS["rows"]:
        assert chosen.score([hypothesis], [reference]).corpus == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("order", "smooth", "effective_order"), VARIANTS)
def test_same_as_sacrebleu(order, smooth, effective_order):
    chosen = Bleu(order=order, smooth=smooth, effective_order=effective_order)
    scorer = BLEU(
        tokenize="none",
        smooth_method=smooth,
        max_ngram_order=order,
        effective_order=effective_order,
        force=True,
    )
    for seed in range(8):
        hypotheses, *streams = random_texts(seed, streams=1 + seed % 3)
        result = chosen.score(hypotheses, streams)
        expected = scorer.corpus_score(hypotheses, streams)
        assert result.corpus == pytest.approx(expected.score, rel=1e-12)
        rows = [list(row) for row in scorer._extract_corpus_statistics(hypotheses, streams)]
        np.testing.assert_array_equal(result.statistics, rows)
        for score, row in zip(result.sentence, rows, strict=True):
            assert score == pytest.approx(scorer._compute_score_from_stats(row).score, rel=1e-12)
        assert chosen.sacrebleu_signature(len(streams)) == str(scorer.get_signature())


def test_same_as_sacrebleu_with_its_tokenizer_and_lower_case():
    hypotheses = ["Hello, World! It's 3.5% of the (old) boats-", "No.  more"]
    references = ["hello, world! It's 3.5% of (the) old boats.", "no more."]
    scorer = BLEU(lowercase=True)
    chosen = Bleu(tokenize="13a", lower=True)
    expected = scorer.corpus_score(hypotheses, [references]).score
    assert expected > 20
    assert chosen.score(hypotheses, references).corpus == pytest.approx(expected, rel=1e-12)
    assert chosen.sacrebleu_signature() == str(scorer.get_signature())


def test_sentences_shorter_than_the_order():
    three = ["a b c"]
    assert Bleu().score(three, three).corpus == 0
    assert Bleu(effective_order=True).score(three, three).corpus == pytest.approx(100)


def test_undefined_cases_score_0():
    hypotheses, references = ["", "a", "", "a"], ["a", "", "", "b"]
    for order, smooth, effective_order in VARIANTS:
        chosen = Bleu(order=order, smooth=smooth, effective_order=effective_order)
        result = chosen.score(hypotheses, references)
        assert result.corpus == 0
        assert result.sentence.tolist() == [0] * 4


def test_the_closest_reference_length_and_of_two_the_shorter():
    segments = Segments.of(["a b c"], [["a b c d"], ["a b"], ["a b c d e f"]])
    assert Bleu().statistics(segments)[0, :2].tolist() == [3, 2]


def test_bad_parameters():
    with pytest.raises(PreorderEvalError, match=r"metric bleu: order=13 is not from 1 to 12"):
        Bleu(order=13)
    with pytest.raises(UnknownNameError, match="bleu's smooth 'add'"):
        Bleu(smooth="add")
