"""TER against sacrebleu."""

import json
from pathlib import Path

import pytest
from sacrebleu.metrics.ter import TER
from test_bleu import random_texts

from preorder_eval.metrics.ter import Ter

PEERS = json.loads((Path(__file__).parent / "data/peers_lexical.json").read_text())


def test_same_as_sacrebleu_for_sentences():
    for row in PEERS["rows"]:
        assert Ter().score([row[1]], [row[0]]).corpus == pytest.approx(row[5], rel=1e-12)


def test_case_as_tercom_counts_it():
    # tercom 0.10 -s prints 8 edits of 16 words, sacrebleu without case 7.
    [row] = [row for row in PEERS["rows"] if row[0].startswith("It is a guide")]
    assert Ter(lower=False).score([row[1]], [row[0]]).corpus == 50
    assert row[5] == 43.75


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_same_as_sacrebleu(lower, seed):
    hypotheses, *streams = random_texts(seed, size=6, streams=1 + seed % 3)
    hypotheses = [text.replace("a", "A") for text in hypotheses]
    scorer = TER(case_sensitive=not lower)
    result = Ter(lower=lower).score(hypotheses, streams)
    assert result.corpus == pytest.approx(scorer.corpus_score(hypotheses, streams).score)
    for score, hypothesis, *references in zip(result.sentence, hypotheses, *streams, strict=True):
        assert score == pytest.approx(scorer.sentence_score(hypothesis, references).score)
    assert Ter(lower=lower).sacrebleu_signature(len(streams)) == str(scorer.get_signature())


def test_the_fewest_edits_over_the_mean_length():
    assert Ter().score(["a b c"], [["a b x"], ["a b c d e f g"]]).corpus == pytest.approx(100 / 5)


def test_empty_references():
    result = Ter().score(["", "a b", "", "a"], ["", "", "a b", "a"])
    assert result.sentence.tolist() == [0, 100, 100, 0]
    assert result.corpus == pytest.approx(100 * 4 / 3)
    assert Ter().score(["a b"], [""]).corpus == 100
