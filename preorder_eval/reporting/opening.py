"""What a report opens with: its metrics under short names, and the pair of systems shown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from preorder_eval.metrics.registry import short_names
from preorder_eval.reporting.payload import Json
from preorder_eval.results.result import Result


def opening(result: Result, sizes: Sequence[int]) -> Json:
    """The metrics with the ends of their axes, and the numbers of the systems A and B.

    `sizes` says how many systems each run has that the result was put together from.
    """
    names, _ = short_names(list(map(str, result.metrics)))
    metrics = []
    for m, metric in enumerate(result.metrics):
        low, high = metric.range
        if math.isinf(high):
            high = max(1.0, *(of_system[m].high for of_system in result.intervals))
        metrics.append(
            {
                "name": str(metric),
                "short": names[m],
                "higher": metric.higher_is_better,
                "ends": [low, high],
            }
        )
    return {"metrics": metrics, "pair": opening_pair(sizes)}


def opening_pair(sizes: Sequence[int]) -> list[int | None]:
    """The last system of the first run and the last of the last run; of one run first and last.

    >>> opening_pair([2, 3]), opening_pair([4]), opening_pair([1])
    ([1, 4], [0, 3], [0, None])
    """
    count = sum(sizes)
    if count == 1:
        return [0, None]
    return [sizes[0] - 1 if len(sizes) > 1 else 0, count - 1]
