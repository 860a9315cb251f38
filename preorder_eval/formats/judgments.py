"""Human scores of segments: a table of tab-separated values with a header.

A row has the system, the segment and the score that somebody gave, in columns whose names are
free; further columns are passed over. Segments are counted from 0, as the data of WMT do, or from
1. Several rows for the same output are several ratings, which are averaged where one number is
wanted.

Rankings of outputs: a judge says which output of a segment is best, second and so on.

Two forms are read. The CSV of WMT 2010 to 2016 has a header with `srcIndex` (or `segmentId`),
`judgeId` (or `judgeID`) and, for every ranked output, `system1Id` and `system1rank` (to
`system5Id`, `system5rank`, or more); further columns are passed over. A rank of -1 is none, and
segments are counted from 1. The simple form is a TSV with the columns `line`, `judge`, `system`
and `rank` and segments counted from 0. Rows with equal `line` and `judge` make a ranking; an empty
line, or one of another judge or segment, ends it.

In both, the lowest rank is the best, and equal ranks are ties. A ranking of n outputs gives
n(n - 1)/2 judgments of pairs.

Sheets on which a judge rates translations from 0 to 6, as TSV and as a page for a browser.

As Talbot et al. (2011, section 4.2) asked: the source, the reference if there is one, and the
outputs of all systems at once, blind and in random order; 0 indicates nonsense, 6 a perfectly
grammatical translation of the source sentence. Which output is which system's stands in the key,
which judges are not given.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.data.judgments import HumanScores, PairwiseJudgments
from preorder_eval.errors import FormatError, UnknownNameError
from preorder_eval.formats.files import read_lines
from preorder_eval.formats.tables import format_tsv
from preorder_eval.formats.text import whole_number
from preorder_eval.formats.tsv import read_tsv


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


LOWEST, HIGHEST = 0, 6
SCALE = (
    f"Rate each translation with a number between {LOWEST} and {HIGHEST}: {LOWEST} indicates "
    f"nonsense, {HIGHEST} indicates a perfectly grammatical translation of the source sentence."
)
_COLUMNS = ["item", "source", "reference", "output", "rating"]
_KEY = ["judge", "item", "system", "line"]
_MEND = "fill in the rating column of the sheet as it was written, and nothing else"


@dataclass(frozen=True)
class Entry:
    """An output to be rated: its number on the sheet, what is shown, and what is not.

    `item` is page and place, such as 12-3; `line` is the sentence, counted from 0.
    """

    item: str
    source: str
    reference: str
    output: str
    system: str
    line: int


def format_sheet(entries: Sequence[Entry]) -> str:
    """The sheet as TSV with an empty column for ratings; tabs in texts become spaces."""
    rows = [
        [e.item, *(text.replace("\t", " ") for text in (e.source, e.reference, e.output)), None]
        for e in entries
    ]
    return format_tsv(_COLUMNS, rows)


def format_key(sheets: Sequence[Sequence[Entry]]) -> str:
    """The key of all judges' sheets as TSV; judges are counted from 1."""
    rows = [
        [judge, entry.item, entry.system, entry.line]
        for judge, sheet in enumerate(sheets, 1)
        for entry in sheet
    ]
    return format_tsv(_KEY, rows)


def read_key(path: Path) -> dict[int, dict[str, tuple[str, int]]]:
    """The system and the sentence of every item of every judge; FormatError for what is none."""
    mend = "take the key.tsv of the folder that the sheets were written to"
    key: dict[int, dict[str, tuple[str, int]]] = {}
    _, rows = read_tsv(path, _KEY, mend)
    for line, (judge, item, system, sentence) in rows:
        numbers = whole_number(judge), whole_number(sentence)
        if numbers[0] is None or numbers[1] is None:
            defect = f"{judge!r} and {sentence!r} are not a judge and a sentence"
            raise FormatError(defect, file=path, line=line, mend=mend)
        key.setdefault(numbers[0], {})[item] = system, numbers[1]
    return key


