"""Tables drawn for people: as text that fits a terminal, Markdown, LaTeX and HTML."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from rich.cells import cell_len

from preorder_eval.base.visible import visible

_GREEN, _RED, _USUAL = "\x1b[32m", "\x1b[31m", "\x1b[0m"
_NOTES = 80  # columns that notes are folded to where the width of the screen is not known
# In notes that say what brackets and marks are, and what to bear in mind.
_LEGEND = re.compile(r"\[95%|\*\* (p|better)|†|^lower is better|^warning: |tuned|trained")
_IN_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "%&_#{}$"}
    | {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}
    | {"α": "$\\alpha$", "β": "$\\beta$", "γ": "$\\gamma$", "κ": "$\\kappa$", "ρ": "$\\rho$"}
    | {"τ": "$\\tau$", "σ": "$\\sigma$", "Δ": "$\\Delta$", "▼": "$\\bigtriangledown$"}
    | {"<": "$<$", ">": "$>$", "≤": "$\\leq$", "≥": "$\\geq$", "−": "$-$", "→": "$\\to$"}
    | {"†": "$\\dagger$", "…": "\\dots{}"}
    | {"↓": "$\\downarrow$", "↑": "$\\uparrow$", "|": "\\textbar{}", '"': "''"}
)
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")  # or the begin of a comment
_LETTER = re.compile(r"[^\W\d_]")
_BEYOND_LATIN = 0x250  # letters from here on are not in pdflatex's usual fonts
_NARROW = 20  # columns that a folded cell has at least


@dataclass(frozen=True)
class DrawnColumn:
    """A column of strings: its heading and cells, and how they are aligned and coloured.

    - `right` aligns them to the right.
    - `signs` are the marks of the cells; a cell is coloured if its mark begins with + or -.
    - A `label` column is repeated in each block of a table that is broken into blocks.
    - The cells of a `wrap` column, which must be the last, are folded.
    - `marked` has the cells of a column of numbers with marks, in two parts.
    """

    heading: str
    cells: Sequence[str]
    right: bool
    signs: Sequence[str]
    label: bool = False
    wrap: bool = False
    marked: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Drawing:
    """A table ready to be drawn: columns of strings, a title above and notes below.

    The `label` is that of the caption in LaTeX, after `tab:`.
    """

    columns: Sequence[DrawnColumn]
    title: str = ""
    notes: Sequence[str] = ()
    label: str = ""

    def text(self, width: int | None = None, colour: bool = False) -> str:
        """Return columns aligned with spaces; a table wider than `width` is broken into blocks."""
        notes = "\n".join(folded_lines(visible(note), width) for note in self.notes)
        sizes = [max(map(cell_len, [c.heading, *c.cells]), default=0) for c in self.columns]
        body = [
            "\n".join(self._lines(block, sizes, width, colour))
            for block in self._blocks(sizes, width)
        ]
        if self.title and body and not any(column.heading for column in self.columns):
            body[0] = f"{folded_lines(visible(self.title), width)}\n{body[0]}".rstrip()
        elif self.title:
            body.insert(0, folded_lines(visible(self.title), width))
        return "\n\n".join(part for part in (*body, notes) if part)

    def _lines(
        self, block: Sequence[int], sizes: Sequence[int], width: int | None, colour: bool
    ) -> list[str]:
        """Return the lines of some columns, with a heading if one of them has one."""
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
        """Return the columns of each block, by number; every block has the labels."""

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
        """Return a table of GitHub's Markdown; each note is a paragraph."""
        title, *notes = map(markdown_line, [self.title, *self.notes])
        parts = [title and f"**{title}**", self._table_of_markdown(), *notes]
        return "\n\n".join(filter(None, parts))

    def latex(self) -> str:
        """Return a table of LaTeX, which needs the package booktabs; the title is its caption.

        A table without a title has its label as its caption. Notes that explain brackets and
        marks, and warnings, stand below the table, others in comments.
        """
        notes = list(map(visible, self.notes))
        legend = [note for note in notes if _LEGEND.search(note)] if self.columns else []
        lines = [f"% {note}" for note in notes if note not in legend]
        if self.columns:
            title = self.title or self.label.replace("-", " ").capitalize()
            caption = [f"\\caption{{{_latex(visible(title))}}}", f"\\label{{tab:{self.label}}}"]
            table = ["\\begin{table}", "\\centering", *caption, "\\small", *self._tabular()]
            if legend:
                table.append(f"\\par\\smallskip\\footnotesize {_latex('; '.join(legend))}")
            lines = [*table, "\\end{table}", *lines]
        return "\n".join(lines)

    def _tabular(self) -> list[str]:
        """Return the lines of a tabular of LaTeX; marks of numbers are in columns of their own."""
        columns, kinds = list[list[str]](), list[str]()
        for column in self.columns:
            heading, cells = _latex(column.heading), list(map(_latex, column.cells))
            marked = any(mark for _, mark in column.marked)
            if marked:
                cells = [f"{_latex(one)} & {_latex(mark)}" for one, mark in column.marked]
                heading = f"{heading} &"
            right = column.right or column.marked
            kinds.append("r@{~}l" if marked else "r" if right else "l")
            columns.append([heading, *cells])
        sizes = [max(map(len, column)) for column in columns]
        heading, *rows = (
            " & ".join(map(str.ljust, row, sizes)) + " \\\\" for row in zip(*columns, strict=True)
        )
        # A bracket at the beginning would be an argument of the \\\\ above.
        rows = [re.sub(r"^\[", "{[}", row) for row in rows]
        head = [heading, "\\midrule"] if any(column.heading for column in self.columns) else []
        lines = ["\\toprule", *head, *rows, "\\bottomrule"]
        return [f"\\begin{{tabular}}{{@{{}}{''.join(kinds)}@{{}}}}", *lines, "\\end{tabular}"]

    def html(self) -> str:
        """Return a table for a page or a notebook; everything is escaped."""
        title = self.title and f"<p>{escape(visible(self.title))}</p>\n"
        notes = "".join(f"\n<p>{escape(visible(note))}</p>" for note in self.notes)
        table = self._table_of_html()
        scrolled = f'<div style="overflow-x: auto">{table}</div>' if table else ""
        return f"{title}{scrolled}{notes}"

    def _table_of_html(self) -> str:
        """Return the table alone; numbers are not broken over lines, so narrow pages scroll."""

        def row(tag: str, texts: Iterable[str]) -> str:
            cells = (
                f'<{tag} style="text-align: {"right" if column.right else "left"};'
                f'{"" if _LETTER.search(text) else " white-space: nowrap;"}">'
                f"{escape(text.strip())}</{tag}>"
                for column, text in zip(self.columns, texts, strict=True)
            )
            return f"<tr>{''.join(cells)}</tr>\n"

        if not self.columns:
            return ""
        headings = [column.heading for column in self.columns]
        head = f"<thead>\n{row('th', headings)}</thead>\n" if any(headings) else ""
        rows = zip(*(column.cells for column in self.columns), strict=True)
        return f"<table>\n{head}<tbody>\n{''.join(row('td', r) for r in rows)}</tbody>\n</table>"

    def _table_of_markdown(self) -> str:
        from tabulate import tabulate  # late: a tenth of a second that text does without

        def quote(cell: str) -> str:
            return re.sub(r"([\\|*_`<>\[\]])", r"\\\1", cell)

        if not self.columns:
            return ""
        rows = zip(*(column.cells for column in self.columns), strict=True)
        return tabulate(
            [list(map(quote, row)) for row in rows] or [[""] * len(self.columns)],
            [quote(column.heading) for column in self.columns],
            tablefmt="pipe",
            colalign=["right" if column.right else "left" for column in self.columns],
            disable_numparse=True,
        )


