"""Slots of rules: which items a slot is for, and how each condition of a slot is matched.

A head and its children, each child with its whole subtree, are the *items* that a rule puts into
order.
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
from preorder_eval.reordering.schemes import base_label, names_of

HEAD = "HEAD"
OTHER = "OTHER"
Tags = Literal["upos", "xpos"]
Values = tuple[str | int, ...]


class Items:
    """The items of a treebank: every token as a child of its head, or with `heads` as a head.

    `tags` is the column that conditions on tags look at. If a token is taken as the head among its
    own children, conditions on heads and siblings look at the token itself and at all its children.
    """

    def __init__(self, treebank: Treebank, tags: Tags, *, heads: bool = False) -> None:
        self._treebank = treebank
        self._tags: NameColumn = getattr(treebank, tags)
        self._child = treebank.heads >= 0
        self._heads = heads

    def fitting(self, slot: Slot) -> Bools:
        """Return whether each token fits a slot; bool[N].

        A token taken as a head fits only a slot of HEAD.
        """
        if self._heads:
            fits = np.full(len(self._child), HEAD in slot.labels)
        else:
            fits = self._child & (OTHER in slot.labels or self.labelled(slot.labels))
        for test in slot.tests():
            fits = fits & test(self, slot)
        return fits

    def on_side(self, side: str | None) -> Bools:
        """Return which tokens stand on that side of their head, or on any."""
        return (
            np.full(len(self._child), True) if side is None else self._before == (side == "before")
        )

    def labelled(self, labels: Sequence[str]) -> Bools:
        """Return which tokens have one of these labels, or a subtype of one."""
        return self._treebank.labels.where(lambda label: covers(labels, label))

    def tagged(self, patterns: Sequence[str]) -> Bools:
        """Return which tokens have a tag that fits one of the patterns."""
        return self._tags.where(lambda tag: tag_fits(tag, patterns))

    def worded(self, words: Sequence[str]) -> Bools:
        """Return which tokens are one of these words, in lower case."""
        wanted = np.zeros(len(self._word_codes), dtype=bool)
        wanted[[self._word_codes[word] for word in words if word in self._word_codes]] = True
        return wanted[self._treebank.lower_words.codes]

    def featured(self, features: Sequence[str]) -> Bools:
        """Return which tokens have one of these features."""
        wanted = set(features)
        return self._treebank.feats.where(lambda feats: not wanted.isdisjoint(feats.split("|")))

    def of_head(self, of_token: Bools) -> Bools:
        """Return for every item the value that its head has."""
        return of_token if self._heads else of_token[self._treebank.parents]

    def of_above(self, of_token: Bools) -> Bools:
        """Return for every item the value of its head's head; False if its head is the root."""
        heads, parents = self._treebank.heads, self._treebank.parents
        return self.of_head(of_token[parents] & (heads >= 0))

    def with_sibling(
        self, labels: Sequence[str], words: Sequence[str], below: Sequence[str]
    ) -> Bools:
        """Return whether the head of each item has another child that fits all that is given.

        Such a child has one of the `labels`, which may have a side, as in `obl<`; it is one of the
        `words`; and it has itself a child that is one of the words `below`. What is empty is no
        condition.
        """
        wanted = self._child
        if labels:
            labelled = (self.labelled([x]) & self.on_side(side) for x, side in map(sided, labels))
            wanted = wanted & np.logical_or.reduce([*labelled])
        if words:
            wanted = wanted & self.worded(words)
        if below:
            wanted = wanted & self.with_child(below, ())
        count = self.children(wanted)
        return count > 0 if self._heads else count[self._treebank.parents] > wanted

    def beside(self, labels: Sequence[str], side: Literal["before", "after"]) -> Bools:
        """Return which items stand before, or after, another child with one of these labels."""
        place = within(self._treebank.offsets)
        towards = place if side == "before" else -place
        wanted = self._child & self.labelled(labels)
        furthest = np.full(len(place), -len(place))
        np.maximum.at(furthest, self._treebank.parents[wanted], towards[wanted])
        return towards < (furthest if self._heads else furthest[self._treebank.parents])

    def with_child(self, words: Sequence[str], labels: Sequence[str]) -> Bools:
        """Return which tokens have a child that is one of the words and has one of the labels."""
        fits = self.worded(words) if words else self._child
        return self.children(fits & self.labelled(labels) if labels else fits) > 0

    def children(self, of_token: Bools) -> Longs:
        """Return for every token the number of its children for which `of_token` is true."""
        parents: Longs = self._treebank.parents[self._child & of_token]
        return np.bincount(parents, minlength=len(self._child))

    @property
    def sizes(self) -> Longs:
        """The number of words that move with each item."""
        sizes = self._treebank.subtree_sizes
        return np.ones_like(sizes) if self._heads else sizes

    @cached_property
    def _before(self) -> Bools:
        """Which tokens stand before their head."""
        return self._treebank.heads > within(self._treebank.offsets)

    @cached_property
    def _word_codes(self) -> dict[str, int]:
        return {word: code for code, word in enumerate(self._treebank.lower_words.names)}


