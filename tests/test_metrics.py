"""What holds for every order metric, found by itself."""

import dataclasses
import random
from typing import get_args, get_type_hints

import numpy as np
import pytest

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.metrics import metric, metric_type, metric_types, order_metric, short_names
from preorder_eval.metrics.orders import order as order_module
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.orders.reference_orders import reference_orders

TYPES = [kind for _, kind in sorted(metric_types().items()) if issubclass(kind, OrderMetric)]


def variants(kind):
    """The metric, with every value of each of its parameters, and with all of them changed."""
    hints, changed, found = get_type_hints(kind), {}, [kind()]
    for field in dataclasses.fields(kind):
        listed = (False, True) if hints[field.name] is bool else get_args(hints[field.name])
        others = [value for value in listed if value != field.default]
        found += [kind(**{field.name: value}) for value in others]
        if others:
            changed[field.name] = others[-1]
    return [*found, kind(**changed)]


every_type = pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)


@pytest.fixture(scope="module")
def sentences():
    """Orders, reference orders and words of random sentences, some of them without links."""
    rng = random.Random(0)
    orders, links, words = [], [], []
    for _ in range(100):
        size = rng.randint(1, 12)
        orders.append(rng.sample(range(size), size))
        density = rng.choice([0, 0.6, 0.8, 1, 1])
        links.append([(i, rng.randrange(size)) for i in range(size) if rng.random() < density])
        words.append([rng.choice("abcdefgh") for _ in range(size)])
    references = reference_orders(Alignments.of(links), list(map(len, words)))
    return list(zip(orders, references, words, strict=True))


@pytest.fixture(scope="module")
def corpus(sentences):
    """The sentences as flat arrays."""
    orders, references, words = zip(*sentences, strict=True)
    return Orders.of(orders), ReferenceOrders.of(references), SourceWords.of(words)


@pytest.fixture(scope="module")
def linked(sentences):
    """The orders, reference orders and words of the sentences that have a link."""
    kept = [sentence for sentence in sentences if any(sentence[1].aligned)]
    assert 0 < len(kept) < len(sentences)
    return list(map(list, zip(*kept, strict=True)))


@every_type
def test_every_allowed_order_scores_1(kind):
    for chosen in variants(kind):
        groups = [[2, 0], [3], [1, 4]]
        result = chosen.score([[2, 0, 3, 4, 1], [0, 2, 3, 1, 4]], [groups] * 2)
        if chosen.name == "spearman":  # see its module
            assert result.sentence[0] == result.sentence[1] < 1
        else:
            assert result.sentence.tolist() == [1, 1]


@every_type
def test_scores_come_from_statistics_and_the_signature_parses_back(kind, corpus):
    for chosen in variants(kind):
        assert metric(str(chosen)) == chosen
        result = chosen.score(*corpus)
        low, high = chosen.range
        scores = result.sentence[~np.isnan(result.sentence)]
        assert low <= scores.min() < scores.max() <= high
        assert low <= result.corpus <= high
        assert result.corpus == chosen.finish(result.statistics.sum(axis=0))
        np.testing.assert_array_equal(result.sentence, chosen.finish(result.statistics))
        assert result.metric == str(chosen)


@every_type
def test_the_reference_itself_and_one_word_score_1(kind):
    for chosen in variants(kind):
        groups = [[2], [0], [3], [1], [4]]
        result = chosen.score([[2, 0, 3, 1, 4], [0]], [groups, [[0]]], [list("abcab"), ["a"]])
        assert (result.sentence.tolist(), result.corpus) == ([1, 1], 1)


@every_type
def test_sentences_without_links_are_left_out(kind, corpus, linked):
    for chosen in variants(kind):
        result = chosen.score(*corpus)
        informative = corpus[1].informative
        np.testing.assert_array_equal(np.isnan(result.sentence), ~informative)
        without = chosen.score(*linked)
        np.testing.assert_array_equal(result.sentence[informative], without.sentence)
        assert result.corpus == pytest.approx(without.corpus)


@every_type
def test_nothing_to_score(kind, corpus):
    for chosen in variants(kind):
        assert np.isnan(chosen.score([], []).corpus)
        orders, references, words = corpus
        silent = np.zeros_like(references.aligned)
        references = ReferenceOrders(references.offsets, references.ranks, silent)
        assert np.isnan(chosen.score(orders, references, words).corpus)


