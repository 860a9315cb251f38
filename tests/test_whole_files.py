"""Whole files against the official programs, sentence by sentence.

The outputs are bundled English texts with words left out, repeated, exchanged and moved.
"""

import importlib
import random

import numpy as np
import pytest

from preorder_eval.data.segments import Segments
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.metrics import metric

SETS = ["en-ja", "en-ja-web"]


def sacrebleu(by, streams, words):
    scorer = by.scorer()
    return [scorer.sentence_score(h, r).score for h, *r in zip(*streams, strict=True)]


def rouge_score(by, streams, words):
    name = f"rouge{by.n}" if by.name == "rouge_n" else "rougeL"
    module = importlib.import_module("rouge_score.rouge_scorer")
    scorer = module.RougeScorer([name], use_stemmer=by.stem)
    return [scorer.score(r, h)[name].fmeasure for h, r, *_ in zip(*streams, strict=True)]


def jiwer(by, streams, words):
    wer = importlib.import_module("jiwer").wer
    return [wer(" ".join(r), " ".join(h)) for h, r, *_ in zip(*words, strict=True)]


def nltk(by, streams, words):
    nist = importlib.import_module("nltk.translate.nist_score").corpus_nist
    # nltk refuses an order that the output is too short for.
    pairs = zip(*words, strict=True)
    return [nist([[r]], [h], min(by.order, len(h))) for h, r, *_ in pairs]


PROGRAMS = {  # how each runs, what equals it, and how many references it takes
    "sacrebleu": (sacrebleu, ["bleu(effective_order=true)", "chrf", "chrf(word_order=2)"], 2),
    "sacrebleu's TER": (sacrebleu, ["ter", "ter(normalized=true)"], 2),
    "rouge-score": (
        rouge_score,
        ["rouge_n(n=1)", "rouge_n(n=2)", "rouge_l", "rouge_l(stem=true)", "rouge_n(n=1,stem=true)"],
        1,
    ),
    "jiwer": (jiwer, ["wer"], 1),
    "nltk": (nltk, ["nist"], 1),
}


def changed(words, rng):
    """A sentence as a bad translation may have it."""
    words = list(words)
    for _ in range(rng.randint(0, 6)):
        k = rng.randrange(len(words))
        match rng.randrange(4):
            case 0 if len(words) > 1:
                del words[k]
            case 1:
                words.insert(k, rng.choice(words))
            case 2:
                words[k] = rng.choice(
                    ["the", "of", "U.S.", "ten-year", "(", "it's", "naïve", "42,5"]
                )
            case _:
                j = min(len(words), k + rng.randint(1, 5))
                words[k:j] = reversed(words[k:j])
    return " ".join(words)


def made(sentences, streams=1):
    """Changed outputs, and as many streams of references, of which the first is unchanged."""
    rng = random.Random(0)
    sides = [[changed(words, rng) for words in sentences] for _ in range(streams)]
    return [sides[0], list(map(" ".join, sentences)), *sides[1:]]


def assert_same(program, streams, tokenize):
    run, signatures, references = PROGRAMS[program]
    segments = Segments.of(streams[0], streams[1 : 1 + references])
    for signature in signatures:
        by = metric(signature, like=program.partition("'")[0]).splitting(tokenize)
        split = by.prepared(segments)
        words = [
            [[split.names[code] for code in sentence.tolist()] for sentence in side]
            for side in (split.hypotheses, *split.references)
        ]
        if by.whole_corpus:  # its sentences by themselves
            alone = [by.statistics(segments.part(k, k + 1)) for k in range(len(segments))]
            ours = [float(by.finish(statistics[0])) for statistics in alone]
        else:
            ours = by.score(segments).sentence
        theirs = run(by, streams[: 1 + references], words)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9, err_msg=str(by))


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_few_changed_sentences(program):
    pytest.importorskip(program.partition("'")[0].replace("-", "_"))
    outputs, *references = made(load_reference("en-ja-web").source[:40], streams=2)
    spaces = [text.replace(" ", "\u3000", 1) for text in outputs]  # which separates words, too
    for tokenize in ("13a", "none", "char"):
        assert_same(program, [spaces, *references], tokenize)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_on_changed_sentences(program):
    pytest.importorskip(program.partition("'")[0].replace("-", "_"))
    sentences = [words for name in SETS for words in load_reference(name).source]
    assert_same(program, made(sentences), "13a")