Test = Callable[[Items, "Slot"], Bools]
Kind = Literal["side", "tag", "word", "feature", "label", "sided label", "number"]
_MATCH: dict[Kind, Callable[[Items, Any], Bools]] = {
    "side": Items.on_side,
    "tag": Items.tagged,
    "word": Items.worded,
    "feature": Items.featured,
    "label": Items.labelled,
}


def _condition(
    key: str,
    kind: Kind,
    about: str,
    test: Test | None = None,
    *,
    of: Callable[[Items, Bools], Bools] | None = None,
    around: bool = True,
) -> Any:
    """Declare a condition, for all that reads, checks, writes, matches or lists conditions.

    Parameters: `key` its name in rule files; `kind` that of its values, several but of a side and a
    number; `about` the children for which it is true; `test` how it is matched, by default as its
    kind is, on the child or on what is `of` it; `around` whether it looks beyond the child's label,
    side, tag and word.
    """

    def matched(items: Items, slot: Slot) -> Bools:
        found = _MATCH[kind](items, getattr(slot, CONDITIONS[key].name))
        return of(items, found) if of else found

    metadata = {"key": key, "kind": kind, "about": about, "test": test or matched, "around": around}
    return field(default=None if kind in ("side", "number") else (), metadata=metadata)


def _with_child(items: Items, slot: Slot) -> Bools:
    """Test whether an item has a child that meets both conditions on its word and label."""
    return items.with_child(slot.with_words, slot.with_labels)


def _with_sibling(items: Items, slot: Slot) -> Bools:
    """Test whether another child of the head meets all three conditions on siblings."""
    return items.with_sibling(slot.siblings, slot.sibling_words, slot.siblings_with)


