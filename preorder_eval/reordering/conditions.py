"""Slots of rules: the items that each is for, and how every condition of a slot is matched.

A head and its children, each with its whole subtree, are the *items* that a rule lays out.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal

import numpy as np

from preorder_eval.data.arrays import Bools, Longs, within
from preorder_eval.data.ragged import NameColumn
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.schemes import base_label

HEAD = "HEAD"
OTHER = "OTHER"
Tags = Literal["upos", "xpos"]
Values = tuple[str | int, ...]


class Items:
    """The items of a treebank: every token as a child of its head or, with `heads`, as a head.

    `tags` is the column that tag conditions refer to. For a token as the head of its children the
    conditions on heads and siblings look at itself and at all its children.
    """

    def __init__(self, treebank: Treebank, tags: Tags, *, heads: bool = False) -> None:
        self._treebank = treebank
        self._tags: NameColumn = getattr(treebank, tags)
        self._child = treebank.heads >= 0
        self._heads = heads

    def fitting(self, slot: Slot) -> Bools:
        """Return which tokens fit a slot; bool[N]. Only HEAD fits a token as a head."""
        if self._heads:
            fits = np.full(len(self._child), HEAD in slot.labels)
        else:
            fits = self._child & (OTHER in slot.labels or self.labelled(slot.labels))
        for test in slot.tests():
            fits = fits & test(self, slot)
        return fits

    def on_side(self, side: str | None) -> Bools:
        """Return which tokens stand on that side of their head, or on any."""
        before = self._treebank.heads > within(self._treebank.offsets)
        return np.full(len(before), True) if side is None else before == (side == "before")

    def labelled(self, labels: Sequence[str]) -> Bools:
        """Return which tokens have one of these labels, or a subtype of one."""
        return self._treebank.labels.where(lambda label: covers(labels, label))

    def tagged(self, patterns: Sequence[str]) -> Bools:
        """Return which tokens have a tag that fits one of the patterns."""
        return self._tags.where(lambda tag: tag_fits(tag, patterns))

    def worded(self, words: Sequence[str]) -> Bools:
        """Return which tokens are one of these words, in lower case."""
        codes = [self._word_codes[word] for word in words if word in self._word_codes]
        return np.isin(self._treebank.lower_words.codes, codes)

    def featured(self, features: Sequence[str]) -> Bools:
        """Return which tokens have one of these features."""
        wanted = set(features)
        return self._treebank.feats.where(lambda feats: not wanted.isdisjoint(feats.split("|")))

    def of_head(self, of_token: Bools) -> Bools:
        """Return for every item what is so of its head."""
        return of_token if self._heads else of_token[self._treebank.parents]

    def with_sibling(self, labels: Sequence[str]) -> Bools:
        """Return which items have another child of their head with one of these labels.

        A label can have a side, as in `obl<`.
        """
        wanted = np.full(len(self._child), False)
        for label, side in map(sided, labels):
            wanted |= self._child & self.labelled([label]) & self.on_side(side)
        count = self.children(wanted)
        return count > 0 if self._heads else count[self._treebank.parents] > wanted

    def with_child(self, words: Sequence[str], labels: Sequence[str]) -> Bools:
        """Return which tokens have a child that is one of the words and has one of the labels."""
        fits = self.worded(words) if words else self._child
        return self.children(fits & self.labelled(labels) if labels else fits) > 0

    def children(self, of_token: Bools) -> Longs:
        """Return for every token the number of its children of which something is so."""
        parents: Longs = self._treebank.parents[self._child & of_token]
        return np.bincount(parents, minlength=len(self._child))

    @property
    def sizes(self) -> Longs:
        """The number of words that move with each item."""
        sizes = self._treebank.subtree_sizes
        return np.ones_like(sizes) if self._heads else sizes

    @cached_property
    def _word_codes(self) -> dict[str, int]:
        return {word: code for code, word in enumerate(self._treebank.lower_words.names)}


Test = Callable[[Items, "Slot"], Bools]


def _condition(key: str, test: Test, default: Any = (), *, surroundings: bool = True) -> Any:
    """Declare a condition: its name in rule files, its test, whether it looks beyond the child."""
    metadata = {"key": key, "test": test, "surroundings": surroundings}
    return field(default=default, metadata=metadata)


def _with_child(items: Items, slot: Slot) -> Bools:
    """Test two conditions that one child must meet."""
    return items.with_child(slot.with_words, slot.with_labels)


@dataclass(frozen=True)
class Slot:
    """A place in the order of a head and its children; in a pair, one of the two.

    `labels` are dependency labels (each covers its subtypes), HEAD or OTHER; what shares a slot
    keeps its source order. The conditions narrow it: `side` of the head on which the child stood
    in the source, the child's own `tags`, `words` in lower case and `feats` (one of these
    `Name=Value`), the tags, words and labels of its head, `siblings` (labels, also with a side as
    in `obl<`, one of which another child of the head has), `with_words` and `with_labels` (one
    child of its own has one of each), and how many words move with it, `at_least` and `at_most`.
    `reverse` turns the source order of the slot around.
    """

    labels: tuple[str, ...] = field(metadata={"key": "label"})
    side: Literal["before", "after"] | None = _condition(
        "side", lambda items, slot: items.on_side(slot.side), None, surroundings=False
    )
    tags: tuple[str, ...] = _condition(
        "tag", lambda items, slot: items.tagged(slot.tags), surroundings=False
    )
    words: tuple[str, ...] = _condition(
        "word", lambda items, slot: items.worded(slot.words), surroundings=False
    )
    reverse: bool = False
    feats: tuple[str, ...] = _condition("feats", lambda items, slot: items.featured(slot.feats))
    head_tags: tuple[str, ...] = _condition(
        "head_tag", lambda items, slot: items.of_head(items.tagged(slot.head_tags))
    )
    head_words: tuple[str, ...] = _condition(
        "head_word", lambda items, slot: items.of_head(items.worded(slot.head_words))
    )
    head_labels: tuple[str, ...] = _condition(
        "head_label", lambda items, slot: items.of_head(items.labelled(slot.head_labels))
    )
    siblings: tuple[str, ...] = _condition(
        "sibling", lambda items, slot: items.with_sibling(slot.siblings)
    )
    with_words: tuple[str, ...] = _condition("with_word", _with_child)
    with_labels: tuple[str, ...] = _condition("with_label", _with_child)
    at_least: int | None = _condition(
        "at_least", lambda items, slot: items.sizes >= (slot.at_least or 0), None
    )
    at_most: int | None = _condition(
        "at_most", lambda items, slot: items.sizes <= (slot.at_most or 0), None
    )

    def __str__(self) -> str:
        """Return the name that tables use.

        >>> print(Slot(("obl", "advcl"), side="after", tags=("NOUN",), reverse=True))
        obl|advcl after tag=NOUN reversed
        """
        parts = [
            "|".join(self.labels),
            self.side or "",
            *self._narrowing(),
            "reversed" * self.reverse,
        ]
        return " ".join(filter(None, parts))

    @property
    def short(self) -> str:
        """The name that pairs use."""
        return " ".join([self.kind, *self._narrowing()])

    @property
    def kind(self) -> str:
        """Its labels and its side, as rule files write them."""
        return "|".join(self.labels) + {"before": "<", "after": ">", None: ""}[self.side]

    def _narrowing(self) -> Iterator[str]:
        for key, values in self.conditions():
            if key != "side":
                yield f"{key}={'|'.join(map(str, values))}"

    def conditions(self) -> Iterator[tuple[str, Values]]:
        """Yield its conditions, by the names that rule files use, with their values."""
        for declared in CONDITIONS:
            value = getattr(self, declared.name)
            if value not in ((), None):
                key: str = declared.metadata["key"]
                yield key, value if isinstance(value, tuple) else (value,)

    def tests(self) -> list[Test]:
        """Return the tests of its conditions, each once."""
        of_key = {declared.metadata["key"]: declared.metadata["test"] for declared in CONDITIONS}
        return list(dict.fromkeys(of_key[key] for key, _ in self.conditions()))

    @property
    def surroundings(self) -> tuple[tuple[str, Values], ...]:
        """The conditions that look beyond the child's label, side, tag and word."""
        return tuple(entry for entry in self.conditions() if entry[0] in _SURROUNDINGS)

    def precedence(self, label: str) -> tuple[int, bool, bool, bool, bool, bool]:
        """Return how closely the slot fits under one of its labels; the closest takes a child."""
        named = label != OTHER
        subtyped = named and ":" in label
        conditions = len(self.surroundings), bool(self.words), bool(self.tags)
        return *conditions, subtyped, named, bool(self.side)

    def shared_labels(self, other: Slot) -> list[str]:
        """Return the labels under which a child fits both slots and neither goes first."""
        if not (_common(self.tags, other.tags) and _common(self.words, other.words)):
            return []
        return [
            label
            for label in self.labels
            if label in other.labels
            and self.precedence(label) == other.precedence(label)
            and (self.side, self.surroundings) == (other.side, other.surroundings)
        ]


