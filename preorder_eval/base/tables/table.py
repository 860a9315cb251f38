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
>>> table.records()[1]["FRS"]
{'value': 0.8, 'low': 0.75, 'high': 0.85}
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.tables.drawing import Drawing, DrawnColumn
from preorder_eval.base.visible import cell as tsv_cell
from preorder_eval.base.visible import visible

if TYPE_CHECKING:
    from pandas import DataFrame

Key = str | tuple[str, ...]

NONE = "-"
FURTHER = ContextVar("FURTHER", default=0)  # decimals beyond three, while a result is put in words
_ROUNDING = 1e-9  # differences below this are rounding
_MARK = re.compile(r"[+-]\*{1,2}")


@dataclass(frozen=True)
class Column:
    """The name of a column and the form of its values.

    - `key` is the name in JSON and TSV. A path such as ("scores", "bleu") is `{"scores": {"bleu":
      …}}` in JSON and "bleu" in TSV.
    - `format` is for numbers (".3f", "+.3f", ".1%", or "p" for significance), or the word for True.
      `decimals` is the key of a column with the number of decimals, if rows differ in that.
    - A cell of an `interval` column is (value, low, high) or None; `fields` names the three if they
      stand by themselves (worth, low_95, high_95).
    - `mark` is the key of the column whose marks stand beside the number.
    - `of` takes the value from an item (`Table.of`), by default its attribute of that name.
    - `only` restricts a column to "people", "data" or "json", or is "hidden".
    - A `label` tells what a row is about: labels are repeated if a table is broken into blocks.
    - `once` leaves a repeated value blank for people, `sparse` leaves None out of JSON, and `wrap`
      folds the texts of the last column.
    """

    key: Key
    heading: str | None = None
    format: str = ""
    interval: bool = False
    fields: tuple[str, ...] = ()
    mark: Key = ()
    decimals: Key = ()
    of: Callable[[Any], object] | str | None = None
    only: Literal["", "people", "data", "json", "hidden"] = ""
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
        return list(zip(names, cell or [None] * len(names), strict=True))

    def nested(self, cell: Any = None) -> tuple[tuple[str, ...], object]:
        """Return the place and the value in JSON.

        An interval with `fields` has them in place of the column.
        """
        if not self.interval or (cell is None and not self.fields):
            return self.path, cell
        if self.fields:
            values = cell or [None] * len(self.fields)
            return self.path[:-1], dict(zip(self.fields, values, strict=True))
        return self.path, dict(zip(("value", "low", "high"), cell, strict=True))

    def strings(
        self, cells: Sequence[Any], decimals: Sequence[int] = (), padded: bool = False
    ) -> list[str]:
        """Return the cells for people; `padded` aligns the numbers of intervals."""
        forms = [_with_decimals(self.format, many) for many in decimals]
        formed = list(zip(cells, forms or [self.format] * len(cells), strict=True))
        if not self.interval:
            return [_string(cell, form, self.none) for cell, form in formed]
        parts = [[_string(value, form) for value in cell or (None,) * 3] for cell, form in formed]
        widths = [max(map(len, part)) if padded else 0 for part in zip(*parts, strict=True)]
        shown = []
        for cell, part in zip(cells, parts, strict=True):
            value, low, high = map(str.rjust, part, widths)
            ends = f" [{low}, {high}]" if part[1:] != [NONE, NONE] else f" [{NONE}]"
            shown.append(value.strip() * (self.none == NONE) if cell is None else value + ends)
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
        """Return a table with a row for each item; the columns take their values from it."""
        return cls(key, columns, [[c.value(item) for c in columns] for item in items], **more)

    def at(self, key: Key) -> int:
        """Return the number of a column."""
        return [column.key for column in self.columns].index(key)

    def cells(self, key: Key) -> list[Any]:
        """Return the values of a column."""
        return [row[self.at(key)] for row in self.rows]

    # Views: other tables of the same values, for people.

    def select(self, *keys: Key, **changes: Any) -> Table:
        """Return the columns of these keys, in this order; all of them are shown to people."""
        chosen = [self.columns[self.at(key)] for key in keys]
        beside = [key for column in chosen for key in (column.mark, column.decimals)]
        hidden = [key for key in dict.fromkeys(beside) if key and key not in keys]
        at = [self.at(key) for key in (*keys, *hidden)]
        columns = [replace(self.columns[i], only="") for i in at[: len(keys)]]
        columns += [replace(self.columns[i], only="hidden") for i in at[len(keys) :]]
        return replace(
            self, columns=columns, rows=[[r[i] for i in at] for r in self.rows], **changes
        )

    def change(self, key: Key, **changes: Any) -> Table:
        """Return the table with a column whose declaration is changed."""
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

    def with_digits(self, digits: int) -> Table:
        """Return the table with that many decimals instead of three; other columns change alike."""
        more = digits - 3
        counts = [self.at(column.decimals) for column in self.columns if column.decimals]
        columns = []
        for column in self.columns:
            usual = re.search(r"\.(\d)f", column.format)
            form = _with_decimals(column.format, int(usual[1]) + more) if usual else column.format
            columns.append(replace(column, format=form))
        rows = [[c + more if i in counts else c for i, c in enumerate(row)] for row in self.rows]
        return replace(self, columns=columns, rows=rows)

    # Forms for programs.

    def records(self) -> list[dict[str, Any]]:
        """Return a dict for each row, as in JSON; intervals and paths are dicts within it."""
        records = []
        for row in self.rows:
            record: dict[str, Any] = {}
            for column, cell in zip(self.columns, row, strict=True):
                if column.only in ("people", "hidden") or (column.sparse and cell is None):
                    continue
                path, value = column.nested(plain(cell))
                place = record
                for name in path if isinstance(value, dict) else path[:-1]:
                    place = place.setdefault(name, {})
                place.update(value if isinstance(value, dict) else {path[-1]: value})
            records.append(record)
        return records

    def flat(self) -> tuple[list[str], list[list[Any]]]:
        """Return the header and the rows for TSV and pandas, with one number in a cell."""
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
        return "".join("\t".join(map(tsv_cell, line)) + "\n" for line in lines)

    def to_pandas(self) -> DataFrame:
        """Return a pandas.DataFrame; raises PreorderEvalError if pandas is not installed."""
        try:
            from pandas import DataFrame
        except ModuleNotFoundError as error:
            raise PreorderEvalError("data frames need pandas: pip install pandas") from error

        header, rows = self.flat()
        return DataFrame(rows, columns=header)

    # Forms for people.

    def text(self, width: int | None = None, colour: bool = False) -> str:
        """Return columns aligned with spaces; a table wider than `width` is broken into blocks."""
        return self.drawn(padded=True).text(width, colour)

    def lines(self) -> str:
        """Return the cells for people alone, a line for each row, with a space between them."""
        columns = (column.cells for column in self.drawn().columns)
        return "\n".join(map(" ".join, zip(*columns, strict=True)))

    def drawn(self, padded: bool = False) -> Drawing:
        """Return the columns for people as strings; `padded` aligns numbers within cells."""
        columns = [
            self._column(column, padded) for column in self.columns if column.only in ("", "people")
        ]
        label = self.key if isinstance(self.key, str) else "-".join(self.key)
        return Drawing(columns, self.title, self.notes, label)

    def _column(self, column: Column, padded: bool) -> DrawnColumn:
        cells = self.cells(column.key)
        signs = [str(m or "") for m in self.cells(column.mark)] if column.mark else []
        decimals = self.cells(column.decimals) if column.decimals else ()
        shown = [visible(cell) for cell in column.strings(cells, decimals, padded)]
        if column.once:
            pairs = zip(shown, ["", *shown], strict=False)
            shown = ["" if cell == above else cell for cell, above in pairs]
        numbers = all(isinstance(c, int | float | np.number | None) for c in cells)
        right = numbers or (column.interval and not padded)
        marked = list[tuple[str, str]]()
        if signs:
            size = max(map(len, ["", *(shown if padded and numbers else ())]))
            # A number with a sign says itself which way the mark goes.
            strip = "+-0" if column.format.startswith("+") else "0"
            stars = [sign.strip(strip) for sign in signs]
            marked = list(zip(shown, stars, strict=True)) if right or column.interval else []
            shown = [f"{s:>{size}} {m}".rstrip() for s, m in zip(shown, stars, strict=True)]
            right = False
        heading = column.path[-1] if column.heading is None else column.heading
        signs = signs or [str(c) if _MARK.fullmatch(str(c)) else "" for c in cells]
        heading = visible(heading)
        return DrawnColumn(heading, shown, right, signs, column.label, column.wrap, marked)


