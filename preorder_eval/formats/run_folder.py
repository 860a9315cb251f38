"""Run folders: what was run and what came out, to be read by people and by later commands.

`run.json` says what was run (inputs with hashes, versions, signatures) and the summary.
`sentences.tsv` has what all systems are held against, sentence by sentence: source, links and
reference order where orders are scored, the references where outputs are; `scores.tsv` has every
system's order, output or both, and its scores. `inputs/` holds whatever else a metric was given,
such as tags, and `trees/` and `rules/` the parses and the rule files themselves, so that the run
can be repeated from its folder alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from preorder_eval.data.alignments import Alignments, Link
from preorder_eval.data.arrays import Floats
from preorder_eval.data.orders import (
    Alternatives,
    Orders,
    ReferenceOrder,
    ReferenceOrders,
)
from preorder_eval.data.ragged import sentence_lengths
from preorder_eval.errors import FormatError
from preorder_eval.formats import pharaoh
from preorder_eval.formats.files import read_json, read_lines
from preorder_eval.formats.order import (
    format_order,
    format_reference_orders,
    parse_order,
    parse_reference_orders,
)
from preorder_eval.formats.pharaoh import format_links
from preorder_eval.formats.schema import PlaceError, Within, checked
from preorder_eval.formats.text import whole_number
from preorder_eval.formats.tsv import (
    Line,
    escape_text,
    escape_tokens,
    read_tsv,
    tsv_lines,
    unescape_text,
    unescape_tokens,
)
from preorder_eval.formats.writing import Text, format_json
from preorder_eval.visible import quantity

NO_LINKS = "no links"
_OF_ORDERS = ["left_out", "source", "target", "links", "reference_order"]
_REFERENCE = "reference_"  # with a number
_MEND = "the folder was changed or truncated; run the command again"
Value = Alignments | Sequence[str] | Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class StoredReference:
    """The reference of orders: the source with its links, and translations or None."""

    source: Sequence[list[str]]
    alignments: Alignments
    references: ReferenceOrders | Alternatives
    target: Sequence[list[str]] | None


@dataclass(frozen=True, eq=False)
class StoredSystem:
    """The products of a system, orders, outputs or both, and its scores, float64[S, metrics].

    A score is NaN where the sentence was left out. `line` is where it starts in `scores.tsv`.
    """

    orders: Orders | None
    outputs: Sequence[str] | None
    scores: Floats
    line: int


@dataclass(frozen=True, eq=False)
class StoredRun:
    """The contents of a run folder, except trees and rules.

    `metrics` are the signatures of the columns of scores, `references` the streams of references,
    and `inputs` what else was given, by name, one value for each system, stream or corpus.
    """

    summary: dict[str, Any]
    metrics: list[str]
    reference: StoredReference | None
    references: Sequence[Sequence[str]]
    systems: dict[str, StoredSystem]
    inputs: dict[str, list[Value]]


def format_run(run: StoredRun) -> dict[str, Text]:
    """Write the files of a run folder by their names; long ones are made line by line."""
    files: dict[str, Text] = {
        "run.json": format_json(run.summary),
        "sentences.tsv": _sentences(run),
        "scores.tsv": score_lines(run.metrics, run.systems),
    }
    for name, values in run.inputs.items():
        for number, value in enumerate(values, 1):
            kind = "align" if isinstance(value, Alignments) else "txt"
            files[f"inputs/{name}.{number}.{kind}"] = (f"{s}\n" for s in _lines(value))
    return files


def _lines(value: Value) -> Iterator[str]:
    if isinstance(value, Alignments):
        return (format_links(links) for links in value)
    return (line if isinstance(line, str) else " ".join(line) for line in value)


def _sentences(run: StoredRun) -> Iterator[str]:
    columns: dict[str, Iterable[str | None]] = {}
    if run.reference is not None:
        kept = run.reference
        columns = {
            "left_out": (None if linked else NO_LINKS for linked in kept.references.informative),
            "source": map(escape_tokens, kept.source),
            "target": map(escape_tokens, kept.target or [[]] * len(kept.source)),
            "links": map(format_links, kept.alignments),
            "reference_order": format_reference_orders(kept.references),
        }
    columns |= {
        f"{_REFERENCE}{number}": map(escape_text, stream)
        for number, stream in enumerate(run.references, 1)
    }
    size = len(next(iter(run.systems.values())).scores)
    rows = zip(range(1, size + 1), *columns.values(), strict=True)
    return tsv_lines(["sentence", *columns], rows)


def score_lines(metrics: Sequence[str], systems: Mapping[str, StoredSystem]) -> Iterator[str]:
    """Yield the lines of the table of every system's orders, outputs and scores."""
    first = next(iter(systems.values()))
    columns = ["order"] * (first.orders is not None) + ["output"] * (first.outputs is not None)

    def rows() -> Iterator[list[object]]:
        for name, system in systems.items():
            for s, scores in enumerate(map(np.ndarray.tolist, system.scores)):
                row: list[object] = [name, s + 1]
                row += [] if system.orders is None else [format_order(system.orders[s])]
                row += [] if system.outputs is None else [escape_text(system.outputs[s])]
                yield row + [None if score != score else score for score in scores]

    return tsv_lines(["system", "sentence", *columns, *metrics], rows())


