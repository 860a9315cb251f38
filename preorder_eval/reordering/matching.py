"""Which rule every head of a treebank falls under, and where each of its items belongs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Bools, Longs, within
from preorder_eval.data.ragged import Column
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.conditions import HEAD, OTHER, Items, Tags, tag_fits
from preorder_eval.reordering.pairs import pair_ranks
from preorder_eval.reordering.rules import Rule
from preorder_eval.reordering.schemes import base_label

NO_RULE = -1


class Fit:
    """How the tokens of a treebank fit rules; arrays of N.

    `rule`: the number of the rule that the token as a head falls under (that of slots, if there is
    one), or -1; `above`: that of its own head, -1 for a root. `slot`, `turned`: its slot as a
    child, and whether that reverses the source order; `own_slot`, `own_turned`: the same for the
    token as the head of its children.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        treebank: Treebank,
        tags: Tags,
        default: Literal["keep", "reverse"],
    ) -> None:
        ranked = list(_ranked(rules, getattr(treebank, tags).names, treebank.labels.names))
        self.rule = _closest(rules, ranked, treebank, tags)
        # The last entries are for heads without a rule, whose number -1 finds them.
        backwards = default == "reverse"
        own = [r.slots[r.head_slot].reverse if r.slots else backwards for r in rules]
        self.own_slot = np.array([*(rule.head_slot for rule in rules), 0])[self.rule]
        self.own_turned = np.array([*own, backwards])[self.rule]

        self.above = np.where(treebank.heads >= 0, self.rule[treebank.parents], NO_RULE)
        self.slot = np.zeros(len(self.above), dtype=np.int64)
        self.turned = np.full(len(self.above), backwards)
        self._slots(rules, treebank, getattr(treebank, tags))
        self._surroundings(rules, treebank, tags)
        self._ranked, self._rules, self._treebank, self._tags = ranked, rules, treebank, tags

    def _slots(self, rules: Sequence[Rule], treebank: Treebank, tags: Column) -> None:
        """Slots by label, side, tag and word, looked up in a table."""
        by_slots = np.array([not rule.pairs for rule in rules] + [False])
        child = np.flatnonzero(by_slots[self.above])
        labels = treebank.labels
        after = (treebank.heads[child] < within(treebank.offsets)[child]).astype(np.int64)
        words, classes = _word_classes(rules, treebank)
        tables = [_slot_table(rule, labels.names, tags.names, classes) for rule in rules]
        shape = (len(tables), len(labels.names), 2, len(tags.names), len(classes))
        table = np.array(tables, dtype=np.int64).reshape(shape)
        rule = self.above[child]
        self.slot[child] = table[rule, labels.codes[child], after, tags.codes[child], words[child]]
        most = max((len(entry.slots) for entry in rules), default=0)
        reverse = np.zeros((len(rules), max(most, 1)), dtype=bool)
        for r, entry in enumerate(rules):
            reverse[r, : len(entry.slots)] = [slot.reverse for slot in entry.slots]
        self.turned[child] = reverse[rule, self.slot[child]]

    def _surroundings(self, rules: Sequence[Rule], treebank: Treebank, tags: Tags) -> None:
        """Slots with conditions on the surroundings go before the others."""
        items = Items(treebank, tags)
        for number, rule in enumerate(rules):
            particular = [
                (max(map(slot.precedence, slot.labels)), -place, slot)
                for place, slot in enumerate(rule.slots)
                if slot.surroundings
            ]
            # The closest fit is written last, of equally close ones the first.
            for _, negative, slot in sorted(particular, key=lambda fit: fit[:2]):
                fits = items.fitting(slot) & (self.above == number)
                self.slot[fits] = -negative
                self.turned[fits] = slot.reverse

    def places(self) -> tuple[Longs, Bools, Longs, Bools]:
        """What `linearize` asks for: slots, or places by pairs where there are such rules.

        Of rules of pairs those that fit a head less closely complete those that fit it closely;
        what they leave open stays in the order that slots and source give.
        """
        slots = self.slot, self.turned, self.own_slot, self.own_turned
        if not any(rule.pairs for rule in self._rules):
            return slots
        here = np.arange(len(self.rule))
        before = np.where(self.turned, -here, here), self.slot
        own_before = np.where(self.own_turned, -here, here), self.own_slot
        stood = before, own_before
        chains, chain = self._chains()
        heads = chain != NO_RULE
        if scored := [pair for rule in self._rules if rule.scored for pair in rule.pairs]:
            # Scores are rare, and scipy takes a while to import.
            from preorder_eval.reordering.scored_pairs import scored_ranks

            rank, own_rank = scored_ranks(self._treebank, self._tags, scored, heads, *stood)
        else:
            rank, own_rank = pair_ranks(
                self._treebank, self._tags, self._rules, chains, chain, *stood
            )
        children = heads[self._treebank.parents] & (self._treebank.heads >= 0)
        return (
            np.where(children, rank, self.slot),
            self.turned & ~children,
            np.where(heads, own_rank, self.own_slot),
            self.own_turned & ~heads,
        )

    def _chains(self) -> tuple[list[tuple[int, ...]], Longs]:
        """The rules of pairs that fit together, closest first, and which of these fits a head."""
        labels, names = self._treebank.labels, getattr(self._treebank, self._tags)
        place = names.codes.astype(np.int64) * len(labels.names) + labels.codes
        of_place = np.full(len(names.names) * len(labels.names), NO_RULE)
        chains: dict[tuple[int, ...], int] = {}
        found = np.bincount(place[self.rule != NO_RULE], minlength=len(of_place))
        for at in np.flatnonzero(found).tolist():
            tag, label = divmod(at, len(labels.names))
            fitting = (n for n, tags, of_label in self._ranked if tag in tags and label in of_label)
            used = tuple(n for n in dict.fromkeys(fitting) if self._rules[n].pairs)
            if used:
                of_place[at] = chains.setdefault(used, len(chains))
        return list(chains), of_place[place]


