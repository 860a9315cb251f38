"""Learn rules of pairs from reference orders: which two kinds of items turn round, and when.

For every two kinds of items (labels and sides; the head is one) the majority of the links decides
whether they turn round. Then conditions are looked for under which the other decision is right, the
one that mends most first, each with a least gain and a least clarity: without such a gate rules
learn their text by heart and lose on others. What is learned is a list of pairs of which the first
that fits decides, exceptions before what they are exceptions from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.analysis.pair_evidence import Condition, Evidence, Kinds
from preorder_eval.data.arrays import Bools, Floats, Longs
from preorder_eval.reordering.rules import Pair, Slot
from preorder_eval.reordering.schemes import base_label

MOST_EXCEPTIONS = 10  # from the decision for two kinds of items


@dataclass(frozen=True)
class Gate:
    """What an exception must bring: `gain` in pairs of items, `clarity` in standard errors.

    Every decision rests on at least `fewest` of them, and one to turn two kinds of items round on a
    clarity of `general`. A clarity of None allows no exception.
    """

    clarity: float | None = 1.6
    gain: float = 2.5
    fewest: int = 3
    general: float = 0.0


@dataclass(frozen=True)
class Learned:
    """A pair of a rule, and what it rests on.

    `wanted` and `unwanted` count the pairs of items that the links want so and otherwise, `clarity`
    the standard errors between them, and `sentences` are the 1-based numbers of the sentences they
    stand in; of an exception, those only for which it decides otherwise.
    """

    pair: Pair
    wanted: int
    unwanted: int
    clarity: float
    sentences: tuple[int, ...]
    exception: bool


@dataclass(frozen=True)
class _Decision:
    """What is decided for two kinds of items."""

    kinds: Kinds
    turn: bool
    voices: Longs


@dataclass(frozen=True)
class _Exception(_Decision):
    """What is decided for those of them that fit a condition; `voices` are those it changes."""

    condition: Condition


def learn_pairs(evidence: Evidence, gate: Gate, chosen: Bools | None = None) -> list[Learned]:
    """The pairs of a rule for all heads, in the order in which they are to be tried.

    Parameters: `chosen` bool[P], which voices are heard (all, if not given).

    >>> from preorder_eval.analysis.pair_costs import pair_costs
    >>> from preorder_eval.formats.reference_folder import load_reference
    >>> reference = load_reference("en-ja")
    >>> costs = pair_costs(reference.trees, reference.allowed)
    >>> learned = learn_pairs(Evidence.of(reference.trees, costs), Gate(clarity=None))
    >>> [str(one.pair) for one in learned if "HEAD before case" in str(one.pair)]
    ['HEAD before case<']
    """
    heard = np.ones(len(evidence.voice), dtype=bool) if chosen is None else chosen
    decisions, exceptions = {}, []
    for kinds, voices in evidence.of_kinds(heard):
        if len(voices) < gate.fewest:
            continue
        clarity = evidence.clarity(voices, turn=True)
        turn = clarity > 0 and clarity >= gate.general
        decisions[kinds] = _Decision(kinds, turn, voices)
        exceptions += list(_exceptions(evidence, decisions[kinds], gate))
    return [*_particular(evidence, exceptions, decisions), *_general(evidence, decisions)]


def _exceptions(evidence: Evidence, general: _Decision, gate: Gate) -> Iterator[_Exception]:
    """Conditions under which it is better to decide otherwise, the last one found first."""
    if gate.clarity is None:
        return
    voices = general.voices
    place, condition = evidence.conditions_of(voices)
    numbers, column, counts = np.unique(condition, return_inverse=True, return_counts=True)
    specific = ((gate.fewest <= counts) & (counts < len(voices)))[column]
    place, column = place[specific], column[specific]
    said = evidence.voice[voices]
    decided = np.full(len(voices), general.turn)
    found: list[_Exception] = []
    for _ in range(MOST_EXCEPTIONS):
        # For every condition what turning gains where it is kept, and keeping where it is turned.
        gains = [
            np.bincount(column, weights * (decided != turn)[place], len(numbers))
            for turn, weights in ((False, -said[place]), (True, said[place]))
        ]
        best = None
        for number, turn in _by_gain(np.stack(gains, axis=1), gate.gain):
            here = place[column == number]
            changed = here[decided[here] != turn]
            if evidence.clarity(voices[changed], turn) >= gate.clarity:
                best = here, changed, turn, evidence.conditions[numbers[number]]
                break
        if best is None:
            break
        here, changed, turn, chosen = best
        decided[here] = turn
        found.append(_Exception(general.kinds, turn, voices[changed], chosen))
    yield from reversed(found)


def _by_gain(gains: Floats, least: float) -> Iterator[tuple[int, bool]]:
    """Condition and decision of each gain float64[C, 2] that is enough, the highest first."""
    enough = np.flatnonzero(gains.ravel() >= least)
    rounded = np.round(gains.ravel()[enough], 9)  # sums may differ in their last digits
    for place in enough[np.argsort(-rounded, kind="stable")].tolist():
        yield place // 2, bool(place % 2)


def _particular(
    evidence: Evidence, exceptions: Sequence[_Exception], decisions: dict[Kinds, _Decision]
) -> Iterator[Learned]:
    """Exceptions as pairs; those that differ only in the value of a condition are one."""
    merged: list[tuple[_Exception, Pair, list[Longs]]] = []
    for exception in exceptions:
        first, second = exception.condition.narrowed(exception.kinds)
        alike = exception.kinds[0] == exception.kinds[1]
        mirrored = decisions.get((exception.kinds[1], exception.kinds[0]))
        if not exception.turn:
            pair = Pair(first, second, "keep")
        elif alike or (mirrored is not None and mirrored.turn):
            pair = Pair(second, first, "reverse")
        else:
            pair = Pair(second, first)
        if merged and (joined := _joined(merged[-1], exception, pair)):
            merged[-1] = joined
        else:
            merged.append((exception, pair, [exception.voices]))
    for exception, pair, voices in merged:
        heard = np.unique(np.concatenate(voices))
        yield _learned(evidence, pair, exception.turn, heard, exception=True)


def _joined(
    last: tuple[_Exception, Pair, list[Longs]], exception: _Exception, pair: Pair
) -> tuple[_Exception, Pair, list[Longs]] | None:
    """The last exception and this one as one pair, if a list of values says both."""
    before, said, voices = last
    same = (before.kinds, before.turn, before.condition.second, before.condition.field) == (
        exception.kinds,
        exception.turn,
        exception.condition.second,
        exception.condition.field,
    )
    field = exception.condition.field
    if not same or field in ("at_least", "at_most"):
        return None

    def both(one: Slot, other: Slot) -> Slot:
        values: Any = tuple(dict.fromkeys((*getattr(one, field), *getattr(other, field))))
        return replace(one, **{field: values})

    pair = Pair(both(said.first, pair.first), both(said.second, pair.second), pair.order)
    return exception, pair, [*voices, exception.voices]


def _general(evidence: Evidence, decisions: dict[Kinds, _Decision]) -> Iterator[Learned]:
    """The decisions for two kinds of items as pairs, those for subtypes first.

    What keeps its source order needs a pair only where that of a label without its subtype would
    turn it round. Labels that come before the same kind share a pair.
    """
    groups: dict[tuple[int, str, str, str | None], list[tuple[Pair, Longs]]] = defaultdict(list)
    for kinds, decision in decisions.items():
        first, second = kinds
        mirrored = decisions.get((second, first))
        voices = decision.voices
        if decision.turn and mirrored is not None and mirrored.turn:
            if str(first) > str(second):
                continue  # said once, for both
            both = first != second
            voices = np.concatenate([voices, mirrored.voices]) if both else voices
            pair = Pair(second, first, "reverse")
        elif decision.turn:
            pair = Pair(second, first)
        elif _covered(kinds, decisions) and not (mirrored and mirrored.turn):
            pair = Pair(first, second, "keep")
        else:
            continue
        subtypes = sum(":" in slot.labels[0] for slot in kinds)
        alone = pair.first.short if pair.first == pair.second else ""
        key = -subtypes, pair.order, pair.second.short + alone, pair.first.side
        groups[key].append((pair, voices))
    for (_, order, *_), members in sorted(groups.items(), key=lambda group: str(group[0])):
        pairs = [pair for pair, _ in members]
        labels = tuple(sorted(label for pair in pairs for label in pair.first.labels))
        pair = (
            pairs[0]
            if len(pairs) == 1
            else replace(pairs[0], first=replace(pairs[0].first, labels=labels))
        )
        voices = np.concatenate([voices for _, voices in members])
        yield _learned(evidence, pair, order != "keep", voices, exception=False)


def _covered(kinds: Kinds, decisions: dict[Kinds, _Decision]) -> bool:
    """Whether the decision for labels without their subtypes turns two kinds round."""
    first, second = kinds
    options = [
        {slot, replace(slot, labels=(base_label(slot.labels[0]),))} for slot in (first, second)
    ]
    return any(
        (decision := decisions.get((one, other))) is not None and decision.turn
        for one in options[0]
        for other in options[1]
    )


def _learned(
    evidence: Evidence, pair: Pair, turn: bool, voices: Longs, *, exception: bool
) -> Learned:
    said = evidence.voice[voices] if turn else -evidence.voice[voices]
    return Learned(
        pair,
        int(np.count_nonzero(said > 0)),
        int(np.count_nonzero(said < 0)),
        evidence.clarity(voices, turn),
        tuple((np.unique(evidence.sentence[voices[said > 0]]) + 1).tolist()),
        exception,
    )
