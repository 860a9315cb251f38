"""Tables of plain values, and numbers that may be undefined."""

from __future__ import annotations

import math

Table = tuple[list[str], list[list[object]]]  # header and rows of plain values


def known(value: float) -> float | None:
    """A number for JSON and TSV, None where it is undefined.

    >>> known(float("nan")), known(0.5)
    (None, 0.5)
    """
    return float(value) if math.isfinite(value) else None
