"""The limit of trees against all orders that keep their subtrees whole."""

import numpy as np
import pytest
from tree_orders import random_sentence, whole_orders

from preorder_eval.analysis.tree_limit import limit
from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.orders import Orders, ReferenceOrder, ReferenceOrders
from preorder_eval.data.source_words import SourceWords
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.metrics import order_metric

METRICS = [
    "kendall(unaligned=drop)",
    "kendall(root=true)",
    "kendall(average=pooled)",
    "fuzzy(match=position,unaligned=drop)",
    "fuzzy(match=position,average=pooled)",
    "fuzzy",
]


def corpus_of(sentences):
    """Treebank, references and words of several sentences."""
    words = [sentence.words for sentence in sentences]
    return (
        Treebank.of([sentence.treebank[0] for sentence in sentences]),
        ReferenceOrders.of([sentence.references[0] for sentence in sentences]),
        SourceWords.of(words),
    )


def best_of_all(metric, sentences):
    """The corpus score of the best order of every sentence, by trying all."""
    rows = []
    for sentence in sentences:
        orders = whole_orders(sentence.heads)
        same = np.zeros(len(orders), dtype=np.int64)
        tried = metric.statistics(
            Orders.of(orders), sentence.references.take(same), sentence.source.take(same)
        )
        rows.append(tried[np.argmax(metric.finish(tried))])
    return metric.finish(np.sum(rows, axis=0))


@pytest.mark.parametrize("signature", METRICS)
def test_no_order_of_any_tree_is_better(signature):
    metric = order_metric(signature)
    sentences = [random_sentence(seed, longest=6, unlinked=True) for seed in range(30)]
    found = limit(*corpus_of(sentences)[:2], metric, corpus_of(sentences)[2])
    assert found.proven.all()
    assert found.low == found.high == pytest.approx(best_of_all(metric, sentences))
    for sentence, order in zip(sentences, found.orders, strict=True):
        assert order in whole_orders(sentence.heads)


@pytest.mark.parametrize("signature", METRICS)
def test_with_ties_and_repeated_words_the_best_is_between_two_values(signature):
    metric = order_metric(signature)
    sentences = [random_sentence(s, 6, ties=True, unlinked=True, repeated=True) for s in range(60)]
    treebank, references, words = corpus_of(sentences)
    found = limit(treebank, references, metric, words)
    best = best_of_all(metric, sentences)
    assert found.low == pytest.approx(metric.score(found.orders, references, words).corpus)
    assert found.low - 1e-9 <= best <= found.high + 1e-9
    proven = [s for s, sure in zip(sentences, found.proven.tolist(), strict=True) if sure]
    assert len(proven) + len(found.not_proven) == len(sentences)
    assert limit(*corpus_of(proven)[:2], metric, corpus_of(proven)[2]).low == pytest.approx(
        best_of_all(metric, proven)
    )
    if metric.name == "kendall":
        assert found.proven.all()


@pytest.mark.parametrize("signature", ["kendall(unaligned=drop)", "fuzzy(match=position)"])
def test_of_several_references_the_nearest_counts(signature):
    metric = order_metric(signature)
    for seed in range(20):
        sentence = random_sentence(seed, longest=6, unlinked=True)
        other = random_sentence(seed, longest=6)  # the same tree
        ranks = np.random.default_rng(seed).permutation(len(sentence.heads)).tolist()
        second = ReferenceOrder([[ranks.index(r)] for r in range(len(ranks))])
        several = Alternatives.of([[sentence.references[0], second]])
        found = limit(sentence.treebank, several, metric, None)
        best = max(metric.score([order], several).corpus for order in whole_orders(other.heads))
        assert found.proven.all()
        assert found.low == pytest.approx(best)
        assert metric.score(found.orders, several).corpus == found.low


def test_a_sentence_without_links_stays_as_it_is_and_is_not_scored():
    tree = Tree(["b", "a"], [1, -1], ["dep", "root"], ["X"] * 2, ["_"] * 2)
    unlinked = ReferenceOrder([[1], [0]], [False, False])
    references = ReferenceOrders.of([unlinked, [[1], [0]]])
    found = limit(Treebank.of([tree] * 2), references, order_metric("kendall"), None)
    assert list(found.orders) == [[0, 1], [1, 0]]
    assert found.low == found.high == 1
    assert found.not_proven == []
