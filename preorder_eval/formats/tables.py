"""Results as JSON and as tab-separated values."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from preorder_eval.errors import FormatError
from preorder_eval.formats.files import read_bytes, read_lines
from preorder_eval.visible import visible

Line = tuple[int, list[str]]  # a line's number and fields
Table = tuple[list[str], list[list[object]]]  # header and rows of plain values


# What JSON leaves as it is and a terminal may obey: C1 controls, and format characters, which turn
# the direction of writing or cannot be seen.
_HIDDEN = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)


def format_json(value: Any) -> str:
    r"""JSON as this project prints it: indented, in the order given, no NaN, nothing hidden.

    >>> print(format_json({"日本": "\u202ex"}), end="")
    {
      "日本": "\u202ex"
    }
    """
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


_CHANGED = "it was changed or cut short; make it anew"


def read_json(path: Path, mend: str = _CHANGED) -> dict[str, Any]:
    """A JSON object; FormatError for anything else."""
    try:
        value = json.loads(read_bytes(path), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:  # of JSON or of UTF-8
        raise FormatError("not JSON", file=path, mend=mend) from error
    if not isinstance(value, dict):
        raise FormatError("not a JSON object", file=path, mend=mend)
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def format_tsv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of tab-separated values with a header; None is an empty field.

    What cannot be seen is written out. A cell that a spreadsheet would take for a formula is left
    as it is.
    """
    shown = (
        [visible(value) if isinstance(value, str) else value for value in line] for line in rows
    )
    return "".join(tsv_lines(list(map(visible, header)), shown))


def tsv_lines(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of a table that is read again, one at a time: values are as they are."""
    for line in itertools.chain([header], rows):
        yield "\t".join("" if value is None else str(value) for value in line) + "\n"


def read_tsv(path: Path, first: Sequence[str], mend: str) -> tuple[list[str], list[Line]]:
    """The names of the columns, which begin with those given, and all rows with their lines."""
    lines = read_lines(path)
    header = lines[0].split("\t")
    if header[: len(first)] != list(first):
        named = ", ".join(first)
        raise FormatError(f"the columns are not {named}, …", file=path, line=1, mend=mend)
    rows = [(number, line.split("\t")) for number, line in enumerate(lines[1:], 2)]
    for number, fields in rows:
        if len(fields) != len(header):
            defect = f"{len(fields)} fields instead of {len(header)}"
            raise FormatError(defect, file=path, line=number, mend=mend)
    if not rows:
        raise FormatError("no row below the header", file=path, mend=mend)
    return header, rows


def known(value: float) -> float | None:
    """A number for JSON and TSV, None where it is undefined.

    >>> known(float("nan")), known(0.5)
    (None, 0.5)
    """
    return float(value) if math.isfinite(value) else None