@dataclass(frozen=True)
class Slot:
    """A place in the order of a head and its children; in a pair, one of the two kinds of items.

    `labels` are dependency labels (each includes its subtypes), HEAD, or OTHER for all other
    children. The other fields but `reverse` are conditions, which the children must meet, too.
    Children in the same slot keep their source order; `reverse` turns that order round.
    """

    labels: tuple[str, ...] = field(metadata={"key": "label"})
    side: Literal["before", "after"] | None = _condition(
        "side",
        "side",
        '`"before"` or `"after"`: on this side of its head in the source',
        around=False,
    )
    tags: tuple[str, ...] = _condition("tag", "tag", "with one of these tags", around=False)
    words: tuple[str, ...] = _condition(
        "word", "word", "that is one of these words, in lower case", around=False
    )
    reverse: bool = False
    feats: tuple[str, ...] = _condition(
        "feats", "feature", 'with one of these features, such as `"VerbForm=Inf"`'
    )
    head_tags: tuple[str, ...] = _condition(
        "head_tag", "tag", "whose head has one of these tags", of=Items.of_head
    )
    head_words: tuple[str, ...] = _condition(
        "head_word", "word", "whose head is one of these words", of=Items.of_head
    )
    head_feats: tuple[str, ...] = _condition(
        "head_feats", "feature", "whose head has one of these features", of=Items.of_head
    )
    head_labels: tuple[str, ...] = _condition(
        "head_label", "label", "whose head has one of these labels", of=Items.of_head
    )
    above_words: tuple[str, ...] = _condition(
        "above_word", "word", "whose head's head is one of these words", of=Items.of_above
    )
    above_labels: tuple[str, ...] = _condition(
        "above_label", "label", "whose head's head has one of these labels", of=Items.of_above
    )
    siblings: tuple[str, ...] = _condition(
        "sibling",
        "sided label",
        'whose head has another child with one of these labels; `"obl<"` is one before the head',
        _with_sibling,
    )
    sibling_words: tuple[str, ...] = _condition(
        "sibling_word",
        "word",
        "whose head has another child that is one of these words; with `sibling` the same child",
        _with_sibling,
    )
    siblings_with: tuple[str, ...] = _condition(
        "sibling_with",
        "word",
        "whose head has another child above one of these words; with `sibling` the same child",
        _with_sibling,
    )
    precedes: tuple[str, ...] = _condition(
        "precedes",
        "label",
        "that stands before another child of its head with one of these labels",
        lambda items, slot: items.beside(slot.precedes, "before"),
    )
    follows: tuple[str, ...] = _condition(
        "follows",
        "label",
        "that stands after another child of its head with one of these labels",
        lambda items, slot: items.beside(slot.follows, "after"),
    )
    with_words: tuple[str, ...] = _condition(
        "with_word", "word", "with a child that is one of these words: a preposition", _with_child
    )
    with_labels: tuple[str, ...] = _condition(
        "with_label",
        "label",
        "with a child that has one of these labels; with `with_word` the same child",
        _with_child,
    )
    at_least: int | None = _condition(
        "at_least",
        "number",
        "that moves so many words or more, itself included",
        lambda items, slot: items.sizes >= (slot.at_least or 0),
    )
    at_most: int | None = _condition(
        "at_most",
        "number",
        "that moves so many words or fewer",
        lambda items, slot: items.sizes <= (slot.at_most or 0),
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
        """The name by which pairs call it."""
        return " ".join([self.kind, *self._narrowing()])

    @property
    def kind(self) -> str:
        """Its labels and its side as rule files write them, such as `obl<`."""
        return "|".join(self.labels) + {"before": "<", "after": ">", None: ""}[self.side]

    def _narrowing(self) -> Iterator[str]:
        for key, values in self.conditions():
            if key != "side":
                yield f"{key}={'|'.join(map(str, values))}"

    def conditions(self) -> Iterator[tuple[str, Values]]:
        """Yield its conditions, by the names that rule files use, with their values."""
        for key, declared in CONDITIONS.items():
            value = getattr(self, declared.name)
            if value not in ((), None):
                yield key, value if isinstance(value, tuple) else (value,)

    def tests(self) -> list[Test]:
        """Return the tests of its conditions, each once."""
        return list(dict.fromkeys(CONDITIONS[key].metadata["test"] for key, _ in self.conditions()))

    @cached_property
    def surroundings(self) -> tuple[tuple[str, Values], ...]:
        """The conditions that look beyond the child's label, side, tag and word."""
        conditions = self.conditions()
        return tuple(one for one in conditions if CONDITIONS[one[0]].metadata["around"])

    def precedence(self, label: str) -> tuple[int, bool, bool, bool, bool, bool]:
        """Return how specific the slot is under one of its labels.

        Of several slots that fit a child, the one with the largest value takes it.
        """
        named = label != OTHER
        subtyped = named and ":" in label
        conditions = len(self.surroundings), bool(self.words), bool(self.tags)
        return *conditions, subtyped, named, bool(self.side)

    def includes(self, other: Slot) -> bool:
        """Return whether every item that fits another slot fits this one, judging by both alone.

        >>> Slot(("obl",)).includes(Slot(("obl:agent",), side="after", words=("him",)))
        True
        """
        named = all(
            label in self.labels
            if label == HEAD
            else OTHER in self.labels or covers(self.labels, label)
            for label in other.labels
        )
        narrower = dict(other.conditions())
        return named and all(
            key in narrower and {*narrower[key]} <= {*values} for key, values in self.conditions()
        )

    def shared_labels(self, other: Slot) -> list[str]:
        """Return the labels under which a child could fit two slots and none is more specific."""
        if not (_common(self.tags, other.tags) and _common(self.words, other.words)):
            return []
        return [
            label
            for label in self.labels
            if not names_of(label).isdisjoint(other.labels)
            and self.precedence(label) == other.precedence(label)
            and (self.side, self.surroundings) == (other.side, other.surroundings)
        ]


# The declared conditions by the names and in the order of rule files.
CONDITIONS = {f.metadata["key"]: f for f in fields(Slot) if "test" in f.metadata}


def sided(text: str) -> tuple[str, Literal["before", "after"] | None]:
    """Split labels such as `obl<` into the labels and the side that the last sign means."""
    if text.endswith("<"):
        return text[:-1], "before"
    return (text[:-1], "after") if text.endswith(">") else (text, None)


def covers(labels: Sequence[str], label: str) -> bool:
    """Return whether a label, or the label that it is a subtype of, is among some labels.

    >>> covers(["nsubj"], "nsubj:pass"), covers(["nsubj:pass"], "nsubj")
    (True, False)
    """
    return base_label(label) in labels or not names_of(label).isdisjoint(labels)


def tag_fits(tag: str, patterns: Sequence[str]) -> bool:
    """Return whether a tag fits one of the patterns, or there are none."""
    return not patterns or any(fnmatch.fnmatchcase(tag, pattern) for pattern in patterns)


def _common(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether something can fit both lists of patterns, an empty one fitting all."""
    return not (one and other) or any(
        fnmatch.fnmatchcase(a, b) or fnmatch.fnmatchcase(b, a) for a in one for b in other
    )
