"""Whole files against other programs, sentence by sentence.

The outputs are bundled English texts with words left out, repeated, exchanged and moved. Where
PREORDER_EVAL_WMT22 is a folder with `reference.en` and files `output.SYSTEM.en`, these are compared
as well; `python tests/test_whole_files.py` says of all of them how often programs disagree.
"""

import os
import random
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.metrics import metric

pytestmark = pytest.mark.slow
WMT22 = os.environ.get("PREORDER_EVAL_WMT22")
SETS = ["en-ja", "en-ja-web"]
CLOSE = 1e-9


def sacrebleu_scores(name, **options):
    def scores(outputs, references):
        from sacrebleu import metrics

        scorer = getattr(metrics, name)(**options)
        pairs = zip(outputs, references, strict=True)
        return [scorer.sentence_score(output, [reference]).score for output, reference in pairs]

    return scores


def rouge_scores(name):
    def scores(outputs, references):
        scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer([name])
        pairs = zip(outputs, references, strict=True)
        return [scorer.score(reference, output)[name].fmeasure for output, reference in pairs]

    return scores


def jiwer_scores(outputs, references):
    jiwer = pytest.importorskip("jiwer")
    pairs = zip(outputs, references, strict=True)
    return [jiwer.wer(reference, output) for output, reference in pairs]


def nltk_scores(outputs, references):
    """Of each hundred sentences, for what words tell depends on all references."""
    from nltk.translate.nist_score import corpus_nist

    hypotheses, streams = ([text.split() for text in side] for side in (outputs, references))
    return [
        corpus_nist([[words] for words in streams[k : k + 100]], hypotheses[k : k + 100])
        for k in range(0, len(hypotheses), 100)
    ]


PEERS = {
    "bleu(tokenize=13a,effective_order=true)": sacrebleu_scores("BLEU", effective_order=True),
    "bleu(tokenize=13a,smooth=add-k,effective_order=true)": sacrebleu_scores(
        "BLEU", smooth_method="add-k", effective_order=True
    ),
    "chrf": sacrebleu_scores("CHRF"),
    "chrf(word_order=2)": sacrebleu_scores("CHRF", word_order=2),
    "ter": sacrebleu_scores("TER"),
    "rouge_n(n=1,tokenize=rouge_score)": rouge_scores("rouge1"),
    "rouge_n(n=2,tokenize=rouge_score)": rouge_scores("rouge2"),
    "rouge_l(tokenize=rouge_score)": rouge_scores("rougeL"),
    "wer": jiwer_scores,
    "nist": nltk_scores,
}


def disagreements(signature, outputs, references):
    """How many values there are, how many differ, and the largest difference."""
    theirs = np.array(PEERS[signature](outputs, references))
    chosen = metric(signature)
    if signature == "nist":
        parts = range(0, len(outputs), 100)
        ours = [chosen.score(outputs[k : k + 100], references[k : k + 100]).corpus for k in parts]
    else:
        ours = chosen.score(outputs, references).sentence
    differences = np.abs(theirs - ours)
    return len(theirs), int(np.count_nonzero(differences > CLOSE)), float(differences.max())


def spaced(lines):
    """Lines whose words stand between single spaces, as programs differ in what else is one."""
    return [" ".join(line.split()) for line in lines]


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


@pytest.fixture(scope="module")
def made():
    rng = random.Random(0)
    sentences = [s for name in SETS for s in load_reference(name).source]
    return [changed(s, rng) for s in sentences], [" ".join(s) for s in sentences]


@pytest.mark.parametrize("signature", PEERS)
def test_on_changed_sentences(made, signature):
    assert disagreements(signature, *made)[1] == 0
    assert len(made[0]) == 550


@pytest.mark.skipif(WMT22 is None, reason="PREORDER_EVAL_WMT22 names no folder")
@pytest.mark.parametrize("signature", PEERS)
def test_on_outputs_of_wmt22(signature):
    references = spaced((Path(WMT22) / "reference.en").read_text(encoding="utf-8").split("\n")[:-1])
    for path in sorted(Path(WMT22).glob("output.*.en"))[:2]:
        outputs = spaced(path.read_text(encoding="utf-8").split("\n")[:-1])
        assert disagreements(signature, outputs, references)[1] == 0, path.name


def say_how_often(folder):
    """A line for each metric, over all systems."""
    references = spaced((folder / "reference.en").read_text(encoding="utf-8").split("\n")[:-1])
    for signature in PEERS:
        found = [
            disagreements(
                signature, spaced(path.read_text(encoding="utf-8").split("\n")[:-1]), references
            )
            for path in sorted(folder.glob("output.*.en"))
        ]
        sizes, wrong, largest = zip(*found, strict=True)
        print(
            f"{signature}: {sum(wrong)} of {sum(sizes)} differ, by up to {max(largest):.1e}",
            flush=True,
        )


if __name__ == "__main__":
    say_how_often(Path(WMT22))
