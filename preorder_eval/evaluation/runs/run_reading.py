"""Run folders (`run_writing`) read back as results."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import FormatError, PreorderEvalError, warn
from preorder_eval.base.files.files import read_lines
from preorder_eval.base.files.tsv import Line, read_tsv, unescape_text, unescape_tokens
from preorder_eval.base.files.writing import path_inside
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.base.stats.measurement import TIE
from preorder_eval.base.tables.shown import INPUT
from preorder_eval.base.text.text_files import whole_number
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.inputs import DOCUMENTS, Inputs, Texts
from preorder_eval.evaluation.result import Result, make_result
from preorder_eval.evaluation.runs.run_folder import (
    CHANGED,
    RunJson,
    StoredEntry,
    UsedReference,
    check_run_json,
    read_summary,
)
from preorder_eval.evaluation.runs.run_writing import OF_ORDERS, REFERENCE, rules_file, trees_file
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.evaluation.score import score_systems
from preorder_eval.evaluation.systems import MadeFrom, System
from preorder_eval.metrics import metric
from preorder_eval.metrics.base import Scores
from preorder_eval.metrics.needs import LINKED, side
from preorder_eval.orders.alignment_formats import parse_marked_links
from preorder_eval.orders.alignments import Alignments, Link
from preorder_eval.orders.order_files import parse_order, parse_reference_orders
from preorder_eval.orders.orders import Alternatives, Orders
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.conllu import read_conllu


def read_run(folder: str | Path) -> Result:
    """Read a run folder.

    Everything is scored again, and must give the scores that the folder has. Raises FormatError,
    with file and line, for what is missing or malformed, and for scores that differ.

    >>> import preorder_eval as pe
    >>> from pathlib import Path
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "run"
    >>> pe.write_run(pe.score({"mt": ["a b"]}, ["a b"], ["wer"]), folder)
    >>> pe.read_run(folder).value("mt")
    0.0
    """
    folder = Path(folder)
    recorded = read_summary(folder)
    settings = check_run_json(recorded, folder / "run.json")
    for warning in settings.warnings:
        if warning.kind == INPUT:  # all others follow from what the folder holds
            warn(warning.text)
    stored = _read(folder, settings)
    inputs = _inputs(stored)
    metrics = list(map(metric, stored.metrics))
    scores = score_systems(inputs, metrics)
    _check_scores(stored, scores)
    drawn, compared = settings.bootstrap, settings.significance
    sampling = Sampling(
        drawn.resamples, drawn.seed, compared.test, compared.against, compared.baseline
    )
    result = make_result(inputs, metrics, scores, sampling)
    return replace(result, folder=folder, recorded=recorded)


class _Products(NamedTuple):
    """A system's data in `scores.tsv`, by column; `line` is the line where they start."""

    line: int
    orders: list[list[int]] | None
    outputs: list[str] | None
    scores: Floats


class _Stored(NamedTuple):
    """The contents of a folder, as lists with a value for each of its sentences.

    `sentences` are the columns of `sentences.tsv`. `given` has the inputs in `inputs/` by name: a
    list for each system, for each reference, or one.
    """

    folder: Path
    settings: RunJson
    size: int
    metrics: list[str]
    sentences: dict[str, list[Any]]
    systems: dict[str, _Products]
    given: dict[str, list[list[Any]]]


def _inputs(whole: _Stored) -> Inputs:
    """Return the inputs of a run."""
    given = {
        name: [Alignments.of(value) for value in values] if name in LINKED else values
        for name, values in whole.given.items()
    }
    shared: dict[str, Any] = {
        name: values if side(name) == "ref" else values[0]
        for name, values in given.items()
        if side(name) != "hyp"
    }
    if "source" in shared:
        shared["source"] = [line.split(" ") if line else [] for line in shared["source"]]
    own = {name: values for name, values in given.items() if side(name) == "hyp"}
    systems, references = _systems(whole, own), _references(whole)
    reference = _reference(whole, shared)
    try:
        return Inputs(systems, reference, references, shared, whole.settings.inputs)
    except PreorderEvalError as error:
        raise _wrong(str(error), whole.folder) from error