@pytest.mark.slow
@every_type
def test_does_not_depend_on_the_partition(kind, corpus, monkeypatch):
    whole = [chosen.statistics(*corpus) for chosen in variants(kind)]
    monkeypatch.setattr(order_module, "_BLOCK", 25)
    for chosen, expected in zip(variants(kind), whole, strict=True):
        np.testing.assert_array_equal(chosen.statistics(*corpus), expected)
        cut = [chosen.statistics(*(x.part(a, b) for x in corpus)) for a, b in ((0, 37), (37, 100))]
        np.testing.assert_array_equal(np.concatenate(cut), expected)


@every_type
@pytest.mark.parametrize("average", ["sentence", "pooled"])
def test_dropping_unaligned_words_is_removing_them_by_hand(kind, average, linked):
    by_hand = []
    for order, reference, words in zip(*linked, strict=True):
        kept = [i for i, aligned in enumerate(reference.aligned) if aligned]
        groups = [[kept.index(i) for i in group if i in kept] for group in reference]
        order = [kept.index(i) for i in order if i in kept]
        by_hand.append((order, [g for g in groups if g], [words[i] for i in kept]))
    dropped = kind(average=average, unaligned="drop").score(*linked)
    removed = kind(average=average).score(*map(list, zip(*by_hand, strict=True)))
    np.testing.assert_array_equal(dropped.sentence, removed.sentence)
    assert dropped.corpus == removed.corpus
    assert dropped.corpus != kind(average=average).score(*linked).corpus


@every_type
def test_pooled_weights_sentences_by_what_can_be_lost(kind, corpus):
    mean, pooled = kind().score(*corpus), kind(average="pooled").score(*corpus)
    np.testing.assert_allclose(pooled.sentence, mean.sentence, atol=1e-12)
    weights = pooled.statistics[:, 1]
    kept = np.nan_to_num(mean.sentence) * weights
    assert pooled.corpus == pytest.approx(kept.sum() / weights.sum())
    # Which is the mean where every sentence can lose the same.
    rng = random.Random(1)
    alike = [rng.sample(range(6), 6) for _ in range(20)], [[[i] for i in range(6)]] * 20
    assert kind(average="pooled").score(*alike).corpus == pytest.approx(kind().score(*alike).corpus)


def test_lengths_that_differ():
    with pytest.raises(PreorderEvalError, match="2 orders, but references of 1 sentence"):
        metric("ulam").score([[0], [0]], [[[0]]])
    with pytest.raises(PreorderEvalError, match="the order has 1 token, the references 2"):
        metric("ulam").score([[0]], [[[0], [1]]])
    with pytest.raises(PreorderEvalError, match="the order has 1 token, the words 2"):
        metric("ulam").score([[0]], [[[0]]], [["a", "b"]])
    with pytest.raises(PreorderEvalError, match="sentence 2: the order has 1 token, the words 2"):
        metric("ulam").score([[0], [0]], [[[0]], [[0]]], [["a"], ["b", "c"]])


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("kendal", r"unknown metric 'kendal' \(did you mean 'kendall'\?\); known: .*ulam"),
        ("kendall(rot=true)", r"unknown parameter of kendall 'rot' \(did you mean 'root'\?\)"),
        ("kendall(average=all)",
         "unknown value of kendall's average 'all'.*known: pooled, sentence"),
        ("wer", "unknown order metric 'wer'; known: exact, "),
        ("kendall(root=yes)", "metric kendall: root=yes is not true or false"),
        ("kendall(root)", r"metric 'kendall\(root\)': 'root' does not have the form key=value"),
        ("kendall(root=true,root=true)", "'root=true' does not have the form key=value"),
        ("kendall(", "does not have the form name or name"),
    ],
)  # fmt: skip
def test_bad_signatures(signature, message):
    with pytest.raises(PreorderEvalError, match=message):
        order_metric(signature)


@pytest.mark.parametrize("kind", metric_types().values(), ids=lambda kind: kind.name)
def test_the_name_for_people_is_understood(kind):
    if kind.short_name:
        assert metric_type(metric(kind.short_name).name) is kind
        [name], _ = short_names([str(kind())])
        assert name == kind.short_name
