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

from preorder_eval.analysis.pair_evidence import Condition, Evidence, Kinds
from preorder_eval.data.arrays import Bools, Floats
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
    numbers: dict[Feature, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    for row, voice in enumerate(heard.tolist()):
        kinds = evidence.kinds[evidence.kind[voice]]
        for feature in _features(kinds, evidence.conditions[voice]):
            rows.append(row)
            columns.append(numbers.setdefault(feature, len(numbers)))
    # Sets have no order of their own: the features are numbered by what they say.
    named = sorted(numbers, key=lambda feature: (feature[0].short, feature[1].short))
    place = np.empty(len(named), dtype=np.int64)
    place[[numbers[feature] for feature in named]] = np.arange(len(named))
    seen = np.bincount(columns, minlength=len(named))[[numbers[feature] for feature in named]]
    shape = (len(heard), len(named))
    data = (np.ones(len(rows)), (rows, place[columns]))
    matrix = sparse.csr_matrix(data, shape=shape)[:, seen >= _FEWEST]
    kept = [
        feature for feature, count in zip(named, seen.tolist(), strict=True) if count >= _FEWEST
    ]
    scores = np.round(_fit(matrix, evidence.voice[heard], strength), _DIGITS)
    in_order = sorted(range(len(kept)), key=lambda n: (-abs(scores[n]), n))
    return tuple(
        Pair(*kept[n], score=float(scores[n])) for n in in_order if abs(scores[n]) >= _SMALLEST
    )


def _features(kinds: Kinds, conditions: frozenset[Condition]) -> set[Feature]:
    """The two kinds, with and without subtypes, and with each of the conditions."""
    first, second = (replace(k, labels=(base_label(k.labels[0]),)) for k in kinds)
    return {kinds, (first, second), *(condition.narrowed(kinds) for condition in conditions)}


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
