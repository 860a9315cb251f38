"""Agreement of judges, with each other and with themselves.

Cohen's κ (1960) is the agreement beyond chance, as a share of the largest possible: κ = (P(A) -
P(E)) / (1 - P(E)). It is at most 1, and 0 for agreement by chance alone. For two judges who label
the same items, P(E) follows from how often each gives each label (Han 2014, equation 2-22). For
judgments of pairs WMT takes all judges together (2-23). P(A) is how often two judgments of the same
pair of outputs agree, by different judges or the same one. P(E) is how often any two would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from preorder_eval.base.arrays import Longs, matrix_product
from preorder_eval.base.stats.measurement import TIE
from preorder_eval.judgments.human_scores import PairwiseJudgments


@dataclass(frozen=True)
class Agreement:
    """How far judgments agree: of `compared` pairs of judgments, and by chance.

    `agreed` is the share of the pairs that agree, and `chance` the share expected by chance.
    """

    compared: int
    agreed: float
    chance: float

    @property
    def kappa(self) -> float:
        """(P(A) - P(E)) / (1 - P(E)); NaN if nothing is compared or chance alone gives 1.

        >>> Agreement(10, agreed=0.75, chance=0.5).kappa
        0.5
        """
        room = 1 - self.chance
        return (self.agreed - self.chance) / room if room > TIE else np.nan


def cohen_kappa(first: Sequence[object], second: Sequence[object]) -> Agreement:
    """Compute the agreement of two judges who labelled the same items, at least one.

    >>> round(cohen_kappa(["good", "good", "bad", "bad"], ["good", "bad", "bad", "bad"]).kappa, 2)
    0.5
    """
    labels, codes = np.unique([str(label) for label in [*first, *second]], return_inverse=True)
    a, b = np.split(codes, 2)
    shares = [np.bincount(code, minlength=len(labels)) / len(code) for code in (a, b)]
    return Agreement(len(a), float(np.mean(a == b)), float(matrix_product(*shares)))


def pairwise_agreement(judgments: PairwiseJudgments) -> tuple[Agreement, Agreement]:
    """Compute the agreement between judges, and of each judge with itself, on pairs of outputs.

    P(E) = P(first better)² + P(tie)² + P(second better)². It depends on the share of ties alone,
    because the order of the two outputs has no meaning.
    """
    item, label = _labelled(judgments)
    of_all = _pairs(item, label)
    of_same_judge = _pairs([*item, judgments.judge], label)
    decided = 1 - float(np.mean(label == 0)) if len(label) else np.nan
    chance = decided**2 / 2 + (1 - decided) ** 2
    inter, intra = (
        Agreement(compared, agreed / compared if compared else np.nan, chance)
        for compared, agreed in (pair.tolist() for pair in (of_all - of_same_judge, of_same_judge))
    )
    return inter, intra


def pooled_kappa(judgments: PairwiseJudgments) -> Agreement:
    """Return Cohen's κ of every two judges, on the pairs of outputs that both judged, pooled.

    P(A) and P(E) are averages over all twos of judges, weighted by how many pairs of outputs both
    have judged. If a judge judges a pair twice, the first time counts.
    """
    columns, label = _labelled(judgments)
    _, item = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    labelled = []
    for judge in np.unique(judgments.judge):
        by_judge = judgments.judge == judge
        items, first = np.unique(item[by_judge], return_index=True)
        labelled.append((items, label[by_judge][first]))
    agreements = []
    for (items, labels), (others, their_labels) in combinations(labelled, 2):
        _, here, there = np.intersect1d(items, others, assume_unique=True, return_indices=True)
        if len(here):
            agreements.append(cohen_kappa(labels[here].tolist(), their_labels[there].tolist()))
    compared = sum(pair.compared for pair in agreements)
    if not compared:
        return Agreement(0, np.nan, np.nan)
    agreed = sum(pair.compared * pair.agreed for pair in agreements) / compared
    return Agreement(
        compared, agreed, sum(pair.compared * pair.chance for pair in agreements) / compared
    )


def _labelled(judgments: PairwiseJudgments) -> tuple[list[Longs], Longs]:
    """Return the judged pairs, as columns of segment and two systems, and which is better."""
    swapped = judgments.first > judgments.second
    low = np.minimum(judgments.first, judgments.second)
    high = np.maximum(judgments.first, judgments.second)
    label = np.where(swapped, -judgments.preferred, judgments.preferred)
    return [judgments.segment, low, high], label


def _pairs(item: Sequence[Longs], label: Longs) -> Longs:
    """Return the number of pairs of judgments of the same item, and of those that agree."""
    counts = []
    for columns in (item, [*item, label]):
        _, size = np.unique(np.column_stack(columns), axis=0, return_counts=True)
        counts.append((size * (size - 1) // 2).sum())
    return np.array(counts)
