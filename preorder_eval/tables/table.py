r"""Tables of results: columns are declared once, and drawn in every form.

A `Column` states the key of its values for programs, and their heading and format for people. A
`Table` holds plain values, with None or NaN where there is none. Text, Markdown, LaTeX and HTML
are for people: formatted values, title and notes. JSON, TSV and pandas are for programs: all
digits, an interval as three numbers. `Shown` gives a result class all of these.

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
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from rich.cells import cell_len
from tabulate import tabulate

from preorder_eval.visible import visible

if TYPE_CHECKING:
    from pandas import DataFrame

Form = Literal["text", "tsv", "markdown", "latex", "html"]
Key = str | tuple[str, ...]

NONE = "-"
_GREEN, _RED, _USUAL = "\x1b[32m", "\x1b[31m", "\x1b[0m"
_MARK = re.compile(r"[+-]\*{1,2}")


@dataclass(frozen=True)
class Column:
    """How the values of a column are called and shown.

    `key` is the name in JSON and TSV; a path such as ("scores", "bleu") is `{"scores": {"bleu":
    …}}` in JSON and "bleu" in TSV. `format` is for numbers (".3f", "+.4f", ".1%"), and the word for
    True. A cell with `interval` is (value, low, high) or None; `fields` names the three where they
    stand by themselves (worth, low_95, high_95). `mark` is the key of the column whose marks stand
    beside the number. `of` takes the value from an item (`Table.of`), by default its attribute.
    `only` restricts a column to "people", "data" or "json". `label` says what a row is about:
    labels are repeated where a table is broken. `once` leaves a repeated value blank for people,
    `sparse` leaves None out of JSON.
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

    @property
    def path(self) -> tuple[str, ...]:
        return (self.key,) if isinstance(self.key, str) else self.key

    @property
    def name(self) -> str:
        return " ".join(self.path[1:] or self.path)

    def value(self, item: object) -> object:
        """The cell of an item."""
        take = attrgetter(self.path[-1]) if self.of is None else self.of
        return take(item) if callable(take) else attrgetter(take)(item)

    def flat(self, cell: Any = None) -> list[tuple[str, object]]:
        """Names and values for TSV and pandas."""
        if not self.interval:
            return [(self.name, cell)]
        within = self.path[1:-1]
        names = [" ".join((*within, field)) for field in self.fields]
        names = names or [self.name, f"{self.name} low", f"{self.name} high"]
        return list(zip(names, cell or (None,) * 3, strict=True))

    def nested(self, cell: Any) -> tuple[tuple[str, ...], object]:
        """The place and value in JSON; fields of their own stand where the column would."""
        if not self.interval or (cell is None and not self.fields):
            return self.path, cell
        if self.fields:
            return self.path[:-1], dict(zip(self.fields, cell or (None,) * 3, strict=True))
        return self.path, dict(zip(("value", "low", "high"), cell, strict=True))

    def strings(self, cells: Sequence[Any], padded: bool = False) -> list[str]:
        """The cells for people; `padded` aligns the numbers of intervals below each other."""
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
        """A row for each item, whose columns take their values from it."""
        return cls(key, columns, [[c.value(item) for c in columns] for item in items], **more)

    def at(self, key: Key) -> int:
        """The number of a column."""
        return [column.key for column in self.columns].index(key)

    def cells(self, key: Key) -> list[Any]:
        """The values of a column."""
        return [row[self.at(key)] for row in self.rows]

    # Views: other tables of the same values, for people.

    def select(self, *keys: Key, **changes: Any) -> Table:
        """The columns of these keys in this order, shown even if others may not see them."""
        marks = [self.columns[self.at(key)].mark for key in keys]
        hidden = [mark for mark in dict.fromkeys(marks) if mark and mark not in keys]
        at = [self.at(key) for key in (*keys, *hidden)]
        columns = [replace(self.columns[i], only="") for i in at[: len(keys)]]
        columns += [replace(self.columns[i], only="data") for i in at[len(keys) :]]
        return replace(
            self, columns=columns, rows=[[r[i] for i in at] for r in self.rows], **changes
        )

    def change(self, key: Key, **changes: Any) -> Table:
        """A column declared otherwise."""
        columns = [replace(c, **changes) if c.key == key else c for c in self.columns]
        return replace(self, columns=columns)

    def prefixed(self, key: str, value: object) -> Table:
        """A first column with the same value everywhere."""
        columns = [Column(key, label=True), *self.columns]
        return replace(self, columns=columns, rows=[[value, *row] for row in self.rows])

    def where(self, keep: Iterable[object]) -> Table:
        """The rows for which `keep` is true."""
        return replace(self, rows=[r for r, kept in zip(self.rows, keep, strict=True) if kept])

    def head(self, most: int, more: str = "… and {} more") -> Table:
        """The first rows, with a note of how many are left out."""
        left = len(self.rows) - most
        notes = [more.format(left), *self.notes] if left > 0 else self.notes
        return replace(self, rows=self.rows[:most], notes=notes)

    def stack(self, group: str, key: str, heading: str = "score") -> Table:
        """A row for each name of a group of columns: of metrics beside each other one below."""
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
        """A triangular matrix of pairs: numbered rows, and columns by these numbers."""
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
        """A dict for each row, as JSON has it: intervals and paths are dicts in it."""
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
        """Header and rows for TSV and pandas: one number in a cell."""
        chosen = [i for i, c in enumerate(self.columns) if c.only in ("", "data")]
        header = [name for i in chosen for name, _ in self.columns[i].flat()]
        rows = [
            [value for i in chosen for _, value in self.columns[i].flat(plain(row[i]))]
            for row in self.rows
        ]
        return header, rows

    def tsv(self) -> str:
        """Tab-separated values with a header; an empty field where there is no value."""
        header, rows = self.flat()
        lines = [header, *([_string(value, "", "") for value in row] for row in rows)]
        return "".join("\t".join(map(visible, line)) + "\n" for line in lines)

    def to_pandas(self) -> DataFrame:
        """A pandas.DataFrame; takes pandas to be installed."""
        from pandas import DataFrame

        header, rows = self.flat()
        return DataFrame(rows, columns=header)

    # Forms for people.

    def text(self, width: int | None = None, colour: bool = False) -> str:
        """Columns aligned with spaces; a table wider than `width` is broken into blocks."""
        drawn = []
        for heading, cells, right, signs in self._drawn(padded=True):
            size = max(map(cell_len, [heading, *cells]))
            column = []
            for cell, sign in zip([heading, *cells], ["", *signs], strict=True):
                fill = " " * (size - cell_len(cell))
                paint = {"+": _GREEN, "-": _RED}.get(sign[:1]) if colour else None
                shown = f"{paint}{cell}{_USUAL}" if paint else cell
                column.append(fill + shown if right else shown + fill)
            drawn.append((size, column))
        blocks = (
            "\n".join(
                "  ".join(line).rstrip() for line in zip(*(drawn[c][1] for c in block), strict=True)
            )
            for block in self._blocks([size for size, _ in drawn], width)
        )
        notes = "\n".join(map(visible, self.notes))
        return "\n\n".join(part for part in (visible(self.title), *blocks, notes) if part)

    def markdown(self) -> str:
        """A table of GitHub's Markdown."""
        table = self._tabulated("pipe", lambda cell: re.sub(r"([\\|*_`<>\[\]])", r"\\\1", cell))
        title, notes = visible(self.title), "\n".join(map(visible, self.notes))
        return "\n\n".join(part for part in (title and f"**{title}**", table, notes) if part)

    def latex(self) -> str:
        """A tabular with the rules of booktabs; title and notes are comments."""
        table = re.sub(r"(?<![\w}])[-−](?=\d)", "$-$", self._tabulated("latex_booktabs"))
        table = re.sub(r"(?m)^( *)\[", r"\1{[}", table)  # else an argument of the \\\\ above
        title, *notes = (f"% {visible(line)}" for line in (self.title, *self.notes))
        return "\n".join([*[title] * bool(self.title), table, *notes])

    def html(self) -> str:
        """A table for a page or a notebook; everything is escaped."""
        title = self.title and f"<p>{escape(visible(self.title))}</p>\n"
        notes = "".join(f"\n<p>{escape(visible(note))}</p>" for note in self.notes)
        return f"{title}{self._tabulated('html')}{notes}"

    def _tabulated(self, form: str, quote: Callable[[str], str] = str) -> str:
        headings, body, right, _ = zip(*self._drawn(), strict=True)
        return tabulate(
            [list(map(quote, row)) for row in zip(*body, strict=True)] or [[""] * len(right)],
            list(map(quote, headings)),
            tablefmt=form,
            colalign=["right" if r else "left" for r in right],
            disable_numparse=True,
        )

    def _drawn(self, padded: bool = False) -> list[tuple[str, list[str], bool, list[str]]]:
        """For each column for people: heading, cells, whether to the right, and marks."""
        drawn = []
        for column in self._for_people():
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
                stars = [sign.strip("+-0") for sign in signs]
                shown = [f"{s:>{size}} {m}".rstrip() for s, m in zip(shown, stars, strict=True)]
                right = False
            heading = column.path[-1] if column.heading is None else column.heading
            signs = signs or [str(c) if _MARK.fullmatch(str(c)) else "" for c in cells]
            drawn.append((visible(heading), shown, right, signs))
        return drawn

    def _for_people(self) -> list[Column]:
        return [column for column in self.columns if column.only in ("", "people")]

    def _blocks(self, widths: Sequence[int], most: int | None) -> list[list[int]]:
        """The numbers of the columns beside each other; labels are in every block."""

        def beside(chosen: Sequence[int]) -> int:
            return sum(widths[c] + 2 for c in chosen) - 2

        columns = list(range(len(widths)))
        if most is None or beside(columns) <= most:
            return [columns]
        labels = [c for c, column in enumerate(self._for_people()) if column.label] or [0]
        while len(labels) > 1 and 2 * beside(labels) > most:
            labels.pop()
        blocks: list[list[int]] = [[]]
        for c in (c for c in columns if c not in labels):
            if blocks[-1] and beside([*labels, *blocks[-1], c]) > most:
                blocks.append([])
            blocks[-1].append(c)
        return [[*labels, *block] for block in blocks]


