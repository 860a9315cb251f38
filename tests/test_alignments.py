"""Links, and the reference orders made from them, one or several for a sentence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import TALBOT_TABLE_2

from preorder_eval.base.arrays import blocks, offsets_of, sums
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics import metric, metric_types
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.orders.alignment_formats import TALBOT
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Alternatives, Orders, SourceWords
from preorder_eval.orders.reference_orders import (
    MOST,
    alternatives,
    free_orders,
    reference_order,
    reference_orders,
)
from preorder_eval.references.reference_set import ReferenceSet


@pytest.mark.parametrize(("source", "fields", "order"), TALBOT_TABLE_2)
def test_table_2_of_the_paper(source, fields, order):
    words = source.split(" ")
    found = TALBOT.parse([fields], "table 2")
    links = [(first, second) for _, first, second, _ in found.links]
    assert reference_order(links, len(words)).braces(words) == order


@pytest.mark.parametrize(
    ("links", "length", "groups"),
    [
        # 1. The smallest target position is the key; equal keys are a tie.
        ([(0, 3), (0, 1), (1, 2)], 2, [[0], [1]]),
        ([(0, 1), (1, 0)], 2, [[1], [0]]),
        ([(0, 0), (1, 0)], 2, [[0, 1]]),
        ([(0, 1), (1, 0), (2, 1)], 3, [[1], [0, 2]]),
        # 2. Unaligned tokens go before the next aligned one, in source order,
        ([(2, 1), (3, 0)], 4, [[3], [0], [1], [2]]),
        # to the end of the sentence without one,
        ([(0, 1), (1, 0)], 4, [[1], [0], [2], [3]]),
        # into its group when a member stands before them,
        ([(0, 0), (2, 0)], 3, [[0, 1, 2]]),
        # and right before the group otherwise.
        ([(1, 0), (2, 0), (3, 1)], 4, [[0], [1, 2], [3]]),
        ([(1, 0), (3, 0)], 5, [[0], [1, 2, 3], [4]]),
        ([(0, 1), (2, 0), (4, 0)], 5, [[1], [2, 3, 4], [0]]),
        # 3. Without links there is only the source order.
        ([], 3, [[0], [1], [2]]),
        ([], 0, []),
    ],
)
def test_each_rule(links, length, groups):
    order = reference_order(links, length)
    assert order == groups
    assert order.aligned == [any(i == source for source, _ in links) for i in range(length)]


def slow_reference_order(links, length):
    """The three rules, word for word."""
    key = {}
    for source, target in links:
        key[source] = min(target, key.get(source, target))
    groups = {k: [i for i in range(length) if key.get(i) == k] for k in set(key.values())}
    before = {k: [] for k in groups}
    end = []
    for i in set(range(length)) - set(key):
        following = [j for j in range(i, length) if j in key]
        if not following:
            end.append([i])
        elif min(j for j in key if key[j] == key[following[0]]) < i:
            groups[key[following[0]]].append(i)
        else:
            before[key[following[0]]].append([i])
    order = []
    for k in sorted(groups):
        order += [*sorted(before[k]), sorted(groups[k])]
    return order + sorted(end)


@st.composite
def corpora(draw):
    """Sentence lengths, and links as triples: source, target, whether possible."""
    lengths = draw(st.lists(st.integers(0, 7), max_size=4))
    links = [
        draw(
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, 4), st.booleans()), max_size=9)
        )
        if n
        else []
        for n in lengths
    ]
    return lengths, links


def alignments_of(links):
    """Alignments from triples."""
    sure = [[(s, t) for s, t, possible in sentence if not possible] for sentence in links]
    maybe = [[(s, t) for s, t, possible in sentence if possible] for sentence in links]
    return Alignments.of(sure, maybe)


@given(corpora())
def test_reference_orders_are_those_of_the_three_rules(corpus):
    lengths, links = corpus
    references = reference_orders(alignments_of(links), lengths)
    for order, sentence, length in zip(references, links, lengths, strict=True):
        assert order == slow_reference_order([link[:2] for link in sentence], length)


@given(corpora())
def test_links_are_sorted_sets_in_which_sure_wins(corpus):
    _, links = corpus
    alignments = alignments_of(links)
    assert len(alignments) == len(links)
    for s, sentence in enumerate(links):
        expected = {(source, target) for source, target, _ in sentence}
        sure = {(source, target) for source, target, possible in sentence if not possible}
        assert alignments[s] == sorted(expected)
        assert alignments.marks(s) == [link not in sure for link in sorted(expected)]
        assert alignments.sure[s] == sorted(sure)
        assert not any(alignments.sure.marks(s))


@pytest.mark.parametrize("link", [(2, 0), (-1, 0), (0, -1)])
def test_a_link_outside_its_sentence_is_an_error(link):
    with pytest.raises(PreorderEvalError, match=f"sentence 2: link {link[0]}-{link[1]} is outside"):
        reference_orders(Alignments.of([[(0, 0)], [link]]), [1, 2])


def test_numbers_of_sentences_must_agree():
    with pytest.raises(PreorderEvalError, match="alignments of 1 sentence for 2 sentences"):
        reference_orders(Alignments.of([[]]), [1, 2])
    with pytest.raises(PreorderEvalError, match="possible links of 1 sentence, sure ones of 2"):
        Alignments.of([[], []], [[]])


ORDER_METRICS = [name for name, kind in metric_types().items() if issubclass(kind, OrderMetric)]


@st.composite
def several_orders(draw):
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
@given(several_orders())
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
    assert [[j for _, j in own] for own in free_orders(links, [block])] == [
        [0, 2, 3, 5], [0, 4, 2, 5], [1, 0, 3, 5], [3, 0, 1, 5], [2, 4, 0, 5], [3, 2, 0, 5],
    ]  # fmt: skip


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


def test_what_is_made_of_a_large_corpus_in_parts_is_that_of_the_whole(monkeypatch):
    rng = np.random.default_rng(0)
    lengths = [3, 1, 4, 0, 2, 5, 3]
    sentences = [list(rng.choice(["a", "b"], length)) for length in lengths]
    sentence = np.repeat(np.arange(7), lengths)
    source = np.concatenate([rng.permutation(length) for length in lengths])
    target, possible = rng.integers(0, 4, 18), rng.random(18) < 0.5

    def made():
        links = Alignments.of_arrays(sentence, source, target, possible, 7)
        orders, words = reference_orders(links, lengths), SourceWords.of(sentences)
        return [
            *(links.offsets, links.source, links.target, links.possible),
            *(orders.ranks, orders.aligned, words.repeated),
            words.number == words.number[:, None],
            sums(target, offsets_of(lengths)),
        ]

    whole = made()
    assert len({*whole[6].tolist()}) > 6
    monkeypatch.setattr(blocks, "__defaults__", (4,))
    for of_whole, of_parts in zip(whole, made(), strict=True):
        np.testing.assert_array_equal(of_parts, of_whole)
    with pytest.raises(PreorderEvalError, match="sentence 6: link 9-0 is outside its 3 source"):
        reference_orders(Alignments.of([[(0, 0)]] * 5 + [[(9, 0)]]), [3] * 6)