def _latex(text: str) -> str:
    """Return text for LaTeX, as pdflatex takes it as well.

    >>> print(_latex("τ of a_b: -0.5, p ≤ 5%"))
    $\\tau$ of a\\_b: $-$0.5, p $\\leq$ 5\\%
    """
    return re.sub(r"(?<!\w)-(?=[\d*])", "−", text).translate(_IN_LATEX)


def markdown_line(text: str) -> str:
    """Return a line of Markdown in which names, such as those of systems, are no tags of HTML.

    >>> print(markdown_line("<b>a</b> is better, p < 0.001"))
    \\<b>a\\</b> is better, p < 0.001
    """
    return _TAG.sub(r"\\<", visible(text))


def latex_needs(text: str) -> str:
    """Return a comment with what a document needs for this LaTeX: a package, and an engine.

    >>> latex_needs("$\\tau$"), latex_needs("% 彼女")
    ('% needs \\\\usepackage{booktabs}', '% needs \\\\usepackage{booktabs}')
    >>> latex_needs("彼女").partition("; ")[2]
    'its letters need lualatex or xelatex, and a font that contains them'
    """
    printed = "".join(line for line in text.split("\n") if not line.startswith("%"))
    beyond = any(ord(letter) >= _BEYOND_LATIN and not "‐" <= letter <= "…" for letter in printed)
    letters = "; its letters need lualatex or xelatex, and a font that contains them"
    return f"% needs \\usepackage{{booktabs}}{letters * beyond}"


def folded_lines(note: str, width: int | None = None) -> str:
    """Return a note on lines of that width, those after the first indented."""
    width = width or _NOTES
    return wrap(note.split(" "), width, 2) if cell_len(note) > width else note


def screen() -> dict[str, Any]:
    """Return width and colour of the terminal; empty if output is no terminal (no-color.org)."""
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
