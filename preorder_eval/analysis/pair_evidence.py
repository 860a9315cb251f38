"""What speaks for turning two items of a head round, and under which conditions one can tell.

Every pair of items that the links decide is one voice, from -1 (keep) to 1 (turn), by how clearly
its linked words agree. What is kept or turned is the source order, or that of rules to start from.
A voice does not count for more where it is about many words: a few long clauses would then decide
for all.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.analysis.pair_costs import PairCosts
from preorder_eval.data.arrays import Bools, Floats, Longs, Offsets, gather, offsets_of
from preorder_eval.data.orders import Orders
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.rules import HEAD, Slot
from preorder_eval.reordering.schemes import base_label

SIZES = (2, 3, 4, 6, 9)  # words that move together, from which a condition can begin

FUNCTION_TAGS = ("ADP", "SCONJ", "PART", "AUX", "DET")  # of words that say how theirs is used

Kinds = tuple[Slot, Slot]  # of the first and the second item in source order


@dataclass(frozen=True)
class Condition:
    """A condition on the first or the second of two items: a field of its slot, and the value."""

    second: bool
    field: str
    value: str | int

    def narrowed(self, kinds: Kinds) -> Kinds:
        """The two kinds with the condition.

        >>> kinds = (Slot(("nsubj",)), Slot((HEAD,)))
        >>> [slot.short for slot in Condition(False, "words", "it").narrowed(kinds)]
        ['nsubj word=it', 'HEAD']
        """
        first, second = kinds
        value: Any = self.value if self.field in ("at_least", "at_most") else (self.value,)
        chosen = replace(second if self.second else first, **{self.field: value})
        return (first, chosen) if self.second else (chosen, second)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The voices of a corpus.

    `voice` float64[P] and `sentence` int64[P] are what each pair of items says, and where;
    `kinds` K different pairs of kinds, the first that which stands first to start with, and `kind`
    int64[P] of which kind each is; `conditions` C different conditions in a fixed order, `fitting`
    int64[F] the numbers of those that each fits, from `offsets` int64[P + 1].
    """

    voice: Floats
    sentence: Longs
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
    ) -> Evidence:
        """Collect the voices.

        Parameters: `start` the orders in which the items stand to start with (of the source, if not
        given); without `words` no condition names a word.
        """
        decided = np.flatnonzero(costs.keep != costs.turn)
        voice = (costs.keep - costs.turn)[decided] / (costs.keep + costs.turn)[decided]
        block, first, second = (x[decided] for x in (costs.block, costs.first, costs.second))
        if start is not None:
            place = start.places
            turned = place[first] > place[second]
            first, second = np.where(turned, second, first), np.where(turned, first, second)
            voice = np.where(turned, -voice, voice)
        items = _Items(treebank, words)
        numbers: dict[Kinds, int] = {}
        seen: dict[Condition, int] = {}
        kind, fitting = [], []
        for head, one, other in zip(block.tolist(), first.tolist(), second.tolist(), strict=True):
            kinds = items.kind(head, one), items.kind(head, other)
            kind.append(numbers.setdefault(kinds, len(numbers)))
            conditions = dict.fromkeys(items.conditions(head, one, other))
            fitting.append([seen.setdefault(condition, len(seen)) for condition in conditions])
        sentence = np.searchsorted(treebank.offsets, block, side="right") - 1
        in_order = sorted(seen, key=lambda one: (one.second, one.field, str(one.value)))
        number = np.empty(len(seen), dtype=np.int64)
        number[[seen[condition] for condition in in_order]] = np.arange(len(seen))
        return cls(
            voice,
            sentence,
            list(numbers),
            np.array(kind, dtype=np.int64),
            in_order,
            number[np.fromiter(itertools.chain.from_iterable(fitting), dtype=np.int64)],
            offsets_of(map(len, fitting)),
        )

    def of_kinds(self, chosen: Bools) -> Iterator[tuple[Kinds, Longs]]:
        """The voices of each pair of kinds, of those that are chosen."""
        members: dict[int, list[int]] = defaultdict(list)
        for voice in np.flatnonzero(chosen).tolist():
            members[int(self.kind[voice])].append(voice)
        for number, voices in sorted(members.items()):
            yield self.kinds[number], np.array(voices)

    def conditions_of(self, voices: Longs) -> tuple[Longs, Longs]:
        """The conditions that some voices fit: the place of the voice and the number of each."""
        offsets, places = gather(self.offsets, voices)
        return np.repeat(np.arange(len(voices)), np.diff(offsets)), self.fitting[places]

    def clarity(self, voices: Longs, turn: bool) -> float:
        """How many standard errors the voices are on one side, sentence by sentence.

        Voices of one sentence are not independent and count as one.
        """
        said = self.voice[voices] if turn else -self.voice[voices]
        by_sentence = np.bincount(np.unique(self.sentence[voices], return_inverse=True)[1], said)
        return float(by_sentence.sum() / np.sqrt(max(float((by_sentence**2).sum()), 1e-12)))


class _Items:
    """What can be said of the items of a treebank."""

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
        """All conditions that two items fit; those on the head belong to the first child."""
        alike = self.kind(head, one) == self.kind(head, other)
        about_head = one == head
        yield Condition(about_head, "head_tags", self._tags[head])
        for label in {self._labels[head], self._base[head]}:
            yield Condition(about_head, "head_labels", label)
        if self._words:
            yield Condition(about_head, "head_words", self._words[head])
        if alike:  # what is said of one would as well be said of the other
            return
        child = other if about_head else one
        siblings = {self._base[c] for c in self._children[head] if c not in (one, other)}
        for label in siblings - {self._base[other if child == one else one]}:
            yield Condition(about_head, "siblings", label)
        for second, item in ((False, one), (True, other)):
            if item == head:
                continue
            yield Condition(second, "tags", self._tags[item])
            if self._words:
                for own in self._children[item]:
                    if self._tags[own] in FUNCTION_TAGS:
                        yield Condition(second, "with_words", self._words[own])
            if self._words:
                yield Condition(second, "words", self._words[item])
            for size in SIZES:
                if self._sizes[item] >= size:
                    yield Condition(second, "at_least", size)
                else:
                    yield Condition(second, "at_most", size - 1)
