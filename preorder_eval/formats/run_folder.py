r"""Run folders: what was run and what came out, to be read by people and by later commands.

`run.json` says what was run (inputs with hashes, versions, signatures) and the summary;
`sentences.tsv` has the source, links and reference order of every sentence, `scores.tsv` the
order and scores of every system for every sentence. `trees/` and `rules/` hold the parses and the
rule files themselves, so that the run can be repeated from its folder alone.

In `sentences.tsv` tokens are separated by spaces; in a token, `\s` is a space and `\\` a
backslash, as in CoNLL-U's last column.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.orders import (
    Orders,
    ReferenceOrder,
    ReferenceOrders,
    SourceWords,
    order_defect,
)
from preorder_eval.errors import FormatError
from preorder_eval.formats import pharaoh
from preorder_eval.formats.text import read_bytes, read_lines

SENTENCE_COLUMNS = ["sentence", "left_out", "source", "target", "links", "reference_order"]
SCORE_COLUMNS = ["system", "sentence", "order"]  # then a column for each metric
_ESCAPES = {"\\": "\\\\", " ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_PLAIN = {escaped: plain for plain, escaped in _ESCAPES.items()}
_MEND = "the folder was changed or cut short; run evaluate again"
Row = tuple[int, list[str]]  # a line's number and fields


@dataclass(frozen=True, eq=False)
class RunSystem:
    """One system of a run: its orders, and its scores, float64[S, metrics], NaN where left out.

    `line` is where it starts in `scores.tsv`.
    """

    orders: Orders
    scores: NDArray[np.float64]
    line: int


@dataclass(frozen=True, eq=False)
class Run:
    """What a run folder holds: the summary, the sentences, and the systems by name.

    `metrics` are the signatures of the columns of `RunSystem.scores`; `target` the translations,
    None where the reference set had none.
    """

    folder: Path
    summary: dict[str, Any]
    metrics: list[str]
    source: list[list[str]]
    target: list[list[str]] | None
    alignments: Alignments
    references: ReferenceOrders
    systems: dict[str, RunSystem]

    @cached_property
    def words(self) -> SourceWords:
        """The source words, interned."""
        return SourceWords.of(self.source)


def read_run(folder: str | Path) -> Run:
    """Read a run folder of `evaluate`.

    Raises FormatError, with file and line, for what is missing or malformed.
    """
    folder = Path(folder)
    summary = read_summary(folder)
    source, target, alignments, references = _read_sentences(folder / "sentences.tsv")
    metrics, systems = _read_scores(folder / "scores.tsv", [len(words) for words in source])
    return Run(folder, summary, metrics, source, target, alignments, references, systems)


def read_summary(folder: Path) -> dict[str, Any]:
    """What a run folder's `run.json` says; FormatError where there is none."""
    if not folder.is_dir():
        raise FormatError(
            "no such folder", file=folder, mend="name one written by preorder-eval evaluate --out"
        )
    return read_json(folder / "run.json")


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object; FormatError for anything else."""
    try:
        value = json.loads(read_bytes(path), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:  # of JSON or of UTF-8
        raise FormatError("not JSON", file=path, mend=_MEND) from error
    if not isinstance(value, dict):
        raise FormatError("not a JSON object", file=path, mend=_MEND)
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _read_sentences(
    path: Path,
) -> tuple[list[list[str]], list[list[str]] | None, Alignments, ReferenceOrders]:
    _, rows = read_tsv(path, SENTENCE_COLUMNS, _MEND)
    # An empty line in the header's place keeps the numbers of lines right.
    found = pharaoh.parse(["", *(row[4] for _, row in rows)], str(path)).sentences()
    links = [[link[:2] for link in sentence] for sentence in found][1:]
    source: list[list[str]] = []
    references: list[ReferenceOrder] = []
    for (line, (sentence, _, text, _, _, order, *_)), own in zip(rows, links, strict=True):
        words = unescape_tokens(text)
        size = len(words)
        groups = [_positions(group.split("_"), path, line) for group in order.split(" ")]
        listed = [position for group in groups for position in group]
        defect = order_defect(listed)
        if sentence != str(len(source) + 1):
            defect = f"sentence {sentence!r} where {len(source) + 1} was expected"
        elif len(listed) != size:
            defect = f"a reference order of {len(listed)} positions for {size} source tokens"
        elif any(i >= size for i, _ in own):
            defect = f"a link outside the {size} source tokens"
        if defect:
            raise FormatError(defect, file=path, line=line, mend=_MEND)
        linked = {i for i, _ in own}
        references.append(ReferenceOrder(groups, [i in linked for i in range(size)]))
        source.append(words)
    target = [unescape_tokens(fields[3]) if fields[3] else [] for _, fields in rows]
    return (
        source,
        target if any(target) else None,
        Alignments.of(links),
        ReferenceOrders.of(references),
    )


def _read_scores(path: Path, lengths: Sequence[int]) -> tuple[list[str], dict[str, RunSystem]]:
    metrics, rows = read_tsv(path, SCORE_COLUMNS, _MEND)
    systems: dict[str, RunSystem] = {}
    for name, block in system_blocks(rows, len(lengths), path, _MEND):
        orders, scores = [], []
        for length, (line, (_, _, text, *values)) in zip(lengths, block, strict=True):
            order = _positions(text.split(" "), path, line)
            defect = order_defect(order)
            if len(order) != length:
                defect = f"{len(order)} positions for {length} source tokens"
            if defect:
                raise FormatError(defect, file=path, line=line, mend=_MEND)
            orders.append(order)
            scores.append([read_score(value, path, line, _MEND) for value in values])
        table = np.array(scores).reshape(-1, len(metrics))
        systems[name] = RunSystem(Orders.of(orders), table, block[0][0])
    return metrics, systems


def system_blocks(
    rows: Sequence[Row], sentences: int, path: Path, mend: str
) -> Iterator[tuple[str, Sequence[Row]]]:
    """The rows of each system of a `scores.tsv`, with its name.

    Raises FormatError unless each has a row for every sentence, in order.
    """
    seen: set[str] = set()
    for start in range(0, len(rows), sentences):
        block = rows[start : start + sentences]
        name = block[0][1][0]
        for s, (line, (system, sentence, *_)) in enumerate(block, 1):
            if (system, sentence) != (name, str(s)) or name in seen:
                defect = f"sentence {sentence} of {system} where {s} of {name} was expected"
                raise FormatError(defect, file=path, line=line, mend=mend)
        if len(block) < sentences:
            defect = f"{len(block)} rows of {name} for {sentences} sentences"
            raise FormatError(defect, file=path, mend=mend)
        seen.add(name)
        yield name, block


def read_tsv(path: Path, columns: Sequence[str], mend: str) -> tuple[list[str], list[Row]]:
    """The names of the columns that follow the known ones, and all rows with their lines."""
    lines = read_lines(path)
    header, known = lines[0].split("\t"), len(columns)
    if header[:known] != list(columns):
        raise FormatError(f"the columns are not {', '.join(columns)}", file=path, line=1, mend=mend)
    rows = [(number, line.split("\t")) for number, line in enumerate(lines[1:], 2)]
    for number, fields in rows:
        if len(fields) != len(header):
            defect = f"{len(fields)} fields instead of {len(header)}"
            raise FormatError(defect, file=path, line=number, mend=mend)
    if not rows:
        raise FormatError("no row below the header", file=path, mend=mend)
    return header[known:], rows


def _positions(fields: Sequence[str], path: Path, line: int) -> list[int]:
    for field in fields:
        if not re.fullmatch("[0-9]{1,9}", field):
            raise FormatError(f"{field!r} is not a position", file=path, line=line, mend=_MEND)
    return [int(field) for field in fields]


def read_score(field: str, path: Path, line: int, mend: str) -> float:
    """A score of a table, NaN for an empty field."""
    try:
        return float(field) if field else float("nan")
    except ValueError:
        raise FormatError(f"{field!r} is not a score", file=path, line=line, mend=mend) from None


def escape_tokens(tokens: Iterable[str]) -> str:
    r"""Tokens as one field of a table.

    >>> escape_tokens(["10 000", "dogs"])
    '10\\s000 dogs'
    """
    return " ".join(token.translate(_ESCAPE_TABLE) for token in tokens)


def unescape_tokens(field: str) -> list[str]:
    r"""Undo `escape_tokens`.

    >>> unescape_tokens(r"10\s000 dogs")
    ['10 000', 'dogs']
    """
    if "\\" not in field:
        return field.split(" ")
    return [re.sub(r"\\.", lambda m: _PLAIN.get(m[0], m[0]), token) for token in field.split(" ")]


_ESCAPE_TABLE = str.maketrans(_ESCAPES)


def refuse_existing(folder: Path) -> None:
    """Raise FormatError where a run folder would overwrite something."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FormatError("exists already", file=folder, mend="name a new folder for the run")


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts by their name in the folder, which appears whole or not at all."""
    refuse_existing(folder)
    temporary = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    try:
        for name, text in files.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        if folder.exists():
            folder.rmdir()
        temporary.rename(folder)
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror}", file=folder) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def format_json(value: Any) -> str:
    """JSON as this project prints it: indented, in the order given, no NaN."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def format_tsv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of tab-separated values with a header; None is an empty field."""
    lines = [header, *rows]
    return "".join(
        "\t".join("" if value is None else str(value) for value in line) + "\n" for line in lines
    )
