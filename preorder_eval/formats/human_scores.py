"""Human scores of segments: a table of tab-separated values with a header.

A row has the system, the segment and the score that somebody gave, in columns whose names are
free; further columns are passed over. Segments are counted from 0, as the data of WMT do, or from
1. Several rows for the same output are several ratings, which are averaged where one number is
wanted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from preorder_eval.data.judgments import HumanScores
from preorder_eval.errors import FormatError, UnknownNameError
from preorder_eval.formats.text import read_lines, whole_number


@dataclass(frozen=True)
class ScoreColumns:
    """What the columns are called; `judge` is empty where nobody says who judged.

    `base` is the number of the first segment.
    """

    system: str = "system"
    line: str = "line"
    score: str = "score"
    judge: str = ""
    base: int = 0


def read_human_scores(
    path: str | Path, segments: int, columns: ScoreColumns = ScoreColumns()
) -> HumanScores:
    """Read scores of systems on `segments` segments; systems are in the order of the file.

    An empty score is no judgment. Raises FormatError, with file and line, for a missing column, a
    segment that is out of range, or something that is no finite number.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "human.tsv"
    >>> _ = file.write_text("system line score".replace(" ", chr(9)) + chr(10) + chr(9).join("a05"))
    >>> read_human_scores(file, segments=1)
    <HumanScores: 1 system, 1 segment, 1 score>
    """
    lines = read_lines(path)
    header = lines[0].split("\t")
    places = [_column(name, header, path) for name in (columns.system, columns.line, columns.score)]
    by = _column(columns.judge, header, path) if columns.judge else None
    systems: dict[str, int] = {}
    judges: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    scores: list[float] = []
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != len(header):
            raise FormatError(
                f"{len(fields)} fields instead of {len(header)}",
                file=path,
                line=number,
                mend="separate the fields with tabs, as in the header",
            )
        name, place, text = (fields[i] for i in places)
        if not text:
            continue
        segment = read_segment(place, segments, columns.base, path, number)
        judge = judges.setdefault(fields[by], len(judges)) if by is not None else 0
        rows.append((systems.setdefault(name, len(systems)), segment, judge))
        scores.append(_score(text, path, number))
    if not rows:
        raise FormatError("no score below the header", file=path, mend="it needs judgments")
    system, segment_of, judge_of = np.array(rows, dtype=np.int64).T
    return HumanScores(tuple(systems), segments, system, segment_of, np.array(scores), judge_of)


def read_segment(field: str, segments: int, base: int, path: str | Path, line: int) -> int:
    """A segment's number, counted from 0.

    >>> read_segment("3", segments=3, base=1, path="x.tsv", line=2)
    2
    """
    number = whole_number(field)
    if number is None:
        raise FormatError(
            f"{field!r} is not the number of a segment",
            file=path,
            line=line,
            mend="write a whole number",
        )
    if not base <= number < base + segments:
        raise FormatError(
            f"segment {number}, but there are {segments}, counted from {base}",
            file=path,
            line=line,
            mend="judgments and outputs must be of the same text; the line base says what they "
            "are counted from",
        )
    return number - base


def _column(name: str, header: Sequence[str], path: str | Path) -> int:
    if name not in header:
        raise UnknownNameError(f"column of {path}", name, header)
    return header.index(name)


def _score(field: str, path: str | Path, line: int) -> float:
    try:
        value = float(field)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(
            f"{field!r} is not a score", file=path, line=line, mend="write a number, or nothing"
        )
    return value