_Ranked = tuple[int, Sequence[int], Sequence[int]]


def _ranked(rules: Sequence[Rule], tags: Sequence[str], labels: Sequence[str]) -> Iterator[_Ranked]:
    """The numbers of the rules, the closest fit first, each with the tags and labels of heads.

    A rule occurs once for each way in which it can fit.
    """
    fits = []
    for number, rule in enumerate(rules):
        exact = [i for i, tag in enumerate(tags) if tag in rule.heads]
        loose = [i for i, tag in enumerate(tags) if tag_fits(tag, rule.heads)]
        named = [i for i, label in enumerate(labels) if label in rule.labels]
        based = [i for i, label in enumerate(labels) if base_label(label) in rule.labels]
        of_label = [named, based] if rule.labels else [range(len(labels))]
        for closeness, columns in zip((2, 1) if rule.labels else (0,), of_label, strict=True):
            fits += [((closeness, n), -number, t, columns) for n, t in enumerate((loose, exact))]
    # Of rules that fit equally closely the first comes first.
    for _, negative, of_tag, columns in sorted(fits, key=lambda fit: fit[:2], reverse=True):
        yield -negative, of_tag, columns


def _closest(
    rules: Sequence[Rule], ranked: Sequence[_Ranked], treebank: Treebank, tags: Tags
) -> Longs:
    """The number of the rule that every token as a head falls under, or -1; int64[N].

    Rules of slots go before rules of pairs, which say what they have to say in any case.
    """
    column, labels = getattr(treebank, tags), treebank.labels
    table = np.full((len(column.names), len(labels.names)), NO_RULE)
    for by_slots in (False, True):
        for number, of_tag, of_label in reversed(ranked):
            if bool(rules[number].slots) == by_slots:
                table[np.ix_(of_tag, of_label)] = number
    closest: Longs = table[column.codes, labels.codes]
    return closest


def _word_classes(
    rules: Sequence[Rule], treebank: Treebank
) -> tuple[NDArray[np.int64], tuple[frozenset[tuple[str, ...]], ...]]:
    """For every token the number of its class, and the classes.

    What matters of a word is only which of the rules' word lists it is on: that is its class.
    """
    lists = {slot.words for rule in rules for slot in rule.slots if slot.words}
    numbers: dict[frozenset[tuple[str, ...]], int] = {}
    column = treebank.lower_words
    of_name = [
        numbers.setdefault(frozenset(words for words in lists if name in words), len(numbers))
        for name in column.names
    ]
    return np.array(of_name, dtype=np.int64)[column.codes], tuple(numbers)


@lru_cache(maxsize=256)  # rule sets that are compared or edited have most rules in common
def _slot_table(
    rule: Rule,
    labels: tuple[str, ...],
    tags: tuple[str, ...],
    classes: tuple[frozenset[tuple[str, ...]], ...],
) -> NDArray[np.int64]:
    """The slot of a child by label, side, tag and word class, whatever surrounds it."""
    table = np.zeros((len(labels), 2, len(tags), len(classes)), dtype=np.int64)
    covered: dict[str, list[int]] = {}
    for i, name in enumerate(labels):
        for covering in {name, base_label(name), OTHER}:
            covered.setdefault(covering, []).append(i)
    fits = [
        (slot.precedence(label), number, label)
        for number, slot in enumerate(rule.slots)
        for label in slot.labels
        if label != HEAD and label in covered and not slot.surroundings
    ]
    # The closest fit is written last.
    for _, number, label in sorted(fits):
        slot = rule.slots[number]
        of_side = {"before": [0], "after": [1], None: [0, 1]}[slot.side]
        of_tag = [i for i, tag in enumerate(tags) if tag_fits(tag, slot.tags)]
        of_class = [i for i, on in enumerate(classes) if not slot.words or slot.words in on]
        table[np.ix_(covered[label], of_side, of_tag, of_class)] = number
    table.setflags(write=False)
    return table