def runs_inside(folder: Path) -> list[str]:
    """Return the names of the runs in a folder that is none itself: of several references."""
    if (folder / "run.json").is_file():
        return []
    return sorted(path.parent.name for path in folder.glob("*/run.json"))


def read_summary(folder: Path) -> dict[str, Any]:
    """Read a run folder's `run.json`; FormatError where there is none."""
    if folder.is_file():
        hint = (
            "outputs are compared by preorder-eval score --hyp A --hyp B, rule files end in .toml"
        )
        raise FormatError("is a file, not a run folder", file=folder, hint=hint)
    if not folder.is_dir():
        hint = "name one written by preorder-eval evaluate or score --out"
        raise FormatError("no such folder", file=folder, hint=hint)
    runs = runs_inside(folder)
    if runs:
        raise FormatError("has several runs", file=folder, hint=f"name one of {', '.join(runs)}")
    return read_json(folder / "run.json", _MEND)


def read_stored(folder: str | Path) -> StoredRun:
    """Read a run folder.

    Raises FormatError, with file and line, for what is missing or malformed.
    """
    folder = Path(folder)
    summary = read_summary(folder)
    reference, references, size = _read_sentences(folder / "sentences.tsv")
    lengths = None if reference is None else sentence_lengths(reference.source)
    metrics, systems = _read_scores(folder / "scores.tsv", size, lengths)
    return StoredRun(summary, metrics, reference, references, systems, _read_inputs(folder, size))


def _wrong(defect: str, path: Path, line: int | None = None) -> FormatError:
    return FormatError(defect, file=path, line=line, hint=_MEND)


def _read_sentences(path: Path) -> tuple[StoredReference | None, list[list[str]], int]:
    header, rows = read_tsv(path, ["sentence"], _MEND)
    of_orders = header[1 : 1 + len(_OF_ORDERS)] == _OF_ORDERS
    first = 1 + len(_OF_ORDERS) * of_orders
    streams = [f"{_REFERENCE}{number}" for number in range(1, len(header) - first + 1)]
    if header[first:] != streams:
        wanted = f"sentence, {', '.join(_OF_ORDERS)}, {_REFERENCE}1, …"
        raise _wrong(f"the columns are not {wanted}", path, 1)
    for number, (line, (sentence, *_)) in enumerate(rows, 1):
        if sentence != str(number):
            raise _wrong(f"sentence {sentence!r} where {number} was expected", path, line)
    references = [
        [unescape_text(fields[column]) for _, fields in rows]
        for column in range(first, len(header))
    ]
    return _read_reference(path, rows) if of_orders else None, references, len(rows)


def _read_reference(path: Path, rows: Sequence[Line]) -> StoredReference:
    # An empty line in the header's place keeps the numbers of lines right.
    links = _links(["", *(fields[4] for _, fields in rows)], path)[1:]
    source, target = (
        [unescape_tokens(fields[column]) if fields[column] else [] for _, fields in rows]
        for column in (2, 3)
    )
    references: list[list[ReferenceOrder]] = []
    for (line, fields), words, pairs in zip(rows, source, links, strict=True):
        linked = {i for i, _ in pairs}
        if max(linked, default=-1) >= len(words):
            raise _wrong(f"a link outside the {len(words)} source tokens", path, line)
        aligned = [i in linked for i in range(len(words))]
        references.append(parse_reference_orders(fields[5], aligned, path, line, _MEND))
    kept: ReferenceOrders | Alternatives = Alternatives.of(references)
    if all(len(orders) == 1 for orders in references):
        kept = ReferenceOrders.of(orders[0] for orders in references)
    return StoredReference(source, Alignments.of(links), kept, target if any(target) else None)


def _links(lines: Sequence[str], path: Path) -> list[list[Link]]:
    return [
        [(first, second) for first, second, _ in pharaoh.parse_marked_links(line, path, number)]
        for number, line in enumerate(lines, 1)
    ]


