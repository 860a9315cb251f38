"""Slots of rules: the items that fit a slot, and how each condition of a slot is matched.

A head and its children, each child with its whole subtree, are the *items* that a rule puts into
order.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.arrays import Bools, Longs
from preorder_eval.base.ragged import NameColumn
from preorder_eval.rules.words import Vocabulary, all_among, in_common, vocabulary
from preorder_eval.trees.schemes import base_label, names_of
from preorder_eval.trees.treebank import Treebank

HEAD = "HEAD"
OTHER = "OTHER"
TagKind = Literal["upos", "xpos"]
ConditionValues = tuple[str | int, ...]
_PLACES = {"before": 1, "after": -1}


class Items:
    """The items of a treebank: every token as a child of its head, or with `heads` as a head.

    `tags` is the column that conditions on tags look at, `language` that of marked words (`words`).
    If a token is taken as the head among its own children, conditions on heads and siblings look at
    the token itself and at all its children. A condition is made once, and then tested on any
    tokens.
    """

    def __init__(
        self, treebank: Treebank, tags: TagKind, language: str = "any", *, heads: bool = False
    ) -> None:
        self._treebank = treebank
        self._language = language
        self._tags: NameColumn = getattr(treebank, tags)
        self._heads = heads
        self._made: dict[tuple[Any, ...], Any] = {}

    def fitting(self, slot: Slot) -> Longs:
        """Return the tokens that fit a slot.

        A token taken as a head fits only a slot of HEAD.
        """
        if self._heads:
            return self.meeting(slot, self._all() if HEAD in slot.labels else self._all()[:0])
        labels = () if OTHER in slot.labels else slot.labels
        tokens = self._children(labels, slot.words, slot.side)
        return self._meeting(slot.further_tests, tokens)

    def places(self, slots: Sequence[Slot]) -> tuple[Longs, Bools]:
        """Return the place of every token, its label with its side, and which slots each fits.

        Places are numbers, int64[N]; fits are bool[places, slots], by the label and the side alone.
        """
        names = self._treebank.labels.names
        fits = np.zeros((len(names), 3, len(slots)), dtype=bool)
        for number, slot in enumerate(slots):
            named = OTHER in slot.labels or _fitting(covers, slot.labels, names)
            for side in [_PLACES[slot.side]] if slot.side else _PLACES.values():
                fits[:, side + 1, number] = named
        place = 3 * self._treebank.labels.codes.astype(np.int64) + self._place + 1
        return place, fits.reshape(3 * len(names), len(slots))

    def meeting(self, slot: Slot, tokens: Longs) -> Longs:
        """Return those of some tokens that meet the conditions of a slot, whatever their labels."""
        return self._meeting(slot.tests, tokens)

    def _meeting(self, tests: Sequence[MadeOf], tokens: Longs) -> Longs:
        for condition, values in tests:
            if not len(tokens):
                break
            tokens = tokens[self._once(condition, *values)(tokens)]
        return tokens

    def _once(self, make: Callable[..., Any], *values: Any) -> Any:
        """Return the result of a method for these values, computed once."""
        if (make, values) not in self._made:
            self._made[make, values] = make(self, *values)
        return self._made[make, values]

    def _children(
        self, labels: tuple[str, ...], words: tuple[str, ...] = (), side: str | None = None
    ) -> Longs:
        """Return the children on a side that have one of these labels and are one of these words.

        An empty argument is no condition. If words are given, only children with these words are
        tested.
        """
        if not words:
            return self._once(Items._of_labels, labels, side)
        found: Longs = self._once(Items._of_words, words, side)
        return found[self._once(Items.labelled, labels)(found)] if labels else found

    def _of_labels(self, labels: tuple[str, ...], side: str | None) -> Longs:
        if not labels:
            return self._beside_head(self._all(), side)
        codes = np.flatnonzero(_fitting(covers, labels, self._treebank.labels.names)).tolist()
        found = [self._once(Items._of_label, code, side) for code in codes]
        return np.concatenate(found) if found else self._all()[:0]

    def _of_label(self, code: int, side: str | None) -> Longs:
        return self._beside_head(self._treebank.labels.tokens([code]), side)

    def _of_words(self, words: tuple[str, ...], side: str | None) -> Longs:
        return self._beside_head(self._treebank.words.tokens(self._codes_of(words)), side)

    def _beside_head(self, tokens: Longs, side: str | None) -> Longs:
        """Return those of some tokens that are children, and stand on that side of their head."""
        place = self._place[tokens]
        return tokens[place == _PLACES[side] if side else place != 0]

    @cached_property
    def _place(self) -> NDArray[np.int8]:
        """1 for tokens before their heads, -1 for those after them, 0 for roots; int8[N]."""
        parents, here = self._treebank.parents, self._all()
        return (parents > here).view(np.int8) - (parents < here).view(np.int8)

    def _all(self) -> Longs:
        return np.arange(len(self._treebank.words))

    def on_side(self, side: str) -> ConditionTest:
        """Test which tokens stand on that side of their head."""
        place, wanted = self._place, _PLACES[side]
        return lambda tokens: place[tokens] == wanted

    def labelled(self, labels: tuple[str, ...]) -> ConditionTest:
        """Test which tokens have one of these labels, or a subtype of one."""
        return _named(self._treebank.labels, covers, labels)

    def tagged(self, patterns: tuple[str, ...]) -> ConditionTest:
        """Test which tokens have a tag that fits one of the patterns."""
        return _named(self._tags, tag_fits, patterns)

    def worded(self, words: tuple[str, ...]) -> ConditionTest:
        """Test which tokens are one of these words."""
        column = self._treebank.words
        wanted = np.zeros(len(column.names), dtype=bool)
        wanted[self._codes_of(words)] = True
        return lambda tokens: wanted[column.codes[tokens]]

    def _codes_of(self, words: tuple[str, ...]) -> list[int]:
        found: list[int] = self._once(Items._vocabulary).codes(words)
        return found

    def _vocabulary(self) -> Vocabulary:
        return vocabulary(self._treebank.words.names, self._language)

    def featured(self, features: tuple[str, ...]) -> ConditionTest:
        """Test which tokens have one of these features."""
        return _named(self._treebank.feats, _has_feature, features)

    def of_head(self, test: ConditionTest) -> ConditionTest:
        """Test the head of every item."""
        parents = self._treebank.parents
        return test if self._heads else lambda tokens: test(parents[tokens])

    def of_above(self, test: ConditionTest) -> ConditionTest:
        """Test the head's head of every item; a head that is the root has none."""
        heads, parents = self._treebank.heads, self._treebank.parents
        return self.of_head(lambda tokens: test(parents[tokens]) & (heads[tokens] >= 0))

    def with_sibling(
        self, labels: tuple[str, ...], words: tuple[str, ...], below: tuple[str, ...]
    ) -> ConditionTest:
        """Test whether the head of each item has another child that meets all these conditions.

        Such a child has one of the `labels`, which may have a side, as in `obl<`; it is one of the
        `words`; and it has itself a child that is one of the words `below`. An empty argument is no
        condition.
        """
        found = [
            self._children((label,) if label else (), words, side)
            for label, side in map(sided, labels or ("",))
        ]
        siblings = np.concatenate(found)
        if below:
            siblings = siblings[self._once(Items.with_child, below, ())(siblings)]
        heads = self._treebank.parents[siblings]

        def test(tokens: Longs) -> Bools:
            of_token = self._heads_of(tokens)
            one, other = self._scratch
            one[of_token] = other[of_token] = -1
            one[heads], other[heads[::-1]] = siblings, siblings[::-1]
            there = one[of_token]
            # Of several siblings under a head these are two.
            return (there >= 0) & ((there != tokens) | (other[of_token] != tokens))

        return test

    def beside(self, labels: tuple[str, ...], side: Literal["before", "after"]) -> ConditionTest:
        """Test which items stand before, or after, another child with one of these labels."""
        sign = 1 if side == "before" else -1
        others = np.sort(sign * self._children(labels))
        heads = self._treebank.parents[sign * others]

        def test(tokens: Longs) -> Bools:
            of_token = self._heads_of(tokens)
            furthest, _ = self._scratch
            furthest[of_token] = -len(furthest)
            furthest[heads] = others  # the last of one head stays
            return sign * tokens < furthest[of_token]

        return test

    def with_child(self, words: tuple[str, ...], labels: tuple[str, ...]) -> ConditionTest:
        """Test which tokens have a child that is one of the words and has one of the labels."""
        heads = self._treebank.parents[self._children(labels, words)]
        return lambda tokens: self._among(tokens, heads)

    def _heads_of(self, tokens: Longs) -> Longs:
        """Return the head of each item."""
        return tokens if self._heads else self._treebank.parents[tokens]

    def _among(self, tokens: Longs, others: Longs) -> Bools:
        """Return which tokens are among others, in as many steps as these are together."""
        marks, _ = self._scratch
        marks[tokens] = 0
        marks[others] = 1
        return marks[tokens] > 0

    @cached_property
    def _scratch(self) -> tuple[Longs, Longs]:
        """Two numbers for each token, for any test to write before it reads them.

        Memory of its own for each test of a large treebank would take longer than the test.
        """
        one, other = np.empty((2, len(self._treebank.words)), dtype=np.int64)
        return one, other

    def moving(self, fits: Callable[[Longs], Bools]) -> ConditionTest:
        """Test the number of words that move with each item."""
        sizes = self._treebank.subtree_sizes
        return lambda tokens: fits(np.ones_like(tokens) if self._heads else sizes[tokens])


