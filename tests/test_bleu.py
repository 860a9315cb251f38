"""BLEU and chrF against sacrebleu."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from preorder_eval.metrics.outputs import ngrams
from preorder_eval.metrics.outputs.bleu import Bleu
from preorder_eval.metrics.outputs.chrf import Chrf

SMOOTH = ("exp", "floor", "add-k", "none")
VARIANTS = list(itertools.product((1, 2, 4, 12), SMOOTH, (False, True)))


def random_texts(seed, size=12, streams=2):
    rng = random.Random(seed)
    words = "abcdefghij"[: rng.randint(2, 10)]
    lengths = [0, 1, 2, 3, 4, 8, 20]
    # An empty reference beside others is none: see test_missing_references.
    return [
        [" ".join(rng.choices(words, k=rng.choice(lengths[some:]))) for _ in range(size)]
        for some in (False, *[streams > 1] * streams)
    ]


@pytest.mark.parametrize(("order", "smooth", "effective_order"), VARIANTS)
def test_bleu_as_sacrebleu(order, smooth, effective_order):
    chosen = Bleu(tokenize="none", order=order, smooth=smooth, effective_order=effective_order)
    scorer = BLEU(
        tokenize="none",
        smooth_method=smooth,
        max_ngram_order=order,
        effective_order=effective_order,
        force=True,
    )
    single = BLEU(
        tokenize="none", smooth_method=smooth, max_ngram_order=order, effective_order=True
    )
    for seed in range(3):
        hypotheses, *streams = random_texts(seed, streams=1 + seed % 3)
        result = chosen.score(hypotheses, streams)
        expected = scorer.corpus_score(hypotheses, streams)
        assert result.corpus == pytest.approx(expected.score, rel=1e-12)
        rows = [list(row) for row in scorer._extract_corpus_statistics(hypotheses, streams)]
        np.testing.assert_array_equal(result.statistics, rows)
        for score, *texts in zip(result.sentence, hypotheses, *streams, strict=True):
            alone = single.sentence_score(texts[0], texts[1:])
            assert score == pytest.approx(alone.score, rel=1e-12)
        assert chosen.sacrebleu_signature(len(streams)) == str(scorer.get_signature())


def test_bleu_with_its_tokenizer_and_lower_case():
    hypotheses = ["Hello, World! It's 3.5% of the (old) boats-", "No.  more"]
    references = ["hello, world! It's 3.5% of (the) old boats.", "no more."]
    scorer = BLEU(lowercase=True)
    chosen = Bleu(tokenize="13a", lower=True)
    expected, result = (
        scorer.corpus_score(hypotheses, [references]),
        chosen.score(hypotheses, references),
    )
    assert result.corpus == pytest.approx(expected.score, rel=1e-12)
    assert list(chosen.details(result.statistics.sum(axis=0)).values()) == [
        *(pytest.approx(expected.bp), pytest.approx(expected.precisions)),
        *(expected.sys_len, expected.ref_len),
    ]
    assert chosen.sacrebleu_signature() == str(scorer.get_signature())


@pytest.mark.parametrize("parameters", [(6, 0, 2), (6, 2, 2), (3, 1, 1), (1, 0, 3), (2, 0, 0)])
@pytest.mark.parametrize("seed", range(6))
def test_chrf_as_sacrebleu(parameters, seed):
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


def test_chrf_for_other_letters_and_white_space():
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


def test_chrf_of_lower_case():
    expected = CHRF(lowercase=True).corpus_score(["A b"], [["a B c"]]).score
    assert Chrf(lower=True).score(["A b"], ["a B c"]).corpus == pytest.approx(expected)
    assert "case:lc" in Chrf(lower=True).sacrebleu_signature()


# Letters that are two units of UTF-16, marks, and white space of all kinds.
LETTERS = (
    "ab" + "\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}\t " + "\U00010348\U0001f600\u0301\u2028犬,."
)


@given(
    st.lists(st.tuples(*[st.text(LETTERS, max_size=14)] * 3), min_size=1, max_size=5),
    st.sampled_from([(6, 0), (6, 2), (1, 1), (3, 5)]),
    st.sampled_from([1, 7, 1 << 17]),
)
def test_chrf_of_any_letters_as_sacrebleu(rows, orders, at_once):
    """Sentence by sentence, however many n-grams are counted together."""
    rows = [(out, one.strip() or "x", other.strip() or "y") for out, one, other in rows]
    outputs, *streams = map(list, zip(*rows, strict=True))
    scorer, chosen = CHRF(*orders), Chrf(*orders)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "_TOKENS", at_once)
        found = chosen.score(outputs, streams)
    expected = [scorer.sentence_score(out, [*refs]).score for out, *refs in rows]
    assert found.sentence.tolist() == pytest.approx(expected)
    assert found.corpus == pytest.approx(scorer.corpus_score(outputs, streams).score)
