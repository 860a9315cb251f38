"""Numbers with their intervals in tables for people to read on a terminal."""

from __future__ import annotations

from preorder_eval.formats.text_table import format_table
from preorder_eval.stats.bootstrap import Interval

__all__ = ["format_ends", "format_interval", "format_table"]


def format_interval(interval: Interval) -> str:
    """A value with its interval, to four digits.

    >>> format_interval(Interval(0.5, 0.45, 0.55))
    '0.5000 [0.4500, 0.5500]'
    """
    return f"{interval.value:.4f} [{interval.low:.4f}, {interval.high:.4f}]"


def format_ends(interval: Interval) -> str:
    """The ends of the interval of a difference, to four digits.

    >>> format_ends(Interval(0.005, -0.001, 0.011))
    '[-0.0010, +0.0110]'
    """
    return f"[{interval.low:+.4f}, {interval.high:+.4f}]"
