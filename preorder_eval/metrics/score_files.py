"""Scores of segments that other programs wrote: one number for each segment of each system.

The manual's page `metrics` lists the formats of such files. The format is recognised by the
beginning of the file.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from preorder_eval.base.errors import FormatError, UnknownNameError
from preorder_eval.base.files.files import check_values, file_name, is_part, read_decoded, stem
from preorder_eval.base.files.tsv import finite, require_single, require_tabs
from preorder_eval.base.text.text_files import whole_number
from preorder_eval.base.visible import first_few, quantity

# Line, system ("" where the file is of one), segment (None where they are in order), and score.
Row = tuple[int | None, str, Any, Any]

_SYSTEM = ("system", "system_id")
_SEGMENT = ("segment", "segment_id", "seg_id", "line")
_COMET = re.compile(
    r"(?P<system>[^\t]+)\tSegment (?P<segment>[0-9]+)\tscore: (?P<score>\S+)(\tvariance: \S+)?"
)
_OF_SYSTEM = re.compile(r"[^\t]+\tscore: \S+")  # below them
_BLOCKS = re.compile(r"(?P<system>\S+)\s+(?P<score>[-+.0-9]\S*|nan|NaN|inf|None|NA)\s*")
_COMET_KEY, _METRICX = "COMET", "prediction"
_COMET_LINE = re.compile(r'\s*"COMET":')
_HINT = "give a number for each segment and system"


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """The scores of a file, as they stand in it.

    `higher_is_better` is None if it does not follow from the program that wrote the file.
    """

    path: str | Path
    rows: Sequence[Row]
    higher_is_better: bool | None

    def of(
        self,
        systems: Mapping[str, Sequence[str]],
        segments: int,
        passed_over: Set[str] = frozenset(),
    ) -> dict[str, list[str]]:
        """Return for each system the scores of all segments, in order.

        Parameters: `systems` has for each system the other names by which the file may call it.
        Scores of the systems `passed_over` are ignored. Raises FormatError, with the line, for an
        unknown system or segment, and a score that is missing, repeated or not finite.
        """
        places = [self._segment(segment, line) for line, _, segment, _ in self.rows]
        base = 0 if 0 in places else 1
        scores: dict[str, dict[int, str]] = {name: {} for name in systems}
        last: dict[str, int | None] = {}
        for (line, written, _, score), place in zip(self.rows, places, strict=True):
            system = self._system(written, systems, line, passed_over)
            if system is None:
                continue
            of_system = scores[system]
            number = len(of_system) + base if place is None else place
            if not 0 <= number - base < segments:
                defect = (
                    f"segment {number} of {system}, but there are {segments}, counted from {base}"
                )
                raise self._wrong(defect, line, "scores and outputs must have the same text")
            if number - base in of_system:
                raise self._wrong(f"a second score for {system}, segment {number}", line)
            value = finite(score)
            if value is None:
                defect = (
                    f"{score!r} for {system}, segment {number}, is not a number of at most 1e100"
                )
                raise self._wrong(defect, line)
            of_system[number - base] = repr(value)
            last[system] = line
        for system, of_system in scores.items():
            if len(of_system) < segments:
                lacking = [n + base for n in range(segments) if n not in of_system]
                defect = f"{quantity(len(of_system), 'score')} of {system} for "
                defect += (
                    f"{quantity(segments, 'segment')}; missing for segment {first_few(lacking)}"
                )
                raise self._wrong(defect, last.get(system))
        return {name: [of[n] for n in range(segments)] for name, of in scores.items()}

    def _system(
        self,
        written: str,
        systems: Mapping[str, Sequence[str]],
        line: int | None,
        passed_over: Set[str],
    ) -> str | None:
        """Return the system whose score a row holds; None for one that is passed over.

        The row names the system, or a part of its name between dots that no other system has:
        `Google` stands for `newstest.Google.en`.
        """
        if not written and len(systems) == 1:
            return next(iter(systems))
        if not written:
            hint = f"name the systems, or give a file for each of {', '.join(systems)}"
            raise self._wrong("a score without a system", line, hint)
        names = written, Path(written).name, stem(written)
        for name, (system, others) in itertools.product(names, systems.items()):
            if name in (system, *others):
                return system
        if not passed_over.isdisjoint(names):
            return None
        known = {system: [system, *others] for system, others in systems.items()}
        known |= {name: [name] for name in passed_over}
        parts = [s for s, others in known.items() if any(is_part(Path(n), written) for n in others)]
        if len(parts) == 1:
            return parts[0] if parts[0] in systems else None
        hint = f"there are {', '.join(systems)}"
        raise self._wrong(f"scores of {written}, which is not one of the systems", line, hint)

    def _segment(self, segment: Any, line: int | None) -> int | None:
        number = whole_number(str(segment))
        if segment is not None and number is None:
            raise self._wrong(f"{segment!r} is not a segment number", line)
        return number

    def _wrong(self, defect: str, line: int | None, hint: str = _HINT) -> FormatError:
        return FormatError(defect, file=self.path, line=line, hint=hint)


def read_score_file(path: str | Path, name: str = "score") -> ScoreFile:
    r"""Read the scores of a metric of that name.

    Raises FormatError, with the line, for a file in none of the forms, and UnknownNameError for a
    table without the column of the score.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "comet.tsv"
    >>> _ = file.write_text("base\tnew\n0.5\t0.75\n0.25\t0.5\n")
    >>> read_score_file(file).of({"base": [], "new": []}, 2)
    {'base': ['0.5', '0.25'], 'new': ['0.75', '0.5']}
    """
    text = read_decoded(path)
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise FormatError("has no score", file=path, hint=_HINT)
    first = lines[0][1]
    if text.lstrip()[:1] in ("{", "["):
        return _json(text, lines, path, name)
    if _COMET.fullmatch(first):
        printed = [(n, line) for n, line in lines if not _OF_SYSTEM.fullmatch(line)]
        return ScoreFile(path, list(_matched(_COMET, printed, path)), True)
    if _OF_SYSTEM.fullmatch(first):
        hint = "run comet-score without --quiet or --only_system"
        raise FormatError(
            "has scores of systems only, not of segments", file=path, line=1, hint=hint
        )
    if _BLOCKS.fullmatch(first) and not _is_number(first.split()[0]):
        return ScoreFile(path, list(_matched(_BLOCKS, lines, path)), True)
    if _is_number(first):
        return ScoreFile(path, [(n, "", None, line.strip()) for n, line in lines], None)
    return ScoreFile(path, list(_table(lines, path, name)), None)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _matched(
    form: re.Pattern[str], lines: Sequence[tuple[int, str]], path: str | Path
) -> Iterator[Row]:
    for number, line in lines:
        match = form.fullmatch(line)
        if match is None:
            defect = f"{line!r} does not have the format of the lines before it"
            raise FormatError(defect, file=path, line=number, hint=_HINT)
        fields = match.groupdict()
        yield number, fields["system"], fields.get("segment"), fields["score"]


def _table(lines: Sequence[tuple[int, str]], path: str | Path, name: str) -> Iterator[Row]:
    """Yield the scores of a table with a header: a row for each, or a column for each system."""
    header = lines[0][1].split("\t")
    require_tabs([line for _, line in lines[:2]], path, lines[0][0])
    require_single(header, path, lines[0][0])
    system, segment = _first(_SYSTEM, header), _first((*_SEGMENT, "sentence"), header)
    score = _first((name, "score"), header)
    if system and not score:
        raise UnknownNameError(f"column of {file_name(path)}", name, header)
    for number, line in lines[1:]:
        row = line.split("\t")
        if len(row) != len(header):
            defect = quantity(len(row), f"field instead of {len(header)}")
            hint = "separate the fields with tabs, as in the header"
            raise FormatError(defect, file=path, line=number, hint=hint)
        fields = dict(zip(header, row, strict=True))
        place = fields.pop(segment, None)
        if score:
            yield number, fields.get(system, ""), place, fields[score]
        else:
            yield from ((number, other, place, value) for other, value in fields.items())


def _json(text: str, lines: Sequence[tuple[int, str]], path: str | Path, name: str) -> ScoreFile:
    """Read JSON lines, or an object with a list for each system, of numbers or as of COMET."""
    keys = (name, "score", _METRICX, _COMET_KEY)
    check_values(text, path)
    records = _by_system(text, keys) or [(n, _object(line, path, n)) for n, line in lines]
    rows, key = list[Row](), ""
    for line, record in records:
        key = _first(keys, record)
        if not key:
            defect, hint = f"there is no {name!r} and no 'score'", "use one of these names"
            raise FormatError(defect, file=path, line=line, hint=hint)
        system, segment = (record.get(_first(names, record)) for names in (_SYSTEM, _SEGMENT))
        rows.append((line, "" if system is None else str(system), segment, record[key]))
    return ScoreFile(path, rows, {_METRICX: False, _COMET_KEY: True}.get(key))


def _by_system(text: str, keys: Sequence[str]) -> list[tuple[int | None, dict[str, Any]]]:
    """Return the line and the record of every score of JSON with lists; none of another file.

    It is a list for each system, or a list alone, or `scores` as COMET's `predict` returns them.
    """
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return []
    of_systems = {"": whole} if isinstance(whole, list) else whole
    if isinstance(of_systems.get("scores"), list):
        of_systems = {"": of_systems["scores"]}
    if any(key in of_systems and not isinstance(of_systems[key], list) for key in keys):
        return []
    records = [
        {"system": system, **(item if isinstance(item, dict) else {"score": item})}
        for system, items in of_systems.items()
        for item in (items if isinstance(items, list) else [])
    ]
    starts = [n for n, line in enumerate(text.split("\n"), 1) if _COMET_LINE.match(line)]
    line = None if "\n" in text.strip() else 1
    places = starts if len(starts) == len(records) else [line] * len(records)
    return list(zip(places, records, strict=True))


def _object(line: str, path: str | Path, number: int) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        hint = "write an object with the score on every line"
        raise FormatError("not a JSON object", file=path, line=number, hint=hint)
    return record


def _first(names: Sequence[str], known: Container[str]) -> str:
    return next((name for name in names if name in known), "")