def _systems(whole: _Stored, given: Mapping[str, list[Any]]) -> tuple[System, ...]:
    """Return the systems, each with its own of the `given` inputs."""
    entries = {entry.system: entry for entry in whole.settings.systems}
    systems = []
    for number, (name, products) in enumerate(whole.systems.items()):
        entry = entries.get(name, StoredEntry())
        orders = None if products.orders is None else Orders.of(products.orders)
        own = {what: values[number] for what, values in given.items() if number < len(values)}
        origin = _origin(whole.folder, entry, orders)
        systems.append(System(name, orders, products.outputs, entry.made_by, own, origin))
    return tuple(systems)


def _reference(whole: _Stored, shared: Mapping[str, Any]) -> ReferenceSet | None:
    """Return the reference set, None for a run without, or whose links are those of outputs."""
    settings = whole.settings
    # Reference orders that were made of links of outputs are made of them again.
    of_outputs = {"source", "ref_alignment"} <= {*shared}
    if "links" not in whole.sentences or (settings.reference == UsedReference() and of_outputs):
        return None
    source, target, links, orders_of = (whole.sentences[name] for name in OF_ORDERS[1:])
    several = any(len(allowed) > 1 for allowed in orders_of)
    return ReferenceSet(
        whole.folder.name if settings.reference.name is None else settings.reference.name,
        source,
        replace(Alignments.of(links), aligner=settings.reference.aligner),
        target if any(target) else None,
        hashes=settings.reference.files,
        alternatives=Alternatives.of(orders_of) if several else None,
        version=settings.reference.version,
        documents=shared.get(DOCUMENTS, ()),
    )


def _references(whole: _Stored) -> tuple[Texts, ...]:
    """Return the references of outputs, each with what identifies it."""
    streams = [texts for name, texts in whole.sentences.items() if name not in OF_ORDERS]
    identities = list(map(dict, whole.settings.references)) or [{} for _ in streams]
    if len(identities) != len(streams):
        defect = f"key references: {len(identities)} of {len(streams)} in sentences.tsv"
        raise _wrong(defect, whole.folder / "run.json")
    return tuple(
        Texts(str(identity.pop("name", "reference")), texts, identity)
        for texts, identity in zip(streams, identities, strict=True)
    )


def _wrong(defect: str, path: Path, line: int | None = None) -> FormatError:
    return FormatError(defect, file=path, line=line, hint=CHANGED)


def _read(folder: Path, settings: RunJson) -> _Stored:
    sentences, size = _read_sentences(path_inside(folder, "sentences.tsv"))
    lengths = sentence_lengths(sentences["source"]) if "source" in sentences else None
    metrics, systems = _read_scores(path_inside(folder, "scores.tsv"), size, lengths)
    given = _read_given(folder, size)
    return _Stored(folder, settings, size, metrics, sentences, systems, given)


def _read_sentences(path: Path) -> tuple[dict[str, list[Any]], int]:
    header, rows = read_tsv(path, ["sentence"], CHANGED)
    of_orders = header[1 : 1 + len(OF_ORDERS)] == OF_ORDERS
    first = 1 + len(OF_ORDERS) * of_orders
    if header[first:] != [f"{REFERENCE}{n}" for n in range(1, len(header) - first + 1)]:
        wanted = f"sentence, {', '.join(OF_ORDERS)}, {REFERENCE}1, …"
        raise _wrong(f"the columns are not {wanted}", path, 1)
    for number, (line, (sentence, *_)) in enumerate(rows, 1):
        if sentence != str(number):
            raise _wrong(f"sentence {sentence!r} where {number} was expected", path, line)
    columns = _read_orders(path, rows) if of_orders else {}
    for column, name in enumerate(header[first:], first):
        columns[name] = [unescape_text(fields[column]) for _, fields in rows]
    return columns, len(rows)


def _read_orders(path: Path, rows: Sequence[Line]) -> dict[str, list[Any]]:
    """Return source, target, links and reference orders."""
    columns: dict[str, list[Any]] = {name: [] for name in OF_ORDERS[1:]}
    for line, (_, _, source, target, links, orders, *_) in rows:
        words, pairs = _words(source), _links(links, path, line)
        linked = {i for i, _ in pairs}
        if max(linked, default=-1) >= len(words):
            raise _wrong(f"a link outside the {len(words)} source tokens", path, line)
        aligned = [i in linked for i in range(len(words))]
        read = parse_reference_orders(orders, aligned, path, line, CHANGED)
        for column, value in zip(
            columns.values(), (words, _words(target), pairs, read), strict=True
        ):
            column.append(value)
    return columns


