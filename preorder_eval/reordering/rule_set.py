"""Precedence rules that reorder dependency trees (Xu et al. 2009; Talbot et al. 2011, 4.1).

A rule belongs to a category of heads (a part of speech) and lists slots in the order in which
they come out: one for the head itself, one for each kind of child, one for all other children.
Children of the same slot keep their source order, or are reversed if the slot says so. Every
word moves with its whole subtree. A head without a rule keeps its children where they are, and
a sentence in which no rule applies is left as it is, also if its tree is not projective.

The rules are data; that is all they can do, and a stranger's rule file can do no harm.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Longs, sums, within
from preorder_eval.data.orders import Orders
from preorder_eval.data.treebank import Column, Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.reordering.linearization import MOST_SLOTS, linearize
from preorder_eval.reordering.schemes import LABELS, base_label, understood

HEAD = "HEAD"
OTHER = "OTHER"
_NO_RULE = -1


@dataclass(frozen=True)
class Slot:
    """A place in the order of a head and its children.

    `labels` are dependency labels (each covers its subtypes), HEAD or OTHER; what shares a slot
    keeps its source order. The conditions narrow it: `side` of the head on which the child stood
    in the source, the child's own `tags`, its `words` in lower case. `reverse` turns the source
    order of the slot around.
    """

    labels: tuple[str, ...]
    side: Literal["before", "after"] | None = None
    tags: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    reverse: bool = False

    def __str__(self) -> str:
        """How tables call it.

        >>> print(Slot(("obl", "advcl"), side="after", tags=("NOUN",), reverse=True))
        obl|advcl after tag=NOUN reversed
        """
        conditions = [
            f"{key}={'|'.join(of)}" for key, of in (("tag", self.tags), ("word", self.words))
        ]
        parts = ["|".join(self.labels), self.side or "", *(c for c in conditions if c[-1] != "=")]
        return " ".join(filter(None, [*parts, "reversed" * self.reverse]))

    def precedence(self, label: str) -> tuple[bool, bool, bool, bool, bool]:
        """How closely the slot fits under one of its labels; the closest fit takes a child."""
        named = label != OTHER
        return bool(self.words), bool(self.tags), named and ":" in label, named, bool(self.side)

    def shared_labels(self, other: Slot) -> list[str]:
        """The labels under which a child can fit both slots and nothing decides between them."""
        if not (_common(self.tags, other.tags) and _common(self.words, other.words)):
            return []
        return [
            label
            for label in self.labels
            if label in other.labels
            and self.precedence(label) == other.precedence(label)
            and self.side == other.side
        ]


@dataclass(frozen=True)
class Rule:
    """The order of slots for the heads whose tag is among `heads` (patterns such as VB*).

    With `labels` the rule is for those heads only that are themselves attached by one of these
    labels: a relative clause can have another order than a main clause. Of several rules that
    fit a head, one that names its label goes before one that does not, and then one that names
    its tag before a pattern.
    """

    heads: tuple[str, ...]
    slots: tuple[Slot, ...]
    labels: tuple[str, ...] = ()

    def __str__(self) -> str:
        """How tables call it.

        >>> print(Rule(("VERB", "AUX"), (), labels=("advcl",)))
        VERB|AUX (advcl)
        """
        return "|".join(self.heads) + (f" ({'|'.join(self.labels)})" if self.labels else "")

    @property
    def head_slot(self) -> int:
        """The number of the slot that the head itself is in."""
        return next(n for n, slot in enumerate(self.slots) if HEAD in slot.labels)


@dataclass(frozen=True)
class Example:
    """A worked example of a rule set: a sentence, its tree and the words as they come out."""

    treebank: Treebank = field(repr=False, compare=False)
    expected: str


@dataclass(frozen=True)
class RuleSet:
    """Rules for one source and one target language.

    `scheme` names the annotation scheme of the trees it reads, `tags` the column (upos or xpos)
    that categories and tag conditions refer to; `default` says what a head without a rule does,
    "keep" its source order or "reverse" it.

    >>> verbs_last = Rule(("VERB",), (Slot(("OTHER",)), Slot(("HEAD",))))
    >>> RuleSet("verb-last", "ud", (verbs_last,))
    <RuleSet verb-last: 1 rule for ud trees>
    """

    name: str
    scheme: str
    rules: tuple[Rule, ...] = ()
    description: str = ""
    source: str = "any"
    target: str = "any"
    tags: Literal["upos", "xpos"] = "upos"
    default: Literal["keep", "reverse"] = "keep"
    examples: tuple[Example, ...] = ()

    def __repr__(self) -> str:
        count = len(self.rules)
        rules = f"{count} rule{'' if count == 1 else 's'}"
        return f"<RuleSet {self.name}: {rules} for {self.scheme} trees>"

    def reorder(self, treebank: Treebank) -> Orders:
        """The order that the rules give every sentence.

        Raises PreorderEvalError for trees of another annotation scheme, or without the tags that
        the rules refer to.
        """
        self._check(treebank)
        return self.reorder_unchecked(treebank)

    def fit(self, treebank: Treebank) -> Fit:
        """Which rule every head falls under, and which slot every child.

        Raises PreorderEvalError as `reorder` does.
        """
        self._check(treebank)
        return Fit(self, treebank)

    def reorder_unchecked(self, treebank: Treebank) -> Orders:
        """What `reorder` gives, for a part of trees that have been checked as a whole."""
        if not self.rules:
            return self._unruled(treebank)
        fit = Fit(self, treebank)
        places = linearize(treebank, fit.slot, fit.turned, fit.own_slot, fit.own_turned)
        untouched = sums(fit.above != _NO_RULE, treebank.offsets) == 0
        if untouched.any():
            still = np.repeat(untouched, treebank.lengths)
            places[still] = _inverse(self._unruled(treebank))[still]
        positions = np.empty(len(places), dtype=np.int32)
        positions[places + treebank.sentence_starts] = within(treebank.offsets)
        return Orders(treebank.offsets, positions)

    def _unruled(self, treebank: Treebank) -> Orders:
        unchanged = Orders.unchanged(treebank.offsets)
        if self.default == "keep":
            return unchanged
        last = np.repeat(treebank.lengths - 1, treebank.lengths)
        return Orders(treebank.offsets, (last - unchanged.positions).astype(np.int32))

    def _check(self, treebank: Treebank) -> None:
        counts = np.bincount(treebank.labels.codes, minlength=len(treebank.labels.names))
        fitting = {
            scheme: sum(
                int(n)
                for name, n in zip(treebank.labels.names, counts, strict=True)
                if understood(name, scheme)
            )
            for scheme in LABELS
        }
        best = max(fitting, key=lambda scheme: (fitting[scheme], scheme == self.scheme))
        if self.rules and (best != self.scheme or 2 * fitting[best] < len(treebank.words)):
            foreign = [x for x in treebank.labels.names if not understood(x, self.scheme)]
            look = f"; they look like {best!r}" if best != self.scheme else ""
            raise PreorderEvalError(
                f"rule set {self.name!r} is written for trees of scheme {self.scheme!r}, but the "
                f"trees use labels such as {', '.join(map(repr, foreign[:5]))}{look}"
            )
        column: Column = getattr(treebank, self.tags)
        if self.rules and not set(column.names) - {"_", ""}:
            raise PreorderEvalError(
                f"rule set {self.name!r} goes by {self.tags.upper()} tags, but the trees have none"
            )


class Fit:
    """How the tokens of a treebank fit a rule set; arrays of N.

    `rule`: the number of the rule that the token as a head falls under, or -1; `above`: that of
    its own head, -1 for a root. `slot`, `turned`: its slot as a child, and whether that reverses
    the source order; `own_slot`, `own_turned`: the same for the token as the head of its children.
    """

    def __init__(self, rules: RuleSet, treebank: Treebank) -> None:
        labels = treebank.labels
        tags: Column = getattr(treebank, rules.tags)
        self.rule = _rule_table(rules.rules, tags.names, labels.names)[tags.codes, labels.codes]
        # The last entries are for heads without a rule, whose number -1 finds them.
        backwards = rules.default == "reverse"
        own = [(rule.head_slot, rule.slots[rule.head_slot].reverse) for rule in rules.rules]
        self.own_slot = np.array([*(slot for slot, _ in own), 0])[self.rule]
        self.own_turned = np.array([*(turned for _, turned in own), backwards])[self.rule]

        self.above = np.where(treebank.heads >= 0, self.rule[treebank.parents], _NO_RULE)
        self.slot = np.zeros(len(self.above), dtype=np.int64)
        self.turned = np.full(len(self.above), backwards)
        child = np.flatnonzero(self.above != _NO_RULE)
        after = (treebank.heads[child] < within(treebank.offsets)[child]).astype(np.int64)
        words, classes = _word_classes(rules.rules, treebank)
        tables = [_slot_table(rule, labels.names, tags.names, classes) for rule in rules.rules]
        shape = (len(tables), len(labels.names), 2, len(tags.names), len(classes))
        table = np.array(tables, dtype=np.int64).reshape(shape)
        rule = self.above[child]
        self.slot[child] = table[rule, labels.codes[child], after, tags.codes[child], words[child]]
        reverse = np.zeros((len(rules.rules), MOST_SLOTS), dtype=bool)
        for r, entry in enumerate(rules.rules):
            reverse[r, : len(entry.slots)] = [slot.reverse for slot in entry.slots]
        self.turned[child] = reverse[rule, self.slot[child]]


def _word_classes(
    rules: Sequence[Rule], treebank: Treebank
) -> tuple[NDArray[np.int64], tuple[frozenset[tuple[str, ...]], ...]]:
    """For every token the number of its class, and the classes.

    What matters of a word is only which of the rules' word lists it is on: that is its class.
    """
    lists = {slot.words for rule in rules for slot in rule.slots if slot.words}
    numbers: dict[frozenset[tuple[str, ...]], int] = {}
    column = treebank.lower_words
    of_name = [
        numbers.setdefault(frozenset(words for words in lists if name in words), len(numbers))
        for name in column.names
    ]
    return np.array(of_name, dtype=np.int64)[column.codes], tuple(numbers)


@lru_cache(maxsize=256)  # rule sets that are compared or edited have most rules in common
def _slot_table(
    rule: Rule,
    labels: tuple[str, ...],
    tags: tuple[str, ...],
    classes: tuple[frozenset[tuple[str, ...]], ...],
) -> NDArray[np.int64]:
    """The slot of a child by label, side, tag and word class."""
    table = np.zeros((len(labels), 2, len(tags), len(classes)), dtype=np.int64)
    covered: dict[str, list[int]] = {}
    for i, name in enumerate(labels):
        for covering in {name, base_label(name), OTHER}:
            covered.setdefault(covering, []).append(i)
    fits = [
        (slot.precedence(label), number, label)
        for number, slot in enumerate(rule.slots)
        for label in slot.labels
        if label != HEAD and label in covered
    ]
    # The closest fit is written last.
    for _, number, label in sorted(fits):
        slot = rule.slots[number]
        of_side = {"before": [0], "after": [1], None: [0, 1]}[slot.side]
        of_tag = [i for i, tag in enumerate(tags) if _tag_fits(tag, slot.tags)]
        of_class = [i for i, on in enumerate(classes) if not slot.words or slot.words in on]
        table[np.ix_(covered[label], of_side, of_tag, of_class)] = number
    table.setflags(write=False)
    return table


def _inverse(orders: Orders) -> Longs:
    """The place of every token in its sentence."""
    places = np.empty(len(orders.positions), dtype=np.int64)
    places[orders.tokens] = within(orders.offsets)
    return places


def _rule_table(
    rules: Sequence[Rule], tags: Sequence[str], labels: Sequence[str]
) -> NDArray[np.int64]:
    """For every tag and label of a head the number of its rule, or -1."""
    table = np.full((len(tags), len(labels)), _NO_RULE)
    fits = []
    for number, rule in enumerate(rules):
        exact = [i for i, tag in enumerate(tags) if tag in rule.heads]
        loose = [i for i, tag in enumerate(tags) if _tag_fits(tag, rule.heads)]
        named = [i for i, label in enumerate(labels) if label in rule.labels]
        based = [i for i, label in enumerate(labels) if base_label(label) in rule.labels]
        of_label = [named, based] if rule.labels else [range(len(labels))]
        for closeness, columns in zip((2, 1) if rule.labels else (0,), of_label, strict=True):
            fits += [((closeness, n), -number, t, columns) for n, t in enumerate((loose, exact))]
    # The closest fit is written last; of equal ones the first rule's.
    for _, negative, of_tag, columns in sorted(fits, key=lambda fit: fit[:2]):
        table[np.ix_(of_tag, columns)] = -negative
    return table


def _tag_fits(tag: str, patterns: Sequence[str]) -> bool:
    """Whether a tag fits one of the patterns, or there are none."""
    return not patterns or any(fnmatch.fnmatchcase(tag, pattern) for pattern in patterns)


def _common(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether something can fit both lists of patterns, an empty one fitting all."""
    return not (one and other) or any(
        fnmatch.fnmatchcase(a, b) or fnmatch.fnmatchcase(b, a) for a in one for b in other
    )
