"""Rules as data: pairs of slots, rules of slots, of pairs or of lifts, and worked examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.conditions import HEAD, Slot


@dataclass(frozen=True)
class Pair:
    """Two kinds of items, named as slots are: what fits the first comes out before the second.

    Or, as `order` says, the two are reversed, or keep the order that they have without pairs; the
    two kinds can then be the same.
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
    """The order of items for the heads whose tag is among `heads` (patterns such as VB*).

    It is either a list of `slots`, in target order, or of `pairs`, of which the first that fits two
    items decides. With `labels` the rule is only for heads that are themselves attached by one of
    these labels. So a relative clause can have another order than a main clause. A rule of pairs
    may leave something open. That is left to the rule of pairs that fits next, then to the rule of
    slots that fits, then to the rule set's default. `matching` has the order in which several rules
    fit a head. By its `name` a file that extends this one replaces it.

    A rule that has a `lift` instead lays nothing out. It hangs the children of these heads that fit
    one of its slots on the head of their head, before anything is laid out.
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
    def patterns(self) -> Iterator[Slot]:
        """All its kinds of items."""
        yield from (*self.slots, *self.lift)
        for pair in self.pairs:
            yield from (pair.first, pair.second)


@dataclass(frozen=True)
class Example:
    """A worked example of a rule set: a sentence, its tree and the words as they come out."""

    treebank: Treebank = field(repr=False, compare=False)
    expected: str
