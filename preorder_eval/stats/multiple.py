"""Many tests at once: p-values that keep the chance of any false alarm small."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.data.arrays import Floats


def holm(p_values: Sequence[float]) -> Floats:
    """Holm's step-down correction (Holm 1979) of a family of p-values; float64[n].

    The smallest p-value is multiplied by n, the next by n - 1 and so on; none comes out smaller
    than one before it, and none above 1. Calling significant what comes out at 0.05 or below
    gives a false alarm anywhere in the family with a chance of 5 % at most, whatever the tests
    have to do with each other.

    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    in_order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[in_order] = np.minimum(
        np.maximum.accumulate(p[in_order] * np.arange(len(p), 0, -1)), 1.0
    )
    return corrected
