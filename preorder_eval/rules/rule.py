"""Rules as data: pairs of slots, rules of slots, of pairs or of lifts, and worked examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.trees.schemes import base_label, names_of
from preorder_eval.trees.treebank import Tree


@dataclass(frozen=True)
class Pair:
    """Two kinds of items: items that fit the first slot come before items that fit the second.

    With `order="reverse"` they are turned round, and with `"keep"` they keep the order that they
    have without pairs; then both kinds may be the same.
    """

    first: Slot
    second: Slot
    order: Literal["first", "reverse", "keep"] = "first"

    def __str__(self) -> str:
        """Return the name that tables use.

        >>> nmod = Slot(("nmod",), side="after")
        >>> print(Pair(nmod, Slot((HEAD,))), Pair(nmod, nmod, "reverse"), sep="; ")
        nmod> before HEAD; nmod> and nmod> reversed
        """
        first, second = self.first.short, self.second.short
        if self.order == "first":
            return f"{first} before {second}"
        return f"{first} and {second} {'reversed' if self.order == 'reverse' else 'kept'}"


@dataclass(frozen=True)
class Rule:
    """The order of items under the heads whose tag is among `heads` (patterns such as VB*).

    A rule has either `slots`, in target order, or `pairs`. Of the pairs that fit two items, the
    first decides their order. With `labels` it is only for heads that are themselves attached by
    one of these labels; so a relative clause can have another order than a main clause. If a rule
    of pairs does not decide the order of two items, the next rule of pairs that fits decides it,
    then the rule of slots that fits, then the rule set's default; `matching` has the order among
    rules. A file that extends this one replaces the rule by its `name`.

    A rule with a `lift` puts nothing into order. Before anything is laid out, it takes the children
    of these heads that fit one of its slots, and hangs them on the head of their head.
    """

    heads: tuple[str, ...]
    slots: tuple[Slot, ...] = ()
    labels: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()
    name: str = ""
    lift: tuple[Slot, ...] = ()

    def __str__(self) -> str:
        """Return the name that tables use."""
        return "|".join(self.heads) + (f" ({'|'.join(self.labels)})" if self.labels else "")

    @property
    def parts(self) -> tuple[Slot, ...] | tuple[Pair, ...]:
        """Its slots, its pairs, or the slots that it lifts."""
        return self.pairs or self.slots or self.lift

    @property
    def head_slot(self) -> int:
        """The number of the slot that the head itself is in; 0 for a rule without slots."""
        return next((n for n, slot in enumerate(self.slots) if HEAD in slot.labels), 0)

    @property
    def under(self) -> Slot:
        """The children of all heads that it is for."""
        return Slot((OTHER,), head_tags=self.heads, head_labels=self.labels)

    def closest(self, label: str) -> list[int]:
        """Return the slots for children with a label, by number, the closest fit first."""
        if label not in self._closest:
            names = {OTHER, base_label(label), *names_of(label)} - {HEAD}
            ranked = sorted(
                (
                    (slot.precedence(name), -place)
                    for place, slot in enumerate(self.slots)
                    for name in slot.labels
                    if name in names
                ),
                reverse=True,
            )
            self._closest[label] = list(dict.fromkeys(-negative for _, negative in ranked))
        return self._closest[label]

    @cached_property
    def _closest(self) -> dict[str, list[int]]:
        return {}

    def with_slots(self, change: Callable[[Slot], Slot]) -> Rule:
        """Return the rule with each of its slots changed, also those of pairs and lifts."""
        pairs = [replace(p, first=change(p.first), second=change(p.second)) for p in self.pairs]
        slots, lift = tuple(map(change, self.slots)), tuple(map(change, self.lift))
        return replace(self, slots=slots, pairs=tuple(pairs), lift=lift)

    @property
    def patterns(self) -> Iterator[Slot]:
        """All kinds of items that it names."""
        yield from (*self.slots, *self.lift)
        for pair in self.pairs:
            yield from (pair.first, pair.second)


@dataclass(frozen=True)
class Example:
    """A worked example of a rule set: a sentence, its tree and the words as they come out."""

    tree: Tree
    expected: str
