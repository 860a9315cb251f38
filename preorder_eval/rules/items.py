"""Items: heads and children, and the tests by which conditions of rules match them.

A head and its children, each child with its whole subtree, are the *items* that a rule puts into
order. A test is made once for the values of a condition, and then tells for any tokens which of
them meet it.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.arrays import Bools, Bytes, Ints, Longs
from preorder_eval.base.ragged import NameColumn
from preorder_eval.rules.words import Vocabulary, vocabulary
from preorder_eval.trees.schemes import base_label, names_of
from preorder_eval.trees.treebank import Treebank

TagKind = Literal["upos", "xpos"]
Side = Literal["before", "after"]
ConditionTest = Callable[[Longs], Bools]  # of tokens
Fits = Callable[[tuple[str, ...], str], bool]  # whether a name fits the values of a condition
Condition = Callable[..., ConditionTest]  # made of items and the values of a slot
MadeOf = tuple[Condition, tuple[Any, ...]]  # a condition, and the values of which a test is made
SIDES: dict[str, int] = {"before": 1, "after": -1}
_FEW = 1 << 10  # children, which are tested in less time than all tokens are sorted by their heads


class Items:
    """The items of a treebank: every token as a child of its head, or with `as_heads` as a head.

    `tags` is the column that conditions on tags look at, `language` that of marked words (`words`).
    If a token is taken as the head among its own children, conditions on heads and siblings look at
    the token itself and at all its children.
    """

    def __init__(
        self, treebank: Treebank, tags: TagKind, language: str = "any", *, as_heads: bool = False
    ) -> None:
        self.treebank, self.as_heads = treebank, as_heads
        self._language = language
        self._tags: NameColumn = getattr(treebank, tags)
        self._made: dict[tuple[Any, ...], Any] = {}

    def rehung(self, tokens: Longs) -> None:
        """Take note that some tokens hang on other heads now."""
        self.sides[tokens] = self._sides_of(tokens)
        self.spots[tokens] = self._spots_of(tokens)  # in place, where tests look
        vars(self).pop("_by_head_word", None)
        kept = {
            Items._vocabulary,
            Items._codes_of,
            Items._all_of_words,
            Items.worded,
            Items._standing,
        }
        self._made = {key: made for key, made in self._made.items() if key[0] in kept}

    def all(self) -> Longs:
        """Return all tokens."""
        return np.arange(len(self.treebank.words))

    @cached_property
    def sides(self) -> NDArray[np.int8]:
        """1 for tokens before their heads, -1 for those after them, 0 for roots; int8[N]."""
        return self._sides_of(self.all())

    def _sides_of(self, tokens: Longs) -> NDArray[np.int8]:
        parents = self.treebank.parents[tokens]
        return (parents > tokens).view(np.int8) - (parents < tokens).view(np.int8)

    def meeting(self, tests: Sequence[MadeOf], tokens: Longs) -> Longs:
        """Return those of some tokens that pass all tests."""
        for condition, values in tests:
            if not len(tokens):
                break
            tokens = tokens.compress(self._once(condition, *values)(tokens))
        return tokens

    def _once(self, make: Callable[..., Any], *values: Any) -> Any:
        """Return the result of a method for these values, computed once."""
        key = make, values
        if key not in self._made:
            self._made[key] = make(self, *values)
        return self._made[key]

    def children(
        self, labels: tuple[str, ...], words: tuple[str, ...] = (), side: str | None = None
    ) -> Longs:
        """Return the children on a side that have one of these labels and are one of these words.

        An empty argument is no condition. If words are given, only children with these words are
        tested.
        """
        if not words:
            return self._once(Items._of_labels, labels, side)
        return self._beside_head(self._once(Items._all_of_words, words), side, labels)

    def children_of(
        self, words: tuple[str, ...], labels: tuple[str, ...], side: str | None
    ) -> Longs:
        """Return the children, on a side and with these labels, of heads that are these words."""
        children = self.children(labels, (), side)
        if len(children) > _FEW:
            found = self._by_head_word.tokens(self._once(Items._codes_of, words))
            if len(found) < len(children):
                return self._beside_head(found, side, labels)
        return children.compress(self._once(Items.worded, words)(self._heads_of(children)))

    def _of_labels(self, labels: tuple[str, ...], side: str | None) -> Longs:
        if not labels:
            return self._beside_head(self.all(), side)
        codes = np.flatnonzero(fitting_names(covers, labels, self.treebank.labels.names)).tolist()
        found = [self._once(Items._of_label, code, side) for code in codes]
        if len(found) == 1:
            return found[0]
        return np.concatenate(found) if found else self.all()[:0]

    def _of_label(self, code: int, side: str | None) -> Longs:
        return self._beside_head(self.treebank.labels.tokens([code]), side)

    def _all_of_words(self, words: tuple[str, ...]) -> Longs:
        return self.treebank.words.tokens(self._once(Items._codes_of, words))

    @cached_property
    def _by_head_word(self) -> NameColumn:
        """The words of the heads of all tokens."""
        return self.treebank.words.take(self.treebank.parents)

    def _beside_head(self, tokens: Longs, side: str | None, labels: tuple[str, ...] = ()) -> Longs:
        """Return those of some tokens that are children, with these labels and on that side."""
        if labels:
            return tokens.compress(self._once(Items._standing, labels, side)(tokens))
        sides = self.sides.take(tokens)
        return tokens.compress(sides == SIDES[side] if side else sides != 0)

    def _standing(self, labels: tuple[str, ...], side: str | None) -> ConditionTest:
        spots, fits = self.spots, self.fitting_spots(labels, side)
        return lambda tokens: fits.take(spots.take(tokens))

    @cached_property
    def spots(self) -> Ints:
        """The label of every token and its side as one number; int32[N], below spot_count."""
        return self._spots_of(self.all())

    def _spots_of(self, tokens: Longs) -> Ints:
        return 3 * self.treebank.labels.codes[tokens].astype(np.int32) + self.sides[tokens] + 1

    @property
    def spot_count(self) -> int:
        """How many spots there may be: each label before and after its head, and as a root."""
        return 3 * len(self.treebank.labels.names)

    def fitting_spots(self, labels: tuple[str, ...], side: str | None) -> Bools:
        """Return which spots are of children on a side with one of these labels; bool[spot_count].

        An empty argument is no condition.
        """
        names = self.treebank.labels.names
        fits = np.zeros((len(names), 3), dtype=bool)
        for each in [SIDES[side]] if side else SIDES.values():
            fits[:, each + 1] = fitting_names(covers, labels, names) if labels else True
        return fits.ravel()

    def on_side(self, side: str) -> ConditionTest:
        """Test which tokens stand on that side of their head."""
        sides, wanted = self.sides, SIDES[side]
        return lambda tokens: sides.take(tokens) == wanted

    def labelled(self, labels: tuple[str, ...]) -> ConditionTest:
        """Test which tokens have one of these labels, or a subtype of one."""
        return _named(self.treebank.labels, covers, labels)

    def tagged(self, patterns: tuple[str, ...]) -> ConditionTest:
        """Test which tokens have a tag that fits one of the patterns."""
        return _named(self._tags, tag_fits, patterns)

    def worded(self, words: tuple[str, ...]) -> ConditionTest:
        """Test which tokens are one of these words."""
        column = self.treebank.words
        wanted = np.zeros(len(column.names), dtype=bool)
        wanted[self._once(Items._codes_of, words)] = True
        return lambda tokens: wanted.take(column.codes.take(tokens))

    def _codes_of(self, words: tuple[str, ...]) -> list[int]:
        found: list[int] = self._once(Items._vocabulary).codes(words)
        return found

    def _vocabulary(self) -> Vocabulary:
        return vocabulary(self.treebank.words.names, self._language)

    def featured(self, features: tuple[str, ...]) -> ConditionTest:
        """Test which tokens have one of these features."""
        return _named(self.treebank.feats, _has_feature, features)

    def of_head(self, test: ConditionTest) -> ConditionTest:
        """Test the head of every item."""
        parents = self.treebank.parents
        return test if self.as_heads else lambda tokens: test(parents.take(tokens))

    def of_above(self, test: ConditionTest) -> ConditionTest:
        """Test the head's head of every item; a head that is the root has none."""
        heads, parents = self.treebank.heads, self.treebank.parents
        return self.of_head(lambda tokens: test(parents.take(tokens)) & (heads.take(tokens) >= 0))

    def with_sibling(
        self, labels: tuple[str, ...], words: tuple[str, ...], below: tuple[str, ...]
    ) -> ConditionTest:
        """Test whether the head of each item has another child that meets all these conditions.

        Such a child has one of the `labels`, which may have a side, as in `obl<`; it is one of the
        `words`; and it has itself a child that is one of the words `below`. An empty argument is no
        condition.
        """
        found = [
            self.children((label,) if label else (), words, side)
            for label, side in map(sided, labels or ("",))
        ]
        siblings = np.concatenate(found) if len(found) > 1 else found[0]
        if below:
            siblings = siblings.compress(self._once(Items.with_child, below, ())(siblings))
        heads = self.treebank.parents.take(siblings)
        last = self._positions
        last[heads] = siblings
        of_several = heads.compress(last[heads] != siblings)

        def test(tokens: Longs) -> Bools:
            marks, of_token = self._marks, self._heads_of(tokens)
            if not self.as_heads:
                marks[tokens] = 0
                marks[siblings] = 1
                itself = marks.take(tokens)
            marks[of_token] = 0
            marks[heads] = 1
            marks[of_several] = 2
            return marks.take(of_token) > (0 if self.as_heads else itself)

        return test

    def beside(self, labels: tuple[str, ...], side: Side) -> ConditionTest:
        """Test which items stand before, or after, another child with one of these labels."""
        sign = 1 if side == "before" else -1
        others = sign * self.children(labels).astype(np.int32)
        others.sort()
        heads = self.treebank.parents.take(sign * others)

        def test(tokens: Longs) -> Bools:
            of_token = self._heads_of(tokens)
            furthest = self._positions
            furthest[of_token] = -len(furthest)
            furthest[heads] = others  # the last of one head stays
            return sign * tokens < furthest.take(of_token)

        return test

    def with_child(self, words: tuple[str, ...], labels: tuple[str, ...]) -> ConditionTest:
        """Test which tokens have a child that is one of the words and has one of the labels."""
        heads = self.treebank.parents.take(self.children(labels, words))

        def test(tokens: Longs) -> Bools:
            marks = self._marks
            marks[tokens] = 0
            marks[heads] = 1
            return marks.take(tokens) > 0

        return test

    def _heads_of(self, tokens: Longs) -> Longs:
        """Return the head of each item."""
        return tokens if self.as_heads else self.treebank.parents.take(tokens)

    # Numbers for each token, for any test to write before it reads them. Memory of its own for each
    # test of a large treebank would take longer than the test.

    @cached_property
    def _marks(self) -> Bytes:
        return np.empty(len(self.treebank.words), dtype=np.uint8)

    @cached_property
    def _positions(self) -> Ints:
        return np.empty(len(self.treebank.words), dtype=np.int32)

    def moving(self, fits: Callable[[Longs], Bools]) -> ConditionTest:
        """Test the number of words that move with each item."""
        sizes = self.treebank.subtree_sizes
        return lambda tokens: fits(np.ones_like(tokens) if self.as_heads else sizes.take(tokens))


def _named(column: NameColumn, fits: Fits, values: tuple[str, ...]) -> ConditionTest:
    """Test which tokens have names that fit some values."""
    # Codes of 32 bits and less are indices for `take` alone without a slow conversion.
    wanted = fitting_names(fits, values, column.names)
    return lambda tokens: wanted.take(column.codes.take(tokens))


@lru_cache(maxsize=1 << 12)
def fitting_names(fits: Fits, values: tuple[str, ...], names: tuple[str, ...]) -> Bools:
    """Return which names fit some values; bool[names]."""
    return np.array([fits(values, name) for name in names], dtype=bool)


def sided(text: str) -> tuple[str, Side | None]:
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
