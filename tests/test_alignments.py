"""Links, and the reference orders made from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import TALBOT_TABLE_2

from preorder_eval.data.alignments import Alignments, reference_order, reference_orders
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.alignment_formats import TALBOT


@pytest.mark.parametrize(("source", "fields", "order"), TALBOT_TABLE_2)
def test_table_2_of_the_paper(source, fields, order):
    words = source.split(" ")
    found = TALBOT.parse([fields], "table 2")
    links = zip(found.first, found.second, strict=True)
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


def test_a_sentence_without_links_carries_no_information():
    references = reference_orders(Alignments.of([[], [(0, 0)], []]), [2, 1, 1])
    assert references.informative.tolist() == [False, True, False]


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


def test_marks_are_sure_where_nothing_is_said():
    offsets, positions = np.array([0, 2]), np.array([0, 1], dtype=np.int32)
    assert Alignments(offsets, positions, positions).possible.tolist() == [False, False]
    assert Alignments.of([[(0, 0)], []]).possible.tolist() == [False]


@pytest.mark.parametrize("link", [(2, 0), (-1, 0), (0, -1)])
def test_a_link_outside_its_sentence_is_an_error(link):
    with pytest.raises(PreorderEvalError, match=f"sentence 2: link {link[0]}-{link[1]} is outside"):
        reference_orders(Alignments.of([[(0, 0)], [link]]), [1, 2])


def test_numbers_of_sentences_must_agree():
    with pytest.raises(PreorderEvalError, match="alignments of 1 sentence for 2 sentences"):
        reference_orders(Alignments.of([[]]), [1, 2])
    with pytest.raises(PreorderEvalError, match="possible links of 1 sentence, sure ones of 2"):
        Alignments.of([[], []], [[]])


@pytest.mark.parametrize("sentence", [-2, 1])
def test_there_is_no_sentence_out_of_range(sentence):
    with pytest.raises(IndexError):
        Alignments.of([[]])[sentence]


def test_some_sentences_in_another_order():
    alignments = Alignments.of([[(0, 1)], [], [(1, 0), (0, 0)]], possible=[[], [], [(2, 2)]])
    taken = alignments.take(np.array([2, 0, 2]))
    assert [taken[s] for s in range(3)] == [alignments[s] for s in (2, 0, 2)]
    assert taken.marks(0) == alignments.marks(2) == [False, False, True]
