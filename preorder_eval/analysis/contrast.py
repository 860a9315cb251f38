"""Minimal pairs: does a parser tell two readings apart?

A contrast suite has pairs of sentences whose words are nearly the same and whose trees and orders
differ; comments `# pair = …` in its gold trees say which belong together, and `# phenomenon = …`
of what kind they are. A system has a pair right only if it orders both sentences just as one of
their reference orders has them: who always takes the same reading has one of the two right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.analysis.run_trees import gold_trees
from preorder_eval.data.treebank import comment_value
from preorder_eval.formats.tables import Table
from preorder_eval.metrics.order import Exact
from preorder_eval.results.result import Result
from preorder_eval.stats.bootstrap import Interval
from preorder_eval.stats.wilson import clustered_wilson

ALL_KINDS = "all"


@dataclass(frozen=True)
class PairAccuracy:
    """Of the pairs of a kind, how many a system has right: both sentences, or one only."""

    system: str
    kind: str
    pairs: int
    both: int
    one: int

    @property
    def accuracy(self) -> Interval:
        """The share of pairs with both sentences right, with its 95 % Wilson interval."""
        hits = (np.arange(self.pairs) < self.both).astype(np.float64)
        one_row = np.zeros(self.pairs, dtype=np.int64)
        [[low, high]] = clustered_wilson(hits, np.ones(self.pairs), one_row, 1).tolist()
        return Interval(self.both / self.pairs, low, high)


def pair_accuracy(result: Result) -> list[PairAccuracy]:
    """The accuracy of every system of a result by kind and on all pairs.

    Empty where the reference set has no pairs. Sentences without links count as wrong.
    """
    reference, gold = result.inputs.ordered, gold_trees(result)
    if reference is None or gold is None:
        return []
    members: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for sentence, tree in enumerate(gold):
        pair = comment_value(tree.comments, "pair")
        if pair:
            kind = comment_value(tree.comments, "phenomenon") or ALL_KINDS
            members[kind, pair].append(sentence)
    pairs = {key: numbers for key, numbers in members.items() if len(numbers) == 2}
    kinds = [ALL_KINDS, *sorted({kind for kind, _ in pairs} - {ALL_KINDS})] if pairs else []
    rows = []
    for number, system in enumerate(result.systems):
        orders = result.inputs.of(number).orders
        right = Exact().score(orders, reference.allowed, reference.words).sentence == 1
        for kind in kinds:
            counts = [
                int(np.count_nonzero(right[numbers]))
                for (own_kind, _), numbers in pairs.items()
                if kind in (ALL_KINDS, own_kind)
            ]
            rows.append(PairAccuracy(system, kind, len(counts), counts.count(2), counts.count(1)))
    return rows


def accuracy_table(rows: Sequence[PairAccuracy]) -> Table:
    """Header and rows as plain values."""
    header = ["system", "kind", "pairs", "both right", "one right", "accuracy", "low", "high"]
    cells: list[list[object]] = [
        [
            *(row.system, row.kind, row.pairs, row.both, row.one),
            *(row.accuracy.value, row.accuracy.low, row.accuracy.high),
        ]
        for row in rows
    ]
    return header, cells
