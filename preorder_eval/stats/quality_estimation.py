"""How well estimates of quality rank or hit what people say (WMT 2012; Han 2014, section 7.2)."""

from __future__ import annotations

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.errors import PreorderEvalError


def delta_avg(estimates: Floats, values: Floats) -> float:
    """By how much the best outputs by estimate are better than all: DeltaAvg (equation 7-1).

    The outputs are ranked by estimate and cut into n quantiles; DeltaAvg[n] is the mean value of
    the first k quantiles, averaged over k = 1 … n - 1, minus the mean value of all. The result is
    the mean over n = 2 … N/2. Outputs of equal estimate count with their mean value, which is what
    all orders among them give on average.

    >>> delta_avg(np.array([4.0, 3, 2, 1]), np.array([10.0, 8, 6, 4]))
    2.0
    """
    if len(estimates) != len(values) or len(values) < 4:
        raise PreorderEvalError(
            f"DeltaAvg of {len(estimates)} estimates and {len(values)} values; it needs as many of "
            "both, and four"
        )
    _, tied = np.unique(-estimates, return_inverse=True)
    order = np.argsort(tied, kind="stable")
    in_order = (np.bincount(tied, values) / np.bincount(tied))[tied[order]]
    size = len(values)
    heads = np.cumsum(in_order) / np.arange(1, size + 1)  # mean of the best 1, 2, …
    means = [heads[np.arange(1, n) * size // n - 1].mean() for n in range(2, size // 2 + 1)]
    return float(np.mean(means) - np.mean(values))


def mae(estimates: Floats, values: Floats) -> float:
    """Mean absolute error (equation 7-2).

    >>> mae(np.array([1.0, 2]), np.array([1.0, 4]))
    1.0
    """
    return float(np.mean(np.abs(estimates - values)))


def rmse(estimates: Floats, values: Floats) -> float:
    """Root of the mean squared error (equation 7-3).

    >>> round(rmse(np.array([1.0, 2]), np.array([1.0, 4])), 3)
    1.414
    """
    return float(np.sqrt(np.mean((estimates - values) ** 2)))