def read_ratings(path: Path) -> dict[str, tuple[int | None, int]]:
    """The rating of every item of a sheet, None where it is empty, and its line in the file.

    Raises FormatError for a rating that is no whole number from 0 to 6, and an item that stands
    twice.
    """
    ratings: dict[str, tuple[int | None, int]] = {}
    header, rows = read_tsv(path, _COLUMNS[:1], _MEND)
    if "rating" not in header:
        raise FormatError("has no column rating", file=path, line=1, mend=_MEND)
    place = header.index("rating")
    for line, fields in rows:
        item, text = fields[0], fields[place].strip()
        rating = whole_number(text)
        if text and (rating is None or not LOWEST <= rating <= HIGHEST):
            raise FormatError(
                f"{text!r} is not a rating",
                file=path,
                line=line,
                mend=f"write a whole number from {LOWEST} to {HIGHEST}, or nothing",
            )
        if item in ratings:
            raise FormatError(f"item {item} stands twice", file=path, line=line, mend=_MEND)
        ratings[item] = rating, line
    return ratings


def format_page(name: str, entries: Sequence[Entry]) -> str:
    """The sheet as a page that needs no network, and saves the ratings as its TSV.

    Ratings are kept in the browser too until they are saved. Texts are shown as they are written,
    whatever they hold.
    """
    pages: dict[str, list[Entry]] = {}
    for entry in entries:
        pages.setdefault(entry.item.partition("-")[0], []).append(entry)
    body = "".join(_sentence(number, shown) for number, shown in pages.items())
    return _PAGE.format(name=escape(name), scale=escape(SCALE), count=len(entries), body=body)


def _sentence(number: str, entries: Sequence[Entry]) -> str:
    first = entries[0]
    reference = f'<p class="reference">{escape(first.reference)}</p>' if first.reference else ""
    outputs = "".join(_output(entry) for entry in entries)
    return (
        f'<section><h2>{escape(number)}</h2><p class="source">{escape(first.source)}</p>'
        f"{reference}{outputs}</section>\n"
    )


def _output(entry: Entry) -> str:
    item = escape(entry.item)
    buttons = "".join(
        f'<label><input type="radio" name="{item}" value="{value}">{value}</label>'
        for value in range(LOWEST, HIGHEST + 1)
    )
    return f'<fieldset data-item="{item}"><p>{escape(entry.output)}</p>{buttons}</fieldset>'


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{name}</title><style>
body {{ font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }}
.source {{ font-weight: bold; }} .reference {{ color: #555; }}
fieldset {{ border: 1px solid #ccc; margin: .5em 0; }} label {{ margin-right: 1em; }}
header {{ position: sticky; top: 0; background: #fff; border-bottom: 1px solid #ccc; }}
</style></head><body>
<header><h1>{name}</h1><p>{scale}</p>
<p><button id="save">Save ratings</button> <output id="done">0</output> of {count}</p></header>
{body}<script>
"use strict";
const name = document.title, kept = "ratings of " + name;
let ratings = JSON.parse(localStorage.getItem(kept) || "{{}}");
const sets = [...document.querySelectorAll("fieldset")];
function show() {{
  document.getElementById("done").value = sets.filter(s => s.dataset.item in ratings).length;
}}
for (const set of sets) {{
  const item = set.dataset.item;
  if (item in ratings) set.querySelector(`input[value="${{ratings[item]}}"]`).checked = true;
  set.addEventListener("change", event => {{
    ratings[item] = event.target.value;
    localStorage.setItem(kept, JSON.stringify(ratings));
    show();
  }});
}}
document.getElementById("save").addEventListener("click", () => {{
  const rows = sets.map(s => s.dataset.item + "\\t" + (ratings[s.dataset.item] ?? "") + "\\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["item\\trating\\n", ...rows], {{ type: "text/tsv" }}));
  link.download = name + ".tsv";
  link.click();
}});
show();
</script></body></html>
"""
