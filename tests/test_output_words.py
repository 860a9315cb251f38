"""The words of outputs, and the reference nearest to each."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.analysis.analyse_outputs import nearest_references, output_words
from preorder_eval.evaluation.score import score

OUTPUTS = {"mt": ["A cat, a dog."], "other": ["a dog"]}

sentences = st.lists(st.sampled_from("abc"), max_size=7)


@st.composite
def corpora(draw):
    """Outputs of two systems, with one or two streams of references."""
    size = draw(st.integers(1, 4))
    stream = st.lists(sentences, min_size=size, max_size=size)
    return draw(stream), draw(stream), draw(st.lists(stream, min_size=1, max_size=2))


@given(corpora())
def test_the_nearest_reference_shares_most_words(corpus):
    outputs, _, streams = corpus
    nearest = nearest_references(outputs, streams)
    for s, output in enumerate(outputs):
        texts = [stream[s] for stream in streams]
        shared = [(Counter(output) & Counter(text)).total() for text in texts]
        f = [2 * n / max(1, len(output) + len(t)) for n, t in zip(shared, texts, strict=True)]
        assert nearest[s] == f.index(max(f))


@pytest.mark.parametrize(
    ("metrics", "options", "tokenize", "sizes"),
    [
        (["wer", "bleu(tokenize=13a)", "chrf"], {}, "13a", (6, 2)),
        (["ribes(tokenize=char)", "bleu(tokenize=13a)"], {}, "char", (10, 4)),
        (["wer"], {"tokenize": "none"}, "none", (4, 2)),
    ],
)
def test_words_are_split_as_the_metrics_split_them(metrics, options, tokenize, sizes):
    own = output_words(score(OUTPUTS, ["a cat, a dog."], metrics, resamples=5), **options)
    assert own.tokenize == tokenize
    assert tuple(len(sentence) for [sentence] in own.outputs) == sizes
