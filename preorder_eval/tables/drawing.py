"""Tables drawn for people: as text that fits a terminal, Markdown, LaTeX and HTML."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from rich.cells import cell_len

from preorder_eval.visible import visible

_GREEN, _RED, _USUAL = "\x1b[32m", "\x1b[31m", "\x1b[0m"
_NOTES = 80  # columns that notes are folded to where the width of the screen is not known
_NARROW = 20  # columns that a folded cell has at least


@dataclass(frozen=True)
class DrawnColumn:
    """A column of strings: its heading and cells, and how they stand.

    `right` aligns them to the right. `signs` are the marks by which cells are coloured, `+` and `-`
    first. `label` columns are repeated where a table is broken; cells of a `wrap` column, the last,
    are folded.
    """

    heading: str
    cells: Sequence[str]
    right: bool
    signs: Sequence[str]
    label: bool = False
    wrap: bool = False


@dataclass(frozen=True)
class Drawing:
    """A drawing: columns of strings, a title above and notes below them."""

    columns: Sequence[DrawnColumn]
    title: str = ""
    notes: Sequence[str] = ()

    def text(self, width: int | None = None, colour: bool = False) -> str:
        """Return columns aligned with spaces; a table wider than `width` is broken into blocks."""
        notes = "\n".join(folded(visible(note), width) for note in self.notes)
        sizes = [max(map(cell_len, [c.heading, *c.cells]), default=0) for c in self.columns]
        body = [
            "\n".join(self._lines(block, sizes, width, colour))
            for block in self._blocks(sizes, width)
        ]
        if self.title and body and not any(column.heading for column in self.columns):
            body[0] = f"{folded(visible(self.title), width)}\n{body[0]}".rstrip()
        elif self.title:
            body.insert(0, folded(visible(self.title), width))
        return "\n\n".join(part for part in (*body, notes) if part)

    def _lines(
        self, block: Sequence[int], sizes: Sequence[int], width: int | None, colour: bool
    ) -> list[str]:
        """Return the lines of the columns of these numbers; no heading if none has one."""
        columns = []
        for c in block:
            column, size = self.columns[c], sizes[c]
            cells = list(column.cells)
            if column.wrap and width is not None:
                indent = sum(sizes[other] + 2 for other in block if other != c)
                room = max(width - indent, _NARROW)
                cells = [wrap(cell.split(" "), indent + room, indent) for cell in cells]
            lines = []
            for cell, sign in zip([column.heading, *cells], ["", *column.signs], strict=True):
                fill = " " * (size - cell_len(cell))
                paint = {"+": _GREEN, "-": _RED}.get(sign[:1]) if colour else None
                painted = f"{paint}{cell}{_USUAL}" if paint else cell
                lines.append(fill + painted if column.right else painted + fill)
            columns.append(lines)
        rows = ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
        return rows if any(self.columns[c].heading for c in block) else rows[1:]

    def _blocks(self, sizes: Sequence[int], width: int | None) -> list[list[int]]:
        """Return the numbers of the columns beside each other; labels are in every block."""

        def beside(chosen: Sequence[int]) -> int:
            return sum(sizes[c] + 2 for c in chosen) - 2

        columns = list(range(len(sizes)))
        if width is None or beside([c for c in columns if not self.columns[c].wrap]) <= width:
            return [columns]
        labels = [c for c in columns if self.columns[c].label] or [0]
        while len(labels) > 1 and 2 * beside(labels) > width:
            labels.pop()
        blocks: list[list[int]] = [[]]
        for c in (c for c in columns if c not in labels):
            if blocks[-1] and beside([*labels, *blocks[-1], c]) > width:
                blocks.append([])
            blocks[-1].append(c)
        return [[*labels, *block] for block in blocks]

    def markdown(self) -> str:
        """Return a table of GitHub's Markdown."""
        table = self._tabulated("pipe", lambda cell: re.sub(r"([\\|*_`<>\[\]])", r"\\\1", cell))
        title, notes = visible(self.title), "\n".join(map(visible, self.notes))
        return "\n\n".join(part for part in (title and f"**{title}**", table, notes) if part)

    def latex(self) -> str:
        """Return a tabular with the rules of booktabs, its title a caption, notes comments."""
        table = re.sub(r"(?<![\w}])[-−](?=\d)", "$-$", self._tabulated("latex_booktabs"))
        table = re.sub(r"(?m)^( *)\[", r"\1{[}", table)  # else an argument of the \\\\ above
        if self.title and table:
            caption = re.sub(r"([%&_#{}$])", r"\\\1", visible(self.title))
            table = f"\\begin{{table}}\n\\caption{{{caption}}}\n{table}\n\\end{{table}}"
        return "\n".join(filter(None, [table, *(f"% {visible(note)}" for note in self.notes)]))

    def html(self) -> str:
        """Return a table for a page or a notebook; everything is escaped."""
        title = self.title and f"<p>{escape(visible(self.title))}</p>\n"
        notes = "".join(f"\n<p>{escape(visible(note))}</p>" for note in self.notes)
        table = re.sub(r"(<t[hd][^>]*>) *| *(</t[hd]>)", r"\1\2", self._tabulated("html"))
        table = re.sub("(<t[hd])>", r'\1 style="text-align: left;">', table)  # else right: Jupyter
        return f"{title}{table}{notes}"

    def _tabulated(self, form: str, quote: Callable[[str], str] = str) -> str:
        from tabulate import tabulate  # late: a tenth of a second that text does without

        if not self.columns:
            return ""
        rows = zip(*(column.cells for column in self.columns), strict=True)
        return tabulate(
            [list(map(quote, row)) for row in rows] or [[""] * len(self.columns)],
            [quote(column.heading) for column in self.columns],
            tablefmt=form,
            colalign=["right" if column.right else "left" for column in self.columns],
            disable_numparse=True,
        )


def folded(note: str, width: int | None = None) -> str:
    """Return a note on lines of that width, those after the first indented."""
    width = width or _NOTES
    return wrap(note.split(" "), width, 2) if cell_len(note) > width else note


def screen() -> dict[str, Any]:
    """Return width and colour of standard output; neither if it is no terminal (no-color.org)."""
    if not sys.stdout.isatty():
        return {}
    plain_screen = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return {"width": shutil.get_terminal_size().columns, "colour": not plain_screen}


def wrap(words: Iterable[str], width: int, indent: int) -> str:
    """Return words on as many lines as needed, those after the first indented.

    >>> print(wrap("one two three".split(), width=11, indent=4))
    one two
        three
    """
    lines: list[str] = []
    line, used = "", indent
    for word in words:
        size = cell_len(word)
        if line and used + 1 + size > width:
            lines.append(line)
            line, used = "", indent
        line, used = (f"{line} {word}", used + 1 + size) if line else (word, indent + size)
    return ("\n" + " " * indent).join([*lines, line])
