"""Several tables under titles, as text, Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from preorder_eval.formats.markup import format_latex, format_markdown
from preorder_eval.formats.text_table import format_table
from preorder_eval.visible import visible

Markup = Literal["text", "markdown", "latex"]


@dataclass(frozen=True)
class TitledTable:
    """A table for people, under its title, with a note below where there is one."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


def format_titled(tables: Sequence[TitledTable], form: Markup = "text") -> str:
    """The tables one after the other, an empty line between them.

    >>> print(format_titled([TitledTable("Table 1", ["", "score"], [["P1", "2.2"]], "of two")]))
    Table 1:
        score
    P1    2.2
    of two
    """
    tables = list(map(_visible, tables))
    if form == "text":
        return "\n\n".join(
            f"{t.title}:\n{format_table(t.header, t.rows)}" + (f"\n{t.note}" if t.note else "")
            for t in tables
        )
    write, mark = (format_latex, "% ") if form == "latex" else (format_markdown, "")
    return "\n\n".join(
        "\n\n".join(
            [f"{mark}{t.title}", write(t.header, t.rows)]
            + (["\n".join(mark + line for line in t.note.splitlines())] if t.note else [])
        )
        for t in tables
    )


def _visible(table: TitledTable) -> TitledTable:
    """The table with what cannot be seen in names written out."""
    return TitledTable(
        visible(table.title),
        list(map(visible, table.header)),
        [list(map(visible, row)) for row in table.rows],
        "\n".join(map(visible, table.note.splitlines())),
    )
