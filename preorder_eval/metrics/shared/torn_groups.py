"""The joints that one sentence keeps where its system order tears tied groups apart.

A joint is a pair of neighbours in the system order; it is kept if the two can be neighbours in
the reference order, with the ties resolved as well as possible for the sentence as a whole.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

# The crossings made so far, last one first: each is the run that is left.
_Crossings: TypeAlias = "tuple[int, _Crossings] | None"


class _Best(NamedTuple):
    """A number of joints gained at borders between groups, and the crossings that gain it."""

    gained: int
    crossings: _Crossings


def kept_joints(ranks: Sequence[int], words: Sequence[int]) -> list[bool]:
    """For each of a sentence's n - 1 joints whether it is kept; as many are as can be.

    Parameters: `ranks` the reference group of the word in each place of the system order, counted
    from 0; `words` the words as numbers: equal words of a group must keep the system's order.

    A run of a torn group can be the first of the group only if none of its words occurs in an
    earlier run of the group, and the last only if none occurs in a later one; otherwise it must
    be torn before the first such word (or after the last), which undoes the gain of entering (or
    leaving) it. Nor can it be both first and last, unless it is torn. The best choice of
    crossings follows by dynamic programming over the borders between groups. Where several
    choices are equally good, the one found first from the left stands.

    >>> kept_joints([0, 1, 2, 1], [0, 1, 2, 3])
    [True, False, False]
    """
    runs = _Runs(ranks, words)
    kept = [left == right for left, right in itertools.pairwise(ranks)]
    entered, left = set(), set()
    for r in _best_crossings(runs):
        left.add(r)
        entered.add(r + 1)
    for r in left:
        uncrossed = (
            (runs.leave[r] and not runs.tail[r])
            or (runs.enter[r + 1] and not runs.head[r + 1])
            or (runs.both[r] > 0 and r in entered)
        )
        if not uncrossed:
            kept[runs.places[r].stop - 1] = True
    for r in entered:
        if runs.enter[r] and runs.head[r]:
            kept[runs.places[r].start + runs.head[r] - 1] = False
    for r in left:
        torn_once = runs.both[r] < 0 and r in entered
        if runs.leave[r] and runs.tail[r] and not torn_once:
            kept[runs.places[r].stop - runs.tail[r] - 1] = False
    return kept


class _Runs:
    """The runs of one group each that a system order consists of, and what using them costs.

    `enter` and `leave`: the joints lost inside a run by making it the first, or the last, of its
    group; `both`: what being both costs beyond the sum of the two. `head` and `tail`: how many of
    its words can stand first, and last, in the group.
    """

    def __init__(self, ranks: Sequence[int], words: Sequence[int]) -> None:
        starts = [i for i in range(len(ranks)) if i == 0 or ranks[i] != ranks[i - 1]]
        self.places = [range(a, b) for a, b in zip(starts, [*starts[1:], len(ranks)], strict=True)]
        self.groups = [ranks[start] for start in starts]
        self.of_group: dict[int, list[int]] = defaultdict(list)
        for r, group in enumerate(self.groups):
            self.of_group[group].append(r)
        size = len(starts)
        self.enter, self.leave, self.both = [0] * size, [0] * size, [0] * size
        self.head, self.tail = ([len(p) for p in self.places] for _ in range(2))
        for members in self.of_group.values():
            if len(members) > 1:
                for r in members:
                    self._price(r, members, words)

    def _price(self, r: int, members: Sequence[int], words: Sequence[int]) -> None:
        own = [words[i] for i in self.places[r]]
        earlier = {words[i] for m in members if m < r for i in self.places[m]}
        later = {words[i] for m in members if m > r for i in self.places[m]}
        size = len(own)
        head = next((k for k, word in enumerate(own) if word in earlier), size)
        tail = next((k for k, word in enumerate(reversed(own)) if word in later), size)
        self.head[r], self.tail[r] = head, tail
        self.enter[r], self.leave[r] = int(head < size), int(tail < size)
        if head == tail == size:
            self.both[r] = 1
        elif 0 < head < size and 0 < tail < size and head + tail >= size:
            self.both[r] = -1


def _best_crossings(runs: _Runs) -> list[int]:
    """The runs to leave for the next group, one a border at most, that gain the most joints."""

    def gained(choice: _Best) -> int:
        return choice.gained

    without = _Best(0, None)
    entering: dict[int, _Best] = {}  # by the run entered
    for group in range(len(runs.of_group) - 1):
        through = {}
        for r in runs.of_group[group]:
            if r + 1 < len(runs.groups) and runs.groups[r + 1] == group + 1:
                choices = [without, *(best for run, best in entering.items() if run != r)]
                if r in entering:
                    here = entering[r]
                    choices.append(_Best(here.gained - runs.both[r], here.crossings))
                before = max(choices, key=gained)
                worth = 1 - runs.leave[r] - runs.enter[r + 1]
                through[r + 1] = _Best(before.gained + worth, (r, before.crossings))
        without, entering = max([without, *entering.values()], key=gained), through
    crossings = max([without, *entering.values()], key=gained).crossings
    found = []
    while crossings is not None:
        run, crossings = crossings
        found.append(run)
    return found
