"""Stems, leaving out references in turn, and how people score against each other."""

import itertools

import numpy as np
import pytest

from preorder_eval.metrics import metric

HYPOTHESES = [
    "the old man walked slowly to the market in the rain and he was late",
    "she was reading books about the history of trains",
    "they sell red wines and green apples there every day",
]
STREAMS = [
    [
        "an old man was walking slowly to the market in the rain",
        "she reads books about the history of the train",
        "red wine and green apples are sold there every day",
    ],
    [
        "the old man slowly walked in the rain to a market",
        "she was reading the books about train history",
        "every day they sell red wine there and green apples",
    ],
    [
        "in the rain the aged man walked slowly to the market",
        "books about the history of trains are what she was reading",
        "they are selling green apples and red wines every day",
    ],
]
ALL = ["bleu", "bleu(order=12)", "nist", "gtm(e=2)", "wer", "per", "precision", "fmeasure"]
ALL += ["rouge_l", "rouge_w", "rouge_s(skip=4)", "rouge_n(n=2)"]


def with_setting(signature, setting):
    name, bracket, settings = signature.partition("(")
    return f"{name}({settings[:-1]},{setting})" if bracket else f"{name}({setting})"


@pytest.mark.filterwarnings("ignore:BLEU:preorder_eval.base.errors.InputWarning")
@pytest.mark.parametrize("signature", ALL)
def test_the_mean_over_leaving_out_each_reference(signature):
    plain, jackknifed = metric(signature), metric(with_setting(signature, "jackknife=true"))
    for several in (STREAMS, STREAMS[:2]):
        kept = itertools.combinations(several, len(several) - 1)
        expected = [plain.score(HYPOTHESES, list(streams)) for streams in kept]
        result = jackknifed.score(HYPOTHESES, several)
        assert result.corpus == pytest.approx(np.mean([each.corpus for each in expected]))
        sentences = np.mean([each.sentence for each in expected], axis=0)
        np.testing.assert_allclose(result.sentence, sentences, atol=1e-12)
        assert result.corpus != plain.score(HYPOTHESES, several).corpus
    one = plain.score(HYPOTHESES, STREAMS[0])  # a single reference cannot be left out
    assert jackknifed.score(HYPOTHESES, STREAMS[0]).corpus == one.corpus


@pytest.mark.parametrize("signature", ALL)
def test_stems_are_those_of_nltk(signature):
    from nltk.stem import PorterStemmer  # which loads much else

    porter = PorterStemmer(mode="MARTIN_EXTENSIONS")
    stems = [
        [" ".join(map(porter.stem, sentence.split())) for sentence in stream]
        for stream in (HYPOTHESES, *STREAMS)
    ]
    upper = [sentence.capitalize() for sentence in HYPOTHESES]
    stemming = metric(with_setting(signature, "stem=true")).score(upper, STREAMS)
    expected = metric(signature).score(stems[0], stems[1:])
    np.testing.assert_allclose(stemming.sentence, expected.sentence, atol=1e-12)
    assert stemming.corpus == pytest.approx(expected.corpus)
