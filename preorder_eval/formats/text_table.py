"""Tables for people to read on a terminal.

On a screen of a known width a table that is too wide is broken into blocks of columns, one below
the other, each with the columns that say what its rows are of. Where the screen has colours, marks
of what is significantly better or worse and cells that say of themselves what they are have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass

from rich.cells import cell_len

from preorder_eval.visible import visible

_MARKED = re.compile(r"(?:.* )?(?:([+-])\*{1,2}|0)?")  # a cell of a column of marks
_NUMBER = re.compile(r"[-+\[]?\d[\d.,]*%?(?![^ ,/\]])")
_GREEN, _RED, _USUAL = "\x1b[32m", "\x1b[31m", "\x1b[0m"
_COLOUR = re.compile("(\x1b\\[(?:32|31|0)m)")


@dataclass(frozen=True)
class Screen:
    """What tables are printed on: its width, None where it has no end, and whether in colour."""

    width: int | None = None
    colour: bool = False


_ENDLESS = Screen()
SCREEN: ContextVar[Screen] = ContextVar("SCREEN", default=_ENDLESS)


class Better(str):
    """A cell that tells something good."""


class Worse(str):
    """A cell that tells something bad."""


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned with spaces, as wide as they are on the screen; numbers to the right.

    What cannot be seen is written out (`visible`).

    >>> print(format_table(["rules", "n"], [["none", "5"], ["en-ja", "60"]]))
    rules   n
    none    5
    en-ja  60
    """
    screen = SCREEN.get()
    columns = [list(map(visible, column)) for column in zip(header, *rows, strict=True)]
    widths = [max(map(cell_len, column)) for column in columns]
    numeric = [all(cell[:1].isdecimal() for cell in column[1:]) for column in columns]
    padded = [
        [
            _padded(cell, width, right, colour)
            for cell, colour in zip(column, _colours(column, screen), strict=True)
        ]
        for column, width, right in zip(columns, widths, numeric, strict=True)
    ]
    blocks = (
        "\n".join(
            "  ".join(cells).rstrip() for cells in zip(*[padded[c] for c in chosen], strict=True)
        )
        for chosen in _blocks(widths, columns, screen.width)
    )
    return "\n\n".join(blocks)


def for_screen(text: str) -> str:
    r"""Lines to print, with what cannot be seen written out; on a screen with colours these stay.

    >>> print(for_screen("run \a" + chr(27) + "[2J\nscore"))
    run \x07\x1b[2J
    score
    """
    if not SCREEN.get().colour:
        return "\n".join(map(visible, text.split("\n")))
    return "\n".join(
        "".join(part if _COLOUR.fullmatch(part) else visible(part) for part in _COLOUR.split(line))
        for line in text.split("\n")
    )


def _blocks(
    widths: Sequence[int], columns: Sequence[Sequence[str]], most: int | None
) -> Iterator[list[int]]:
    """The numbers of the columns of each block: those that tell rows apart, and some others."""
    if most is None or _beside(widths) <= most:
        yield list(range(len(widths)))
        return
    keys = next((c for c, cells in enumerate(columns) if _are_numbers(cells[1:])), len(widths))
    keys = max(keys, 1)
    # Where they take more than half of the screen, or the place of a column, fewer must do.
    while keys > 1 and (
        2 * _beside(widths[:keys]) > most
        or _beside([*widths[:keys], max(widths[keys:], default=0)]) > most
    ):
        keys -= 1
    block: list[int] = []
    for c in range(keys, len(widths)):
        if block and _beside([widths[b] for b in [*range(keys), *block, c]]) > most:
            yield [*range(keys), *block]
            block = []
        block.append(c)
    yield [*range(keys), *block]


def _beside(widths: Sequence[int]) -> int:
    """What columns of these widths take beside each other."""
    return sum(widths) + 2 * (len(widths) - 1)


def _are_numbers(cells: Sequence[str]) -> bool:
    """Whether cells begin with a number, and none of them with anything else.

    >>> _are_numbers(["0.5 [0.4, 0.6]", ""]), _are_numbers(["2026-11-21-1"])
    (True, False)
    """
    return all(_NUMBER.match(cell) for cell in cells if cell)


def _colours(column: Sequence[str], screen: Screen) -> list[str]:
    """The colour of each cell of a column, empty where it has none."""
    marks = [_MARKED.fullmatch(cell) for cell in column[1:]]
    signs = [mark[1] if mark and all(marks) else None for mark in marks]
    colours = [""]
    for cell, sign in zip(column[1:], signs, strict=True):
        good, bad = isinstance(cell, Better) or sign == "+", isinstance(cell, Worse) or sign == "-"
        colours.append(_GREEN if good else _RED if bad else "")
    return colours if screen.colour else [""] * len(column)


def _padded(cell: str, width: int, right: bool, colour: str) -> str:
    spaces = " " * (width - cell_len(cell))
    shown = f"{colour}{cell}{_USUAL}" if colour else cell
    return spaces + shown if right else shown + spaces
