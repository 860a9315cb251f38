r"""Tables of results: columns are declared once, and drawn in every form.

A `Column` states the key of its values for programs, and their heading and format for people. A
`Table` holds plain values, with None or NaN where there is none. Text, Markdown, LaTeX and HTML
are for people: formatted values, title and notes. JSON, TSV and pandas are for programs: all
digits, an interval as three numbers.

>>> columns = [Column("rules"), Column("FRS", format=".3f", interval=True),
...            Column("change", "vs. none", "+.3f", mark="significance"),
...            Column("significance", only="data")]
>>> rows = [["none", (0.5, 0.45, 0.55), None, None], ["en-ja", (0.8, 0.75, 0.85), 0.3, "+**"]]
>>> table = Table("systems", columns, rows, title="en-ja", notes=["** p < 0.05"])
>>> print(table.text())
en-ja
<BLANKLINE>
rules  FRS                   vs. none
none   0.500 [0.450, 0.550]       -
en-ja  0.800 [0.750, 0.850]  +0.300 **
<BLANKLINE>
** p < 0.05
>>> print(table.tsv(), end="")  # doctest: +NORMALIZE_WHITESPACE
rules FRS FRS low FRS high change significance
none  0.5 0.45    0.55
en-ja 0.8 0.75    0.85     0.3    +**
>>> table.records()[1]["FRS"]
{'value': 0.8, 'low': 0.75, 'high': 0.85}
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from preorder_eval.tables.drawing import Drawing, DrawnColumn
from preorder_eval.visible import visible

if TYPE_CHECKING:
    from pandas import DataFrame

Key = str | tuple[str, ...]

NONE = "-"
_MARK = re.compile(r"[+-]\*{1,2}")


@dataclass(frozen=True)
class Column:
    """The name of a column and the form of its values.

    `key` is the name in JSON and TSV; a path such as ("scores", "bleu") is `{"scores": {"bleu":
    …}}` in JSON and "bleu" in TSV. `format` is for numbers (".3f", "+.4f", ".1%"), and the word for
    True. A cell with `interval` is (value, low, high) or None; `fields` names the three where they
    stand by themselves (worth, low_95, high_95). `mark` is the key of the column whose marks stand
    beside the number. `of` takes the value from an item (`Table.of`), by default its attribute.
    `only` restricts a column to "people", "data" or "json". `label` says what a row is about:
    labels are repeated where a table is broken. `once` leaves a repeated value blank for people,
    `sparse` leaves None out of JSON, and `wrap` folds the texts of a last column.
    """

    key: Key
    heading: str | None = None
    format: str = ""
    interval: bool = False
    fields: tuple[str, ...] = ()
    mark: Key = ()
    of: Callable[[Any], object] | str | None = None
    only: Literal["", "people", "data", "json"] = ""
    label: bool = False
    none: str = NONE
    once: bool = False
    sparse: bool = False
    wrap: bool = False

    @property
    def path(self) -> tuple[str, ...]:
        return (self.key,) if isinstance(self.key, str) else self.key

    @property
    def name(self) -> str:
        return " ".join(self.path[1:] or self.path)

    def value(self, item: object) -> object:
        """Return the cell of an item."""
        take = attrgetter(self.path[-1]) if self.of is None else self.of
        return take(item) if callable(take) else attrgetter(take)(item)

    def flat(self, cell: Any = None) -> list[tuple[str, object]]:
        """Return names and values for TSV and pandas."""
        if not self.interval:
            return [(self.name, cell)]
        within = self.path[1:-1]
        names = [" ".join((*within, field)) for field in self.fields]
        names = names or [self.name, f"{self.name} low", f"{self.name} high"]
        return list(zip(names, cell or (None,) * 3, strict=True))

    def nested(self, cell: Any) -> tuple[tuple[str, ...], object]:
        """Return the place and value in JSON; fields of their own stand where the column would."""
        if not self.interval or (cell is None and not self.fields):
            return self.path, cell
        if self.fields:
            return self.path[:-1], dict(zip(self.fields, cell or (None,) * 3, strict=True))
        return self.path, dict(zip(("value", "low", "high"), cell, strict=True))

    def strings(self, cells: Sequence[Any], padded: bool = False) -> list[str]:
        """Return the cells for people; `padded` aligns the numbers of intervals."""
        if not self.interval:
            return [_string(cell, self.format, self.none) for cell in cells]
        parts = [[_string(value, self.format) for value in cell or (None,) * 3] for cell in cells]
        widths = [max(map(len, part)) if padded else 0 for part in zip(*parts, strict=True)]
        shown = []
        for part in parts:
            value, low, high = map(str.rjust, part, widths)
            missing = part[1:] == [NONE, NONE]
            shown.append(value if missing else f"{value} [{low}, {high}]")
        return shown


@dataclass(frozen=True)
class Table:
    """Rows of plain values under columns; `key` is its name in JSON."""

    key: Key
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    notes: Sequence[str] = ()
    only: Literal["", "json"] = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.key}: {len(row)} cells for {len(self.columns)} columns")

    @classmethod
    def of(cls, key: Key, columns: Sequence[Column], items: Iterable[object], **more: Any) -> Table:
        """Return a row for each item, whose columns take their values from it."""
        return cls(key, columns, [[c.value(item) for c in columns] for item in items], **more)

    def at(self, key: Key) -> int:
        """Return the number of a column."""
        return [column.key for column in self.columns].index(key)

    def cells(self, key: Key) -> list[Any]:
        """Return the values of a column."""
        return [row[self.at(key)] for row in self.rows]

    # Views: other tables of the same values, for people.

    def select(self, *keys: Key, **changes: Any) -> Table:
        """Return the columns of these keys in this order, for people too."""
        marks = [self.columns[self.at(key)].mark for key in keys]
        hidden = [mark for mark in dict.fromkeys(marks) if mark and mark not in keys]
        at = [self.at(key) for key in (*keys, *hidden)]
        columns = [replace(self.columns[i], only="") for i in at[: len(keys)]]
        columns += [replace(self.columns[i], only="data") for i in at[len(keys) :]]
        return replace(
            self, columns=columns, rows=[[r[i] for i in at] for r in self.rows], **changes
        )

    def change(self, key: Key, **changes: Any) -> Table:
        """Return the table with a column declared otherwise."""
        columns = [replace(c, **changes) if c.key == key else c for c in self.columns]
        return replace(self, columns=columns)

    def prefixed(self, key: str, value: object) -> Table:
        """Return the table with a first column that has the same value everywhere."""
        columns = [Column(key, label=True), *self.columns]
        return replace(self, columns=columns, rows=[[value, *row] for row in self.rows])

    def where(self, keep: Iterable[object]) -> Table:
        """Return the rows for which `keep` is true."""
        return replace(self, rows=[r for r, kept in zip(self.rows, keep, strict=True) if kept])

    def head(self, most: int, more: str = "… and {} more") -> Table:
        """Return the first rows, with a note of how many are left out."""
        left = len(self.rows) - most
        notes = [more.format(left), *self.notes] if left > 0 else self.notes
        return replace(self, rows=self.rows[:most], notes=notes)

    def stack(self, group: str, key: str, heading: str = "score") -> Table:
        """Return a row for each name of a group of columns, as of metrics beside each other."""
        fixed = [i for i, c in enumerate(self.columns) if c.path[0] != group]
        grouped = [i for i, c in enumerate(self.columns) if c.path[0] == group]
        places = {c.path[1:]: i for i, c in enumerate(self.columns) if i in grouped}
        kinds = {self.columns[i].path[2:]: self.columns[i] for i in grouped}
        names = dict.fromkeys(self.columns[i].path[1] for i in grouped)
        columns = [Column(key, label=True, once=True), *(self.columns[i] for i in fixed)]
        for rest, column in kinds.items():
            shown = column.heading if rest else heading
            mark = " ".join(column.mark[2:]) if isinstance(column.mark, tuple) else column.mark
            columns.append(replace(column, key=" ".join(rest) or "value", heading=shown, mark=mark))
        rows = []
        for name in names:
            at = [places.get((name, *rest)) for rest in kinds]
            for row in self.rows:
                values = [None if i is None else row[i] for i in at]
                rows.append([name, *(row[i] for i in fixed), *values])
        return replace(self, columns=columns, rows=rows)

    def pivot(self, row: str, column: str, cell: str, names: Sequence[str], **more: Any) -> Table:
        """Return a triangular matrix of pairs: numbered rows, and columns by these numbers."""
        at = self.at(row), self.at(column), self.at(cell)
        found = {(line[at[0]], line[at[1]]): line[at[2]] for line in self.rows}
        kind = replace(self.columns[at[2]], only="", label=False)
        columns = [Column("number", "", label=True), Column("name", "", label=True)]
        columns += [replace(kind, key=str(j), heading=None) for j in range(2, len(names) + 1)]
        rows = [
            [i, name, *(found.get((name, other), "") for other in names[1:])]
            for i, name in enumerate(names, 1)
        ]
        return replace(self, columns=columns, rows=rows, **more)

    # Forms for programs.

    def records(self) -> list[dict[str, Any]]:
        """Return a dict for each row, as JSON has it: intervals and paths are dicts in it."""
        records = []
        for row in self.rows:
            record: dict[str, Any] = {}
            for column, cell in zip(self.columns, row, strict=True):
                if column.only == "people" or (column.sparse and cell is None):
                    continue
                path, value = column.nested(plain(cell))
                place = record
                for name in path if isinstance(value, dict) else path[:-1]:
                    place = place.setdefault(name, {})
                place.update(value if isinstance(value, dict) else {path[-1]: value})
            records.append(record)
        return records

    def flat(self) -> tuple[list[str], list[list[Any]]]:
        """Return header and rows for TSV and pandas: one number in a cell."""
        chosen = [i for i, c in enumerate(self.columns) if c.only in ("", "data")]
        header = [name for i in chosen for name, _ in self.columns[i].flat()]
        rows = [
            [value for i in chosen for _, value in self.columns[i].flat(plain(row[i]))]
            for row in self.rows
        ]
        return header, rows

    def tsv(self) -> str:
        """Return tab-separated values with a header; an empty field where there is no value."""
        header, rows = self.flat()
        lines = [header, *([_string(value, "", "") for value in row] for row in rows)]
        return "".join("\t".join(map(visible, line)) + "\n" for line in lines)

    def to_pandas(self) -> DataFrame:
        """Return a pandas.DataFrame; takes pandas to be installed."""
        from pandas import DataFrame

        header, rows = self.flat()
        return DataFrame(rows, columns=header)

    # Forms for people.

    def text(self, width: int | None = None, colour: bool = False) -> str:
        """Return columns aligned with spaces; a table wider than `width` is broken into blocks."""
        return self.drawn(padded=True).text(width, colour)

    def markdown(self) -> str:
        """Return a table of GitHub's Markdown."""
        return self.drawn().markdown()

    def latex(self) -> str:
        """Return a tabular with the rules of booktabs; title and notes are comments."""
        return self.drawn().latex()

    def html(self) -> str:
        """Return a table for a page or a notebook; everything is escaped."""
        return self.drawn().html()

    def drawn(self, padded: bool = False) -> Drawing:
        """Return the columns for people as strings; `padded` aligns numbers within cells."""
        columns = [
            self._column(column, padded) for column in self.columns if column.only in ("", "people")
        ]
        return Drawing(columns, self.title, self.notes)

    def _column(self, column: Column, padded: bool) -> DrawnColumn:
        cells = self.cells(column.key)
        signs = [str(m or "") for m in self.cells(column.mark)] if column.mark else []
        shown = [visible(cell) for cell in column.strings(cells, padded)]
        if column.once:
            pairs = zip(shown, ["", *shown], strict=False)
            shown = ["" if cell == above else cell for cell, above in pairs]
        numbers = all(isinstance(c, int | float | np.number | None) for c in cells)
        right = numbers or (column.interval and not padded)
        if signs:
            size = max(map(len, shown), default=0) if padded and numbers else 0
            # A number with a sign says itself which way the mark goes.
            strip = "+-0" if column.format.startswith("+") else "0"
            stars = [sign.strip(strip) for sign in signs]
            shown = [f"{s:>{size}} {m}".rstrip() for s, m in zip(shown, stars, strict=True)]
            right = False
        heading = column.path[-1] if column.heading is None else column.heading
        signs = signs or [str(c) if _MARK.fullmatch(str(c)) else "" for c in cells]
        return DrawnColumn(visible(heading), shown, right, signs, column.label, column.wrap)


def ends(interval: Any) -> tuple[float, float, float] | None:
    """Return an interval as a cell."""
    return None if interval is None else (interval.value, interval.low, interval.high)


def plain(value: Any) -> Any:
    """Return a value for JSON: of numpy as of Python, and None where it is not finite.

    >>> plain((np.float64(0.5), math.nan)), plain({"n": np.int64(3)})
    ([0.5, None], {'n': 3})
    """
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(each) for each in value]
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _string(value: object, form: str, none: str = NONE) -> str:
    value = plain(value)
    if value is None:
        return none
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool) and form:
        return form * value
    return format(value, form) if isinstance(value, int | float) else str(value)
