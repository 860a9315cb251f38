"""What a value, or a difference of two, owes to single sentences: the jackknife.

It says how far an interval must reach where draws alone cannot: of few sentences
(`stats.bootstrap`), and where few sentences tell two systems apart (`stats.significance`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.stats.measurement import TIE, Finish, Measurement, totals

_FEW = 25  # differing sentences, of any number


@dataclass(frozen=True)
class Jackknife:
    """What a value becomes without each of `size` sentences in turn, in two numbers.

    `error` is its standard error, and `acceleration` a sixth of the skewness of what sentences
    add to it.
    """

    size: int
    error: float
    acceleration: float

    @classmethod
    def of(cls, without: Floats) -> Jackknife:
        """From the values without each sentence, float64[S], NaN where there is none.

        >>> found = Jackknife.of(np.array([1, 0.5, 0.5]))
        >>> round(found.error, 3), round(found.acceleration, 3)  # 1 / 3 is the deviation / √3
        (0.333, -0.068)
        """
        size = len(without)
        without = without[~np.isnan(without)]
        influence = (without.mean() - without) * size if without.size else np.zeros(1)
        influence[np.abs(influence) < TIE] = 0
        squares = float(np.mean(influence**2))
        skewness = float(np.mean(influence**3)) / squares**1.5 if squares else 0.0
        # (n - 1)/n of the sum of squared differences: n times these are what is averaged here.
        error = math.sqrt(squares * (size - 1)) / size
        return cls(size, error, skewness / (6 * math.sqrt(len(influence))))


@dataclass(frozen=True)
class FewDifferent:
    """Of a difference that few sentences make: how many these are, and what it owes to each."""

    differing: int
    jackknife: Jackknife

    def ends(self, value: float, level: float) -> tuple[float, float]:
        """How far the interval of a difference must reach.

        What of it is chance is that these sentences were met and no others like them. So Student's
        interval is corrected for skewness (Johnson 1978; as Hall 1992 has it), and as wide as if
        t² more sentences had differed (as Agresti & Coull 1998 do with shares).

        >>> four = FewDifferent(4, Jackknife(1000, error=1.0, acceleration=0.0))
        >>> [round(end, 2) for end in four.ends(0.0, 0.95)]  # 1.96 · √(1 + 3.85 / 4)
        [-2.75, 2.75]
        """
        from scipy.special import stdtrit

        t = float(stdtrit(self.jackknife.size - 1, (1 + level) / 2))
        middle = value + self.jackknife.error * self.jackknife.acceleration * (1 + 2 * t * t)
        wide = self.jackknife.error * t * math.sqrt(1 + t * t / self.differing)
        return middle - wide, middle + wide


def jackknife(measurement: Measurement) -> list[Jackknife]:
    """What each system's value owes to single sentences.

    Sentences without which there is no value are passed over.

    >>> statistics = np.array([[[0.0, 1], [1, 1], [1, 1]]])
    >>> [found] = jackknife(Measurement(statistics, lambda s: s[..., 0] / s[..., 1]))
    >>> round(found.error, 3)
    0.333
    """
    return [
        Jackknife.of(_without_each(statistics, measurement.finish))
        for statistics in measurement.statistics
    ]


def few_different(
    measurement: Measurement, pairs: Sequence[tuple[int, int]]
) -> list[FewDifferent | None]:
    """Of pairs of systems what their difference, second minus first, owes to single sentences.

    None where the statistics of none differ, or of 25 sentences or half of them.

    >>> statistics = np.array([[[0.0, 1]] * 4, [[0.0, 1]] * 3 + [[1, 1]]])
    >>> shares = Measurement(statistics, lambda s: s[..., 0] / s[..., 1])
    >>> few_different(shares, [(0, 1)])[0].differing, few_different(shares, [(1, 1)])
    (1, [None])
    """
    found: list[FewDifferent | None] = []
    for pair in pairs:
        one, other = measurement.statistics[list(pair)]
        differing = int(np.count_nonzero((one != other).any(axis=-1)))
        if 0 < differing < min(_FEW, len(one) / 2):
            first, second = (_without_each(own, measurement.finish) for own in (one, other))
            found.append(FewDifferent(differing, Jackknife.of(second - first)))
        else:
            found.append(None)
    return found


def _without_each(statistics: Floats, finish: Finish) -> Floats:
    """A system's value without each sentence in turn; float64[S] from float64[S, k]."""
    [total] = totals(statistics[None])
    with np.errstate(divide="ignore", invalid="ignore"):  # where one alone has all there is
        return finish(total - statistics)
