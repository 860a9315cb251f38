"""Decisions learned from training instances: which two kinds of items of a head turn, and when.

Every pair of items whose order the links decide is a training instance. Its preference is a number
from -1 (keep the order) to 1 (invert it): the more of its aligned words agree, the farther from 0.
The order to keep or invert is that of the source, or that of rules to start from. All instances
have the same weight whatever their number of words; otherwise a few long clauses would decide.

For every two kinds of items (labels and sides; the head is a kind, too) the majority of the links
decides whether they are inverted. Then exceptions are added: conditions under which the other
decision is right, the one that fixes most first. Each must have a minimum gain and z-score:
otherwise rules overfit their text and score lower on others. The result is a list of pairs,
exceptions before their general pairs; the first that fits decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, Longs, Offsets, gather, offsets_of
from preorder_eval.orders.orders import Orders
from preorder_eval.rules.conditions import HEAD, Slot
from preorder_eval.rules.pair_costs import PairCosts
from preorder_eval.rules.rule import Pair
from preorder_eval.rules.words import written
from preorder_eval.trees.schemes import base_label
from preorder_eval.trees.treebank import Treebank, document_names

SIZES = (2, 3, 4, 6, 9)  # words that move together, from which a condition can begin
FUNCTION_TAGS = ("ADP", "SCONJ", "PART", "AUX", "DET")  # of words that mark how theirs is used
FEWEST_DOCUMENTS = 3  # in which a word stands that conditions name: a topic's words are of few
STRETCH = 10  # sentences that are taken for a document where no comment says where one begins
MOST_EXCEPTIONS = 10  # from the decision for two kinds of items
_FEWEST = 3  # instances that a decision rests on
_LEAST_GAIN = 2.5  # instances that are decided rightly with an exception, and wrongly without it

Kinds = tuple[Slot, Slot]  # of the first and the second item in source order


@dataclass(frozen=True)
class LearnedCondition:
    """A condition on the first or the second of two items: a field of its slot, with a value."""

    second: bool
    field: str
    value: str | int

    def narrowed(self, kinds: Kinds) -> Kinds:
        """Return the two kinds with the condition."""
        first, second = kinds
        value: Any = self.value if isinstance(self.value, int) else (self.value,)
        if self.field.endswith("words"):
            value = (written(str(self.value)),)
        narrowed = replace(second if self.second else first, **{self.field: value})
        return (first, narrowed) if self.second else (narrowed, second)


@dataclass(frozen=True, eq=False)
class Instances:
    """The training instances of a corpus.

    `preference` float64[P] is what each pair of items prefers, from -1 (keep) to 1 (invert), and
    `sentence` int64[P] the sentence that it is in. `kinds[kind[p]]` are the kinds of the two items
    of instance p, and `fitting[offsets[p] : offsets[p + 1]]` numbers the `conditions` that it fits.
    """

    preference: Floats
    sentence: Longs
    kinds: Sequence[Kinds]
    kind: Longs
    conditions: Sequence[LearnedCondition]
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
    ) -> Instances:
        """Collect the instances.

        Parameters: `start` the initial orders of the items, by default the source order. Without
        `words` no condition names a word; with it, conditions name `common_words` only.
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
        seen: dict[LearnedCondition, int] = {}
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
            list(numbers),
            np.array(kind, dtype=np.int64),
            in_order,
            number[np.fromiter(chain.from_iterable(fitting), dtype=np.int64)],
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

    def for_turning(self, instances: Longs, turn: bool) -> Floats:
        """Return the support of some instances for turning, or else for keeping; float64."""
        return self.preference[instances] if turn else -self.preference[instances]

    def z_score(self, instances: Longs, turn: bool) -> float:
        """Return the z score of the support for turning (or keeping): standard errors above 0.

        Instances of one sentence are summed, so that each sentence counts once.
        """
        sentence = np.unique(self.sentence[instances], return_inverse=True)[1]
        by_sentence = np.bincount(sentence, self.for_turning(instances, turn))
        return float(by_sentence.sum() / np.sqrt(max(float((by_sentence**2).sum()), 1e-12)))


