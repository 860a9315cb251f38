"""How often the words of each group are wrongly placed, and what that costs.

The cost is in points of the fuzzy reordering score: a broken joint costs its sentence
1 / (M - 1), and the corpus that over the number of sentences; each of its two words bears half of
it. So the costs of all groups of a grouping add up to 1 - FRS, and a group's cost is by how much
the score would rise if its share of the broken joints were mended.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from preorder_eval.analysis.groupings import Grouping
from preorder_eval.analysis.joints import Placement
from preorder_eval.data.arrays import Floats
from preorder_eval.data.orders import ReferenceOrders
from preorder_eval.data.ragged import Column
from preorder_eval.stats.bootstrap import Interval
from preorder_eval.stats.wilson import clustered_wilson


@dataclass(frozen=True)
class Group:
    """The words of a group: how many there are, and what is wrong with how many.

    `wrong`: a joint beside the word is broken; `share`: wrong / count, with its 95 % interval;
    `cost`: points of FRS lost, between 0 and 1; `inversions`: mean number of words on the wrong
    side of a word; `parted`: words moved away from a neighbour beside which they should have
    stayed; `missed`: words left beside a neighbour from which they should have moved;
    `sentences`: 1-based numbers of the sentences that hold a wrong word of the group, those where
    the group costs most first.
    """

    name: str
    count: int
    wrong: int
    share: Interval
    cost: float
    inversions: float
    parted: int
    missed: int
    sentences: tuple[int, ...]


@dataclass(frozen=True)
class Breakdown:
    """All groups of a grouping, the most costly first; buckets of numbers in their own order."""

    by: str
    groups: tuple[Group, ...]

    def at_least(self, count: int) -> Breakdown:
        """Without the groups that have fewer words."""
        return Breakdown(self.by, tuple(g for g in self.groups if g.count >= count))


def token_costs(placed: Placement, references: ReferenceOrders) -> Floats:
    """The points of FRS that every token costs; float64[N], 0 in sentences without links.

    >>> from preorder_eval.analysis.joints import placement
    >>> from preorder_eval.data.orders import Orders
    >>> from preorder_eval.data.orders import SourceWords
    >>> references = ReferenceOrders.of([[[0], [1], [3], [2], [4]]])
    >>> words = SourceWords.of([["he", "often", "eats", "fish", "."]])
    >>> placed = placement(Orders.unchanged(words.offsets), references, words)
    >>> token_costs(placed, references).tolist()
    [0.0, 0.125, 0.25, 0.25, 0.125]
    """
    lengths = np.diff(references.offsets)
    worth = references.informative / np.maximum(lengths - 1, 1) / references.informative.sum()
    costs: Floats = placed.broken / 2 * np.repeat(worth, lengths)
    return costs


def break_down(grouping: Grouping, placed: Placement, references: ReferenceOrders) -> Breakdown:
    """The groups of a grouping, counted over the sentences with links."""
    groups = grouping.groups
    size = len(references)
    sentence = np.repeat(np.arange(size), np.diff(references.offsets))
    token = np.flatnonzero(references.informative[sentence])
    # What is counted in a group and sentence together is a cluster.
    keys, cluster = np.unique(
        groups.codes[token].astype(np.int64) * size + sentence[token], return_inverse=True
    )
    rows, row = np.unique(keys // size, return_inverse=True)

    def in_clusters(values: NDArray[np.generic]) -> Floats:
        weights = values[token].astype(np.float64)
        return np.bincount(cluster, weights, minlength=len(keys)).astype(np.float64)

    def in_rows(values: Floats) -> Floats:
        return np.bincount(row, values, minlength=len(rows)).astype(np.float64)

    counts = in_clusters(np.ones(len(sentence)))
    wrong = in_clusters(placed.wrong)
    costs = in_clusters(token_costs(placed, references))
    count, wrongs, cost = in_rows(counts), in_rows(wrong), in_rows(costs)
    inversions, parted, missed = (
        in_rows(in_clusters(values)) for values in (placed.inversions, placed.parted, placed.missed)
    )
    ends = clustered_wilson(wrong, counts, row, len(rows))

    costly = np.lexsort((keys, -costs, row))
    costly = costly[wrong[costly] > 0]
    first = np.searchsorted(row[costly], np.arange(len(rows) + 1))
    numbers = (keys % size + 1)[costly]
    summaries = [
        Group(
            name=groups.names[code],
            count=int(count[r]),
            wrong=int(wrongs[r]),
            share=Interval(float(wrongs[r] / count[r]), float(ends[r, 0]), float(ends[r, 1])),
            cost=float(cost[r]),
            inversions=float(inversions[r] / count[r]),
            parted=int(parted[r]),
            missed=int(missed[r]),
            sentences=tuple(numbers[first[r] : first[r + 1]].tolist()),
        )
        for r, code in enumerate(rows.tolist())
    ]
    if not grouping.ordered:
        summaries.sort(key=lambda group: (-group.cost, group.name))
    return Breakdown(grouping.by, tuple(summaries))


def all_words(placed: Placement, references: ReferenceOrders) -> Group:
    """All words as one group."""
    everything = Column(np.zeros(len(placed.broken), dtype=np.int32), ("all words",))
    [group] = break_down(Grouping("all", everything), placed, references).groups
    return group
