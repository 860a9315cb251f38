"""Learn an orderer with very many scores: how far anything could get that orders pairs of items.

A logistic model says for two items of a head whether they turn round, from their kinds and from
every condition that each of them fits (Lerner & Petrov 2013; Jehl et al. 2014); the order of a
block is the one with the highest sum over its pairs. It is a rule set like any other, saved as a
rule file, and nobody can read it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import optimize, sparse

from preorder_eval.analysis.pair_evidence import Evidence
from preorder_eval.data.arrays import Bools, Floats, Longs, gather, offsets_of
from preorder_eval.reordering.rules import Pair, Slot
from preorder_eval.reordering.schemes import base_label

_FEWEST = 3  # voices that a feature needs
_SMALLEST = 0.01  # score that is kept
_DIGITS = 3

Feature = tuple[Slot, Slot]


def learn_scores(
    evidence: Evidence, strength: float, chosen: Bools | None = None
) -> tuple[Pair, ...]:
    """The scored pairs of a rule for all heads, the weightiest first.

    Parameters: `strength` of the penalty on squared scores; `chosen` bool[P], which voices are
    heard (all, if not given). Every voice weighs as much as its linked words agree.
    """
    heard = np.arange(len(evidence.voice)) if chosen is None else np.flatnonzero(chosen)
    features, rows, columns = _features(evidence, heard)
    in_order = sorted(
        range(len(features)), key=lambda n: (features[n][0].short, features[n][1].short)
    )
    place = np.empty(len(features), dtype=np.int64)
    place[in_order] = np.arange(len(features))
    shape = (len(heard), len(features))
    matrix = sparse.csr_matrix((np.ones(len(rows)), (rows, place[columns])), shape=shape)
    often = np.bincount(columns, minlength=len(features))[in_order] >= _FEWEST
    matrix = matrix[:, often]
    kept = [features[n] for n, seen in zip(in_order, often.tolist(), strict=True) if seen]
    scores = np.round(_fit(matrix, evidence.voice[heard], strength), _DIGITS)
    weightiest = sorted(range(len(kept)), key=lambda n: (-abs(scores[n]), n))
    return tuple(
        Pair(*kept[n], score=float(scores[n])) for n in weightiest if abs(scores[n]) >= _SMALLEST
    )


def _features(evidence: Evidence, heard: Longs) -> tuple[list[Feature], Longs, Longs]:
    """What the voices that are heard have: features, and the row and column of each.

    The two kinds of items are one, with and without their subtypes, and with each condition.
    """
    numbers: dict[Feature, int] = {}
    plain = []
    for kinds in evidence.kinds:
        first, second = (replace(k, labels=(base_label(k.labels[0]),)) for k in kinds)
        alone = dict.fromkeys([kinds, (first, second)])
        plain.append([numbers.setdefault(feature, len(numbers)) for feature in alone])
    of_kinds = np.concatenate(plain).astype(np.int64)
    offsets, places = gather(offsets_of(map(len, plain)), evidence.kind[heard])
    row, condition = evidence.conditions_of(heard)
    many = len(evidence.conditions)
    both, column = np.unique(evidence.kind[heard][row] * many + condition, return_inverse=True)
    narrowed = [
        evidence.conditions[one % many].narrowed(evidence.kinds[one // many])
        for one in both.tolist()
    ]
    rows = np.concatenate([np.repeat(np.arange(len(heard)), np.diff(offsets)), row])
    columns = np.concatenate([of_kinds[places], len(numbers) + column])
    return [*numbers, *narrowed], rows, columns


def _fit(matrix: sparse.csr_matrix, voice: Floats, strength: float) -> Floats:
    """The scores that are likeliest to turn what wants to be turned."""
    side, weight = np.sign(voice), np.abs(voice)

    def loss(scores: Floats) -> tuple[float, Floats]:
        margin = matrix @ scores * side
        value = float(weight @ np.logaddexp(0, -margin)) + strength / 2 * float(scores @ scores)
        pull = weight * side / (1 + np.exp(np.minimum(margin, 700.0)))
        return value, strength * scores - matrix.T @ pull

    found = optimize.minimize(
        loss, np.zeros(matrix.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300}
    )
    scores: Floats = found.x
    return scores
