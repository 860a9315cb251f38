"""Several reference orders for a sentence: which there are, and how metrics take them."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from preorder_eval.data.alignments import (
    MOST,
    Alignments,
    alternatives,
    free_orders,
    reference_order,
)
from preorder_eval.data.orders import Alternatives, Orders, SourceWords
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.metrics import metric, metric_types
from preorder_eval.metrics.order import OrderMetric
from preorder_eval.results.run import read_run, write_run
from preorder_eval.results.scoring import evaluate
from preorder_eval.results.systems import System

ORDER_METRICS = [name for name, kind in metric_types().items() if issubclass(kind, OrderMetric)]


@st.composite
def corpora(draw):
    """Sentences with one to four reference orders each, and a system order."""
    sentences, orders = [], []
    for _ in range(draw(st.integers(1, 4))):
        size = draw(st.integers(1, 5))
        several = []
        for _ in range(draw(st.integers(1, 4))):
            links = st.tuples(st.integers(0, size - 1), st.integers(0, 4))
            several.append(reference_order(draw(st.lists(links, max_size=6)), size))
        sentences.append(several)
        orders.append(draw(st.permutations(range(size))))
    return sentences, orders


@pytest.mark.slow
@pytest.mark.parametrize("name", ORDER_METRICS)
@pytest.mark.parametrize("options", ["", "average=pooled", "unaligned=drop"])
@settings(max_examples=30)
@given(corpora())
def test_the_best_and_the_mean_are_those_of_each_order_by_itself(name, options, corpus):
    sentences, orders = corpus
    words = SourceWords.of([["a", "b", "a", "c", "b"][: len(order)] for order in orders])
    several = Alternatives.of(sentences)
    best, mean = (
        metric(f"{name}({options})" if options else name, references=how)
        for how in ("best", "mean")
    )
    scores = {m: m.score(Orders.of(orders), several, words).sentence for m in (best, mean)}
    for s, references in enumerate(sentences):
        one_word = SourceWords.of([["a", "b", "a", "c", "b"][: len(orders[s])]])
        each = [
            float(best.score([orders[s]], [order], one_word).sentence[0]) for order in references
        ]
        known = [score for score in each if not np.isnan(score)]
        if not known:
            assert np.isnan(scores[best][s])
            continue
        assert scores[best][s] == pytest.approx(max(known))
        if options != "average=pooled":  # which adds up what is lost, not scores
            assert scores[mean][s] == pytest.approx(np.mean(known))


def test_a_single_order_is_the_same_as_no_alternatives():
    orders, references = Orders.of([[1, 0, 2]]), [[[0], [1, 2]]]
    for name in ORDER_METRICS:
        one = metric(name)
        plain = one.score(orders, references).corpus
        assert one.score(orders, Alternatives.of([references])).corpus == plain


def test_free_blocks_are_permuted_in_every_way():
    links = [(0, 0), (1, 2), (2, 3), (3, 5)]
    block = ((0, 1), (2, 2), (3, 4))
    keys = {tuple(j for _, j in own) for own in free_orders(links, [block])}
    expected = set()
    for way in itertools.permutations(block):
        start, place = 0, {}
        for first, last in way:
            for position in range(first, last + 1):
                place[position] = start
                start += 1
        expected.add(tuple(place.get(j, j) for _, j in links))
    assert keys == expected
    assert len(keys) == 6
    assert next(iter(free_orders(links, [block]))) == links


def test_too_many_orders_are_cut_and_named():
    links = Alignments.of([[(i, i) for i in range(6)]])
    block = tuple((i, i) for i in range(6))
    several, cut = alternatives([6], [(links, [[block]])])
    assert cut == [1]
    assert len(several.sentence) == MOST


def test_translations_add_their_orders_and_equal_ones_count_once():
    first = Alignments.of([[(0, 0), (1, 1)], [(0, 0)]])
    second = Alignments.of([[(0, 1), (1, 0)], []])
    several, cut = alternatives([2, 1], [(first, ()), (second, ()), (first, ())])
    assert [list(map(list, order)) for order in several.references] == [
        [[0], [1]],
        [[1], [0]],
        [[0]],
    ]
    assert several.sentence.tolist() == [0, 0, 1]
    assert cut == []


def test_a_run_folder_keeps_all_reference_orders(tmp_path):
    first = Alignments.of([[(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 1)]])
    second = Alignments.of([[(0, 1), (2, 0)], []])
    several, _ = alternatives([3, 2], [(first, ()), (second, ())])
    source = [["a", "b", "c"], ["d", "e"]]
    data = ReferenceSet("several", source, first, alternatives=several)
    system = System.from_orders([[2, 1, 0], [1, 0]], data, name="mine")
    result = evaluate(data, [system], ["fuzzy", "kendall(unaligned=drop)"], resamples=10)
    write_run(result, tmp_path / "run")
    again = read_run(tmp_path / "run")
    assert again.to_dict() == result.to_dict()
    kept = again.inputs.reference.alternatives
    assert kept.references.aligned.tolist() == several.references.aligned.tolist()
    assert "0 1 2 | 1~ 2 0" in (tmp_path / "run" / "sentences.tsv").read_text()
