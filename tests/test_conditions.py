"""Conditions of slots against looking at one item after the other."""

import slow
import strategies
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data.treebank import Treebank
from preorder_eval.formats.conllu import parse_conllu
from preorder_eval.reordering.conditions import HEAD, Items, Slot


@given(st.lists(strategies.trees(), min_size=1, max_size=3), strategies.slots("obl"))
def test_children_fit_as_one_by_one(trees, slot):
    fitting = Items(Treebank.of(trees), "upos").fitting(slot)
    assert fitting.tolist() == [
        head >= 0 and slow.fits(slot, tree, tree.upos, token, head)
        for tree in trees
        for token, head in enumerate(tree.heads)
    ]


@given(strategies.trees(), strategies.slots(HEAD))
def test_heads_fit_as_one_by_one(tree, slot):
    slot = Slot(slot.labels, None, slot.tags, slot.words, False, (), *_around(slot))
    fitting = Items(Treebank.of([tree]), "upos").fitting(slot, heads=True)
    assert fitting.tolist() == [
        slow.fits(slot, tree, tree.upos, token, token) for token in range(len(tree))
    ]


def _around(slot):
    return (
        *(slot.head_tags, slot.head_words, slot.head_labels),
        *(slot.siblings, slot.with_words, slot.with_labels),
    )


def test_features_are_those_of_the_child_and_words_those_below_it():
    text = (
        "1\tTo\tto\tPART\tTO\t_\t2\tmark\t_\t_\n"
        "2\tgo\tgo\tVERB\tVB\tVerbForm=Inf|Voice=Act\t3\tcsubj\t_\t_\n"
        "3\thelps\thelp\tVERB\tVBZ\tVerbForm=Fin\t0\troot\t_\t_\n\n"
    )
    items = Items(parse_conllu(text, "x"), "upos")
    assert items.fitting(Slot(("csubj",), feats=("VerbForm=Inf",))).tolist() == [False, True, False]
    assert not items.fitting(Slot(("csubj",), feats=("VerbForm=Fin",))).any()
    assert items.fitting(Slot(("csubj",), with_words=("to",))).any()
    assert items.fitting(Slot(("csubj",), with_words=("to",), with_labels=("mark",))).any()
    assert not items.fitting(Slot(("csubj",), with_words=("go",))).any()
    assert not items.fitting(Slot(("csubj",), with_words=("to",), with_labels=("case",))).any()
