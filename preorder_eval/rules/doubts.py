"""Warnings about a rule that is valid, but probably not what its author meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from preorder_eval.rules.circles import shortest_way
from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.rule import Pair, Rule

_STOP = Slot(("punct",), side="after")  # the final full stop of a sentence


def doubts(rule: Rule, language: str = "any") -> Iterator[tuple[int, str]]:
    """Yield the number of each doubtful slot or pair of a rule, with a warning.

    Parameters: `language` the source language of the rules, that of marked words.

    >>> [head, stop] = Slot((HEAD,)), Slot((OTHER,), side="after")
    >>> print(*next(doubts(Rule(("VERB",), pairs=(Pair(stop, head),)))))
    0 OTHER> also takes the final full stop; before it write ["HEAD", "punct>"]
    """
    sides = [(number, of) for number, p in enumerate(rule.pairs) for of in (p.first, p.second)]
    for number, slot in sides or enumerate(rule.slots or rule.lift):
        for doubt in _of_conditions(slot):
            yield number, doubt
    asked = [{key for of in (p.first, p.second) for key, _ in of.conditions()} for p in rule.pairs]
    for earlier, pair in enumerate(rule.pairs):
        for number in range(earlier + 1, len(rule.pairs)):
            # A pair fits nothing that another fits if it asks for more; most are told apart so.
            if asked[earlier] <= asked[number] and _decides(pair, rule.pairs[number], language):
                hidden = f"the pair {rule.pairs[number]} never decides"
                yield number, f"{hidden}, because {pair} comes first; put exceptions before it"
    yield from _of_the_full_stop(rule)
    if around := circle(rule.pairs):
        named = ", ".join(str(rule.pairs[number]) for number in around)
        last = rule.pairs[max(around)]  # those before it may be meant as exceptions to it
        yield min(around), f"rules.pairs form a circle: {named}; reconsider {last}"


def _of_conditions(slot: Slot) -> Iterator[str]:
    """Yield the conditions of a slot that hardly any child can meet."""
    low, high = slot.at_least, slot.at_most
    if low is not None and high is not None and low > high:
        yield f"no child fits: at_least = {low} is above at_most = {high}"
    for key, values in slot.conditions():
        spaced = [value for value in values if isinstance(value, str) and " " in value]
        if spaced:
            yield f"{key} = {spaced[0]!r} has a space, and is compared with single tokens"


def _decides(pair: Pair, other: Pair, language: str = "any") -> bool:
    """Return whether a pair fits every two items that another pair fits."""
    return any(
        pair.first.includes(first, language) and pair.second.includes(second, language)
        for first, second in ((other.first, other.second), (other.second, other.first))
    )


def _of_the_full_stop(rule: Rule) -> Iterator[tuple[int, str]]:
    """Yield the slot or pair that puts the final full stop before its head, probably by mistake."""
    head = Slot((HEAD,))
    for number, pair in enumerate(rule.pairs):
        moves = pair.order != "keep" and OTHER in pair.first.labels
        if moves and _decides(pair, Pair(_STOP, head)):
            advice = 'before it write ["HEAD", "punct>"]'
            yield number, f"{pair.first.kind} also takes the final full stop; {advice}"
            return
        if _decides(pair, Pair(head, _STOP)):
            return
    taken = [number for number, slot in enumerate(rule.slots) if slot.includes(_STOP)]
    # Slots that name punct take it before OTHER does.
    if taken and all(OTHER in rule.slots[number].labels for number in taken):
        [number] = taken
        if number < rule.head_slot:
            name = rule.slots[number].kind
            yield number, f'{name} also takes the final full stop; add a slot "punct>"'


def circle(pairs: Sequence[Pair]) -> list[int]:
    """Return the numbers of pairs that form a circle, such as a before b and b before a.

    If all their kinds of items are under one head, such pairs cannot all hold.
    """
    number_of = {
        (pair.first, pair.second): number
        for number, pair in enumerate(pairs)
        if pair.order == "first"
    }
    behind: dict[Slot, list[Slot]] = {}
    for first, second in number_of:
        behind.setdefault(first, []).append(second)
    for first, second in number_of:
        if way := shortest_way(behind, second, first):
            return [number_of[step] for step in ((first, second), *way)]
    return []
