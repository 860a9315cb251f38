"""How much two sides have in common, as recall, precision and their weighted mean F."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from preorder_eval.data.arrays import Floats, Longs


class Overlap(NamedTuple):
    """Units that both sides have, and all units of either; numbers or weights, float64[S]."""

    both: Floats
    hypothesis: Floats
    reference: Floats

    @classmethod
    def of(cls, both: Longs, hypothesis: Longs, reference: Longs) -> Overlap:
        """From whole numbers."""
        return cls(*(part.astype(np.float64) for part in (both, hypothesis, reference)))

    def recall(self) -> Floats:
        """The share of the reference's units; 0 where there are none."""
        return _share(self.both, self.reference)

    def precision(self) -> Floats:
        """The share of the hypothesis's units; 0 where there are none."""
        return _share(self.both, self.hypothesis)


def f_measure(recall: Floats, precision: Floats, beta: float | str) -> Floats:
    """(1 + β²) R P / (R + β² P), 0 where both are 0; with `beta="ratio"` β is P / R.

    >>> f_measure(np.array([0.5, 0.0]), np.array([1.0, 0.0]), 1.0).round(3).tolist()
    [0.667, 0.0]
    >>> f_measure(np.array([0.5]), np.array([1.0]), "ratio").round(3).tolist()
    [0.556]
    """
    if isinstance(beta, str):
        # P/R put into the equation; powers of R cancel out.
        above = (recall**2 + precision**2) * recall * precision
        below = recall**3 + precision**3
    else:
        above = (1 + beta**2) * recall * precision
        below = recall + beta**2 * precision
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def pooled(overlaps: Sequence[Overlap]) -> Overlap:
    """The units of all references together."""
    return Overlap(*(np.sum(part, axis=0) for part in zip(*overlaps, strict=True)))


def best_recalled(overlaps: Sequence[Overlap]) -> Overlap:
    """Per segment the reference with the best recall; of several the one with the best precision.

    >>> one, two = (Overlap(*np.array([[1.0], [2.0], [r]])) for r in (4.0, 3.0))
    >>> best_recalled([one, two]).reference.tolist()
    [3.0]
    """
    recall = np.stack([each.recall() for each in overlaps])
    precision = np.stack([each.precision() for each in overlaps])
    best = np.lexsort((precision, recall), axis=0)[-1:]
    parts = (np.stack(part) for part in zip(*overlaps, strict=True))
    return Overlap(*(np.take_along_axis(part, best, axis=0)[0] for part in parts))


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
