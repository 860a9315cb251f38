"""Tables for people to read on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.stats.bootstrap import Interval


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned with spaces; columns of numbers to the right.

    >>> print(format_table(["rules", "n"], [["none", "5"], ["en-ja", "60"]]))
    rules   n
    none    5
    en-ja  60
    """
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    numeric = [all(cell[:1].isdecimal() for cell in column[1:]) for column in columns]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in (header, *rows)
    )


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
