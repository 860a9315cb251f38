"""Values with their intervals as text, for tables that are not drawn by `preorder_eval.tables`."""

from __future__ import annotations

import math

from preorder_eval.stats.bootstrap import Interval

UNDEFINED = "-"


def format_interval(interval: Interval) -> str:
    """Return a value with its interval, to four digits.

    >>> format_interval(Interval(0.5, 0.45, 0.55))
    '0.5000 [0.4500, 0.5500]'
    """
    return f"{interval.value:.4f} [{interval.low:.4f}, {interval.high:.4f}]"


def format_cell(interval: Interval) -> str:
    """Return a value with its interval, to three digits.

    >>> format_cell(Interval(0.5, 0.45, 0.55))
    ' 0.500 [ 0.450,  0.550]'
    """
    if math.isnan(interval.value):
        return UNDEFINED
    if math.isnan(interval.low):
        return f"{interval.value: .3f}"
    return f"{interval.value: .3f} [{interval.low: .3f}, {interval.high: .3f}]"


def format_ends(interval: Interval) -> str:
    """Return the ends of the interval of a difference, a dash if there are none.

    >>> format_ends(Interval(0.005, -0.001, 0.011)), format_ends(Interval(0.1, math.nan, math.nan))
    ('[-0.0010, +0.0110]', '-')
    """
    if math.isnan(interval.low) and math.isnan(interval.high):
        return UNDEFINED
    return f"[{interval.low:+.4f}, {interval.high:+.4f}]"


def format_p(p: float) -> str:
    """Return a p-value, a dash if the test has none.

    >>> format_p(0.25), format_p(math.nan)
    ('0.2500', '-')
    """
    return UNDEFINED if math.isnan(p) else f"{p:.4f}"