def common_words(treebank: Treebank) -> set[str]:
    """Return the words, in lower case, that occur in several documents and are not mostly names.

    >>> from preorder_eval.trees.treebank import Tree
    >>> tree = Tree(["Go", "Tokugawa"], [-1, 0], ["root", "obj"], ["VERB", "PROPN"], ["VB", "NNP"])
    >>> common_words(Treebank.of([replace(tree, comments=("# newdoc",))] * 3))
    {'go'}
    """
    of_sentences: Sequence[str | int] = document_names(treebank.comments)
    of_sentences = of_sentences or [s // STRETCH for s in range(len(treebank))]
    document = (
        of for of, size in zip(of_sentences, treebank.lengths, strict=True) for _ in range(size)
    )
    documents: dict[str, set[str | int]] = defaultdict(set)
    names: dict[str, int] = defaultdict(int)
    words = zip(treebank.lower_words, treebank.upos, document, strict=True)
    for word, tag, number in words:
        documents[word].add(number)
        names[word] += 1 if tag == "PROPN" else -1
    return {w for w, of in documents.items() if len(of) >= FEWEST_DOCUMENTS and names[w] <= 0}


class _Items:
    """The kinds of the items of a treebank, and the conditions that they fit."""

    def __init__(self, treebank: Treebank, words: bool) -> None:
        self._labels = list(treebank.labels)
        self._tags = list(treebank.upos)
        self._words = list(treebank.lower_words)
        self._common = common_words(treebank) if words else set[str]()
        self._sizes = treebank.subtree_sizes.tolist()
        self._base = [base_label(label) for label in self._labels]
        self._children: dict[int, list[int]] = defaultdict(list)
        for child in np.flatnonzero(treebank.heads >= 0).tolist():
            self._children[int(treebank.parents[child])].append(child)

    def kind(self, head: int, item: int) -> Slot:
        if item == head:
            return Slot((HEAD,))
        return Slot((self._labels[item],), side="before" if item < head else "after")

    def conditions(self, head: int, one: int, other: int) -> Iterator[LearnedCondition]:
        """Yield all conditions that two items fit; those on the head belong to the first child."""
        about_head = one == head
        yield LearnedCondition(about_head, "head_tags", self._tags[head])
        for label in {self._labels[head], self._base[head]}:
            yield LearnedCondition(about_head, "head_labels", label)
        if self._words[head] in self._common:
            yield LearnedCondition(about_head, "head_words", self._words[head])
        if self.kind(head, one) == self.kind(head, other):
            return  # what holds of one would as well hold of the other
        siblings = {self._base[c] for c in self._children[head] if c not in (one, other)}
        for label in siblings - {self._base[one if about_head else other]}:
            yield LearnedCondition(about_head, "siblings", label)
        for is_second, item in ((False, one), (True, other)):
            if item == head:
                continue
            yield LearnedCondition(is_second, "tags", self._tags[item])
            for below in self._children[item]:
                if self._tags[below] in FUNCTION_TAGS and self._words[below] in self._common:
                    yield LearnedCondition(is_second, "with_words", self._words[below])
            if self._words[item] in self._common:
                yield LearnedCondition(is_second, "words", self._words[item])
            for size in SIZES:
                if self._sizes[item] >= size:
                    yield LearnedCondition(is_second, "at_least", size)
                else:
                    yield LearnedCondition(is_second, "at_most", size - 1)


@dataclass(frozen=True)
class LearnedPair:
    """A learned pair of a rule, with the evidence for it.

    `wanted` and `unwanted` count the pairs of items that the links want in this order and in the
    other; `z` is the z-score of the difference. `sentences` are the 1-based numbers of the
    sentences that want this order. For an exception, only those pairs of items are counted that the
    pairs after it would order otherwise.
    """

    pair: Pair
    wanted: int
    unwanted: int
    z: float
    sentences: list[int]
    exception: bool


@dataclass(frozen=True)
class _Decision:
    """A decision for the instances of two kinds of items."""

    kinds: Kinds
    turn: bool
    instances: Longs


@dataclass(frozen=True)
class _Exception(_Decision):
    """The other decision for two kinds of items, for the instances that a condition changes."""

    condition: LearnedCondition


_Decisions = Mapping[Kinds, _Decision]


def learn_pairs(
    instances: Instances, z: float | None, chosen: Bools | None = None, *, least: float = 0.0
) -> list[LearnedPair]:
    """Learn the pairs of a rule for all heads, in the order in which they are to be tried.

    Parameters: `z` the least z-score of an exception, None for no exceptions; `chosen` bool[P] the
    instances to learn from, by default all; `least` the z-score from which two kinds are inverted.
    """
    if chosen is None:
        chosen = np.ones(len(instances), dtype=bool)
    decisions: dict[Kinds, _Decision] = {}
    exceptions: list[_Exception] = []
    for kinds, members in instances.by_kinds(chosen):
        if len(members) < _FEWEST:
            continue
        score = instances.z_score(members, turn=True)
        decisions[kinds] = _Decision(kinds, score > 0 and score >= least, members)
        if z is not None:
            exceptions += _exceptions(instances, decisions[kinds], z)
    return [*_particular(instances, exceptions, decisions), *_general(instances, decisions)]


def _exceptions(instances: Instances, general: _Decision, least_z: float) -> list[_Exception]:
    """Return the conditions under which the other decision is better.

    Each one may be an exception to those found before it. So the last one found comes first, as the
    first that fits decides.
    """
    members = general.instances
    # A row for every condition that one of the instances fits: the place of the instance among
    # them, and the column of the condition, whose number is `numbers[column]`.
    offsets, fitting = gather(instances.offsets, members)
    place = np.repeat(np.arange(len(members)), np.diff(offsets))
    numbers, column, counts = np.unique(
        instances.fitting[fitting], return_inverse=True, return_counts=True
    )
    specific = ((counts >= _FEWEST) & (counts < len(members)))[column]
    place, column = place[specific], column[specific]
    preference = instances.preference[members]
    decided = np.full(len(members), general.turn)
    exceptions: list[_Exception] = []
    while len(exceptions) < MOST_EXCEPTIONS:
        # For every condition what turning gains where items are kept, and keeping where turned.
        gains = [
            np.bincount(column, weights * (decided != turn)[place], len(numbers))
            for turn, weights in ((False, -preference[place]), (True, preference[place]))
        ]
        for number, turn in _by_gain(np.stack(gains, axis=1)):
            here = place[column == number]
            changed = members[here[decided[here] != turn]]
            if instances.z_score(changed, turn) >= least_z:
                decided[here] = turn
                its_condition = instances.conditions[numbers[number]]
                exceptions.append(_Exception(general.kinds, turn, changed, its_condition))
                break
        else:
            break
    return exceptions[::-1]


def _by_gain(gains: Floats) -> Iterator[tuple[int, bool]]:
    """Yield condition and decision for each sufficient gain, the highest first; float64[C, 2]."""
    enough = np.flatnonzero(gains.ravel() >= _LEAST_GAIN)
    rounded = np.round(gains.ravel()[enough], 9)  # sums may differ in their last digits
    for place in enough[np.argsort(-rounded, kind="stable")].tolist():
        yield place // 2, bool(place % 2)


def _particular(
    instances: Instances, exceptions: Sequence[_Exception], decisions: _Decisions
) -> Iterator[LearnedPair]:
    """Yield exceptions as pairs. Those that differ in the value of a condition alone are one."""
    merged: list[tuple[_Exception, Pair, Longs]] = []
    for exception in exceptions:
        kinds, members = exception.kinds, exception.instances
        first, second = exception.condition.narrowed(kinds)
        if not exception.turn:
            pair = Pair(first, second, "keep")
        elif kinds[0] == kinds[1] or _turns(decisions, (kinds[1], kinds[0])):
            pair = Pair(second, first, "reverse")
        else:
            pair = Pair(second, first)
        if merged and (field := _shared_field(merged[-1][0], exception)):
            _, before, others = merged.pop()
            first = _joined(before.first, pair.first, field)
            pair = Pair(first, _joined(before.second, pair.second, field), pair.order)
            members = np.concatenate([others, members])
        merged.append((exception, pair, members))
    for exception, pair, members in merged:
        yield _learned(instances, pair, exception.turn, np.unique(members), exception=True)


def _shared_field(one: _Exception, other: _Exception) -> str:
    """Return the only field in which two exceptions differ, if it can hold both values; else ""."""
    if isinstance(other.condition.value, int):
        return ""
    same = replace(one.condition, value=other.condition.value) == other.condition
    alike = same and (one.kinds, one.turn) == (other.kinds, other.turn)
    return other.condition.field if alike else ""


def _joined(one: Slot, other: Slot, field: str) -> Slot:
    values: Any = tuple(dict.fromkeys((*getattr(one, field), *getattr(other, field))))
    return replace(one, **{field: values})


def _general(instances: Instances, decisions: _Decisions) -> Iterator[LearnedPair]:
    """Yield the decisions for two kinds of items as pairs, those for subtypes of labels first.

    Two kinds that stay as they are need a pair only if the pair of a label without subtype would
    turn them. Labels that come before the same kind share a pair.
    """
    groups: dict[tuple[int, str, str, str | None], list[tuple[Pair, Longs]]] = defaultdict(list)
    for kinds, decision in decisions.items():
        first, second = kinds
        members, mirrored = decision.instances, _turns(decisions, (second, first))
        if decision.turn and mirrored:
            if str(first) > str(second):
                continue  # said once, for both
            if first != second:
                members = np.concatenate([members, decisions[second, first].instances])
            pair = Pair(second, first, "reverse")
        elif decision.turn:
            pair = Pair(second, first)
        elif not mirrored and _turned_without_subtypes(kinds, decisions):
            pair = Pair(first, second, "keep")
        else:
            continue
        subtypes = sum(":" in slot.labels[0] for slot in kinds)
        alone = pair.first.short if pair.first == pair.second else ""
        key = -subtypes, pair.order, pair.second.short + alone, pair.first.side
        groups[key].append((pair, members))
    for (_, order, *_), group in sorted(groups.items(), key=lambda group: str(group[0])):
        pairs = [pair for pair, _ in group]
        labels = tuple(sorted(label for pair in pairs for label in pair.first.labels))
        pair = replace(pairs[0], first=replace(pairs[0].first, labels=labels))
        if len(pairs) == 1:
            pair = pairs[0]
        members = np.concatenate([members for _, members in group])
        yield _learned(instances, pair, order != "keep", members, exception=False)


def _turns(decisions: _Decisions, kinds: Kinds) -> bool:
    decision = decisions.get(kinds)
    return decision is not None and decision.turn


def _turned_without_subtypes(kinds: Kinds, decisions: _Decisions) -> bool:
    """Return whether the decision for labels without their subtypes turns two kinds."""
    options = [{slot, replace(slot, labels=(base_label(slot.labels[0]),))} for slot in kinds]
    return any(_turns(decisions, (one, other)) for one, other in product(*options))


def _learned(
    instances: Instances, pair: Pair, turn: bool, members: Longs, *, exception: bool
) -> LearnedPair:
    preference = instances.for_turning(members, turn)
    wanted = preference > 0
    return LearnedPair(
        pair,
        int(np.count_nonzero(wanted)),
        int(np.count_nonzero(preference < 0)),
        instances.z_score(members, turn),
        (np.unique(instances.sentence[members[wanted]]) + 1).tolist(),
        exception,
    )
