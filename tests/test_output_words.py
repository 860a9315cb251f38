"""Which words and n-grams of outputs are right."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from preorder_eval.analysis.outputs.words import (
    LONGEST,
    NgramMatches,
    nearest_references,
    output_words,
)
from preorder_eval.results.scoring import score

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


# N-grams


def ngrams(words):
    return Counter(
        " ".join(words[i : i + n]) for n in range(1, LONGEST + 1) for i in range(len(words) - n + 1)
    )


def right(output, references):
    """The n-grams of an output that count as right."""
    most = Counter()
    for reference in references:
        most |= ngrams(reference)
    return ngrams(output) & most, most


@given(corpora())
def test_differences_are_those_of_counters(corpus):
    first, second, streams = corpus
    totals, by_sentence = [Counter(), Counter(), Counter()], []
    for s, texts in enumerate(zip(first, second, strict=True)):
        references = [stream[s] for stream in streams]
        one, other = (right(text, references)[0] for text in texts)
        by_sentence.append((one, other))
        for total, added in zip(totals, (one, other, right([], references)[1]), strict=True):
            total.update(added)
    matches = NgramMatches([first, second], streams)
    for a, b in ((0, 1), (1, 0)):
        expected = {
            ngram: (
                totals[2][ngram],
                count,
                totals[b][ngram],
                [s + 1 for s, own in enumerate(by_sentence) if own[a][ngram] > own[b][ngram]],
            )
            for ngram, count in totals[a].items()
            if count > totals[b][ngram]
        }
        found = matches.differences(a, b)
        assert {d.ngram: (d.references, d.first, d.second, d.sentences) for d in found} == expected
        shares = [d.share for d in found]
        assert shares == sorted(shares, reverse=True)
        assert shares == [(d.first + 1) / (d.first + d.second + 2) for d in found]
        assert matches.differences(a, b, most=2) == found[:2]


def test_all_that_is_right_is_what_sacrebleu_counts():
    output = ["The cat, it sat on the mat.", "He doesn't read the 3.5 books!"]
    reference = ["The cat sat on the mat.", "He does not read 3.5 books!"]
    split = [[Tokenizer13a()(text).split() for text in texts] for texts in (output, reference)]
    found = Counter()
    for d in NgramMatches([split[0], [[]] * 2], [split[1]]).differences(0, 1):
        found[len(d.ngram.split())] += d.first
    assert [found[n] for n in (1, 2, 3, 4)] == BLEU().corpus_score(output, [reference]).counts


def test_of_equal_shares_the_shorter_comes_first_and_then_the_earlier():
    texts = [["b", "a"], ["c"]]
    matches = NgramMatches([texts, [[], []]], [texts])
    assert [d.ngram for d in matches.differences(0, 1)] == ["b", "a", "c", "b a"]
