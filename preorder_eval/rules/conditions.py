"""Slots of rules: the kinds of items that rules put into order, and the conditions on them."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from operator import attrgetter
from typing import Any, Literal

from preorder_eval.base.arrays import Bools, Longs
from preorder_eval.rules.items import Condition, ConditionTest, Items, MadeOf, covers
from preorder_eval.rules.words import all_among, in_common
from preorder_eval.trees.schemes import names_of

HEAD = "HEAD"
OTHER = "OTHER"
ConditionValues = tuple[str | int, ...]
ConditionKind = Literal["side", "tag", "word", "feature", "label", "sided label", "number"]
_MATCH: dict[ConditionKind, Condition] = {
    "side": Items.on_side,
    "tag": Items.tagged,
    "word": Items.worded,
    "feature": Items.featured,
    "label": Items.labelled,
}


def _condition(
    key: str,
    kind: ConditionKind,
    about: str,
    test: Condition | None = None,
    *,
    of: Callable[[Items, ConditionTest], ConditionTest] | None = None,
    around: bool = True,
) -> Any:
    """Declare a condition, for all code that reads, checks, writes, matches or lists conditions.

    Parameters: `key` its name in rule files; `kind` the kind of its values (it has one value if
    that is a side or a number, otherwise several); `about` the children for which it is true;
    `test` how it is matched, by default as its kind is, on the child or on what is `of` it;
    `around` whether it looks beyond the child's label, side, tag and word.
    """

    def matched(items: Items, values: Any) -> ConditionTest:
        test = _MATCH[kind](items, values)
        return of(items, test) if of else test

    metadata = {"key": key, "kind": kind, "about": about, "test": test or matched, "around": around}
    return field(default=None if kind in ("side", "number") else (), metadata=metadata)


@dataclass(frozen=True)
class Slot:
    """A place in the order of a head and its children; in a pair, one of the two kinds of items.

    `labels` are dependency labels (each includes its subtypes), HEAD, or OTHER for all other
    children. The other fields but `reverse` are conditions, which the children must meet, too.
    Children in the same slot keep their source order; `reverse` turns that order round.
    """

    labels: tuple[str, ...] = field(metadata={"key": "label"})
    side: Literal["before", "after"] | None = _condition(
        "side", "side", 'that is `"before"` or `"after"` its head in the source', around=False
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
    above_with_words: tuple[str, ...] = _condition(
        "above_with_word",
        "word",
        "whose head's head has a child that is one of these words",
        lambda items, words: items.of_above(items.with_child(words, ())),
    )
    siblings: tuple[str, ...] = _condition(
        "sibling",
        "sided label",
        'whose head has another child with one of these labels; `"obl<"` is one before the head',
        Items.with_sibling,
    )
    sibling_words: tuple[str, ...] = _condition(
        "sibling_word",
        "word",
        "whose head has another child that is one of these words; with `sibling` the same child",
        Items.with_sibling,
    )
    siblings_with: tuple[str, ...] = _condition(
        "sibling_with",
        "word",
        "whose head has another child above one of these words; with `sibling` the same child",
        Items.with_sibling,
    )
    precedes: tuple[str, ...] = _condition(
        "precedes",
        "label",
        "that precedes another child of its head with one of these labels",
        lambda items, labels: items.beside(labels, "before"),
    )
    follows: tuple[str, ...] = _condition(
        "follows",
        "label",
        "that follows another child of its head with one of these labels",
        lambda items, labels: items.beside(labels, "after"),
    )
    with_words: tuple[str, ...] = _condition(
        "with_word",
        "word",
        "with a child that is one of these words, such as a preposition",
        Items.with_child,
    )
    with_labels: tuple[str, ...] = _condition(
        "with_label",
        "label",
        "with a child that has one of these labels; with `with_word` the same child",
        Items.with_child,
    )
    at_least: int | None = _condition(
        "at_least",
        "number",
        "whose subtree has at least this many words",
        lambda items, words: items.moving(lambda sizes: sizes >= words),
    )
    at_most: int | None = _condition(
        "at_most",
        "number",
        "whose subtree has at most this many words",
        lambda items, words: items.moving(lambda sizes: sizes <= words),
    )

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        # Another process has other hashes.
        return dict(zip(_NAMES, _VALUES(self), strict=True))

    @cached_property
    def _hash(self) -> int:
        return hash(_VALUES(self))

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
        """The name of the slot as one side of a pair."""
        return " ".join([self.kind, *self._narrowing()])

    @property
    def kind(self) -> str:
        """Its labels and its side as rule files write them, such as `obl<`."""
        return "|".join(self.labels) + {"before": "<", "after": ">", None: ""}[self.side]

    def _narrowing(self) -> Iterator[str]:
        for key, values in self.conditions():
            if key != "side":
                yield f"{key}={'|'.join(map(str, values))}"

    def conditions(self) -> Iterator[tuple[str, ConditionValues]]:
        """Yield its conditions, by the names that rule files use, with their values."""
        yield from self._conditions.items()

    @cached_property
    def _conditions(self) -> dict[str, ConditionValues]:
        given = zip(CONDITIONS, _GIVEN(self), strict=True)
        return {
            key: value if isinstance(value, tuple) else (value,)
            for key, value in given
            if value not in ((), None)
        }

    def fitting(self, items: Items) -> Longs:
        """Return the items that fit the slot.

        A token taken as a head fits only a slot of HEAD.
        """
        if items.as_heads:
            return self.meeting(items, items.all() if HEAD in self.labels else items.all()[:0])
        if not self.head_words or self.words:
            return items.meeting(self.further_tests, self.candidates(items))
        tokens = items.children_of(self.head_words, self._child_labels, self.side)
        return items.meeting(self._tests_but("side", "head_word"), tokens)

    def candidates(self, items: Items) -> Longs:
        """Return the children with its labels, words and side, whatever its other conditions."""
        return items.children(self._child_labels, self.words, self.side)

    def fitting_spots(self, items: Items) -> Bools:
        """Return which spots are of children with its labels and side; see `Items.spots`."""
        return items.fitting_spots(self._child_labels, self.side)

    @property
    def _child_labels(self) -> tuple[str, ...]:
        return () if OTHER in self.labels else self.labels

    def meeting(self, items: Items, tokens: Longs) -> Longs:
        """Return those of some tokens that meet the conditions, whatever their labels."""
        return items.meeting(self.tests, tokens)

    @cached_property
    def tests(self) -> list[MadeOf]:
        """The tests of its conditions, each listed once with the values of its conditions."""
        return self._tests_but()

    @cached_property
    def further_tests(self) -> list[MadeOf]:
        """The tests that its candidates may not pass."""
        return self._tests_but("side", "word")

    def _tests_but(self, *looked_up: str) -> list[MadeOf]:
        """Return the tests of its conditions except those by which items are looked up."""
        keys = [key for key in self._conditions if key not in looked_up]
        tests = dict.fromkeys(map(_TEST_OF.__getitem__, keys))
        return [(test, tuple(getattr(self, name) for name in _FIELDS_OF[test])) for test in tests]

    @property
    def plain(self) -> bool:
        """Whether it has no condition but that on the side."""
        return self._conditions.keys() <= {"side"}

    @cached_property
    def surroundings(self) -> tuple[tuple[str, ConditionValues], ...]:
        """The conditions that look beyond the child's label, side, tag and word."""
        conditions = self.conditions()
        return tuple(one for one in conditions if CONDITIONS[one[0]].metadata["around"])

    def precedence(self, label: str) -> tuple[int, bool, bool, bool, bool, bool]:
        """Return the specificity of the slot under one of its labels.

        Of several slots that fit a child, the one with the largest value takes it.
        """
        named = label != OTHER
        subtyped = named and ":" in label
        conditions = len(self.surroundings), bool(self.words), bool(self.tags)
        return *conditions, subtyped, named, bool(self.side)

    def includes(self, other: Slot, language: str = "any") -> bool:
        """Return whether every item that fits another slot also fits this one, whatever the tree.

        Parameters: `language` that of marked words.

        >>> Slot(("obl",)).includes(Slot(("obl:agent",), side="after", words=("him",)))
        True
        """
        narrower = other._conditions
        if not self._conditions.keys() <= narrower.keys():
            return False
        named = all(
            label in self.labels
            if label == HEAD
            else OTHER in self.labels or covers(self.labels, label)
            for label in other.labels
        )
        return named and all(
            _all_among(key, narrower[key], values, language)
            for key, values in self._conditions.items()
        )

    def shared_labels(self, other: Slot, language: str = "any") -> list[str]:
        """Return the labels under which a child could fit two slots that are equally specific.

        Parameters: `language` that of marked words.
        """
        if (self.side, self.surroundings) != (other.side, other.surroundings):
            return []
        words = not (self.words and other.words) or in_common(self.words, other.words, language)
        if not (words and _common(self.tags, other.tags)):
            return []
        return [
            label
            for label in self.labels
            if not names_of(label).isdisjoint(other.labels)
            and self.precedence(label) == other.precedence(label)
        ]


_NAMES = [one.name for one in fields(Slot)]
_VALUES = attrgetter(*_NAMES)
# The declared conditions by the names and in the order of rule files.
CONDITIONS = {f.metadata["key"]: f for f in fields(Slot) if "test" in f.metadata}
_FIELDS = {key: declared.name for key, declared in CONDITIONS.items()}
_GIVEN = attrgetter(*_FIELDS.values())
_TEST_OF: dict[str, Condition] = {key: f.metadata["test"] for key, f in CONDITIONS.items()}
_FIELDS_OF = {
    test: [_FIELDS[key] for key, of in _TEST_OF.items() if of is test] for test in _TEST_OF.values()
}


def _all_among(key: str, some: Sequence[Any], values: Sequence[Any], language: str) -> bool:
    """Return whether each item that fits a condition with some values also fits it with others."""
    if CONDITIONS[key].metadata["kind"] == "word":
        return all_among(some, values, language)
    return {*some} <= {*values}


def _common(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether a tag can fit both lists of patterns; any tag fits an empty list."""
    return not (one and other) or any(
        fnmatch.fnmatchcase(a, b) or fnmatch.fnmatchcase(b, a) for a in one for b in other
    )
