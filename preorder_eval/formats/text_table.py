"""Tables for people to read on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.visible import display_width


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned with spaces, as wide as they are on the screen; numbers to the right.

    >>> print(format_table(["rules", "n"], [["none", "5"], ["en-ja", "60"]]))
    rules   n
    none    5
    en-ja  60
    """
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(display_width, column)) for column in columns]
    numeric = [all(cell[:1].isdecimal() for cell in column[1:]) for column in columns]
    return "\n".join(
        "  ".join(map(_padded, row, widths, numeric)).rstrip() for row in (header, *rows)
    )


def _padded(cell: str, width: int, right: bool) -> str:
    spaces = " " * (width - display_width(cell))
    return spaces + cell if right else cell + spaces
