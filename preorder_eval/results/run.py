"""Results in run folders: whatever was scored is written and read back in the same way."""

from __future__ import annotations

import functools
import itertools
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval import __version__
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.inputs import side
from preorder_eval.data.orders import Alternatives, Orders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.conllu import conllu_parts, read_conllu
from preorder_eval.formats.rule_writing import format_rules
from preorder_eval.formats.rules import load_rules
from preorder_eval.formats.run_folder import (
    StoredEntry,
    StoredReference,
    StoredRun,
    StoredSystem,
    Value,
    check_run_json,
    format_run,
    read_stored,
    read_summary,
)
from preorder_eval.formats.writing import Text, path_inside, portable, write_folder
from preorder_eval.metrics import Metric, metric
from preorder_eval.metrics.base import Scores
from preorder_eval.results.inputs import Inputs, Texts
from preorder_eval.results.result import Result
from preorder_eval.results.sampling import Sampling
from preorder_eval.results.scoring import score_systems
from preorder_eval.results.systems import MadeFrom, System
from preorder_eval.stats.measurement import TIE
from preorder_eval.visible import quantity

_MEND = "the folder was changed or truncated; run the command again"


def write_run(result: Result, folder: Path, arguments: Sequence[str] = ()) -> None:
    """Write a result as a run folder, which appears whole or not at all.

    `arguments` are those of the command line that made it. The folder holds the trees and rule
    files that were used too. Raises FormatError where the folder is not new or cannot be written.
    """
    write_folder(folder, run_files(result, arguments))


def write_runs(results: Sequence[Result], folder: Path, arguments: Sequence[str] = ()) -> None:
    """Write results on different references, each as a run folder in the folder, all or none.

    A run folder is called by its reference, with a dash for the slash before a part.
    """
    files: dict[str, Text] = {}
    for result in results:
        name = portable(result.name.replace("/", "-"))
        if f"{name}/run.json" in files:
            message = f"{name} would hold the runs on two references"
            raise FormatError(message, file=folder, hint="give one of them a label")
        files |= {f"{name}/{file}": text for file, text in run_files(result, arguments).items()}
    write_folder(folder, files)


def run_files(result: Result, arguments: Sequence[str] = ()) -> dict[str, Text]:
    """Return what a run folder holds, by the names of its files."""
    record = {"versions": versions(), "arguments": list(arguments), **result.to_dict()}
    files = sentence_files(result.inputs, result.metrics, result.scores, record)
    for system in result.inputs.systems:
        origin = system.origin()
        if origin is not None:
            files[_rules_file(system.rules)] = format_rules(origin.rules)
            name = _trees_file(system.parser)
            if name not in files:
                files[name] = conllu_parts(origin.trees)
    return files


def _rules_file(rules: str | None) -> str:
    return f"rules/{portable(str(rules))}.toml"


def _trees_file(parser: str | None) -> str:
    return f"trees/{portable(str(parser))}.conllu"


def scores_tsv(result: Result) -> str:
    """Return the orders or outputs and the scores of every sentence, as `scores.tsv` has them."""
    files = sentence_files(result.inputs, result.metrics, result.scores, {})
    return "".join(files["scores.tsv"])


def sentence_files(
    inputs: Inputs,
    metrics: Sequence[Metric],
    scores: Sequence[Sequence[Scores]],
    record: dict[str, Any],
) -> dict[str, Text]:
    """Return the files of a run folder but trees and rules; `record` is for `run.json`."""
    source = inputs.ordered if any("orders" in by.needs for by in metrics) else None
    systems = {
        system.name: StoredSystem(
            None if source is None else inputs.orders(number),
            system.hyp,
            np.column_stack([of_metric.sentence for of_metric in scores[number]]),
            line=0,
        )
        for number, system in enumerate(inputs.systems)
    }
    values: dict[str, list[Value]] = {}
    for name, value in inputs.shared.items():
        values[name] = list(value) if side(name) == "ref" else [value]
    for name in inputs.systems[0].inputs:
        values[name] = [system.inputs[name] for system in inputs.systems]
    reference = None
    if source is not None:
        reference = StoredReference(source.source, source.alignments, source.allowed, source.target)
    streams = [text.sentences for text in inputs.references]
    return format_run(
        StoredRun(record, list(map(str, metrics)), reference, streams, systems, values)
    )


