"""How many words of each group systems get right: precision, recall and F by group.

The recall of a group is the share of its words in the references that the output has, the precision
the share of its words in the output that the reference has, F their harmonic mean. As counts add up
over sentences, their intervals and tests are those of all metrics here. Neubig et al. (2019,
"compare-mt") introduced such tables for comparing systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.analysis.word_groups import WordGroups
from preorder_eval.analysis.word_matches import WordMatches
from preorder_eval.data.arrays import Floats
from preorder_eval.results.result import Sampling
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement, totals
from preorder_eval.stats.significance import Difference, compare_systems


@dataclass(frozen=True)
class GroupAccuracy:
    """How a system does on a group of words.

    `references` words of it are in its references, `found` of them in its output; `outputs` are in
    its output, `right` of them in the references. `f` is NaN where there are none on either side.
    """

    references: int
    found: int
    outputs: int
    right: int
    f: Interval

    @property
    def recall(self) -> float:
        """The share of the references' words that are found; NaN of none."""
        return self.found / self.references if self.references else float("nan")

    @property
    def precision(self) -> float:
        """The share of the output's words that are right; NaN of none."""
        return self.right / self.outputs if self.outputs else float("nan")


@dataclass(frozen=True)
class WordGroup:
    """A group of words: every system's accuracy, and how the second differs from the first by F.

    `difference` is None unless two systems are compared.
    """

    name: str
    systems: tuple[GroupAccuracy, ...]
    difference: Difference | None


def f_of_counts(statistics: Floats) -> Floats:
    """F of found and all words of the references, right and all of the outputs; float64[…, 4].

    >>> f_of_counts(np.array([[1.0, 2, 1, 4], [0, 2, 0, 0]])).round(4).tolist()
    [0.3333, 0.0]
    """
    found, references, right, outputs = np.moveaxis(statistics, -1, 0)
    # With recall r = found / references and precision p = right / outputs, F = 2rp / (r + p).
    top, bottom = 2 * found * right, found * outputs + right * references
    nothing = (references == 0) & (outputs == 0)
    values: Floats = np.divide(
        top, bottom, out=np.where(nothing, np.nan, np.zeros_like(top)), where=bottom > 0
    )
    return values


def word_accuracy(
    matches: Sequence[WordMatches], groups: Sequence[WordGroups], sampling: Sampling
) -> list[WordGroup]:
    """The accuracy of systems by group of words, groups without any word left out.

    Parameters: for each system how its words match and what groups they are in, groups of the same
    names; `sampling` for intervals, and for the test where there are two systems.
    """
    names = list(dict.fromkeys(name for own in groups for name in own.names))
    counts = np.stack([_counts(*own, names) for own in zip(matches, groups, strict=True)])
    filled = [g for g in range(len(names)) if counts[:, g].any()]
    measurements = [Measurement(counts[:, g], f_of_counts) for g in filled]
    if not measurements:
        return []
    sampled = bootstrap(measurements, resamples=sampling.resamples, seed=sampling.seed)
    differences: list[Difference | None] = [None] * len(filled)
    if len(matches) == 2:
        pairs = compare_systems(
            measurements,
            higher_is_better=[True] * len(filled),
            test=sampling.test,
            resamples=sampling.resamples,
            seed=sampling.seed,
        )
        differences = [pair.difference for [pair] in pairs]
    return [
        WordGroup(
            names[g],
            tuple(
                _accuracy(sums, estimates.interval(system))
                for system, sums in enumerate(totals(counts[:, g]))
            ),
            difference,
        )
        for g, estimates, difference in zip(filled, sampled, differences, strict=True)
    ]


def _accuracy(sums: Floats, f: Interval) -> GroupAccuracy:
    found, references, right, outputs = map(int, sums.tolist())
    return GroupAccuracy(references, found, outputs, right, f)


def _counts(matches: WordMatches, groups: WordGroups, names: Sequence[str]) -> Floats:
    """Words of each group and sentence, as `f_of_counts` takes them; float64[G, S, 4]."""
    size = len(matches.hypotheses)
    number = np.array([names.index(name) for name in groups.names], dtype=np.int64)
    columns: list[NDArray[Any]] = []
    for side, own, matched in (
        (matches.references, groups.references, matches.found),
        (matches.hypotheses, groups.hypotheses, matches.right),
    ):
        cell = number[own] * size + side.sentences if len(own) else np.zeros(0, dtype=np.int64)
        columns += [
            np.bincount(cell, weights, minlength=len(names) * size)
            for weights in (matched.astype(np.float64), None)
        ]
    return np.stack(columns, axis=-1).reshape(len(names), size, 4).astype(np.float64)
