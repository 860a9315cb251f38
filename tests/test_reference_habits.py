"""What an annotator does nearly always, and where not."""

from __future__ import annotations

import numpy as np
import pytest

from preorder_eval.analysis.reference_habits import unusual_links, unusual_orders
from preorder_eval.analysis.reference_quality import check_reference
from preorder_eval.data.alignments import Alignments, alternatives
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Tree, Treebank

SLEPT = Tree(
    ["cats", "have", "slept", "in", "boxes"],
    [2, 2, -1, 4, 2],
    ["nsubj", "aux", "root", "case", "obl"],
    ["NOUN", "AUX", "VERB", "ADP", "NOUN"],
    ["NNS", "VBP", "VBN", "IN", "NNS"],
)
USUAL = [(0, 0), (4, 1), (3, 2), (2, 3), (1, 4)]
# The box is said last, and the auxiliary has no word of its own.
LAST = [(0, 0), (2, 1), (1, 2), (4, 3), (3, 4)]
SHARED = [(0, 0), (4, 1), (3, 2), (2, 3), (1, 3)]


def slept(*exceptions, usual=10, free=()):
    """So many sentences as usual, and some others, with what is free in the last."""
    links = Alignments.of([USUAL] * usual + list(exceptions))
    blocks = [[]] * (len(links) - 1) + [list(free)]
    several, _ = alternatives([5] * len(links), [(links, blocks)])
    words = [list(SLEPT.words)] * len(links)
    trees = Treebank.of([SLEPT] * len(links))
    return ReferenceSet("x", words, links, trees=trees, alternatives=several)


def test_what_is_always_so_is_not_unusual():
    assert unusual_orders(slept()) == unusual_links(slept()) == []


def test_a_phrase_on_the_other_side_is_unusual():
    """The box stands behind its verb and the auxiliary, once in eleven times."""
    assert unusual_orders(slept(LAST)) == [(10, (1, 4)), (10, (2, 4))]


@pytest.mark.parametrize("usual", [8, 9])
def test_too_few_have_no_habit(usual):
    assert unusual_orders(slept(LAST, usual=usual)) == []


def test_what_is_as_often_otherwise_is_no_exception():
    assert unusual_orders(slept(LAST, LAST, usual=19)) == []
    assert len(unusual_orders(slept(LAST, LAST, usual=20))) == 4


def test_an_order_that_is_free_is_not_unusual():
    """The last one may say the verb and its auxiliary last, too."""
    free = [((1, 2), (3, 4))]
    assert unusual_orders(slept(LAST, free=free)) == []


def test_a_word_that_shares_its_target_is_unusual():
    assert unusual_links(slept(SHARED)) == [(10, (1,))]
    assert unusual_links(slept(USUAL[:4])) == [(10, (1,))]
    # Content words have no habit, and ties no order.
    assert unusual_orders(slept(SHARED)) == []


def test_kinds_are_kept_apart_by_label_and_tag():
    data = slept(LAST)
    one = SLEPT.words, SLEPT.heads, ["nsubj", "aux", "root", "case", "advcl"], SLEPT.upos
    other = Treebank.of([SLEPT] * 10 + [Tree(*one, SLEPT.xpos)])
    assert unusual_orders(ReferenceSet("x", data.source, data.alignments, trees=other)) == []


def test_the_check_tells_of_both_without_a_warning():
    found = check_reference(slept([*LAST[:2], (1, 1), *LAST[3:]]))
    unlike = [f for f in found if "unlike" in f.check]
    assert [(f.sentence, f.check, f.words) for f in unlike] == [
        (10, "phrases ordered unlike elsewhere", ("have", "boxes")),
        (10, "phrases ordered unlike elsewhere", ("slept", "boxes")),
        (10, "words linked unlike elsewhere", ("have",)),
    ]
    assert not any(f.is_warning for f in unlike)


def test_sentences_without_links_say_nothing():
    data = slept([])
    assert not np.any(data.informative[10:])
    assert unusual_orders(data) == []