def _named(column: NameColumn, fits: Fits, values: tuple[str, ...]) -> ConditionTest:
    """Test which tokens have names that fit some values."""
    wanted = _fitting(fits, values, column.names)
    return lambda tokens: wanted[column.codes[tokens]]


@lru_cache(maxsize=1 << 12)
def _fitting(fits: Fits, values: tuple[str, ...], names: tuple[str, ...]) -> Bools:
    return np.array([fits(values, name) for name in names], dtype=bool)


ConditionTest = Callable[[Longs], Bools]  # of tokens
Fits = Callable[[tuple[str, ...], str], bool]  # whether a name fits the values of a condition
Condition = Callable[..., ConditionTest]  # made of items and the values of a slot
MadeOf = tuple[Condition, tuple[Any, ...]]  # a condition, and the values of which a test is made
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

    @cached_property
    def tests(self) -> list[MadeOf]:
        """The tests of its conditions, each listed once with the values of its conditions."""
        return self._tests(self._conditions)

    @cached_property
    def further_tests(self) -> list[MadeOf]:
        """The tests of its conditions except side and words, by which items are looked up."""
        return self._tests([key for key in self._conditions if key not in ("side", "word")])

    def _tests(self, keys: Iterable[str]) -> list[MadeOf]:
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


def sided(text: str) -> tuple[str, Literal["before", "after"] | None]:
    """Split a text such as `obl<` into its labels and the side that the last sign stands for."""
    if text.endswith("<"):
        return text[:-1], "before"
    return (text[:-1], "after") if text.endswith(">") else (text, None)


def covers(labels: Sequence[str], label: str) -> bool:
    """Return whether a label, or the label that it is a subtype of, is among some labels.

    >>> covers(["nsubj"], "nsubj:pass"), covers(["nsubj:pass"], "nsubj")
    (True, False)
    """
    return not names_of(label).isdisjoint(labels) or base_label(label) in labels


@lru_cache(maxsize=1 << 14)
def tag_fits(patterns: tuple[str, ...], tag: str) -> bool:
    """Return whether a tag fits one of the patterns; any tag fits if there are no patterns."""
    if not patterns or tag in patterns:
        return True
    wild = [pattern for pattern in patterns if not pattern.isalnum()]
    return any(fnmatch.fnmatchcase(tag, pattern) for pattern in wild)


def _has_feature(features: Sequence[str], feats: str) -> bool:
    return not set(features).isdisjoint(feats.split("|"))


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