def versions() -> dict[str, str]:
    """Return the versions that a result depends on: this project, Python and libraries in use."""
    libraries = ("numpy", "rapidfuzz", "sacrebleu", "spacy")
    return {"preorder-eval": __version__, "python": platform.python_version()} | {
        name: version(name) for name in libraries if name in sys.modules
    }


def read_run(folder: str | Path) -> Result:
    """Read a run folder.

    A run on shards becomes one result, in the order of their names. All is scored again, and must
    come out the same. Raises FormatError, with file and line, for what is missing or malformed, and
    for scores that are not those of what the folder holds.

    >>> import tempfile
    >>> from preorder_eval.results.scoring import score
    >>> folder = Path(tempfile.mkdtemp()) / "run"
    >>> write_run(score({"mt": ["a b"]}, ["a b"], ["wer"]), folder)
    >>> read_run(folder).value("mt")
    0.0
    """
    folder = Path(folder)
    recorded = read_summary(folder)
    settings = check_run_json(recorded, folder / "run.json", _MEND)
    parts = [_read_scored(folder / name) for name in recorded.get("shards", [])]
    inputs, metrics, scores = _chained(parts) if parts else _read_scored(folder)
    drawn, compared = settings.bootstrap, settings.significance
    sampling = Sampling(
        drawn.resamples, drawn.seed, compared.test, compared.against, compared.baseline
    )
    result = Result.of(inputs, metrics, scores, sampling)
    return replace(result, folder=folder, recorded=recorded)


_Scored = tuple[Inputs, list[Metric], list[list[Scores]]]


def _chained(parts: Sequence[_Scored]) -> _Scored:
    """Return the sentences of several runs of the same systems and metrics, one after the other."""
    (first, metrics, _), every = parts[0], [inputs for inputs, _, _ in parts]
    systems = []
    for number, system in enumerate(first.systems):
        same = [inputs.systems[number] for inputs in every]
        further = {name: _chain([part.inputs[name] for part in same]) for name in system.inputs}
        orders = None if system.orders is None else _chain([part.orders for part in same])
        outputs = None if system.hyp is None else _chain([part.hyp for part in same])
        joined = replace(system, orders=orders, hyp=outputs, inputs=further)
        systems.append(replace(joined, origin=lambda: None))
    reference = None
    if first.reference is not None:
        sets = [inputs.reference for inputs in every if inputs.reference is not None]
        several = first.reference.alternatives is not None
        reference = ReferenceSet(
            first.reference.name,
            _chain([part.source for part in sets]),
            replace(_chain([part.alignments for part in sets]), aligner=first.reference.aligner),
            None if sets[0].target is None else _chain([part.target or [] for part in sets]),
            alternatives=Alternatives.of(
                part.orders_of(s) for part in sets for s in range(len(part))
            )
            if several
            else None,
        )
    references = [
        replace(text, sentences=_chain([inputs.references[number].sentences for inputs in every]))
        for number, text in enumerate(first.references)
    ]
    shared: dict[str, Any] = {}
    for name in first.shared:
        same = [inputs.shared[name] for inputs in every]
        shared[name] = (
            list(map(_chain, zip(*same, strict=True))) if side(name) == "ref" else _chain(same)
        )
    inputs = Inputs(tuple(systems), reference, tuple(references), shared, first.made_by)
    scores = [
        [
            by.scores_of(np.concatenate([scores[number][m].statistics for _, _, scores in parts]))
            for m, by in enumerate(metrics)
        ]
        for number in range(len(systems))
    ]
    return inputs, metrics, scores


def _chain(parts: Sequence[Any]) -> Any:
    """Return the sentences of parts of the same kind, one after the other."""
    every = itertools.chain.from_iterable(parts)
    return type(parts[0]).of(every) if isinstance(parts[0], Orders | Alignments) else list(every)


