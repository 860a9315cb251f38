"""Human judgments of outputs: scores of segments, and rankings.

The manual's page `inputs` describes both kinds of tables, in which further columns are passed over.
Several scores of an output are averaged where one number is wanted; a ranking of n outputs gives
n(n - 1)/2 judgments of pairs.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated

import numpy as np

from preorder_eval.data.judgments import HumanScores, PairwiseJudgments
from preorder_eval.errors import FormatError, UnknownNameError, argument
from preorder_eval.formats.files import read_lines
from preorder_eval.formats.schema import Within
from preorder_eval.formats.text import whole_number
from preorder_eval.formats.tsv import finite, read_tsv


@dataclass(frozen=True)
class ScoreColumns:
    """The names of the columns; `judge` is empty where nobody says who judged.

    `base` is the number of the first segment.
    """

    system: str = "system"
    line: str = "line"
    score: str = "score"
    judge: str = ""
    base: Annotated[int, Within(0, 1)] = 0


def read_human_scores(
    path: str | Path, segments: int, columns: ScoreColumns = ScoreColumns()
) -> HumanScores:
    r"""Read scores of systems on `segments` segments; systems are in the order of the file.

    An empty score is no judgment. Raises FormatError, with file and line, for a missing column, a
    segment that is out of range, or something that is no finite number.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "human.tsv"
    >>> _ = file.write_text("system\tline\tscore\nbase\t0\t70\nnew\t0\t90\n")
    >>> scores = read_human_scores(file, 1)
    >>> scores.systems, scores.means.tolist()
    (('base', 'new'), [[70.0], [90.0]])
    """
    header, table = read_tsv(path, (), "separate the fields with tabs, as in the header")
    places = [_column(columns, what, header, path) for what in ("system", "line", "score")]
    by = _column(columns, "judge", header, path) if columns.judge else None
    systems: dict[str, int] = {}
    judges: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    scores: list[float] = []
    for number, fields in table:
        name, place, text = (fields[i] for i in places)
        if not text:
            continue
        segment = _segment(place, segments, columns.base, path, number)
        judge = judges.setdefault(fields[by], len(judges)) if by is not None else 0
        rows.append((systems.setdefault(name, len(systems)), segment, judge))
        scores.append(_score(text, path, number))
    if not rows:
        raise FormatError("no score below the header", file=path, hint="it needs judgments")
    system, segment_of, judge_of = np.array(rows, dtype=np.int64).T
    return HumanScores(tuple(systems), segments, system, segment_of, np.array(scores), judge_of)


def _segment(field: str, segments: int, base: int, path: str | Path, line: int) -> int:
    """Read a segment's number, and count it from 0."""
    number = whole_number(field)
    if number is None:
        hint = "write a whole number"
        defect = f"{field!r} is not the number of a segment"
        raise FormatError(defect, file=path, line=line, hint=hint)
    if not base <= number < base + segments:
        raise FormatError(
            f"segment {number}, but there are {segments}, counted from {base}",
            file=path,
            line=line,
            hint="judgments and outputs must be of the same text; if the first segment is 1, use "
            + argument("ScoreColumns(base=1)", "--line-base 1"),
        )
    return number - base


def _column(columns: ScoreColumns, what: str, header: Sequence[str], path: str | Path) -> int:
    name = getattr(columns, what)
    if name not in header:
        hint = argument(
            f"ScoreColumns({what}=NAME)",
            f"--{what}-column NAME" if what == "score" else f"--column {what}=NAME",
        )
        raise UnknownNameError(f"column of {path}", name, header, f"; name it with {hint}")
    return header.index(name)


def _score(field: str, path: str | Path, line: int) -> float:
    value = finite(field)
    if value is None:
        hint = "write a number of at most 1e100, or nothing"
        raise FormatError(f"{field!r} is not a score", file=path, line=line, hint=hint)
    return value


def read_rankings(path: str | Path, segments: int, base: int | None = None) -> PairwiseJudgments:
    """Read the pairs that are ranked; systems are in the order of the file.

    `segments` is their number, and `base` the number of the first if it is not 1. Raises
    FormatError, with file and line, for missing columns, several language pairs, a segment out of
    range, an invalid rank, or a system ranked twice.
    """
    systems: dict[str, int] = {}
    judges: dict[str, int] = {}
    pairs = []
    for line, place, judge, ranked in _rankings(path):
        segment = _segment(place, segments, 1 if base is None else base, path, line)
        by = judges.setdefault(judge, len(judges))
        ranks = [(systems.setdefault(name, len(systems)), rank) for name, rank in ranked]
        if len({system for system, _ in ranks}) < len(ranks):
            hint = "write another ranking in a row of its own"
            raise FormatError("a system is ranked twice", file=path, line=line, hint=hint)
        for (first, rank), (second, other) in combinations(ranks, 2):
            pairs.append((segment, first, second, (rank < other) - (rank > other), by))
    if not pairs:
        raise FormatError("no two outputs are ranked", file=path, hint="it needs judgments")
    return PairwiseJudgments(tuple(systems), segments, *np.array(pairs, dtype=np.int64).T)


def _rankings(path: str | Path) -> Iterator[tuple[int, str, str, list[tuple[str, int]]]]:
    """Yield line, segment, judge, and systems with ranks of each row."""
    rows = csv.reader(read_lines(path))
    try:
        header = next(rows, [])
        segment = _first_of(["srcIndex", "segmentId"], header, path)
        judge = _first_of(["judgeID", "judgeId"], header, path)
        numbers = [m[1] for name in header if (m := re.fullmatch(r"system([0-9]+)Id", name))]
        ranked = [
            (header.index(f"system{n}Id"), _first_of([f"system{n}rank"], header, path))
            for n in numbers
        ]
        if len(ranked) < 2:
            _first_of(["system2Id"], [], path)
        languages = [header.index(name) for name in ("srclang", "trglang") if name in header]
        pair: list[str] = []
        for row in filter(None, rows):
            if len(row) != len(header):
                hint = "separate the fields with commas, as in the header"
                defect = f"{len(row)} fields instead of {len(header)}"
                raise FormatError(defect, file=path, line=rows.line_num, hint=hint)
            here = [row[i] for i in languages]
            if here != (pair := pair or here):
                hint = "keep the rankings of one language pair"
                defect = f"{'-'.join(here)} after {'-'.join(pair)}"
                raise FormatError(defect, file=path, line=rows.line_num, hint=hint)
            ranks = [(row[name], _rank(row[rank], path, rows.line_num)) for name, rank in ranked]
            known = [(name, rank) for name, rank in ranks if name and rank != -1]
            yield rows.line_num, row[segment], row[judge], known
    except csv.Error as error:
        raise FormatError(str(error), file=path, line=rows.line_num) from error


def _first_of(names: Sequence[str], header: Sequence[str], path: str | Path) -> int:
    for name in names:
        if name in header:
            return header.index(name)
    hint = "it needs srcIndex, judgeId, system1Id, system1rank, … with commas between"
    raise FormatError(f"no column {' or '.join(names)}", file=path, line=1, hint=hint)


def _rank(field: str, path: str | Path, line: int) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", field.strip()):
        raise FormatError(
            f"{field!r} is not a rank", file=path, line=line, hint="write a whole number"
        )
    return int(field.strip())  # of more kinds of spaces than `int` knows
