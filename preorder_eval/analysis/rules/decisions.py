"""Decisions learned from training instances: which two kinds of items turn, and when.

For every two kinds of items (labels and sides; the head is one) the majority of the links decides
whether they turn. Then conditions are looked for under which the other decision is right, the one
that fixes most first, each with a least gain and a least z-score: without such thresholds rules
learn their text by heart and lose on others. What is learned is a list of pairs of which the first
that fits decides, exceptions before what they are exceptions from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from preorder_eval.analysis.rules.instances import BOUNDS, Condition, Instances, Kinds
from preorder_eval.data.arrays import Bools, Floats, Longs
from preorder_eval.reordering.conditions import Slot
from preorder_eval.reordering.rules import Pair
from preorder_eval.reordering.schemes import base_label

MOST_EXCEPTIONS = 10  # from the decision for two kinds of items


@dataclass(frozen=True)
class Thresholds:
    """The demands on an exception: `gain` in pairs of items, and a z-score; without `z` none is.

    Every decision rests on at least `fewest` pairs and is wanted in so many `texts`, and one to
    turn two kinds of items rests on a z-score of `general`.
    """

    z: float | None = 1.6
    gain: float = 2.5
    fewest: int = 3
    general: float = 0.0
    texts: int = 1


@dataclass(frozen=True)
class LearnedPair:
    """A pair of a rule, and what it rests on.

    `wanted` and `unwanted` count the pairs of items that the links want so and otherwise, `z` is
    the z-score of the two, and `sentences` are the 1-based numbers of the sentences where they are
    wanted; of an exception, those only for which it decides otherwise.
    """

    pair: Pair
    wanted: int
    unwanted: int
    z: float
    sentences: list[int]
    exception: bool


@dataclass(frozen=True)
class _Decision:
    """The decision for the instances of two kinds of items, or for those a condition changes."""

    kinds: Kinds
    turn: bool
    instances: Longs
    condition: Condition | None = None

    def narrowed(self) -> Kinds:
        """Return the two kinds with the condition."""
        return self.kinds if self.condition is None else self.condition.narrowed(self.kinds)


_Decisions = Mapping[Kinds, _Decision]


def learn_pairs(
    instances: Instances, thresholds: Thresholds, chosen: Bools | None = None
) -> list[LearnedPair]:
    """Learn the pairs of a rule for all heads from instances, all or chosen ones; bool[P].

    They come in the order in which they are to be tried.
    """
    if chosen is None:
        chosen = np.ones(len(instances), dtype=bool)
    decisions: dict[Kinds, _Decision] = {}
    exceptions: list[_Decision] = []
    for kinds, members in instances.by_kinds(chosen):
        if len(members) < thresholds.fewest:
            continue
        z = instances.z_score(members, turn=True)
        turn = z > 0 and z >= thresholds.general and _shared(instances, members, True, thresholds)
        decisions[kinds] = _Decision(kinds, turn, members)
        exceptions += _exceptions(instances, decisions[kinds], thresholds)
    return [
        *_particular(instances, exceptions, decisions),
        *_general(instances, decisions),
    ]


def _exceptions(
    instances: Instances, general: _Decision, thresholds: Thresholds
) -> list[_Decision]:
    """Conditions under which it is better to decide otherwise, the last one found first."""
    if thresholds.z is None:
        return []
    members = general.instances
    place, condition = instances.conditions_of(members)
    numbers, column, counts = np.unique(condition, return_inverse=True, return_counts=True)
    specific = ((thresholds.fewest <= counts) & (counts < len(members)))[column]
    place, column = place[specific], column[specific]
    preference = instances.preference[members]
    decided = np.full(len(members), general.turn)
    found: list[_Decision] = []
    while len(found) < MOST_EXCEPTIONS:
        # For every condition what turning gains where items are kept, and keeping where turned.
        gains = [
            np.bincount(column, weights * (decided != turn)[place], len(numbers))
            for turn, weights in ((False, -preference[place]), (True, preference[place]))
        ]
        for number, turn in _by_gain(np.stack(gains, axis=1), thresholds.gain):
            here = place[column == number]
            changed = members[here[decided[here] != turn]]
            enough = instances.z_score(changed, turn) >= thresholds.z
            if enough and _shared(instances, changed, turn, thresholds):
                decided[here] = turn
                condition_of = instances.conditions[numbers[number]]
                found.append(_Decision(general.kinds, turn, changed, condition_of))
                break
        else:
            break
    return found[::-1]


def _shared(instances: Instances, members: Longs, turn: bool, thresholds: Thresholds) -> bool:
    """Return whether enough texts support inverting (or keeping), each by several instances."""
    wanted = np.bincount(instances.text[members], instances.for_turning(members, turn))
    return thresholds.texts == 1 or int(np.count_nonzero(wanted > 1)) >= thresholds.texts


def _by_gain(gains: Floats, least: float) -> Iterator[tuple[int, bool]]:
    """Condition and decision of each gain float64[C, 2] that is enough, the highest first."""
    enough = np.flatnonzero(gains.ravel() >= least)
    rounded = np.round(gains.ravel()[enough], 9)  # sums may differ in their last digits
    for place in enough[np.argsort(-rounded, kind="stable")].tolist():
        yield place // 2, bool(place % 2)


def _particular(
    instances: Instances, exceptions: Sequence[_Decision], decisions: _Decisions
) -> Iterator[LearnedPair]:
    """Exceptions as pairs; those that differ only in the value of a condition are one."""
    merged: list[tuple[_Decision, Pair, Longs]] = []
    for exception in exceptions:
        kinds, members = exception.kinds, exception.instances
        first, second = exception.narrowed()
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


def _shared_field(one: _Decision, other: _Decision) -> str:
    """Return the only field by which two exceptions differ, if a list can hold both values."""
    if one.condition is None or other.condition is None or other.condition.field in BOUNDS:
        return ""
    same = replace(one.condition, value=other.condition.value) == other.condition
    alike = same and (one.kinds, one.turn) == (other.kinds, other.turn)
    return other.condition.field if alike else ""


def _joined(one: Slot, other: Slot, field: str) -> Slot:
    """Return a slot with the values that both have for a field."""
    values: Any = tuple(dict.fromkeys((*getattr(one, field), *getattr(other, field))))
    return replace(one, **{field: values})


def _general(instances: Instances, decisions: _Decisions) -> Iterator[LearnedPair]:
    """Yield the decisions for two kinds of items as pairs, those for subtypes first.

    What stays needs a pair only where that of a label without subtype would turn it. Labels that
    come before the same kind share a pair.
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
