"""Errors apart: words that only one of two parsers attaches or labels wrongly, by gold label.

They are counts of words. What a label costs or gains in FRS is not shown for two parsers: such
contributions do not come out again on another text (correlations from -.13 to .44).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.schemes import base_label
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import compare_systems, holm
from preorder_eval.tables import Column, Table

_FEW = 10  # words of a label that only one parser has wrong, below which it is not tested


def wrong_words(parsed: Treebank, gold: Treebank) -> Bools:
    """Return which words have another head or universal label than in the gold trees; bool[T]."""
    pairs = zip(parsed.labels, gold.labels, strict=True)
    labels = np.array([base_label(one) != base_label(other) for one, other in pairs], dtype=bool)
    wrong: Bools = labels | (parsed.heads != gold.heads)
    return wrong


def errors_apart(
    trees: Sequence[Treebank], gold: Treebank, *, resamples: int = 1000, seed: int = 0
) -> Table:
    """Return for each gold label how many words only the first or the second parser has wrong.

    Parameters: `trees` of two parsers for the words of the gold trees. The test swaps the two on
    random subsets of the sentences; p is Holm's, over all labels with ten such words or more, the
    smallest first.
    """
    first, second = (wrong_words(each, gold) for each in trees)
    labels = np.array([base_label(label) for label in gold.labels])
    sentence = np.repeat(np.arange(len(gold)), np.diff(gold.offsets))
    rows, measurements = [], []
    for label in sorted(set(labels.tolist())):
        its = labels == label
        only = [int((its & first & ~second).sum()), int((its & second & ~first).sum())]
        if sum(only) < _FEW:
            continue
        counts = [np.bincount(sentence[its & w], minlength=len(gold)) for w in (first, second)]
        measurements.append(Measurement(np.array(counts, dtype=float)[:, :, None], _sum))
        rows.append([label, int(its.sum()), *only])
    columns = [Column("label", "gold label", label=True), Column("words")]
    columns += [Column("A alone"), Column("B alone"), Column("p", "p (Holm)", format="p")]
    if measurements:
        compared = compare_systems(
            measurements,
            higher_is_better=[False] * len(measurements),
            resamples=resamples,
            seed=seed,
        )
        p_values = holm([pair.difference.p for [pair] in compared]).tolist()
        rows = [[*row, p] for row, p in zip(rows, p_values, strict=True)]
    rows.sort(key=lambda row: (row[-1], -row[2] - row[3]))
    note = "words attached or labelled wrongly by one of the two alone; not what they cost"
    return Table("errors", columns, rows, "Errors of one parser alone", [note])


def _sum(sums: Floats) -> Floats:
    return sums[..., 0]