def ends(interval: Any) -> tuple[float, float, float] | None:
    """An interval as a cell."""
    return None if interval is None else (interval.value, interval.low, interval.high)


def plain(value: Any) -> Any:
    """A value for JSON: of numpy as of Python, and None where it is not finite.

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


def draw(tables: Iterable[Table], form: Form = "text", **screen: Any) -> str:
    """Tables one below the other, an empty line between them."""
    return "\n\n".join(getattr(table, form)(**screen).rstrip("\n") for table in tables)


def screen() -> dict[str, Any]:
    """Width and colour of standard output; neither where it is no terminal (no-color.org)."""
    if not sys.stdout.isatty():
        return {}
    plain_screen = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return {"width": shutil.get_terminal_size().columns, "colour": not plain_screen}


class Shown:
    """A result that is shown: a class that says `tables`, and what it likes of the others.

    `facts` are what JSON has beside the tables, `view` the tables as people read them.
    """

    @property
    def verdict(self) -> str:
        """What the tables come to, in one sentence; empty where there is nothing to add."""
        return ""

    def tables(self) -> list[Table]:
        """All values, for programs."""
        raise NotImplementedError

    def view(self, whole: bool = False) -> list[Table]:
        """The tables for people; `whole` for all there is."""
        return self.tables()

    def facts(self) -> dict[str, Any]:
        """What is said once, in JSON only."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        values: dict[str, Any] = plain(self.facts())
        for table in self.tables():
            *within, last = (table.key,) if isinstance(table.key, str) else table.key
            place = values
            for name in within:
                place = place.setdefault(name, {})
            place[last] = table.records()
        return values

    def to_pandas(self, key: str | None = None) -> DataFrame:
        """The table of this key, by default the first that TSV has."""
        tables = (t for t in self.tables() if (t.only != "json" if key is None else t.key == key))
        return next(tables).to_pandas()

    def show(self, form: Form = "text", whole: bool = False) -> str:
        """What a command prints."""
        if form == "tsv":
            return draw((table for table in self.tables() if table.only != "json"), form)
        body = draw(self.view(whole), form, **(screen() if form == "text" else {}))
        verdict = f"<p>{escape(self.verdict)}</p>" if form == "html" else visible(self.verdict)
        return "\n\n".join([verdict, body] if self.verdict and form != "latex" else [body])

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "__repr__" not in cls.__dict__:  # else dataclass would write one
            cls.__repr__ = Shown.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """The tables for people without colours, as a repr may be written anywhere."""
        tables = draw(self.view(), width=screen().get("width"))
        return "\n\n".join(filter(None, [visible(self.verdict), tables]))

    def _repr_html_(self) -> str:
        return self.show("html")
