"""Human judgments in files: scores of segments, and rankings.

The manual's page `inputs` describes both kinds of tables; further columns are ignored. Where one
number of an output is needed, its scores are averaged. A ranking of n outputs gives n(n - 1)/2
judgments of pairs.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from preorder_eval.base.arrays import Longs
from preorder_eval.base.errors import FormatError, UnknownNameError, argument, warn
from preorder_eval.base.files.files import read_lines
from preorder_eval.base.files.schema import Within
from preorder_eval.base.files.tsv import MISSING, finite, read_tsv, require_single
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.base.text.text_files import whole_number
from preorder_eval.base.visible import quantity
from preorder_eval.judgments.human_scores import HumanScores, PairwiseJudgments


@dataclass(frozen=True)
class ScoreColumns:
    """The names of the columns; `judge` is empty if no column names the judges.

    The column `document` names the document of each segment; by default it is read if it is there.
    `better` specifies whether higher scores are better or lower ones, as for penalties. `base` is
    the number of the first segment. By default it is 0, with a warning if segment 1 is judged and
    segment 0 is not.
    """

    system: str = "system"
    line: str = "line"
    score: str = "score"
    judge: str = ""
    document: str | None = None
    base: Annotated[int | None, Within(0, 1)] = None
    better: Literal["higher", "lower"] = "higher"


def read_human_scores(
    path: str | Path, segments: int, columns: ScoreColumns = ScoreColumns()
) -> HumanScores:
    r"""Read scores of systems on `segments` segments; systems are in the order of the file.

    An empty score is no judgment, nor is None, NA or NaN. Raises FormatError, with file and line,
    for a column that is missing or there twice, a segment out of range or of two documents, and a
    score that is no finite number. Warns if segment 1 is judged and segment 0 is not, unless
    `columns` state the base.

    >>> import preorder_eval as pe
    >>> from pathlib import Path
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "human.tsv"
    >>> _ = file.write_text("system\tline\tscore\nbase\t0\t70\nnew\t0\t90\n")
    >>> scores = pe.read_human_scores(file, 1)
    >>> scores.systems, scores.means.tolist()
    (('base', 'new'), [[70.0], [90.0]])
    """
    header, table = read_tsv(path, (), "separate the fields with tabs, as in the header")
    places = [_column(columns, what, header, path) for what in ("system", "line", "score")]
    by = _column(columns, "judge", header, path) if columns.judge else None
    within = _column_of_documents(columns, header, path)
    systems: dict[str, int] = {}
    judges: dict[str, int] = {}
    higher = columns.better == "higher"
    rows: list[tuple[int, int]] = []
    numbers: list[tuple[int, int]] = []
    scores: list[float] = []
    documents: list[str] = []
    for line, fields in table:
        name, place, text = (fields[i] for i in places)
        if text in MISSING:
            continue
        numbers.append((line, _number(place, path, line)))
        score = finite(text)
        if score is None:
            hint = "write a number of at most 1e100, or nothing (or None, NA or NaN)"
            raise FormatError(f"{text!r} is not a score", file=path, line=line, hint=hint)
        scores.append(score if higher else 0.0 - score)
        judge = judges.setdefault(fields[by], len(judges)) if by is not None else 0
        rows.append((systems.setdefault(name, len(systems)), judge))
        documents += [fields[within]] if within is not None else []
    if not rows:
        raise FormatError("no score below the header", file=path, hint="it needs judgments")
    segment = _from_0(numbers, segments, columns.base or 0, path, "ScoreColumns(base={})")
    if columns.base is None and segment.min() == 1:
        one, zero = (argument(f"ScoreColumns(base={n})", f"--line-base {n}") for n in (1, 0))
        warn(
            f"{path} judges segment 1 but not segment 0, although segments count from 0 here: "
            f"use {one} if the first segment is 1, or {zero} if it is 0"
        )
    system, judge_of = np.array(rows, dtype=np.int64).T
    judge_of = _by_name(judges or [""])[judge_of]
    numbered = tuple(systems), segments, system, segment, np.array(scores), judge_of
    unit = _documents(documents, numbers, segment, segments, path) if documents else EACH_SENTENCE
    return HumanScores(*numbered, higher_is_better=higher, documents=unit)


def _column_of_documents(
    columns: ScoreColumns, header: Sequence[str], path: str | Path
) -> int | None:
    """Return the place of the column with documents; None if none is named and there is none."""
    if columns.document is None and "document" not in header:
        return None
    return _column(
        replace(columns, document=columns.document or "document"), "document", header, path
    )


def _documents(
    names: Sequence[str],
    numbers: Sequence[tuple[int, int]],
    segment: Longs,
    segments: int,
    path: str | Path,
) -> Unit:
    """Return the documents of all segments; one that nobody judged stands for itself."""
    known: list[str | int] = [*range(segments)]
    for name, (line, number), place in zip(names, numbers, segment.tolist(), strict=True):
        if known[place] not in (place, name):
            defect = f"segment {number} is of document {name!r}, and of {known[place]!r} above"
            raise FormatError(defect, file=path, line=line, hint="a segment is of one document")
        known[place] = name
    return Unit.of_names(known)


def _by_name(judges: Iterable[str]) -> Longs:
    """Return each judge's rank by name, so that results do not depend on the order of rows."""
    return np.argsort(np.argsort(np.array(list(judges), dtype=object), kind="stable"))


