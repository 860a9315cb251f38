"""The order of a tree, every subtree kept whole, that is best by the fuzzy reordering score.

The phrases of a tree are arranged from the smallest up, each in all the ways that the words around
it may need: `item_subsets` says which these are.

Which joints a reference keeps is simplified: a word may follow another if its rank is the same or
the next one, and where words are matched as words, if that holds of any of their instances. So
where ranks are tied or words repeated, fewer joints may seem to break than do by the metric, never
more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from preorder_eval.analysis.item_subsets import NO_JOINT, Ends, Subsets, Ways, bound
from preorder_eval.analysis.tree_blocks import Blocks, Item, blocks_of, laid_out, members_of
from preorder_eval.data.arrays import Bools, Longs

MOST_EXACT = 12  # items of a block that can be joined to anything; 2^12 subsets take some 10 ms
_FREE: Ways = {(NO_JOINT, NO_JOINT): 0}


def fewest_breaks(
    heads: Sequence[int],
    ranks: ArrayLike,
    linked: ArrayLike,
    words: ArrayLike | None = None,
) -> tuple[list[int], int]:
    """An order of the words that breaks few joints, and how many any order breaks at least.

    Parameters: of each word its head's position, -1 for the root, its rank in the reference,
    whether it counts, and its number in a vocabulary if words are matched as words. But for the
    simplification above, the order breaks as many joints as the second number says unless a block
    has more than `MOST_EXACT` items that can be joined to anything.

    >>> fewest_breaks([1, -1, 1], [0, 2, 1], [True] * 3)
    ([0, 2, 1], 0)
    >>> fewest_breaks([2, 2, -1, 0], [0, 1, 2, 3], [True] * 4)  # the last hangs on the first
    ([3, 0, 1, 2], 1)
    """
    blocks = blocks_of(heads)
    size, root = len(heads), len(heads) + heads.index(-1)
    counted = np.asarray(linked, dtype=bool)
    members = members_of(blocks) & counted
    held = {item: members[item] for item in range(2 * size) if members[item].any()}
    if root not in held:
        return laid_out(blocks, root, size), 0
    joints = _Joints(np.asarray(ranks), counted, words)
    arranged = {
        phrase: [item for item in items if item in held]
        for phrase, items in blocks.items()
        if phrase in held
    }
    phrases = _Phrases(arranged, held, joints)
    least = min(phrases.ways[root].values())
    if phrases.too_large:
        for phrase in phrases.too_large:
            arranged = _divided(arranged, phrase, held, np.asarray(ranks))
        phrases = _Phrases(arranged, held, joints)
    order = laid_out(phrases.arranged(root), root, size)
    return laid_out(_with_the_rest(blocks, order), root, size), least


class _Joints:
    """Which joints are kept, by classes of words that are all alike."""

    def __init__(self, ranks: Longs, counted: Bools, words: ArrayLike | None) -> None:
        self._counted = counted
        dense = np.unique(ranks[counted], return_inverse=True)[1]
        rank = np.full(len(ranks), -2)  # follows nothing, and nothing follows it
        rank[counted] = dense
        step = rank[None, :] - rank[:, None]
        kept = ((step == 0) | (step == 1)) & counted[:, None] & counted[None, :]
        if words is not None:
            word = np.asarray(words)
            same = ((word[:, None] == word[None, :]) & counted).astype(np.float32)
            kept = (same @ kept.astype(np.float32) @ same.T > 0) & counted[:, None] & counted
        rows, self.last = np.unique(kept, axis=0, return_inverse=True)
        columns, self.first = np.unique(rows, axis=1, return_inverse=True)
        self.kept: Bools = columns  # of a last word of one class and a first one of another

    def opens(self, held: Bools) -> Bools:
        """Which first words could be joined to something outside; bool[classes of them]."""
        opens: Bools = np.any(self.kept[self.last[self._counted & ~held]], axis=0)
        return opens

    def closes(self, held: Bools) -> Bools:
        """Which last words something outside could be joined to; bool[classes of them]."""
        closes: Bools = np.any(self.kept[:, self.first[self._counted & ~held]], axis=1)
        return closes


class _Phrases:
    """The ways to arrange every phrase, by its blocks, smaller ones first."""

    def __init__(self, blocks: Blocks, held: Mapping[Item, Bools], joints: _Joints) -> None:
        self.ways: dict[Item, Ways] = {}
        self.too_large: list[Item] = []
        self._put_together: dict[Item, tuple[list[list[Item]], Subsets | None]] = {}
        for phrase, items in blocks.items():
            for token in items:
                if token not in self.ways:
                    self.ways[token] = _alone(token, held[token], joints)
            groups = list(self._grouped(items))
            ways = [_together([self.ways[item] for item in group]) for group in groups]
            if len(groups) == 1:
                self._put_together[phrase] = groups, None
                self.ways[phrase] = ways[0]
                continue
            context = joints.kept, joints.opens(held[phrase]), joints.closes(held[phrase])
            if len(groups) > MOST_EXACT:
                self.too_large.append(phrase)
                self.ways[phrase] = bound(ways, *context)
                continue
            subsets = Subsets(ways, *context)
            self._put_together[phrase] = groups, subsets
            self.ways[phrase] = subsets.ways

    def _grouped(self, items: Sequence[Item]) -> Iterator[list[Item]]:
        """Every item by itself, but what can be joined to nothing together.

        There it stands as well as anywhere: wherever it is, there is a break on both sides.
        """
        free = [item for item in items if self.ways[item].keys() == _FREE.keys()]
        for item in items:
            if item not in free:
                yield [item]
            elif item == free[0]:
                yield free

    def arranged(self, root: Item) -> Blocks:
        """The items of each phrase in the order in which the fewest joints break."""
        blocks: Blocks = {}
        ways = self.ways[root]
        waiting: list[tuple[Item, Ends]] = [(root, min(ways, key=ways.__getitem__))]
        while waiting:
            phrase, ends = waiting.pop()
            if phrase not in self._put_together:
                continue
            groups, subsets = self._put_together[phrase]
            blocks[phrase] = []
            for number, own in subsets.arrangement(ends) if subsets else [(0, ends)]:
                blocks[phrase] += groups[number]
                waiting += [(item, own) for item in groups[number]]
        return blocks


def _alone(token: int, held: Bools, joints: _Joints) -> Ways:
    """The only way to arrange a single word."""
    first, last = int(joints.first[token]), int(joints.last[token])
    opens, closes = joints.opens(held)[first], joints.closes(held)[last]
    return {(first if opens else NO_JOINT, last if closes else NO_JOINT): 0}


def _together(group: Sequence[Ways]) -> Ways:
    """The ways to arrange an item, or several that can be joined to nothing, one after another."""
    if len(group) == 1:
        return group[0]
    [ends] = _FREE
    return {ends: sum(ways[ends] for ways in group) + len(group) - 1}


def _divided(blocks: Blocks, phrase: Item, held: dict[Item, Bools], ranks: Longs) -> Blocks:
    """The blocks with the items of one in parts by their mean rank, each part a phrase of its own.

    The parts are added to what is `held`.
    """
    items = blocks[phrase]
    parts: Blocks = {}
    while len(items) > MOST_EXACT:
        items = sorted(items, key=lambda item: float(ranks[held[item]].mean()))
        cut = [items[n : n + MOST_EXACT] for n in range(0, len(items), MOST_EXACT)]
        items = list(range(max(held) + 1, max(held) + 1 + len(cut)))
        for number, part in zip(items, cut, strict=True):
            parts[number] = part
            held[number] = np.logical_or.reduce([held[item] for item in part])
    divided: Blocks = {}
    for other, own in blocks.items():
        divided |= {**parts, phrase: items} if other == phrase else {other: own}
    return divided


def _with_the_rest(blocks: Blocks, order: Sequence[int]) -> Blocks:
    """The blocks with what counts in the given order, the rest behind what it follows in source."""
    size = len(blocks)
    place = np.full(size, size)
    place[order] = np.arange(len(order))
    first = np.full(2 * size, size)
    first[:size] = place
    whole: Blocks = {}
    for phrase, items in blocks.items():
        first[phrase] = min(first[items])
        whole[phrase] = sorted((i for i in items if first[i] < size), key=first.__getitem__)
        for before, item in zip([None, *items], items, strict=False):
            if first[item] == size:
                at = 0 if before is None else whole[phrase].index(before) + 1
                whole[phrase].insert(at, item)
    return whole
