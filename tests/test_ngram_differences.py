from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from preorder_eval.analysis.ngram_differences import LONGEST, NgramMatches

sentences = st.lists(st.sampled_from("abc"), max_size=7).map(" ".join)


@st.composite
def corpora(draw):
    """Outputs of two systems, with one or two streams of references."""
    size = draw(st.integers(1, 4))
    stream = st.lists(sentences, min_size=size, max_size=size)
    streams = draw(st.lists(stream, min_size=1, max_size=2))
    return draw(stream), draw(stream), streams


def ngrams(text):
    words = text.split()
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
        for total, counts in zip(totals, (one, other, right("", references)[1]), strict=True):
            total.update(counts)
    matches = NgramMatches([first, second], streams)
    for a, b in ((0, 1), (1, 0)):
        expected = {
            ngram: (
                totals[2][ngram],
                count,
                totals[b][ngram],
                tuple(s + 1 for s, own in enumerate(by_sentence) if own[a][ngram] > own[b][ngram]),
            )
            for ngram, count in totals[a].items()
            if count > totals[b][ngram]
        }
        found = matches.differences(a, b)
        rows = {d.ngram: (d.references, d.first, d.second, d.sentences) for d in found}
        assert rows == expected
        shares = [d.share for d in found]
        assert shares == sorted(shares, reverse=True)
        assert shares == [(d.first + 1) / (d.first + d.second + 2) for d in found]
        assert matches.differences(a, b, most=2) == found[:2]


def test_all_that_is_right_is_what_sacrebleu_counts():
    output = ["The cat, it sat on the mat.", "He doesn't read the 3.5 books!"]
    reference = ["The cat sat on the mat.", "He does not read 3.5 books!"]
    split = [[Tokenizer13a()(text) for text in texts] for texts in (output, reference)]
    matches = NgramMatches([split[0], [""] * 2], [split[1]])
    found = Counter()
    for d in matches.differences(0, 1):
        found[len(d.ngram.split())] += d.first
    assert [found[n] for n in (1, 2, 3, 4)] == BLEU().corpus_score(output, [reference]).counts


def test_of_equal_shares_the_shorter_comes_first_and_then_the_earlier():
    matches = NgramMatches([["b a", "c"], ["", ""]], [["b a", "c"]])
    assert [d.ngram for d in matches.differences(0, 1)] == ["b", "a", "c", "b a"]


@pytest.mark.parametrize("texts", [[""], ["", ""]])
def test_nothing_differs_where_there_is_nothing(texts):
    assert NgramMatches([texts, texts], [texts]).differences(0, 1) == []
