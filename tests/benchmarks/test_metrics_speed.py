"""How fast the metrics of outputs are: `pytest tests/benchmarks -n 0`. Figures are for reading.

4,000 pairs of 25 tokens; words are interned beforehand, as `score` does once for all metrics.
The peers that can be installed are measured in the same run.
"""

import numpy as np
import pytest

from preorder_eval.data.segments import Segments
from preorder_eval.metrics import metric

PAIRS, LENGTH = 4_000, 25


@pytest.fixture(scope="module")
def texts():
    """References of frequent and rare words, and outputs with a fifth of the words changed."""
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, 20_001)  # Zipf's law
    references = rng.choice(20_000, (PAIRS, LENGTH), p=shares / shares.sum())
    outputs = np.where(rng.random(references.shape) < 0.2, references[::-1], references)
    outputs = np.take_along_axis(
        outputs, np.argsort(np.arange(LENGTH) + rng.normal(0, 2, outputs.shape), axis=1), axis=1
    )
    return [
        [" ".join(f"w{n}" for n in row) for row in rows.tolist()] for rows in (outputs, references)
    ]


@pytest.fixture(scope="module")
def segments(texts):
    """The same, interned, with the lower-cased view made."""
    made = Segments.of(*texts)
    made.prepared(lower=True)
    return made


def test_intern(benchmark, texts):
    benchmark.pedantic(Segments.of, texts, rounds=3)


@pytest.mark.parametrize(
    "signature",
    [
        "ribes", "nkt", "rouge_l", "rouge_w", "rouge_s(skip=4)", "rouge_su(skip=4)", "rouge_n",
        "lepor", "hlepor", "nlepor", "bleu", "chrf", "nist", "meteor", "gtm", "wer", "per",
    ],
)  # fmt: skip
def test_score_4000_pairs(benchmark, segments, signature):
    benchmark.pedantic(metric(signature).score, (segments,), rounds=3)


@pytest.mark.parametrize("peer", ["nltk nist", "sacrebleu bleu", "sacrebleu chrf"])
def test_peer_on_4000_pairs(benchmark, texts, peer):
    import sacrebleu
    from nltk.translate.nist_score import corpus_nist

    outputs, references = texts
    jobs = {
        "nltk nist": lambda: corpus_nist(
            [[r.split()] for r in references], [o.split() for o in outputs]
        ),
        "sacrebleu bleu": lambda: sacrebleu.corpus_bleu(outputs, [references], tokenize="none"),
        "sacrebleu chrf": lambda: sacrebleu.corpus_chrf(outputs, [references]),
    }
    benchmark.pedantic(jobs[peer], rounds=1)
