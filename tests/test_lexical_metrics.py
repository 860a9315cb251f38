"""What holds for every metric of outputs and references, found by itself."""

import dataclasses
import itertools
import math
import random
from typing import Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest

from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics import metric, metric_types
from preorder_eval.metrics import segments as segments_module
from preorder_eval.metrics.outputs.lexical import LexicalMetric, WordMetric
from preorder_eval.metrics.outputs.tag_sequences import Ebleu
from preorder_eval.metrics.segments import Segments

TYPES = [kind for _, kind in sorted(metric_types().items()) if issubclass(kind, LexicalMetric)]


def variants(kind):
    """The metric with every value of each of its parameters, the others at their defaults."""
    hints, found = get_type_hints(kind), [kind()]
    for field in dataclasses.fields(kind):
        hint = hints[field.name]
        listed = (False, True) if hint is bool else ()
        for choice in (hint, *get_args(hint)):
            listed += get_args(choice) if get_origin(choice) is Literal else ()
        if field.name == "tokenize":
            listed = ("char", "13a")
        found += [kind(**{field.name: value}) for value in listed if value != field.default]
    return found


WORDS = [kind for kind in TYPES if issubclass(kind, WordMetric)]
of_words = pytest.mark.parametrize("kind", WORDS, ids=lambda kind: kind.name)
# Identical texts get no fixed value: it depends on the corpus, on repeated words, or a parameter.
NO_FIXED_VALUE = ("meteor", "modifier", "nist", "rouge_w")
every_type = pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)

IDENTICAL = ["the old man the boat in the dark night", "Bob hit John very hard yesterday ."]
ODD = [  # hypothesis, reference
    ("", "a b c d"),
    ("a b c d", ""),
    ("", ""),
    ("a", "a"),
    ("a", "b"),
    ("a", "b c d e f"),
    ("b c d e f", "a"),
    ("a", "a b c d e f"),
    ("a b c d e f", "a"),
    ("a b c d e", "f g h i j"),
    ("a a a a a a", "a a a a a a"),
    ("a a a a a a", "b b b b b b"),
    ("a\u3000b c", "a\u3000b d"),
]


def in_range(kind, values):
    low, high = kind.range
    values = np.asarray(values)
    assert np.isfinite(values).all()
    assert (values >= low - 1e-9).all()
    assert (values <= high + 1e-9).all()


def sign(kind):
    return 1 if kind.higher_is_better else -1


@pytest.fixture(scope="module")
def texts():
    """Random hypotheses and two streams of references that resemble them; some are empty."""
    rng = random.Random(0)
    hypotheses, streams = [], [[], []]
    for _ in range(40):
        words = [rng.choice("abcdefghijABC") for _ in range(rng.randint(1, 14))]
        hypotheses.append(" ".join(words if rng.random() < 0.95 else []))
        for stream in streams:
            own = [rng.choice("abcdefg") if rng.random() < 0.2 else word for word in words]
            if rng.random() < 0.5:
                cut = rng.randrange(len(own))
                own = own[cut:] + own[:cut]
            stream.append(" ".join(own[: rng.randint(0, 3) or None]))
    return hypotheses, streams


@pytest.fixture(scope="module")
def segments(texts):
    return Segments.of(*texts)


@every_type
def test_signatures_say_tokens_and_another_case(kind):
    assert "tokenize" not in str(kind())
    assert "lower" not in str(kind())
    if kind in WORDS and kind is not Ebleu:
        assert "tokenize=13a" in str(kind().splitting("13a"))
        assert "tokenize=none" in str(kind(tokenize="none").splitting("13a"))
    other = not kind().lower
    assert f"lower={str(other).lower()}" in str(kind(lower=other))


@every_type
def test_identical_texts_get_the_best_value(kind):
    for chosen in variants(kind):
        if kind.name in NO_FIXED_VALUE:
            continue
        result = chosen.score(IDENTICAL, IDENTICAL)
        best = chosen.range[1 if chosen.higher_is_better else 0]
        np.testing.assert_allclose(result.sentence, best)
        assert result.corpus == pytest.approx(best)


@every_type
def test_identical_texts_are_better_than_others(kind):
    for chosen in variants(kind):
        same = chosen.score(IDENTICAL, IDENTICAL)
        worse = chosen.score(["night 77 in 77 man 7", "hard 88 Bob 8"], IDENTICAL)
        assert sign(chosen) * same.corpus > sign(chosen) * worse.corpus
        assert (sign(chosen) * same.sentence > sign(chosen) * worse.sentence).all()


@pytest.mark.filterwarnings("ignore:BLEU")  # which needs four words
@every_type
def test_odd_segments_have_finite_values_in_range(kind):
    hypotheses, references = map(list, zip(*ODD, strict=True))
    for chosen in variants(kind):
        several = [references, ["a b"] * len(ODD)]
        if getattr(chosen, "jackknife", False):  # takes all of several references
            several[1] = ["a b" if reference else "" for reference in references]
        for streams in ([references], several):
            result = chosen.score(hypotheses, streams)
            in_range(chosen, result.sentence)
            in_range(chosen, [chosen.finish(own) for own in result.statistics])


