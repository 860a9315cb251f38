"""Rankings of outputs: a judge says which output of a segment is best, second and so on.

Two forms are read. The CSV of WMT 2010 to 2016 has a header with `srcIndex` (or `segmentId`),
`judgeId` (or `judgeID`) and, for every ranked output, `system1Id` and `system1rank` (to
`system5Id`, `system5rank`, or more); further columns are passed over. A rank of -1 is none, and
segments are counted from 1. The simple form is a TSV with the columns `line`, `judge`, `system`
and `rank` and segments counted from 0. Rows with equal `line` and `judge` make a ranking; an empty
line, or one of another judge or segment, ends it.

In both, the lowest rank is the best, and equal ranks are ties. A ranking of n outputs gives
n(n - 1)/2 judgments of pairs.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.data.judgments import PairwiseJudgments
from preorder_eval.errors import FormatError
from preorder_eval.formats.human_scores import read_segment
from preorder_eval.formats.text import read_lines

Ranking = tuple[int, str, str, list[tuple[str, int]]]  # line, segment, judge, systems with ranks
_SIMPLE = ["line", "judge", "system", "rank"]


def read_rankings(path: str | Path, segments: int, base: int | None = None) -> PairwiseJudgments:
    """Read the pairs that are ranked; systems are in the order of the file.

    `segments` is their number, and `base` the number of the first if it is not as usual. Raises
    FormatError, with file and line, for columns that are missing, several language pairs, a
    segment out of range, something that is no rank, or a system that is ranked twice.
    """
    lines = read_lines(path)
    simple = lines[0].split("\t")[:4] == _SIMPLE
    read = _simple if simple else _wmt
    if base is None:
        base = 0 if simple else 1
    systems: dict[str, int] = {}
    judges: dict[str, int] = {}
    rows = []
    for number, place, judge, ranked in read(lines, path):
        segment = read_segment(place, segments, base, path, number)
        by = judges.setdefault(judge, len(judges))
        ranks = [(systems.setdefault(name, len(systems)), rank) for name, rank in ranked]
        if len({system for system, _ in ranks}) < len(ranks):
            raise FormatError(
                "a system is ranked twice",
                file=path,
                line=number,
                mend="put an empty line between two rankings of the same judge and segment",
            )
        for (first, rank), (second, other) in combinations(ranks, 2):
            rows.append((segment, first, second, (rank < other) - (rank > other), by))
    if not rows:
        raise FormatError("no two outputs are ranked", file=path, mend="it needs judgments")
    columns = np.array(rows, dtype=np.int64).T
    return PairwiseJudgments(tuple(systems), segments, *columns)


def _simple(lines: Sequence[str], path: str | Path) -> Iterator[Ranking]:
    current: Ranking | None = None
    for number, line in enumerate(lines[1:], 2):
        if not line:
            if current:
                yield current
            current = None
            continue
        fields = line.split("\t")
        if len(fields) < len(_SIMPLE):
            raise FormatError(
                f"{len(fields)} fields instead of {len(_SIMPLE)}",
                file=path,
                line=number,
                mend=f"write {', '.join(_SIMPLE)}, separated by tabs",
            )
        segment, judge, system, rank = fields[:4]
        if current and current[1:3] != (segment, judge):
            yield current
            current = None
        current = current or (number, segment, judge, [])
        current[3].append((system, _rank(rank, path, number)))
    if current:
        yield current


def _wmt(lines: Sequence[str], path: str | Path) -> Iterator[Ranking]:
    rows = csv.reader(lines)
    try:
        yield from _wmt_rows(rows, path)
    except csv.Error as error:
        raise FormatError(str(error), file=path, line=rows.line_num) from error


def _wmt_rows(rows: Any, path: str | Path) -> Iterator[Ranking]:
    header: list[str] = next(rows, [])
    segment = _first_of(["srcIndex", "segmentId"], header, path)
    judge = _first_of(["judgeID", "judgeId"], header, path)
    numbers = [m[1] for name in header if (m := re.fullmatch(r"system([0-9]+)Id", name))]
    pairs = [
        (header.index(f"system{n}Id"), _first_of([f"system{n}rank"], header, path)) for n in numbers
    ]
    if len(pairs) < 2:
        _first_of(["system2Id"], [], path)
    columns = [header.index(name) for name in ("srclang", "trglang") if name in header]
    pair: list[str] = []
    for row in filter(None, rows):
        if len(row) != len(header):
            raise FormatError(
                f"{len(row)} fields instead of {len(header)}",
                file=path,
                line=rows.line_num,
                mend="separate the fields with commas, as in the header",
            )
        languages = [row[i] for i in columns]
        if languages != (pair := pair or languages):
            raise FormatError(
                f"{'-'.join(languages)} after {'-'.join(pair)}",
                file=path,
                line=rows.line_num,
                mend="keep the rankings of one language pair",
            )
        ranked = [(row[name], _rank(row[rank], path, rows.line_num)) for name, rank in pairs]
        known = [(name, rank) for name, rank in ranked if name and rank != -1]
        yield rows.line_num, row[segment], row[judge], known


def _first_of(names: Sequence[str], header: Sequence[str], path: str | Path) -> int:
    for name in names:
        if name in header:
            return header.index(name)
    raise FormatError(
        f"no column {' or '.join(names)}",
        file=path,
        line=1,
        mend=f"it needs {', '.join(_SIMPLE)} with tabs between, or the columns of WMT's CSV",
    )


def _rank(field: str, path: str | Path, line: int) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", field.strip()):
        raise FormatError(
            f"{field!r} is not a rank", file=path, line=line, mend="write a whole number"
        )
    return int(field.strip())  # of more kinds of spaces than `int` knows
