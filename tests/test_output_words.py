"""Which words and n-grams of outputs are right, by group."""

import gzip
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from preorder_eval.analysis.outputs.words import (
    FREQUENCIES,
    LONGEST,
    NgramMatches,
    nearest_references,
    output_words,
    word_accuracy,
)
from preorder_eval.errors import FormatError
from preorder_eval.results.sampling import Sampling
from preorder_eval.results.scoring import score

SAMPLING = Sampling(resamples=50)
BUCKETS = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 9), (10, 99), (100, 999), (1000, 10**9)]
OUTPUTS = {"mt": ["A cat, a dog."], "other": ["a dog"]}

sentences = st.lists(st.sampled_from("abc"), max_size=7)


@st.composite
def corpora(draw):
    """Outputs of two systems, with one or two streams of references."""
    size = draw(st.integers(1, 4))
    stream = st.lists(sentences, min_size=size, max_size=size)
    return draw(stream), draw(stream), draw(st.lists(stream, min_size=1, max_size=2))


def words(metrics, **options):
    return output_words(score(OUTPUTS, ["a cat, a dog."], metrics, resamples=5), **options)


def bucket(count):
    return FREQUENCIES[next(n for n, (low, high) in enumerate(BUCKETS) if low <= count <= high)]


def counts(group):
    return [(own.references, own.found, own.outputs, own.right) for own in group.systems]


# Words


@given(corpora())
def test_words_match_as_when_they_are_ticked_off_one_by_one(corpus):
    outputs, _, streams = corpus
    sides = [[[(word, "all") for word in words] for words in side] for side in (outputs, *streams)]
    groups = word_accuracy(sides[:1], sides[1:], ["all"], SAMPLING)
    expected = [0, 0, 0, 0]
    for s, output in enumerate(outputs):
        shared = [(Counter(output) & Counter(stream[s])).total() for stream in streams]
        f = [
            2 * both / (len(output) + len(stream[s])) if both else 0
            for both, stream in zip(shared, streams, strict=True)
        ]
        best = f.index(max(f))
        assert nearest_references(outputs, streams)[s] == best
        sizes = (len(streams[best][s]), shared[best], len(output), shared[best])
        expected = [a + b for a, b in zip(expected, sizes, strict=True)]
    assert [counts(group) for group in groups] == ([[tuple(expected)]] if any(expected) else [])


@pytest.fixture(scope="module")
def noisy():
    """Forty references, and two outputs with words changed, dropped and doubled."""
    rng = random.Random(7)
    words = [f"w{n}" for n in range(40) for _ in range(40 // (n + 1))]
    references = [" ".join(rng.choices(words, k=rng.randint(1, 12))) for _ in range(40)]

    def changed(text, chance):
        kept = (w if rng.random() > chance else rng.choice(words) for w in text.split())
        text = " ".join(w for w in kept for _ in range(rng.choice([0, 1, 1, 1, 2])))
        return text or words[0]

    outputs = {f"{c}": [changed(text, c) for text in references] for c in (0.1, 0.5)}
    return references, outputs, score(outputs, references, ["wer"], resamples=50)


def test_counts_by_frequency_are_those_of_counters(noisy):
    references, outputs, result = noisy
    count = Counter(word for text in references for word in text.split())
    by_name = {group.name: group for group in output_words(result).groups["frequency"]}
    for name in FREQUENCIES:
        for system, output in enumerate(outputs.values()):
            both = in_output = in_reference = 0
            for text, reference in zip(output, references, strict=True):
                one, other = (
                    Counter(w for w in side.split() if bucket(count[w]) == name)
                    for side in (text, reference)
                )
                both += (one & other).total()
                in_output += one.total()
                in_reference += other.total()
            if name not in by_name:
                assert in_output == in_reference == 0
                continue
            own = by_name[name].systems[system]
            assert counts(by_name[name])[system] == (in_reference, both, in_output, both)
            if in_output + in_reference:
                f = 2 * both / (in_output + in_reference)
                assert own.f.value == pytest.approx(f)
                assert own.f.low <= f <= own.f.high


def test_two_systems_are_compared_by_f(noisy):
    references, outputs, result = noisy
    groups = output_words(result).groups["frequency"]
    for group in groups:
        first, second = group.systems
        if group.name != "0":
            assert group.difference.value == pytest.approx(second.f.value - first.f.value)
    assert {group.name: group.difference.mark for group in groups}["10-99"] == "-**"
    same = score(dict.fromkeys("ab", outputs["0.1"]), references, ["wer"], resamples=50)
    marks = {group.difference.mark for group in output_words(same).groups["frequency"]}
    assert marks == {"0"}
    alone = output_words(result.chosen(["0.1"])).groups["frequency"]
    assert alone[1].difference is None


def tagged(*sides):
    """Outputs and references as `word/TAG`."""
    return [[[tuple(pair.split("/")) for pair in s.split()] for s in side] for side in sides]


def test_a_word_counts_under_the_tag_of_its_own_side():
    output, *references = tagged(
        ["run/VERB fast/ADV", "a/DET run/NOUN"],
        ["run/NOUN fast/ADJ", "walk/VERB"],
        ["walk/NOUN", "a/DET walk/NOUN"],
    )
    names = ["VERB", "ADV", "DET", "NOUN", "ADJ", "PRON"]
    groups = word_accuracy([output], references, names, SAMPLING)
    assert {group.name: counts(group)[0] for group in groups} == {
        "VERB": (0, 0, 1, 1),
        "ADV": (0, 0, 1, 1),
        "DET": (1, 1, 1, 1),
        "NOUN": (2, 1, 1, 0),
        "ADJ": (1, 1, 0, 0),
    }


@pytest.mark.parametrize(
    ("metrics", "options", "tokenize", "sizes"),
    [
        (["wer", "bleu(tokenize=13a)", "chrf"], {}, "13a", (6, 5)),
        (["ribes(tokenize=char)", "bleu(tokenize=13a)"], {}, "char", (10, 9)),
        (["wer"], {"tokenize": "none"}, "none", (4, 3)),
    ],
)
def test_words_are_split_as_the_metrics_split_them(metrics, options, tokenize, sizes):
    own = words(metrics, **options)
    groups = own.groups["frequency"]
    assert own.tokenize == tokenize
    mt = [group.systems[0] for group in groups]
    assert (sum(g.outputs for g in mt), sum(g.right for g in mt)) == sizes
    assert {len(group.systems) for group in groups} == {2}


def test_a_training_text_may_be_compressed(tmp_path):
    with gzip.open(tmp_path / "train.gz", "wt") as file:
        file.write("a dog. a\n")
    own = words(["wer"], training=tmp_path / "train.gz")
    groups = {group.name: group.systems[0] for group in own.groups["frequency"]}
    assert own.counted == "train.gz"
    assert (groups["2"].references, groups["2"].found) == (2, 1), "A is not a"
    with pytest.raises(FormatError, match=r"none\.txt"):
        words(["wer"], training=tmp_path / "none.txt")


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
