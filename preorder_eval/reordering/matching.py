"""Matching: which rule every head falls under, and which slot every item falls into.

If several rules fit a head, a rule that names its label goes first, then one that names its tag
rather than a pattern, then the one that comes first in the file. If several slots fit a child, the
one with the most conditions on the surroundings goes first; then one that names its word, its tag,
its subtype, its label, its side. Before all that, the lifting rules lift, slot by slot; each slot
works on the trees that the slot before it left.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import Literal

import numpy as np

from preorder_eval.data.arrays import Bools, Longs
from preorder_eval.data.ragged import NameColumn
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.conditions import HEAD, OTHER, Items, Slot, Tags, tag_fits
from preorder_eval.reordering.pairs import pair_ranks
from preorder_eval.reordering.rule import Rule
from preorder_eval.reordering.schemes import base_label, names_of

NO_RULE = -1


class Fit:
    """How the tokens of a treebank fit the rules; arrays of N.

    `treebank` are the trees after lifting, to which everything else refers. `rule` is the number of
    the rule that a token, as a head, falls under (of slots, if one fits), -1 for none; `above` is
    that of its own head, -1 for a root. `slot` is its slot as a child, and `turned` whether that
    slot reverses the source order; `own_slot` and `own_turned` are the same for the token as the
    head of its children.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        treebank: Treebank,
        tags: Tags,
        default: Literal["keep", "reverse"],
    ) -> None:
        self._rules, self.treebank, self._tags = rules, treebank, tags
        self._lifted: dict[tuple[int, int], Bools] = {}
        for number, rule in enumerate(rules):
            for place, slot in enumerate(rule.lift):
                self._lift(number, place, slot)
        self._match_heads()
        # The last entries are for heads without a rule, whose number -1 finds them.
        backwards = default == "reverse"
        reverse = [r.slots[r.head_slot].reverse if r.slots else backwards for r in rules]
        self.own_slot = np.array([*(rule.head_slot for rule in rules), 0])[self.rule]
        self.own_turned = np.array([*reverse, backwards])[self.rule]

        heads, parents = self.treebank.heads, self.treebank.parents
        self.above = np.where(heads >= 0, self.rule[parents], NO_RULE)
        self.slot = np.zeros(len(self.above), dtype=np.int64)
        self.turned = np.full(len(self.above), backwards)
        self._match_children()

    def _lift(self, number: int, place: int, slot: Slot) -> None:
        """Hang the children that fit a slot of a rule on the head of their head."""
        heads, above = self.treebank.heads, self.treebank.heads[self.treebank.parents]
        lifted = Items(self.treebank, self._tags).fitting(slot) & (above >= 0)
        lifted &= self._under(self._rules[number])
        self._lifted[number, place] = lifted
        if lifted.any():
            self.treebank = replace(self.treebank, heads=np.where(lifted, above, heads))

    def _under(self, rule: Rule) -> Bools:
        """Return the children of all heads that a rule is for; bool[N]."""
        every = Slot((OTHER,), head_tags=rule.heads, head_labels=rule.labels)
        return Items(self.treebank, self._tags).fitting(every)

    def _match_heads(self) -> None:
        """Find the rules that fit each combination of a tag and a label."""
        tags: NameColumn = getattr(self.treebank, self._tags)
        labels = self.treebank.labels
        kind = tags.codes.astype(np.int64) * len(labels.names) + labels.codes
        closest = np.full(len(tags.names) * len(labels.names), NO_RULE)
        chain = closest.copy()
        chains: dict[tuple[int, ...], int] = {}
        for at in np.flatnonzero(np.bincount(kind, minlength=len(closest))).tolist():
            tag, label = divmod(at, len(labels.names))
            fitting = _fitting(self._rules, tags.names[tag], labels.names[label])
            # Rules of slots go before rules of pairs, which come to bear in any case.
            closest[at] = min(fitting, key=lambda n: not self._rules[n].slots, default=NO_RULE)
            if pairs := tuple(number for number in fitting if self._rules[number].pairs):
                chain[at] = chains.setdefault(pairs, len(chains))
        self.rule: Longs = closest[kind]
        # The rules of pairs that fit together, closest first, and which of these fit a head.
        self._chains, self._chain = list(chains), chain[kind]

    def _match_children(self) -> None:
        """Find for every child the slot that fits it most closely in the rule of its head."""
        items = Items(self.treebank, self._tags)
        for number in np.unique(self.above[self.above != NO_RULE]).tolist():
            under, rule = self.above == number, self._rules[number]
            ranked = sorted(
                ((slot.precedence(label), -place), label)
                for place, slot in enumerate(rule.slots)
                for label in slot.labels
                if label != HEAD
            )
            # The closest fit is written last, of equally close ones the first.
            for (_, negative), alike in itertools.groupby(ranked, key=itemgetter(0)):
                slot = rule.slots[-negative]
                labels = tuple(label for _, label in alike)
                fits = under & items.fitting(replace(slot, labels=labels))
                self.slot[fits] = -negative
                self.turned[fits] = slot.reverse

    def places(self) -> tuple[Longs, Bools, Longs, Bools]:
        """Return the slots that `linearize` takes; under rules of pairs the places instead."""
        if not self._chains:
            return self.slot, self.turned, self.own_slot, self.own_turned
        here = np.arange(len(self.rule))
        before = np.where(self.turned, -here, here), self.slot
        own_before = np.where(self.own_turned, -here, here), self.own_slot
        rank, own_rank = pair_ranks(
            self.treebank, self._tags, self._rules, self._chains, self._chain, before, own_before
        )
        heads = self._chain != NO_RULE
        children = heads[self.treebank.parents] & (self.treebank.heads >= 0)
        return (
            np.where(children, rank, self.slot),
            self.turned & ~children,
            np.where(heads, own_rank, self.own_slot),
            self.own_turned & ~heads,
        )

    def applied(self, number: int, place: int | None) -> Bools:
        """Return which heads a rule laid out, or which children are in its slot `place`; bool[N].

        For a rule of pairs these are the heads that it fits, or the children that fit one side of a
        pair while another item fits the other side. For a rule that lifts they are the children
        lifted.
        """
        if self._rules[number].lift:
            places = range(len(self._rules[number].lift)) if place is None else [place]
            lifted: Bools = np.logical_or.reduce([self._lifted[number, each] for each in places])
            return lifted
        if self._rules[number].pairs:
            return self._pairs_applied(self._rules[number], place)
        children: Bools = self.above == number
        if place is not None:
            children &= self.slot == place
            return children
        heads = np.zeros_like(children)
        heads[self.treebank.parents[children]] = True
        return heads

    def _pairs_applied(self, rule: Rule, place: int | None) -> Bools:
        items = Items(self.treebank, self._tags)
        as_heads = Items(self.treebank, self._tags, heads=True)
        children = self._under(rule)
        if place is None or len(rule.pairs) == 1:
            return items.children(children) > 0
        pair, sides = rule.pairs[place], []
        for side in (pair.first, pair.second):
            fits = items.fitting(side)
            anywhere = as_heads.fitting(side) | (items.children(fits) > 0)
            sides.append((fits, anywhere[self.treebank.parents]))
        (first, has_first), (second, has_second) = sides
        return children & (first | second) & has_first & has_second


def _fitting(rules: Sequence[Rule], tag: str, label: str) -> list[int]:
    """Return the rules that lay out a head of that tag and label, by number, the closest first."""
    closeness = [_closeness(rule.heads, rule.labels, tag, label) for rule in rules]
    fitting = [n for n, close in enumerate(closeness) if close is not None and not rules[n].lift]
    return sorted(fitting, key=lambda number: closeness[number] or (), reverse=True)


@lru_cache(maxsize=1 << 16)
def _closeness(
    heads: tuple[str, ...], labels: tuple[str, ...], tag: str, label: str
) -> tuple[bool, bool, bool] | None:
    """Return how closely a rule for these heads and labels fits; None if it does not.

    That is whether it names the head's label, that or what it is a subtype of, and the tag.
    """
    named, based = not names_of(label).isdisjoint(labels), base_label(label) in labels
    if (labels and not (named or based)) or not tag_fits(tag, heads):
        return None
    return named, bool(labels), tag in heads
