"""Training instances: what speaks for turning two items of a head, and what could tell when.

Every pair of items that the links decide is one instance, which prefers from -1 (keep) to 1
(turn), by how clearly its aligned words agree. What is kept or turned is the source order, or that
of rules to start from. An instance does not count for more where it is about many words: a few
long clauses would then decide for all.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.analysis.rules.pair_costs import PairCosts
from preorder_eval.data.arrays import Bools, Floats, Longs, Offsets, gather, offsets_of
from preorder_eval.data.orders import Orders
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.conditions import HEAD, Slot
from preorder_eval.reordering.schemes import base_label

SIZES = (2, 3, 4, 6, 9)  # words that move together, from which a condition can begin
FUNCTION_TAGS = ("ADP", "SCONJ", "PART", "AUX", "DET")  # of words that mark how theirs is used
BOUNDS = ("at_least", "at_most")  # fields whose conditions have a number

Kinds = tuple[Slot, Slot]  # of the first and the second item in source order


@dataclass(frozen=True)
class Condition:
    """A condition on the first or the second of two items: a field of its slot, and the value."""

    second: bool
    field: str
    value: str | int

    def narrowed(self, kinds: Kinds) -> Kinds:
        """Return the two kinds with the condition."""
        first, second = kinds
        value: Any = self.value if self.field in BOUNDS else (self.value,)
        narrowed = replace(second if self.second else first, **{self.field: value})
        return (first, narrowed) if self.second else (narrowed, second)


@dataclass(frozen=True, eq=False)
class Instances:
    """The training instances of a corpus.

    `preference` float64[P], `sentence` int64[P] and `text` int64[P] are what each pair of items
    prefers, and in which sentence of which text; `kind` int64[P] is its number among the `kinds`,
    and `fitting` int64[F], from `offsets` int64[P + 1], those of the `conditions` that it fits.
    """

    preference: Floats
    sentence: Longs
    text: Longs
    kinds: Sequence[Kinds]
    kind: Longs
    conditions: Sequence[Condition]
    fitting: Longs
    offsets: Offsets

    @classmethod
    def of(
        cls,
        treebank: Treebank,
        costs: PairCosts,
        start: Orders | None = None,
        *,
        words: bool = True,
        text: Longs | None = None,
    ) -> Instances:
        """Collect the instances.

        Parameters: `start` the orders in which the items stand to start with (of the source, if not
        given); without `words` no condition names a word; `text` int64[S] the number of the text
        that each sentence is from (one text, if not given).
        """
        decided = np.flatnonzero(costs.keep != costs.turn)
        keep, turn = costs.keep[decided], costs.turn[decided]
        preference = (keep - turn) / (keep + turn)
        head, first, second = costs.block[decided], costs.first[decided], costs.second[decided]
        if start is not None:
            turned = start.places[first] > start.places[second]
            first, second = np.where(turned, second, first), np.where(turned, first, second)
            preference = np.where(turned, -preference, preference)
        items = _Items(treebank, words)
        numbers: dict[Kinds, int] = {}
        seen: dict[Condition, int] = {}
        kind, fitting = [], []
        for h, one, other in zip(head.tolist(), first.tolist(), second.tolist(), strict=True):
            kinds = items.kind(h, one), items.kind(h, other)
            kind.append(numbers.setdefault(kinds, len(numbers)))
            conditions = dict.fromkeys(items.conditions(h, one, other))
            fitting.append([seen.setdefault(condition, len(seen)) for condition in conditions])
        in_order = sorted(seen, key=lambda one: (one.second, one.field, str(one.value)))
        number = np.empty(len(seen), dtype=np.int64)
        number[[seen[condition] for condition in in_order]] = np.arange(len(seen))
        return cls(
            preference,
            costs.sentence[decided],
            (np.zeros(len(treebank), dtype=np.int64) if text is None else text)[
                costs.sentence[decided]
            ],
            list(numbers),
            np.array(kind, dtype=np.int64),
            in_order,
            number[np.fromiter(itertools.chain.from_iterable(fitting), dtype=np.int64)],
            offsets_of(map(len, fitting)),
        )

    def __len__(self) -> int:
        return len(self.preference)

    def by_kinds(self, chosen: Bools) -> Iterator[tuple[Kinds, Longs]]:
        """Yield the chosen instances of each pair of kinds."""
        members: dict[int, list[int]] = defaultdict(list)
        for instance in np.flatnonzero(chosen).tolist():
            members[int(self.kind[instance])].append(instance)
        for number, instances in sorted(members.items()):
            yield self.kinds[number], np.array(instances)

    def conditions_of(self, instances: Longs) -> tuple[Longs, Longs]:
        """Return the conditions that some instances fit: place of the instance, and number."""
        offsets, places = gather(self.offsets, instances)
        return np.repeat(np.arange(len(instances)), np.diff(offsets)), self.fitting[places]

    def for_turning(self, instances: Longs, turn: bool) -> Floats:
        """Return how much some instances are for turning, or for keeping; float64."""
        return self.preference[instances] if turn else -self.preference[instances]

    def z_score(self, instances: Longs, turn: bool) -> float:
        """Return how many standard errors instances are on one side, counting a sentence once."""
        sentence = np.unique(self.sentence[instances], return_inverse=True)[1]
        by_sentence = np.bincount(sentence, self.for_turning(instances, turn))
        return float(by_sentence.sum() / np.sqrt(max(float((by_sentence**2).sum()), 1e-12)))


class _Items:
    """The kinds of the items of a treebank, and the conditions that they fit."""

    def __init__(self, treebank: Treebank, words: bool) -> None:
        self._labels = list(treebank.labels)
        self._tags = list(treebank.upos)
        self._words = list(treebank.lower_words) if words else None
        self._sizes = treebank.subtree_sizes.tolist()
        self._base = [base_label(label) for label in self._labels]
        self._children: dict[int, list[int]] = defaultdict(list)
        for child in np.flatnonzero(treebank.heads >= 0).tolist():
            self._children[int(treebank.parents[child])].append(child)

    def kind(self, head: int, item: int) -> Slot:
        if item == head:
            return Slot((HEAD,))
        return Slot((self._labels[item],), side="before" if item < head else "after")

    def conditions(self, head: int, one: int, other: int) -> Iterator[Condition]:
        """Yield all conditions that two items fit; those on the head belong to the first child."""
        about_head = one == head
        yield Condition(about_head, "head_tags", self._tags[head])
        for label in {self._labels[head], self._base[head]}:
            yield Condition(about_head, "head_labels", label)
        if self._words:
            yield Condition(about_head, "head_words", self._words[head])
        if self.kind(head, one) == self.kind(head, other):
            return  # what holds of one would as well hold of the other
        siblings = {self._base[c] for c in self._children[head] if c not in (one, other)}
        for label in siblings - {self._base[one if about_head else other]}:
            yield Condition(about_head, "siblings", label)
        for is_second, item in ((False, one), (True, other)):
            if item == head:
                continue
            yield Condition(is_second, "tags", self._tags[item])
            if self._words:
                for below in self._children[item]:
                    if self._tags[below] in FUNCTION_TAGS:
                        yield Condition(is_second, "with_words", self._words[below])
                yield Condition(is_second, "words", self._words[item])
            for size in SIZES:
                if self._sizes[item] >= size:
                    yield Condition(is_second, "at_least", size)
                else:
                    yield Condition(is_second, "at_most", size - 1)
