"""Which items of a treebank fit the conditions of a slot."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from preorder_eval.data.arrays import Bools, Longs, within
from preorder_eval.data.columns import Column
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.rules import HEAD, OTHER, Slot, tag_fits
from preorder_eval.reordering.schemes import base_label


class Items:
    """The items of a treebank: every token as a child of its head, or as a head of its children.

    `tags` is the column that tag conditions refer to.

    >>> from preorder_eval.data.treebank import Tree
    >>> tree = Tree(["She", "ran"], [1, -1], ["nsubj", "root"], ["PRON", "VERB"], ["PRP", "VBD"])
    >>> items = Items(Treebank.of([tree]), "upos")
    >>> items.fitting(Slot(("nsubj",), side="before", head_words=("ran",))).tolist()
    [True, False]
    """

    def __init__(self, treebank: Treebank, tags: str) -> None:
        self._treebank = treebank
        self._tags: Column = getattr(treebank, tags)
        self._child = treebank.heads >= 0
        self._before = treebank.heads > within(treebank.offsets)

    def fitting(self, slot: Slot, *, heads: bool = False) -> Bools:
        """Which tokens fit as children or, with `heads`, as heads of their children; bool[N].

        Only HEAD fits a token as the head of its own children, and the conditions on heads and
        siblings then look at itself and at all its children.
        """
        trees = self._treebank
        head: Longs = np.arange(len(trees.words)) if heads else trees.parents
        if heads:
            fits = np.full(len(head), HEAD in slot.labels)
        else:
            fits = self._child & self._labelled(slot.labels)
            if slot.side:
                fits = fits & (self._before == (slot.side == "before"))
        if slot.tags:
            fits = fits & _named(self._tags, lambda tag: tag_fits(tag, slot.tags))
        if slot.words:
            fits = fits & self._worded(slot.words)
        if slot.feats:
            fits = fits & _named(
                trees.feats, lambda x: not set(slot.feats).isdisjoint(x.split("|"))
            )
        if slot.head_tags:
            fits = fits & _named(self._tags, lambda tag: tag_fits(tag, slot.head_tags))[head]
        if slot.head_words:
            fits = fits & self._worded(slot.head_words)[head]
        if slot.head_labels:
            fits = fits & _named(trees.labels, lambda x: _covers(slot.head_labels, x))[head]
        if slot.siblings:
            wanted = self._child & _named(trees.labels, lambda x: _covers(slot.siblings, x))
            count = np.bincount(trees.parents[wanted], minlength=len(head))[head]
            fits = fits & (count > (0 if heads else wanted))
        if slot.with_words or slot.with_labels:
            own = self._child & (self._worded(slot.with_words) | (not slot.with_words))
            if slot.with_labels:
                own &= _named(trees.labels, lambda x: _covers(slot.with_labels, x))
            fits = fits & (np.bincount(trees.parents[own], minlength=len(head)) > 0)
        size = np.ones_like(head) if heads else trees.subtree_sizes
        if slot.at_least is not None:
            fits = fits & (size >= slot.at_least)
        if slot.at_most is not None:
            fits = fits & (size <= slot.at_most)
        return fits

    def _worded(self, words: tuple[str, ...]) -> Bools:
        codes = [self._word_codes[word] for word in words if word in self._word_codes]
        return np.isin(self._treebank.lower_words.codes, codes)

    @cached_property
    def _word_codes(self) -> dict[str, int]:
        return {word: code for code, word in enumerate(self._treebank.lower_words.names)}

    def _labelled(self, labels: tuple[str, ...]) -> Bools:
        if OTHER in labels:
            return np.ones(len(self._child), dtype=bool)
        return _named(self._treebank.labels, lambda label: _covers(labels, label))


def _covers(labels: tuple[str, ...], label: str) -> bool:
    return label in labels or base_label(label) in labels


def _named(column: Column, wanted: Callable[[str], bool]) -> Bools:
    """Which tokens have a name that is wanted."""
    return np.array([wanted(name) for name in column.names], dtype=bool)[column.codes]