def ends(interval: Any) -> tuple[float, float, float] | None:
    """Return an interval as a cell."""
    return None if interval is None else (interval.value, interval.low, interval.high)


def plain(value: Any) -> Any:
    """Return a value for JSON: values of numpy as those of Python, and None if not finite.

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
    if not isinstance(value, int | float):
        return str(value)
    if form == "p":
        return p_value(value)
    return signed(value, form) if form.startswith("+") else _unsigned_zero(format(value, form))


def _unsigned_zero(shown: str) -> str:
    """Return a formatted number without the sign of one that is rounded to zero, as in -0.000."""
    return shown if any(digit in shown for digit in "123456789") else shown.removeprefix("-")


def _with_decimals(form: str, decimals: int) -> str:
    return re.sub(r"\.\d+f", f".{max(decimals, 0)}f", form)


def figure(value: float, form: str = ".3f") -> str:
    """Return a number for a verdict, note or title, with the decimals that were asked for.

    >>> figure(0.25), figure(26.51, ".1f"), figure(-0.0001)
    ('0.250', '26.5', '0.000')
    """
    return _unsigned_zero(format(value, _with_decimals(form, int(form[-2]) + FURTHER.get())))


def signed(value: float, form: str = "+.3f") -> str:
    """Return a signed difference, with more decimals if it would look like zero.

    The end +0.0004 of an interval shows that 0 is not in it; +0.000 would not.

    >>> signed(0.0251), signed(0.00043), signed(-0.04, "+.1f")
    ('+0.025', '+0.0004', '-0.04')
    """
    value = 0.0 if abs(value) < _ROUNDING else value
    form = re.sub(r"\.(\d+)", lambda usual: f".{int(usual[1]) + FURTHER.get()}", form)
    shown = format(value, form)
    while value and not float(shown.rstrip("%")):
        form = re.sub(r"\.(\d+)", lambda decimals: f".{int(decimals[1]) + 1}", form)
        shown = format(value, form)
    return shown


def p_value(p: float) -> str:
    """Return p with three decimals, or more if rounding would cross a level.

    >>> p_value(0.0002), p_value(0.0312), p_value(0.05004)
    ('< 0.001', '0.031', '0.05004')
    """
    decimals = 3
    while any((p <= level) != (float(f"{p:.{decimals}f}") <= level) for level in (0.05, 0.1)):
        decimals += 1
    return "< 0.001" if p < 0.001 else f"{p:.{decimals}f}"
