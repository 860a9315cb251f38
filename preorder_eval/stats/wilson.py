"""Intervals of shares of words, where the words of a sentence are not independent of each other.

Wilson's score interval (1927) stays inside 0 and 1 and says something sensible of 3 out of 3,
where resampling would say that nothing else is possible. It takes the words to be independent; so
it is given the effective number of words instead of their number: n divided by the design effect
(Kish 1965), which is how many times larger the variance between whole sentences makes the
variance of the share. Franco, Little, Louis & Slud (2019) recommend this interval for samples in
clusters, and find it somewhat too narrow where there are few. A design effect below 1 is not made
use of.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Floats

_Z = 1.959963984540054  # of the normal distribution, for 95 %


def clustered_wilson(
    hits: Floats, counts: Floats, cluster_rows: NDArray[np.int64], rows: int
) -> Floats:
    """95 % intervals of shares, each from the counts of several clusters; float64[rows, 2].

    Parameters: `hits` and `counts` float64[K], in each cluster the cases that are counted and all
    of them, at least one; `cluster_rows` int64[K], the row that a cluster belongs to.

    >>> row, ones = np.zeros(4, dtype=np.int64), np.ones(4)
    >>> clustered_wilson(np.array([1.0, 0, 1, 0]), ones, row, 1).round(2).tolist()
    [[0.15, 0.85]]
    >>> clustered_wilson(np.array([2.0, 0, 2, 0]), 2 * ones, row, 1).round(2).tolist()
    [[0.15, 0.85]]
    """
    clusters = np.bincount(cluster_rows, minlength=rows)
    total = np.bincount(cluster_rows, weights=counts, minlength=rows)
    share = np.bincount(cluster_rows, weights=hits, minlength=rows) / total
    residuals = hits - share[cluster_rows] * counts
    squares = np.bincount(cluster_rows, weights=residuals**2, minlength=rows)
    simple = share * (1 - share) * total  # the same sum for independent words
    # Where all cases agree, or there is one cluster only, nothing is known of the words of a
    # sentence but that they are alike: a sentence counts as one word.
    unknown = (simple <= 0) | (clusters < 2)
    effect = np.divide(squares, simple, out=np.ones(rows), where=~unknown)
    effective = np.where(unknown, clusters, total / np.maximum(effect, 1))
    margin = _Z**2 / effective
    centre = (share + margin / 2) / (1 + margin)
    half = np.sqrt(margin * share * (1 - share) + margin**2 / 4) / (1 + margin)
    ends: Floats = np.clip(np.column_stack([centre - half, centre + half]), 0, 1)
    return ends
