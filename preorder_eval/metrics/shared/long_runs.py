"""The runs of one pair of long sentences, without a table of all their equal words.

They are the same as those of `runs`, and found length by length, from the longest down: windows of
one length have equal numbers where they hold equal words, and each of the hypothesis, from the
left, takes the first free one of the reference (greedy string tiling, Wise 1993). The numbers come
of those of windows half as long (Karp, Miller & Rosenberg 1972), so that memory and the time for a
length grow with the number of words and not with its square.
"""

from __future__ import annotations

from collections import defaultdict, deque

import numpy as np

from preorder_eval.data.arrays import Ints, Longs


def long_runs(hypothesis: Ints, reference: Ints) -> list[tuple[int, int, int]]:
    """Length and both first positions of each run, in the order in which they are taken.

    >>> long_runs(np.array([3, 1, 2, 3]), np.array([1, 2, 3, 4, 3]))
    [(3, 1, 0), (1, 0, 4)]
    """
    windows = _Windows(hypothesis, reference)
    runs = []
    length = min(len(hypothesis), len(reference))
    while length := windows.longest(length):
        runs += windows.take(length)
    return runs


class _Windows:
    """Both sentences in a row, and which of their words are free."""

    def __init__(self, hypothesis: Ints, reference: Ints) -> None:
        self.border = len(hypothesis)
        words = np.concatenate([hypothesis, reference]).astype(np.int64)
        self.numbers = [np.unique(words, return_inverse=True)[1]]  # of windows of 2^k words
        self.free = np.ones(len(words), dtype=bool)

    def longest(self, most: int) -> int:
        """The length of the longest free window that both have, at most `most`; 0 if none."""
        low, high = 0, most
        while low < high:
            middle = (low + high + 1) // 2
            here, there, numbers = self._free_windows(middle)
            if np.isin(numbers[here], numbers[there]).any():
                low = middle
            else:
                high = middle - 1
        return low

    def take(self, length: int) -> list[tuple[int, int, int]]:
        """Take all runs of a length, where no longer ones are left."""
        here, there, numbers = self._free_windows(length)
        here = here[np.isin(numbers[here], numbers[there])]
        places: defaultdict[int, deque[int]] = defaultdict(deque)
        for j in there[np.isin(numbers[there], numbers[here])].tolist():
            places[int(numbers[j])].append(j)
        runs = []
        for i in here.tolist():
            candidates = places[int(numbers[i])]
            while candidates and not self._is_free(candidates[0], length):
                candidates.popleft()
            if candidates and self._is_free(i, length):
                j = candidates.popleft()
                self.free[i : i + length] = self.free[j : j + length] = False
                runs.append((length, i, j - self.border))
        return runs

    def _is_free(self, start: int, length: int) -> bool:
        # Windows of one length that overlap a taken one have its first or its last word.
        return bool(self.free[start] and self.free[start + length - 1])

    def _free_windows(self, length: int) -> tuple[Longs, Longs, Longs]:
        """Where free windows of both sides start, and the number of the window at each place."""
        numbers = self._numbers(length)
        used = np.concatenate([[0], np.cumsum(~self.free)])
        start = np.arange(len(numbers))
        whole = (start + length <= self.border) | (start >= self.border)
        free = np.flatnonzero(whole & (used[length:] == used[: len(numbers)]))
        return free[free < self.border], free[free >= self.border], numbers

    def _numbers(self, length: int) -> Longs:
        """Numbers that are equal where the windows of that length at two places are equal."""
        k = length.bit_length() - 1
        while len(self.numbers) <= k:
            size = 1 << len(self.numbers)
            self.numbers.append(self._joined(len(self.numbers) - 1, size))
        return self._joined(k, length)

    def _joined(self, k: int, length: int) -> Longs:
        """The windows of a length by the two of 2^k words that cover them."""
        parts = self.numbers[k]
        count = len(self.free) - length + 1
        shift = length - (1 << k)
        pairs = parts[:count] * (len(self.free) + 1) + parts[shift : shift + count]
        numbers: Longs = np.unique(pairs, return_inverse=True)[1]
        return numbers