def _read_scores(
    path: Path, size: int, lengths: Sequence[int] | None
) -> tuple[list[str], dict[str, StoredSystem]]:
    """Read the metrics' signatures, and the systems; orders fit the `lengths` of the source."""
    header, rows = read_tsv(path, ["system", "sentence"], _MEND)
    columns = [name for name in header[2:4] if name in ("order", "output")]
    if not columns or ("order" in columns and lengths is None):
        raise _wrong("the columns are not system, sentence, order or output, …", path, 1)
    first = 2 + len(columns)
    systems: dict[str, StoredSystem] = {}
    for start in range(0, len(rows), size):
        block = rows[start : start + size]
        begun, (name, *_) = block[0]
        for s, (line, (system, sentence, *_)) in enumerate(block, 1):
            if (system, sentence) != (name, str(s)) or name in systems:
                defect = f"sentence {sentence} of {system} where {s} of {name} was expected"
                raise _wrong(defect, path, line)
        if len(block) < size:
            count = quantity(len(block), "row")
            raise _wrong(f"{count} of {name} for {quantity(size, 'sentence')}", path)
        scores = [[_score(field, path, line) for field in fields[first:]] for line, fields in block]
        orders = outputs = None
        if lengths is not None and "order" in columns:
            orders = Orders.of(
                parse_order(fields[2].split(), length, path, line, _MEND)
                for length, (line, fields) in zip(lengths, block, strict=True)
            )
        if "output" in columns:
            outputs = [unescape_text(fields[first - 1]) for _, fields in block]
        table = np.array(scores).reshape(-1, len(header) - first)
        systems[name] = StoredSystem(orders, outputs, table, begun)
    return header[first:], systems


def _score(field: str, path: Path, line: int) -> float:
    try:
        return float(field) if field else float("nan")
    except ValueError:
        raise _wrong(f"{field!r} is not a score", path, line) from None


def _read_inputs(folder: Path, size: int) -> dict[str, list[Value]]:
    inputs: dict[str, dict[int, Value]] = {}
    for path in sorted((folder / "inputs").glob("*.*.*")):
        name, number, kind = path.name.rsplit(".", 2)
        if whole_number(number) is None or kind not in ("align", "txt"):
            raise _wrong("is no input of a run", path)
        lines = read_lines(path, blank=True)
        if len(lines) != size:
            count = quantity(len(lines), "line")
            raise _wrong(f"{count} for {quantity(size, 'sentence')}", path)
        value = Alignments.of(_links(lines, path)) if kind == "align" else lines
        inputs.setdefault(name, {})[int(number)] = value
    return {name: [values[number] for number in sorted(values)] for name, values in inputs.items()}


@dataclass(frozen=True)
class UsedReference:
    """The reference set that orders were compared with."""

    name: str | None = None
    sentences: int = 0
    files: dict[str, str] = field(default_factory=dict)
    aligner: str = ""


@dataclass(frozen=True)
class StoredDraws:
    """The resampling of scores."""

    level: float = 0.95
    # At most stats.MOST_RESAMPLES, which is in a layer above.
    resamples: Annotated[int, Within(1, 100_000)] = 1000
    seed: Annotated[int, Within(0, 2**63)] = 0


@dataclass(frozen=True)
class Compared:
    """The comparison of systems."""

    test: Literal["randomization", "koehn"] = "randomization"
    against: Literal["none", "baseline", "all"] = "none"
    baseline: str = ""
    pairs: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class StoredEntry:
    """A system: what it was made by and its scores."""

    system: str = ""
    parser: str = ""
    rules: str = ""
    made_by: dict[str, Any] = field(default_factory=dict)
    sentences: int = 0
    left_out: int = 0
    scores: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class RunJson:
    """The content of a `run.json`; keys that are not there have their defaults."""

    versions: dict[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    reference: UsedReference = UsedReference()
    references: tuple[dict[str, Any], ...] = ()
    inputs: dict[str, Any] = field(default_factory=dict)
    sentences: int = 0
    metrics: tuple[str, ...] = ()
    bootstrap: StoredDraws = StoredDraws()
    left_out: dict[str, tuple[int, ...]] = field(default_factory=dict)
    systems: tuple[StoredEntry, ...] = ()
    significance: Compared = Compared()


def check_run_json(summary: Mapping[str, Any], file: Path, hint: str) -> RunJson:
    """Return the content of a `run.json`; FormatError that names a key that does not fit.

    >>> check_run_json({"systems": 1}, Path("run.json"), "run it again")
    Traceback (most recent call last):
        ...
    preorder_eval.errors.FormatError: run.json: systems is not in a run's format; run it again
    """
    try:
        return checked(RunJson, dict(summary), others=True)
    except PlaceError as error:
        defect = f"{error.place[0]} is not in a run's format"
        raise FormatError(defect, file=file, hint=hint) from error
