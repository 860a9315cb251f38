"""A table of a paper that says how metrics agree with people: its rows, and what was printed."""

from __future__ import annotations

from dataclasses import dataclass, field

OVER_SYSTEMS = ("system.spearman", "system.pearson", "core.spearman", "core.pearson")


@dataclass(frozen=True)
class PaperRow:
    """A row with its published numbers.

    `metric` is a signature, empty for a metric that is not of this project.
    """

    label: str
    metric: str
    published: tuple[float, ...]


@dataclass(frozen=True)
class PaperTable:
    """A table: what its published columns are, and the statistics that stand for them here."""

    paper: str
    published: tuple[str, ...]
    statistics: tuple[str, ...]
    rows: tuple[PaperRow, ...] = field(repr=False)


def rows_of(text: str) -> tuple[PaperRow, ...]:
    """Rows from lines of label, signature and numbers, separated by `|`.

    >>> rows_of("NKT | nkt | .940 .922")
    (PaperRow(label='NKT', metric='nkt', published=(0.94, 0.922)),)
    """
    rows = []
    for line in text.strip().splitlines():
        label, metric, numbers = (part.strip() for part in line.split("|"))
        rows.append(PaperRow(label, metric, tuple(map(float, numbers.split()))))
    return tuple(rows)
