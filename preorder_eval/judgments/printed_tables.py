"""Tables of the papers as printed (`printed_tables.toml`), to be made again for other data."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

Number = float | tuple[float, ...]  # with low and high


@dataclass(frozen=True)
class PaperRow:
    """A row with its published numbers, as 95% intervals if the paper has them.

    `metric` is a signature, empty for a metric that is not implemented here.
    """

    label: str
    metric: str
    published: tuple[Number, ...]


@dataclass(frozen=True)
class PaperTable:
    """A paper's table of agreement with humans: its columns, and the statistics for them here."""

    paper: str
    columns: tuple[str, ...]
    statistics: tuple[str, ...]
    rows: tuple[PaperRow, ...] = field(repr=False)


def _rows(text: str) -> tuple[PaperRow, ...]:
    """Read lines of label, signature and numbers, `.86`, `.86[.83,.89]` or `na`, between `|`."""
    rows = []
    for line in text.strip().splitlines():
        label, metric, numbers = (part.strip() for part in line.split("|"))
        rows.append(PaperRow(label, metric, tuple(map(_number, numbers.split()))))
    return tuple(rows)


def _number(text: str) -> Number:
    if text == "na":
        return math.nan
    value, _, ends = text.rstrip("]").partition("[")
    return (float(value), *map(float, ends.split(","))) if ends else float(value)


_PUBLISHED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
PRINTED_TABLES = {
    name: PaperTable(
        table["paper"], tuple(table["columns"]), tuple(table["statistics"]), _rows(table["rows"])
    )
    for name, table in _PUBLISHED["tables"].items()
}
