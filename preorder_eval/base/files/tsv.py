r"""Tables of tab-separated values, and tokens and texts as one field of them.

In a field `\s` is a space in a token and `\\` a backslash, as in CoNLL-U's last column.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from preorder_eval.base.errors import FormatError
from preorder_eval.base.files.files import read_lines
from preorder_eval.base.visible import quantity

LARGEST_SCORE = 1e100  # of people or metrics: squares of larger ones may be infinite
Line = tuple[int, list[str]]  # a line's number and fields

# How programs write a score that there is not: nothing, or as Python, R and pandas.
MISSING = frozenset({"", "None", "NA", "NaN"})
_PARTED = re.compile(r"[^ ,;]+( +|[,;])")
_ESCAPES = {"\\": "\\\\", " ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_PLAIN = {escaped: plain for plain, escaped in _ESCAPES.items()}
_ESCAPE_TABLE = str.maketrans(_ESCAPES)
_ESCAPED = re.compile(r"[\\ \t\n\r]")


def tsv_lines(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a table that this program reads again; None is an empty field."""
    for line in itertools.chain([header], rows):
        yield "\t".join("" if value is None else str(value) for value in line) + "\n"


def read_tsv(path: str | Path, first: Sequence[str], hint: str) -> tuple[list[str], list[Line]]:
    """Read the names of all columns, and the rows with their line numbers.

    The first columns must be those named `first`. Blank lines at the end are no rows. Raises
    FormatError for other columns, a column that is there twice, a row of another length, and a
    table without rows.
    """
    lines = read_lines(path)
    while not lines[-1]:
        lines.pop()
    header = lines[0].split("\t")
    require_tabs(lines[:2], path, 1)
    require_single(header, path)
    if header[: len(first)] != list(first):
        named = ", ".join(first)
        raise FormatError(f"the columns are not {named}, …", file=path, line=1, hint=hint)
    rows = [(number, line.split("\t")) for number, line in enumerate(lines[1:], 2)]
    for number, fields in rows:
        if len(fields) != len(header):
            defect = quantity(len(fields), f"field instead of {len(header)}")
            raise FormatError(defect, file=path, line=number, hint=hint)
    if not rows:
        raise FormatError("no row below the header", file=path, hint=hint)
    return header, rows


def require_tabs(lines: Sequence[str], path: str | Path, number: int) -> None:
    """Raise FormatError if a header and the line below are parted by something else than tabs.

    `number` is the header's, from 1.

    >>> require_tabs(["system line", "A 1"], "x.tsv", 1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    preorder_eval.base.errors.FormatError: x.tsv:1: no tabs in this file; separate the ...
    """
    if not any("\t" in line for line in lines) and all(map(_PARTED.match, lines)):
        hint = "separate the fields with tabs"
        raise FormatError("no tabs in this file", file=path, line=number, hint=hint)


def require_single(header: Sequence[str], path: str | Path, line: int = 1) -> None:
    """Raise FormatError if a column is in the header twice."""
    again = next((name for name in header if name and header.count(name) > 1), None)
    if again is not None:
        hint = "give every column a unique name"
        raise FormatError(f"column {again!r} occurs twice", file=path, line=line, hint=hint)


def finite(value: object) -> float | None:
    """Return the number that a score stands for; None if it is no finite number.

    Numbers beyond 1e100 do not count as finite, because correlations take their squares.

    >>> finite("0.5"), finite("nan"), finite(1e200), finite(True)
    (0.5, None, None, None)
    """
    try:
        number = float("nan" if isinstance(value, bool) else value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return number if abs(number) <= LARGEST_SCORE else None


def escape_tokens(tokens: Sequence[str]) -> str:
    r"""Write tokens as one field of a table.

    >>> escape_tokens(["10 000", "dogs"])
    '10\\s000 dogs'
    """
    if _ESCAPED.search("".join(tokens)) is None:
        return " ".join(tokens)
    return " ".join(token.translate(_ESCAPE_TABLE) for token in tokens)


def unescape_tokens(field: str) -> list[str]:
    """Undo `escape_tokens`."""
    if "\\" not in field:
        return field.split(" ")
    return [re.sub(r"\\.", lambda m: _PLAIN.get(m[0], m[0]), token) for token in field.split(" ")]


def escape_text(text: str) -> str:
    """Write a text as one field of a table, in which its spaces stay."""
    return escape_tokens(text.split(" "))


def unescape_text(field: str) -> str:
    """Undo `escape_text`."""
    return " ".join(unescape_tokens(field))
