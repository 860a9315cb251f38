"""Random subsets of sentences: each sentence is in or out by the toss of a coin.

Both tests of two systems rest on them: approximate randomization swaps the sentences of a subset,
and the half-samples of `stats.significance` score the systems on it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

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
    _check(trials, seed)
    if not exhaustive(size, trials):
        yield from subsets_of_part(0, size, size, trials, seed)
        return
    at_once = max(1, _TOSSES // size)
    for first in range(0, 2**size, at_once):
        rows = np.arange(first, min(first + at_once, 2**size))
        yield (rows[:, None] >> np.arange(size) & 1).astype(np.float64)


def subsets_of_part(first: int, last: int, size: int, trials: int, seed: int) -> Iterator[Floats]:
    """Of subsets by chance what they say of the sentences from `first` up to `last`.

    Blocks float64[rows, last - first]. Parts can be had anywhere: of the random numbers those
    between are passed over, not made. `first` must be a multiple of 32.

    >>> whole = np.concatenate(list(subsets(100, trials=3, seed=0)))
    >>> [part] = subsets_of_part(64, 100, 100, trials=3, seed=0)
    >>> bool((part == whole[:, 64:]).all())
    True
    """
    _check(trials, seed)
    # 32 coins from a number, and whole numbers for every row: the block size does not show.
    row, begin, end = -(-size // 32), first // 32, -(-last // 32)
    at_once = max(1, _TOSSES // (last - first))
    generator, at = np.random.PCG64(seed), 0  # of 64 bits, two numbers
    for trial in range(0, trials, at_once):
        numbers = np.empty((min(at_once, trials - trial), end - begin), dtype="<u4")
        # Rows of a part lie apart from each other, those of all sentences side by side.
        stretches = numbers if end - begin < row else numbers.reshape(1, -1)
        for offset, stretch in enumerate(stretches, trial):
            start = offset * row + begin
            generator.advance(start // 2 - at)
            at = -(-(start + len(stretch)) // 2)
            drawn = generator.random_raw(at - start // 2).astype("<u8").view("<u4")
            stretch[:] = drawn[start % 2 : start % 2 + len(stretch)]
        coins = np.unpackbits(numbers.view(np.uint8), axis=1, count=last - first)
        yield coins.astype(np.float64)


def _check(trials: int, seed: int) -> None:
    require_between("trials", trials, 1, MOST_RESAMPLES * TRIALS_PER_RESAMPLE)
    require_between("seed", seed, 0, MOST_SEED)
