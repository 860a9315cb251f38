"""Random subsets of sentences: each sentence is in or out by the toss of a coin.

Both tests of two systems rest on them: approximate randomization swaps the sentences of a subset,
and the half-samples of `stats.significance` score the systems on it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Floats
from preorder_eval.errors import require_between
from preorder_eval.stats import MOST_RESAMPLES, MOST_SEED

TRIALS_PER_RESAMPLE = 10  # of the bootstrap: many pairs need small p-values, and trials are quick
_TOSSES = 1 << 17  # coins tossed at a time: they stay in the processor's cache


def exhaustive(size: int, trials: int) -> bool:
    """Whether all subsets of `size` sentences are no more than the trials asked for.

    >>> exhaustive(10, trials=1024), exhaustive(11, trials=1024)
    (True, False)
    """
    return size < 63 and 2**size <= trials


def subsets(size: int, trials: int, seed: int) -> Iterator[Floats]:
    """Zeros and ones that say which of `size` sentences are in; blocks float64[rows, size].

    All 2^size subsets, each once, where that is `exhaustive`, else `trials` by chance. They depend
    on `size`, `trials` and `seed` alone.

    >>> [every] = subsets(2, trials=4, seed=0)
    >>> every.astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    require_between("trials", trials, 1, MOST_RESAMPLES * TRIALS_PER_RESAMPLE)
    require_between("seed", seed, 0, MOST_SEED)
    all_of_them = exhaustive(size, trials)
    rows = 2**size if all_of_them else trials
    rng = np.random.default_rng(seed)
    at_once = max(1, _TOSSES // size)
    for first in range(0, rows, at_once):
        stop = min(first + at_once, rows)
        coins = _ways(first, stop, size) if all_of_them else _tosses(rng, stop - first, size)
        yield coins.astype(np.float64)


def _tosses(rng: np.random.Generator, rows: int, size: int) -> NDArray[np.uint8]:
    """Zeros and ones by chance, uint8[rows, size]."""
    # 32 coins from a number, and whole numbers for every row: the block size does not show.
    numbers = rng.integers(0, 1 << 32, size=(rows, -(-size // 32)), dtype=np.uint32)
    return np.unpackbits(numbers.astype("<u4").view(np.uint8), axis=1, count=size)


def _ways(first: int, stop: int, size: int) -> NDArray[np.int64]:
    """The ways from `first` up to `stop` of choosing some of `size` sentences."""
    return np.arange(first, stop)[:, None] >> np.arange(size) & 1