@every_type
def test_scores_come_from_statistics_and_the_signature_parses_back(kind, segments):
    for chosen in variants(kind):
        assert metric(str(chosen)) == chosen
        result = chosen.score(segments)
        in_range(chosen, result.sentence)
        in_range(chosen, result.corpus)
        assert result.sentence.min() < result.sentence.max()
        assert result.statistics.dtype == np.float64
        assert len(result.statistics) == len(segments)
        assert result.corpus == chosen.finish(result.statistics.sum(axis=0))
        np.testing.assert_array_equal(result.sentence, chosen.finish_sentences(result.statistics))
        assert result.metric == str(chosen.splitting("13a"))
        many = np.stack([result.statistics, result.statistics[::-1]])
        assert chosen.finish(many).shape == (2, len(segments))


@pytest.mark.slow
@every_type
def test_does_not_depend_on_the_partition(kind, texts, segments, monkeypatch):
    parts = [segments.part(a, b) for a, b in ((0, 1), (1, 1), (1, 23), (23, 40))]
    chosen = [variant for variant in variants(kind) if not variant.whole_corpus]
    whole = [variant.statistics(segments) for variant in chosen]
    monkeypatch.setattr(segments_module, "_BLOCK", 15)
    for variant, expected in zip(chosen, whole, strict=True):
        np.testing.assert_array_equal(
            np.concatenate(list(map(variant.statistics, parts))), expected
        )
        np.testing.assert_array_equal(variant.statistics(Segments.of(*texts)), expected)


@pytest.mark.slow
@every_type
def test_references_in_another_order_or_twice_change_nothing(kind, texts):
    hypotheses, (one, other) = texts
    for chosen in variants(kind):
        pairs = [([one, one], one)]
        if kind.name != "chrf":  # as in sacrebleu, the first of equally good ones counts
            pairs.append(([one, other], [other, one]))
        for streams, same in pairs:
            result, expected = (chosen.score(hypotheses, each) for each in (streams, same))
            np.testing.assert_allclose(result.sentence, expected.sentence, atol=1e-12)
            assert result.corpus == pytest.approx(expected.corpus)


@of_words
def test_characters_of_japanese(kind):
    hypotheses, references = ["太郎が魚を食べた", "犬は走った"], ["太郎が魚を食べた", "走った猫は"]
    by_character = kind(tokenize="char").score(hypotheses, references)
    spaced = [[" ".join(text) for text in texts] for texts in (hypotheses, references)]
    words = kind(tokenize="none").score(*spaced)
    np.testing.assert_allclose(by_character.sentence, words.sentence)
    assert sign(kind) * by_character.sentence[0] > sign(kind) * by_character.sentence[1]


@every_type
def test_a_missing_or_short_reference_is_an_error(kind):
    with pytest.raises(PreorderEvalError, match="reference 1 has 1 sentence, the hypotheses 2"):
        kind().score(["a", "b"], ["a"])
    with pytest.raises(PreorderEvalError, match="no sentence to score"):
        kind().score([], [])


@every_type
def test_unknown_values(kind):
    if kind in WORDS:
        with pytest.raises(UnknownNameError, match=r"unknown value of .*tokenize '13b'.*intl"):
            metric(f"{kind.name}(tokenize=13b)")
    for field, hint in itertools.islice(get_type_hints(kind).items(), 20):
        if hint is float:
            with pytest.raises(PreorderEvalError, match=rf"{field} must be .*not nan"):
                kind(**{field: math.nan})


# Parameters, and the first and last value that each may have.
LIMITS = """
bleu(order) 1 12
chrf(char_order) 1 100
chrf(word_order) 0 100
chrf(beta) 0 1000
ebleu(alpha) 0 1000000
ebleu(beta) 0 1000000
fmeasure(beta) 0 1000000
gtm(e) 1
hlepor(alpha) 0 1000000
hlepor(beta) 0 1000000
hlepor(n) 0
hlepor(tag_alpha) 0
hlepor(ngram) 1 100
hppr(n) 0
lrscore(alpha) 0 1
nist(order) 1 100
nkt(alpha) 0 1
nkt(modifier=fmeasure,beta) 0
nkt(power) 0.01
ribes(alpha) 0 1000000
ribes(beta) 0 1000000
modifier(kind=fmeasure,beta) 0
rouge_l(beta) 0 1000000
rouge_n(n) 1 100
rouge_s(skip) 0 1000000
rouge_w(weight) 1 5
tag_f(order) 1 12
"""


@pytest.mark.parametrize("line", LIMITS.strip().splitlines())
def test_parameters_in_and_out_of_range(line):
    parameter, *limits = line.split()
    low, *high = map(float, limits)
    below = low / 2 if low % 1 else low - 1
    for number, beyond in [(low, below), *((most, most + 1) for most in high)]:
        metric(parameter.replace(")", f"={number:.9g})"))
        with pytest.raises(PreorderEvalError, match=r"must be (from )?\d"):
            metric(parameter.replace(")", f"={beyond:.9g})"))


@pytest.mark.parametrize("signature", ["bleu(smooth=add)", "meteor(version=2)"])
def test_words_that_are_no_value_of_a_parameter(signature):
    with pytest.raises(PreorderEvalError, match=r"bleu's smooth 'add'|meteor's version '2'"):
        metric(signature)