# The declared conditions as fields of a dataclass, in the order of rule files.
CONDITIONS = tuple(declared for declared in fields(Slot) if "test" in declared.metadata)
_SURROUNDINGS = {f.metadata["key"] for f in CONDITIONS if f.metadata["surroundings"]}


def sided(text: str) -> tuple[str, Literal["before", "after"] | None]:
    """Split labels from the side that stands behind them."""
    if text.endswith("<"):
        return text[:-1], "before"
    return (text[:-1], "after") if text.endswith(">") else (text, None)


def covers(labels: Sequence[str], label: str) -> bool:
    """Return whether a label, or the label that it is a subtype of, is among some labels.

    >>> covers(["nsubj"], "nsubj:pass"), covers(["nsubj:pass"], "nsubj")
    (True, False)
    """
    return label in labels or base_label(label) in labels


def tag_fits(tag: str, patterns: Sequence[str]) -> bool:
    """Return whether a tag fits one of the patterns, or there are none."""
    return not patterns or any(fnmatch.fnmatchcase(tag, pattern) for pattern in patterns)


def _common(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether something can fit both lists of patterns, an empty one fitting all."""
    return not (one and other) or any(
        fnmatch.fnmatchcase(a, b) or fnmatch.fnmatchcase(b, a) for a in one for b in other
    )