def _number(field: str, path: str | Path, line: int, what: str = "the number of a segment") -> int:
    number = whole_number(field)
    if number is None:
        hint = "write a whole number"
        raise FormatError(f"{field!r} is not {what}", file=path, line=line, hint=hint)
    return number


def _from_0(
    numbers: Sequence[tuple[int, int]], segments: int, base: int, path: str | Path, how: str
) -> Longs:
    """Return numbers of segments, given with their lines, counted from 0 instead of `base`.

    Raises FormatError for a number that is out of range. If all numbers are in range with the other
    base, the error's hint is to use that base, written as `how` in Python.
    """
    line_of, number = np.array(numbers, dtype=np.int64).reshape(-1, 2).T
    wrong = np.flatnonzero((number < base) | (number >= base + segments))
    if wrong.size:
        hint, other = "judgments and outputs must have the same text", 1 - base
        if other <= number.min() and number.max() < other + segments:
            use = argument(how.format(other), f"--line-base {other}")
            hint += f"; if the first segment is {other}, use {use}"
        first = int(wrong[0])
        defect = f"segment {number[first]}, but there are {segments}, counted from {base}"
        raise FormatError(defect, file=path, line=int(line_of[first]), hint=hint)
    counted: Longs = number - base
    return counted


def _column(columns: ScoreColumns, what: str, header: Sequence[str], path: str | Path) -> int:
    name = getattr(columns, what)
    if name not in header:
        hint = argument(
            f"ScoreColumns({what}=NAME)",
            f"--{what}-column NAME" if what == "score" else f"--column {what}=NAME",
        )
        raise UnknownNameError(f"column of {path}", name, header, f"; name it with {hint}")
    return header.index(name)


def read_rankings(path: str | Path, segments: int, base: int | None = None) -> PairwiseJudgments:
    """Read the pairs of a file of rankings; systems are in the order of the file.

    Parameters: `segments` the number of segments; `base` the number of the first, by default 1.
    Raises FormatError, with file and line, for missing columns, several language pairs, a segment
    out of range, an invalid rank, or a system ranked twice.
    """
    systems: dict[str, int] = {}
    judges: dict[str, int] = {}
    pairs, numbers = [], list[tuple[int, int]]()
    for row, (line, place, judge, ranked) in enumerate(_rankings(path)):
        numbers.append((line, _number(place, path, line)))
        by = judges.setdefault(judge, len(judges))
        ranks = [(systems.setdefault(name, len(systems)), rank) for name, rank in ranked]
        if len({system for system, _ in ranks}) < len(ranks):
            hint = "write another ranking in a separate row"
            raise FormatError("a system is ranked twice", file=path, line=line, hint=hint)
        for (first, rank), (second, other) in combinations(ranks, 2):
            pairs.append((row, first, second, (rank < other) - (rank > other), by))
    if not pairs:
        raise FormatError(
            "no ranking has two outputs", file=path, hint="at least one judgment is needed"
        )
    segment = _from_0(numbers, segments, 1 if base is None else base, path, "base={}")
    row_of, *columns = np.array(pairs, dtype=np.int64).T
    columns[-1] = _by_name(judges)[columns[-1]]
    return PairwiseJudgments(tuple(systems), segments, segment[row_of], *columns)


def _rankings(path: str | Path) -> Iterator[tuple[int, str, str, list[tuple[str, int]]]]:
    """Yield line, segment, judge, and systems with ranks of each row."""
    rows = csv.reader(read_lines(path))
    try:
        header = next(rows, [])
        require_single(header, path)
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
                defect = quantity(len(row), f"field instead of {len(header)}")
                raise FormatError(defect, file=path, line=rows.line_num, hint=hint)
            here = [row[i] for i in languages]
            if here != (pair := pair or here):
                hint = "keep the rankings of one language pair"
                defect = f"{'-'.join(here)} after {'-'.join(pair)}"
                raise FormatError(defect, file=path, line=rows.line_num, hint=hint)
            ranks = [
                (row[name], _number(row[rank].strip(), path, rows.line_num, "a rank"))
                for name, rank in ranked
                if row[name] and row[rank].strip() != "-1"
            ]
            yield rows.line_num, row[segment], row[judge], ranks
    except csv.Error as error:
        raise FormatError(str(error), file=path, line=rows.line_num) from error


def _first_of(names: Sequence[str], header: Sequence[str], path: str | Path) -> int:
    for name in names:
        if name in header:
            return header.index(name)
    hint = "it needs srcIndex, judgeId, system1Id, system1rank, … with commas between"
    raise FormatError(f"no column {' or '.join(names)}", file=path, line=1, hint=hint)
