"""What a rule says: slots, pairs and the conditions on the items that they are for.

A head and its children, each with its whole subtree, are the *items* that a rule lays out.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from preorder_eval.data.treebank import Treebank

HEAD = "HEAD"
OTHER = "OTHER"


@dataclass(frozen=True)
class Slot:
    """A place in the order of a head and its children; in a pair, one of the two.

    `labels` are dependency labels (each covers its subtypes), HEAD or OTHER; what shares a slot
    keeps its source order. The conditions narrow it: `side` of the head on which the child stood
    in the source, the child's own `tags`, `words` in lower case and `feats` (one of these
    `Name=Value`), the tags, words and labels of its head, `siblings` (labels, one of which another
    child of the head has), `with_words` and `with_labels` (one child of its own has one of each),
    and how many words move with it, `at_least` and `at_most`. `reverse` turns the source order of
    the slot around.
    """

    labels: tuple[str, ...]
    side: Literal["before", "after"] | None = None
    tags: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    reverse: bool = False
    feats: tuple[str, ...] = ()
    head_tags: tuple[str, ...] = ()
    head_words: tuple[str, ...] = ()
    head_labels: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    with_words: tuple[str, ...] = ()
    with_labels: tuple[str, ...] = ()
    at_least: int | None = None
    at_most: int | None = None

    def __str__(self) -> str:
        """How tables call it.

        >>> print(Slot(("obl", "advcl"), side="after", tags=("NOUN",), reverse=True))
        obl|advcl after tag=NOUN reversed
        """
        parts = ["|".join(self.labels), self.side or "", *self._told(), "reversed" * self.reverse]
        return " ".join(filter(None, parts))

    @property
    def short(self) -> str:
        """How pairs call it.

        >>> Slot(("obl",), side="after", head_words=("go",)).short
        'obl> head_word=go'
        """
        side = {"before": "<", "after": ">", None: ""}[self.side]
        return " ".join(["|".join(self.labels) + side, *self._told()])

    def _told(self) -> Iterator[str]:
        for key, names in self.conditions():
            if key != "side":
                yield f"{key}={'|'.join(map(str, names))}"

    def conditions(self) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """What narrows it, by the names that rule files use."""
        named = {
            "side": (self.side,) if self.side else (),
            "tag": self.tags,
            "word": self.words,
            **dict(self.surroundings),
        }
        yield from ((key, values) for key, values in named.items() if values)

    @property
    def surroundings(self) -> tuple[tuple[str, tuple[str | int, ...]], ...]:
        """The conditions that look beyond the child's label, side, tag and word."""
        named: dict[str, tuple[str | int, ...]] = {
            "feats": self.feats,
            "head_tag": self.head_tags,
            "head_word": self.head_words,
            "head_label": self.head_labels,
            "sibling": self.siblings,
            "with_word": self.with_words,
            "with_label": self.with_labels,
            "at_least": () if self.at_least is None else (self.at_least,),
            "at_most": () if self.at_most is None else (self.at_most,),
        }
        return tuple((key, values) for key, values in named.items() if values)

    def precedence(self, label: str) -> tuple[int, bool, bool, bool, bool, bool]:
        """How closely the slot fits under one of its labels; the closest fit takes a child."""
        named = label != OTHER
        subtyped = named and ":" in label
        conditions = len(self.surroundings), bool(self.words), bool(self.tags)
        return *conditions, subtyped, named, bool(self.side)

    def shared_labels(self, other: Slot) -> list[str]:
        """The labels under which a child can fit both slots and nothing decides between them."""
        if not (_common(self.tags, other.tags) and _common(self.words, other.words)):
            return []
        return [
            label
            for label in self.labels
            if label in other.labels
            and self.precedence(label) == other.precedence(label)
            and (self.side, self.surroundings) == (other.side, other.surroundings)
        ]


@dataclass(frozen=True)
class Pair:
    """Two kinds of items, told as slots are: what fits the first comes out before the second.

    Or, as `order` says, the two turn round, or keep the order that they have without pairs; the
    two kinds can then be the same. With a `score` it is no more than a voice for turning round two
    items of which the first stands before the second, and adds up with the others of its rule.
    """

    first: Slot
    second: Slot
    order: Literal["first", "reverse", "keep"] = "first"
    score: float | None = None

    def __str__(self) -> str:
        """How tables call it.

        >>> nmod = Slot(("nmod",), side="after")
        >>> print(Pair(nmod, Slot((HEAD,))), Pair(nmod, nmod, "reverse"), sep="; ")
        nmod> before HEAD; nmod> and nmod> reversed
        """
        first, second = self.first.short, self.second.short
        if self.score is not None:
            return f"{first} then {second} turned {self.score:+g}"
        if self.order == "first":
            return f"{first} before {second}"
        return f"{first} and {second} {'reversed' if self.order == 'reverse' else 'kept'}"

    @property
    def sides(self) -> tuple[Slot, Slot]:
        """Both kinds."""
        return self.first, self.second


@dataclass(frozen=True)
class Rule:
    """The order of items for the heads whose tag is among `heads` (patterns such as VB*).

    It is either a list of `slots`, in the order in which they come out, or of `pairs`, of which
    the first that fits two items decides, or, if they have scores, all that fit add up. With
    `labels` the rule is for those heads only that are themselves attached by one of these labels: a
    relative clause can have another order than a main clause. Of several rules that fit a head, one
    that names its label goes before one that does not, and then one that names its tag before a
    pattern. What a rule of pairs leaves open is left to the rule of pairs that fits next, then to
    the rule of slots that fits, then to the rule set's default.
    """

    heads: tuple[str, ...]
    slots: tuple[Slot, ...] = ()
    labels: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()

    def __str__(self) -> str:
        """How tables call it.

        >>> print(Rule(("VERB", "AUX"), (), labels=("advcl",)))
        VERB|AUX (advcl)
        """
        return "|".join(self.heads) + (f" ({'|'.join(self.labels)})" if self.labels else "")

    @property
    def parts(self) -> tuple[Slot, ...] | tuple[Pair, ...]:
        """Its slots or its pairs."""
        return self.pairs or self.slots

    @property
    def head_slot(self) -> int:
        """The number of the slot that the head itself is in; 0 for a rule of pairs."""
        return next((n for n, slot in enumerate(self.slots) if HEAD in slot.labels), 0)

    @property
    def scored(self) -> bool:
        """Whether its pairs have scores."""
        return any(pair.score is not None for pair in self.pairs)

    @property
    def patterns(self) -> Iterator[Slot]:
        """All that it says of kinds of items."""
        yield from self.slots
        for pair in self.pairs:
            yield from pair.sides


@dataclass(frozen=True)
class Example:
    """A worked example of a rule set: a sentence, its tree and the words as they come out."""

    treebank: Treebank = field(repr=False, compare=False)
    expected: str


def tag_fits(tag: str, patterns: Sequence[str]) -> bool:
    """Whether a tag fits one of the patterns, or there are none.

    >>> tag_fits("VBD", ["VB*"]), tag_fits("NN", [])
    (True, True)
    """
    return not patterns or any(fnmatch.fnmatchcase(tag, pattern) for pattern in patterns)


def _common(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether something can fit both lists of patterns, an empty one fitting all."""
    return not (one and other) or any(
        fnmatch.fnmatchcase(a, b) or fnmatch.fnmatchcase(b, a) for a in one for b in other
    )