def _read_scored(folder: Path) -> _Scored:
    """Read what a run folder holds, with the scores that it has."""
    stored = read_stored(folder)
    settings = check_run_json(stored.summary, folder / "run.json", _MEND)
    entries = {entry.system: entry for entry in settings.systems}
    reference = None
    # Reference orders that were made of links of outputs are made of them again.
    of_links = "reference" not in stored.summary and {"source", "ref_alignment"} <= {*stored.inputs}
    if stored.reference is not None and not of_links:
        kept = stored.reference.references
        reference = ReferenceSet(
            folder.name if settings.reference.name is None else settings.reference.name,
            stored.reference.source,
            replace(stored.reference.alignments, aligner=settings.reference.aligner),
            stored.reference.target,
            hashes=settings.reference.files,
            alternatives=kept if isinstance(kept, Alternatives) else None,
        )
    streams: Sequence[dict[str, Any]] = settings.references or ({},) * len(stored.references)
    if len(streams) != len(stored.references):
        defect = "references is not in a run's format"
        raise FormatError(defect, file=folder / "run.json", hint=_MEND)
    shared = {
        name: values if side(name) == "ref" else values[0]
        for name, values in stored.inputs.items()
        if side(name) != "hyp"
    }
    if "source" in shared:
        lines = map(str, shared["source"])
        shared["source"] = [line.split(" ") if line else [] for line in lines]
    systems = []
    for number, (name, kept_system) in enumerate(stored.systems.items()):
        entry = entries.get(name, StoredEntry())
        of_system = {
            what: values[number]
            for what, values in stored.inputs.items()
            if side(what) == "hyp" and number < len(values)
        }
        systems.append(
            System(
                name,
                kept_system.orders,
                kept_system.outputs,
                entry.made_by,
                of_system,
                _origin(folder, entry, kept_system),
            )
        )
    try:
        inputs = Inputs(
            tuple(systems),
            reference,
            tuple(
                Texts(str(identity.pop("name", "reference")), sentences, identity)
                for identity, sentences in zip(map(dict, streams), stored.references, strict=True)
            ),
            shared,
            settings.inputs,
        )
    except PreorderEvalError as error:
        raise FormatError(str(error), file=folder, hint=_MEND) from error
    metrics = [metric(signature) for signature in stored.metrics]
    scores = score_systems(inputs, metrics)
    _check_scores(folder, stored, scores)
    return inputs, metrics, scores


def _check_scores(folder: Path, stored: StoredRun, scores: Sequence[Sequence[Scores]]) -> None:
    """Raise FormatError unless a folder's scores are those that its systems have."""
    for (name, system), by_metric in zip(stored.systems.items(), scores, strict=True):
        for scored, kept in zip(by_metric, system.scores.T, strict=True):
            same = np.isclose(scored.sentence, kept, rtol=0, atol=TIE, equal_nan=True)
            if not same.all():
                s = int(np.flatnonzero(~same)[0])
                shown = [
                    "no score" if np.isnan(x) else f"{x:.4f}" for x in (kept[s], scored.sentence[s])
                ]
                raise FormatError(
                    f"{name}, sentence {s + 1}: {scored.metric} is {shown[0]}, but what it made "
                    f"gives {shown[1]}",
                    file=folder / "scores.tsv",
                    line=system.line + s,
                    hint="the folder was changed; run the command again",
                )


def _origin(
    folder: Path, entry: StoredEntry, system: StoredSystem
) -> Callable[[], MadeFrom | None]:
    """Return what reads a system's trees and rules, once, when they are asked for."""
    parser, rules = entry.parser, entry.rules

    @functools.cache
    def read() -> MadeFrom | None:
        if not parser or not rules or system.orders is None:
            return None
        rule_file = path_inside(folder, _rules_file(rules))
        trees_file = path_inside(folder, _trees_file(parser))
        trees = read_conllu(trees_file)
        if len(trees) != len(system.orders):
            raise FormatError(
                f"{quantity(len(trees), 'tree')} for {quantity(len(system.orders), 'sentence')}",
                file=trees_file,
                hint=_MEND,
            )
        return MadeFrom(trees, load_rules(rule_file))

    return read
