"""How much a score varies from one repetition of an experiment to the next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Spread:
    """A score in several repetitions, such as trainings that differ in their seed alone.

    `sd` is the standard deviation of the sample (n - 1 in the denominator), NaN of a single value.

    >>> spread = Spread.of([0.70, 0.72, 0.74])
    >>> print(spread)
    0.7200 ± 0.0200
    >>> {name: round(value, 4) for name, value in spread.summary().items()}
    {'mean': 0.72, 'sd': 0.02, 'min': 0.7, 'max': 0.74}
    """

    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """The spread of at least one value."""
        return cls(tuple(map(float, values)))

    @property
    def mean(self) -> float:
        """The mean."""
        return float(np.mean(self.values))

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else float("nan")

    def summary(self) -> dict[str, float]:
        """Mean, standard deviation, and both ends."""
        ends = {"min": min(self.values), "max": max(self.values)}
        return {"mean": self.mean, "sd": self.sd, **ends}

    def __str__(self) -> str:
        return f"{self.mean:.4f} ± {self.sd:.4f}"