def _words(field: str) -> list[str]:
    return unescape_tokens(field) if field else []


def _links(field: str, path: Path, line: int) -> list[Link]:
    return [(first, second) for first, second, _ in parse_marked_links(field, path, line)]


def _read_scores(
    path: Path, size: int, lengths: Sequence[int] | None
) -> tuple[list[str], dict[str, _Products]]:
    """Read the metrics' signatures, and the systems; orders fit the `lengths` of the source."""
    header, rows = read_tsv(path, ["system", "sentence"], CHANGED)
    columns = [name for name in header[2:4] if name in ("order", "output")]
    if not columns or ("order" in columns and lengths is None):
        raise _wrong("the columns are not system, sentence, order or output, …", path, 1)
    first = 2 + len(columns)
    systems: dict[str, _Products] = {}
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
        orders = outputs = None
        if lengths is not None and "order" in columns:
            orders = [
                parse_order(fields[2].split(), length, path, line, CHANGED)
                for length, (line, fields) in zip(lengths, block, strict=True)
            ]
        if "output" in columns:
            outputs = [unescape_text(fields[first - 1]) for _, fields in block]
        scores = [[_score(field, path, line) for field in fields[first:]] for line, fields in block]
        table = np.array(scores).reshape(-1, len(header) - first)
        systems[name] = _Products(begun, orders, outputs, table)
    return header[first:], systems


def _score(field: str, path: Path, line: int) -> float:
    try:
        return float(field) if field else float("nan")
    except ValueError:
        raise _wrong(f"{field!r} is not a score", path, line) from None


def _read_given(folder: Path, size: int) -> dict[str, list[list[Any]]]:
    given: dict[str, dict[int, list[Any]]] = {}
    for path in sorted((folder / "inputs").glob("*.*.*")):
        name, number, kind = path.name.rsplit(".", 2)
        if whole_number(number) is None or kind != ("align" if name in LINKED else "txt"):
            raise _wrong("is not an input of a run", path)
        lines: list[Any] = read_lines(path_inside(folder, f"inputs/{path.name}"), blank=True)
        if len(lines) != size:
            count = quantity(len(lines), "line")
            raise _wrong(f"{count} for {quantity(size, 'sentence')}", path)
        if kind == "align":
            lines = [_links(line, path, n) for n, line in enumerate(lines, 1)]
        given.setdefault(name, {})[int(number)] = lines
    return {name: [values[number] for number in sorted(values)] for name, values in given.items()}


def _check_scores(stored: _Stored, scores: Sequence[Sequence[Scores]]) -> None:
    """Raise FormatError if the scores in a folder are not those of its orders or outputs."""
    for (name, products), by_metric in zip(stored.systems.items(), scores, strict=True):
        for scored, kept in zip(by_metric, products.scores.T, strict=True):
            again = scored.sentence
            same = np.isclose(again, kept, rtol=0, atol=TIE, equal_nan=True)
            if not same.all():
                s = int(np.flatnonzero(~same)[0])
                shown = ["no score" if np.isnan(x) else f"{x:.4f}" for x in (kept[s], again[s])]
                raise FormatError(
                    f"{name}, sentence {s + 1}: {scored.metric} is {shown[0]}, but its "
                    f"recomputed value is {shown[1]}",
                    file=stored.folder / "scores.tsv",
                    line=products.line + s,
                    hint="the folder was changed; run the command again",
                )


def _origin(
    folder: Path, entry: StoredEntry, orders: Orders | None
) -> Callable[[], MadeFrom | None]:
    """Return a function that reads a system's trees and rules when it is called first."""
    parser, rules = entry.parser, entry.rules

    @functools.cache
    def read() -> MadeFrom | None:
        if not parser or not rules or orders is None:
            return None
        rule_file = path_inside(folder, rules_file(rules))
        file = path_inside(folder, trees_file(parser))
        trees = read_conllu(file)
        if len(trees) != len(orders):
            defect = f"{quantity(len(trees), 'tree')} for {quantity(len(orders), 'sentence')}"
            raise _wrong(defect, file)
        return MadeFrom(trees, load_rules(rule_file))

    return read
