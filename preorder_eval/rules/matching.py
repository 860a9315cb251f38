"""Matching: which rule every head falls under, and which slot every item falls into.

If several rules fit a head, a rule that names its label goes first, then one that names its tag
rather than a pattern, then the one that comes first in the file. If several slots fit a child, the
one with the most conditions on the surroundings goes first; then one that names its word, its tag,
its subtype, its label, its side. Before all that, the lifting rules lift, slot by slot; each slot
works on the trees that the slot before it left.

This is fast because few tokens are tested, in little memory. Heads are matched once per combination
of tag and label. Children of one label under one rule are matched together: slots are tried from
the closest on, and each on those children alone that no slot has taken. A condition is made into a
test once per treebank (`items`), and tested on the items that are left by the conditions before it;
items of a word or label are found by an index, and so are the children of heads that are certain
words, if they are fewer than those of the label. All tests of what is around an item share two
arrays. Lifts change one copy of the heads; then tests are made anew, but no word is looked up
again. For rules of pairs, items that fit the same patterns are of one kind; what a label and a side
decide is decided once for all items that have them, and heads are tested for the patterns of their
own rules alone. Two kinds are decided once, and only circles of preferences need a search
(`pairs`).
`Fit.without` recomputes only the decisions of the rule or part that is removed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence, Set
from copy import copy
from functools import cached_property
from typing import Literal

import numpy as np

from preorder_eval.base.arrays import Bools, Longs, first_of_equals, gather, in_order
from preorder_eval.base.ragged import NameColumn
from preorder_eval.rules.conditions import HEAD, Slot
from preorder_eval.rules.items import Items, MadeOf, TagKind, tag_fits
from preorder_eval.rules.pairs import Numbered, PairOrder, kinds
from preorder_eval.rules.rule import Pair, Rule
from preorder_eval.trees.schemes import base_label, names_of
from preorder_eval.trees.treebank import Treebank

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
        tags: TagKind,
        default: Literal["keep", "reverse"],
        language: str = "any",
    ) -> None:
        lifts = any(rule.lift for rule in rules)
        self.treebank = treebank.with_own_heads() if lifts else treebank
        self._rules, self._tags, self._language = rules, tags, language
        self._lifted: dict[tuple[int, int], Longs] = {}
        self._items = Items(self.treebank, tags, language)
        for number, rule in enumerate(rules):
            for place, slot in enumerate(rule.lift):
                self._lift(number, place, slot)
        self._backwards = default == "reverse"
        self._match_heads()
        self._put_heads()
        self.slot = np.zeros(len(self.above), dtype=np.int64)
        self.turned = np.full(len(self.above), self._backwards)
        self.match_children(np.arange(len(self.above)))

    def _put_heads(self) -> None:
        """Put heads into the slots of the rules that they fall under."""
        # The last entries are for heads without a rule, whose number -1 finds them.
        reverse = [
            r.slots[r.head_slot].reverse if r.slots else self._backwards for r in self._rules
        ]
        self.own_slot = np.array([*(rule.head_slot for rule in self._rules), 0])[self.rule]
        self.own_turned = np.array([*reverse, self._backwards])[self.rule]
        heads, parents = self.treebank.heads, self.treebank.parents
        self.above = np.where(heads >= 0, self.rule[parents], NO_RULE)

    @cached_property
    def _own_items(self) -> Items:
        return Items(self.treebank, self._tags, self._language, as_heads=True)

    def _lift(self, number: int, place: int, slot: Slot) -> None:
        """Hang the children that fit a slot of a rule on the head of their head."""
        tests = [*slot.further_tests, *self._rules[number].under.tests]
        lifted = self._items.meeting(tests, slot.candidates(self._items))
        above = self.treebank.heads[self.treebank.parents[lifted]]
        lifted, above = lifted[above >= 0], above[above >= 0]
        self._lifted[number, place] = lifted
        if len(lifted):
            self.treebank.rehang(lifted, above)
            self._items.rehung(lifted)

    def _match_heads(self) -> None:
        """Find the rules that fit each combination of a tag and a label."""
        tags: NameColumn = getattr(self.treebank, self._tags)
        labels, kind = self.treebank.labels, self._head_kinds
        closest = np.full(len(tags.names) * len(labels.names), NO_RULE)
        chain = closest.copy()
        chains: dict[tuple[int, ...], int] = {}
        # The rules that fit heads of each kind, the closest first.
        self._fitting: dict[int, list[int]] = {}
        present = np.flatnonzero(np.bincount(kind, minlength=len(closest)))
        tag, label = np.divmod(present, len(labels.names))
        rules = [number for number, rule in enumerate(self._rules) if not rule.lift]
        closeness = np.full((len(rules), len(present)), NO_RULE)
        for row, number in enumerate(rules):
            of_tag, of_label = _closeness(self._rules[number], tags.names, labels.names)
            closeness[row] = 2 * of_label[label] + of_tag[tag]
            closeness[row, (of_label[label] < 0) | (of_tag[tag] < 0)] = NO_RULE
        order = np.argsort(-closeness, axis=0, kind="stable")
        fitting = np.count_nonzero(closeness >= 0, axis=0).tolist()
        for at, rows, many in zip(present.tolist(), order.T.tolist(), fitting, strict=True):
            self._fitting[at] = numbers = [rules[row] for row in rows[:many]]
            closest[at] = self._closest(numbers)
            if pairs := tuple(number for number in numbers if self._rules[number].pairs):
                chain[at] = chains.setdefault(pairs, len(chains))
        self.rule: Longs = closest[kind]
        # The rules of pairs that fit together, closest first, and which of these fit a head.
        self._chains, self._chain = list(chains), chain[kind]

    @property
    def _head_kinds(self) -> Longs:
        """The tag and the label of each token as one number; int64[N]."""
        tags: NameColumn = getattr(self.treebank, self._tags)
        labels = self.treebank.labels
        return tags.codes.astype(np.int64) * len(labels.names) + labels.codes

    def _closest(self, numbers: Iterable[int]) -> int:
        """Return the rule that heads fall under, of those that fit them."""
        # Rules of slots go before rules of pairs, which come to bear in any case.
        return min(numbers, key=lambda number: not self._rules[number].slots, default=NO_RULE)

    def match_children(self, children: Longs, but: int | None = None) -> None:
        """Find for children the slot that fits them most closely in the rules of their heads.

        They are not put into the slot of the number `but`.
        """
        slotted = np.array([*(bool(rule.slots) for rule in self._rules), False])
        children = children[slotted[self.above[children]]]
        codes = self.treebank.labels.codes
        children = children[in_order(self.above[children], codes[children])]
        new = np.flatnonzero(first_of_equals(self.above[children], codes[children]))
        self.slot[children] = -1
        for left in np.split(children, new[1:]) if len(children) else []:
            rule = self._rules[self.above[left[0]]]
            for place in rule.closest(self.treebank.labels[int(left[0])]):
                if place == but:
                    continue
                fits = rule.slots[place].meeting(self._items, left)
                if len(fits):  # few slots take any
                    self.slot[fits], self.turned[fits] = place, rule.slots[place].reverse
                    left = left.compress(self.slot[left] < 0)

    def can_be_without(self, number: int) -> bool:
        """Return whether a rule and its parts can be left out by `without`.

        It cannot remove a rule that lifts, nor a slot of one, because that would change the trees.
        """
        return not self._rules[number].lift

    def without(self, number: int, place: int | None) -> Fit:
        """Match the tokens with the rules without a rule, or without a slot or a pair of it.

        The result is that of the rules without that part, but only the decisions of the part are
        recomputed.
        """
        fewer, rule = copy(self), self._rules[number]
        vars(fewer).pop("items", None)
        if len(rule.parts) == 1:
            place = None
        if place is None:
            fewer.fall_through(number)
        if rule.pairs:
            left_out = {}  # by the chains that have the rule
            for at, chain in enumerate(self._chains):
                if number in chain:
                    before = chain[: chain.index(number)]
                    first = sum(len(self._rules[n].pairs) for n in before) + 1
                    numbers = range(first, first + len(rule.pairs))
                    left_out[at] = numbers if place is None else numbers[place : place + 1]
            items, order = self._by_pairs
            vars(fewer).update(_by_pairs=(items, order.without(left_out)))
            return fewer
        fewer.slot, fewer.turned = self.slot.copy(), self.turned.copy()
        of_rule = self.above == number
        children = np.flatnonzero(of_rule if place is None else of_rule & (self.slot == place))
        if place is None:
            fewer.slot[children], fewer.turned[children] = 0, self._backwards
        fewer.match_children(children, but=place)
        for of_slots in ("_by_slots", "_by_pairs"):
            vars(fewer).pop(of_slots, None)
        there = np.zeros(len(self.rule), dtype=bool)
        there[self.treebank.parents[children]] = True
        fewer.lay_out(there, self.items[0])
        return fewer

    def fall_through(self, number: int) -> None:
        """Let the heads under a rule fall under the next one that fits."""
        kind, under = self._head_kinds, self.rule == number
        self.rule = self.rule.copy()
        for each in np.flatnonzero(np.bincount(kind[under])).tolist():
            left = self._closest(other for other in self._fitting[each] if other != number)
            self.rule[under & (kind == each)] = left
        self._put_heads()

    def lay_out(self, heads: Bools, before: Longs) -> None:
        """Lay out some heads anew, bool[N]; `before` are all tokens of `items` as they came out."""
        token, block = self._by_slots
        if self._chains:
            at, order = self._pairs_of(heads)
            token = token.copy()
            token[at] = token[at][order.items]
        self.items = np.where(heads[block], token, before), block

    @cached_property
    def items(self) -> tuple[Longs, Longs]:
        """The items of all heads as they come out, and the head of each, those of one together."""
        token, block = self._by_slots
        if self._chains:
            at, order = self._by_pairs
            token = token.copy()
            token[at] = token[at][order.items]
        return token, block

    @cached_property
    def _by_slots(self) -> tuple[Longs, Longs]:
        """The same as `items`, without the rules of pairs."""
        child, head = np.flatnonzero(self.treebank.heads >= 0), self._heads
        token, block = np.append(head, child), np.append(head, self.treebank.parents[child])
        turned = np.append(self.own_turned[head], self.turned[child])
        slot = np.append(self.own_slot[head], self.slot[child])
        at = in_order(block, slot, np.where(turned, len(self.rule) - token, token))
        return token[at], block[at]

    @cached_property
    def _heads(self) -> Longs:
        """All tokens that have children."""
        return np.flatnonzero(self._marked(self.treebank.parents[self.treebank.heads >= 0]))

    def _heads_under(self, rules: Set[int]) -> Longs:
        """Return the heads that one of these rules of pairs lays out."""
        bounds, heads = self._heads_by_chain
        chains = [n for n, chain in enumerate(self._chains) if not rules.isdisjoint(chain)]
        return heads[gather(bounds, np.array(chains))[1]]

    @cached_property
    def _heads_by_chain(self) -> tuple[Longs, Longs]:
        """Where the heads of each chain begin, and all heads that have one, sorted by it."""
        heads = self._heads.compress(self._chain[self._heads] != NO_RULE)
        heads = heads[in_order(self._chain[heads])]
        return np.searchsorted(self._chain[heads], np.arange(len(self._chains) + 1)), heads

    @cached_property
    def _by_pairs(self) -> tuple[Longs, PairOrder]:
        """The items that rules of pairs lay out, by number, and their order."""
        return self._pairs_of(np.ones(len(self.rule), dtype=bool))

    def _pairs_of(self, wanted: Bools) -> tuple[Longs, PairOrder]:
        """Return the same as `_by_pairs`, for the wanted heads only; bool[N]."""
        token, block = self._by_slots
        at = np.flatnonzero((wanted & (self._chain != NO_RULE))[block])
        token, block = token[at], block[at]
        bounds = np.append(np.flatnonzero(first_of_equals(block)), len(block))
        is_head = token == block
        kind, fits, chains = self._kinds
        kind = kind[token + len(self.rule) * is_head]
        chain = self._chain[block[bounds[:-1]]]
        return at, PairOrder(bounds, is_head, kind, fits, chain, chains)

    @cached_property
    def _kinds(self) -> tuple[Longs, Bools, list[list[Numbered]]]:
        """The kinds of all tokens, first as children and then as heads, and what they fit.

        With them come the chains of pairs, each with the numbers of its two patterns.
        """
        size = len(self.rule)
        # Chains share their rules, so the pairs of each rule are numbered once.
        patterns: dict[Slot, int] = {}

        def pattern(side: Slot) -> int:
            return patterns.setdefault(side, len(patterns))

        numbered: dict[int, list[Numbered]] = {
            number: [
                (pattern(pair.first), pattern(pair.second), pair.order)
                for pair in self._rules[number].pairs
            ]
            for number in dict.fromkeys(number for chain in self._chains for number in chain)
        }
        # Many patterns ask the same of a head, often nothing; it is asked under their rules alone.
        of_head = {side: tuple(side.tests) for side in patterns if HEAD in side.labels}
        tests = {key: side for side, key in of_head.items()}
        asking: dict[tuple[MadeOf, ...], set[int]] = {key: set() for key in tests}
        for number in numbered:
            for pair in self._rules[number].pairs:
                for side in of_head.keys() & {pair.first, pair.second}:
                    asking[of_head[side]].add(number)
        columns = {key: number for number, key in enumerate(tests, len(patterns))}
        # Most patterns that fit many children ask for a label and a side alone.
        plain = {side: number for side, number in patterns.items() if side.plain}
        spots = self._items.spot_count
        fits = np.zeros((spots + 1, len(patterns) + len(tests)), dtype=bool)
        for side, number in plain.items():
            fits[:-1, number] = side.fitting_spots(self._items)
        as_children = (
            (number, side.fitting(self._items))
            for side, number in patterns.items()
            if not side.plain
        )
        as_heads = (
            (columns[key], side.meeting(self._own_items, self._heads_under(asking[key])) + size)
            for key, side in tests.items()
        )
        known = np.full(2 * size, spots)
        known[:size] = self._items.spots
        kind, fits = kinds(known, fits, itertools.chain(as_children, as_heads))
        as_head = [columns[of_head[side]] if side in of_head else -1 for side in patterns]
        none = np.zeros((len(fits), 1), dtype=bool)
        fits = fits[:, : len(patterns)] | np.append(fits, none, axis=1)[:, as_head]
        chains = [[pair for number in chain for pair in numbered[number]] for chain in self._chains]
        return kind, fits, chains

    def circles(self) -> list[tuple[Pair, ...]]:
        """Return each circle that pairs of the rules make under a head, the pair given up first."""
        if not self._chains:
            return []
        _, order = self._by_pairs
        pairs_of = [[p for n in chain for p in self._rules[n].pairs] for chain in self._chains]
        return [
            tuple(pairs_of[chain][number - 1] for number in numbers)
            for chain, numbers in order.circles()
        ]

    def applied(self, number: int, place: int | None) -> Bools:
        """Return which heads a rule laid out, or which children are in its slot `place`; bool[N].

        For a rule of pairs these are the heads that it fits, or the children that fit one side of a
        pair while another item fits the other side. For a rule that lifts they are the children
        lifted.
        """
        if self._rules[number].lift:
            places = range(len(self._rules[number].lift)) if place is None else [place]
            lifted = np.zeros(len(self.rule), dtype=bool)
            lifted[np.concatenate([self._lifted[number, each] for each in places])] = True
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
        parents = self.treebank.parents
        under = self._marked(rule.under.fitting(self._items))
        if place is None or len(rule.pairs) == 1:
            return self._marked(parents[under])
        pair, fits, anywhere = rule.pairs[place], [], []
        for side in (pair.first, pair.second):
            children, heads = side.fitting(self._items), side.fitting(self._own_items)
            fits.append(self._marked(children))
            anywhere.append(self._marked(np.append(heads, parents[children]))[parents])
        return under & np.logical_or(*fits) & np.logical_and(*anywhere)

    def _marked(self, tokens: Longs | Bools) -> Bools:
        marked = np.zeros(len(self.rule), dtype=bool)
        marked[tokens] = True
        return marked


def _closeness(rule: Rule, tags: Sequence[str], labels: Sequence[str]) -> tuple[Longs, Longs]:
    """Return how closely a rule fits each of some tags and of some labels of heads, -1 for not.

    For tags it is 1 for one that the rule names, and 0 for one that fits its patterns; for labels 2
    for one that it names, 1 for a subtype, and 0 if it names none.
    """
    of_tag = [int(tag in rule.heads) if tag_fits(rule.heads, tag) else -1 for tag in tags]
    of_label = [
        2 * (not names_of(label).isdisjoint(rule.labels))
        or (base_label(label) in rule.labels)
        or -1
        for label in labels
    ]
    return np.array(of_tag), np.array(of_label if rule.labels else [0] * len(labels))
