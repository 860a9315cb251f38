"""Run folders written: the inputs and results of a run, which `run_reading` reads back.

- `run.json` has what was run (inputs with hashes, versions, signatures), and the summary.
- `sentences.tsv` has what all systems are compared with, sentence by sentence: source, links and
  reference order for orders, the references for outputs.
- `scores.tsv` has for every system and sentence its order, its output or both, and the scores.
- `inputs/` has whatever else a metric was given, such as tags.
- `trees/` and `rules/` have the parses and rule files themselves, so that the run can be repeated
  from its folder alone.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from preorder_eval.base.errors import FormatError
from preorder_eval.base.files.tsv import escape_text, escape_tokens, tsv_lines
from preorder_eval.base.files.writing import Content, format_json, portable, write_folder
from preorder_eval.base.version import __version__
from preorder_eval.evaluation.inputs import DOCUMENTS, Inputs
from preorder_eval.evaluation.result import Result
from preorder_eval.metrics import Metric
from preorder_eval.metrics.base import Scores
from preorder_eval.metrics.needs import side
from preorder_eval.orders.alignment_formats import format_links
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.order_files import format_order, format_reference_orders
from preorder_eval.references.reference_set import NO_LINKS, ReferenceSet

OF_ORDERS = ["left_out", "source", "target", "links", "reference_order"]
REFERENCE = "reference_"  # with a number


def write_run(
    result: Result, folder: str | Path, arguments: Sequence[str] = (), *, overwrite: bool = False
) -> None:
    """Write a result as a run folder, which appears whole or not at all.

    Parameters: `arguments` are those of the command line that made it. With `overwrite` the folder
    takes the place of an earlier run. Raises FormatError if the folder exists already or cannot be
    written.
    """
    write_folder(Path(folder), run_files(result, arguments), overwrite=overwrite)


def write_runs(
    results: Sequence[Result],
    folder: Path,
    arguments: Sequence[str] = (),
    *,
    overwrite: bool = False,
) -> None:
    """Write results on different references, each as a run folder in the folder, all or none.

    A run folder is called by its reference, with a dash for the slash before a split. A single
    result gets the folder itself.
    """
    if len(results) == 1:
        write_run(results[0], folder, arguments, overwrite=overwrite)
        return
    files: dict[str, Content] = {}
    for result in results:
        name = portable(result.name.replace("/", "-"))
        if f"{name}/run.json" in files:
            message = f"{name} would be the folder of two references"
            raise FormatError(message, file=folder, hint="label one of them")
        files |= {f"{name}/{file}": text for file, text in run_files(result, arguments).items()}
    write_folder(folder, files, overwrite=overwrite)


def run_files(result: Result, arguments: Sequence[str] = ()) -> dict[str, Content]:
    """Return the contents of a run folder, by the names of its files."""
    record = {"versions": versions(), "arguments": list(arguments), **result.to_dict()}
    files: dict[str, Content] = {"run.json": format_json(record)}
    files |= _sentence_files(result.inputs, result.metrics, result.scores)
    for system in result.inputs.systems:
        origin = system.origin()
        if origin is not None:
            files[rules_file(system.rules)] = origin.toml()
            name = trees_file(system.parser)
            if name not in files:
                files[name] = origin.conllu()
    return files


def rules_file(rules: str | None) -> str:
    """Return the path of a rule set in a run folder."""
    return f"rules/{portable(str(rules))}.toml"


def trees_file(parser: str | None) -> str:
    """Return the path of a parser's trees in a run folder."""
    return f"trees/{portable(str(parser))}.conllu"


def _sentence_files(
    inputs: Inputs, metrics: Sequence[Metric], scores: Sequence[Sequence[Scores]]
) -> dict[str, Content]:
    """Return the files with a line for each sentence, which are made while they are written."""
    of_orders = inputs.ordered if any("orders" in by.needs for by in metrics) else None
    files: dict[str, Content] = {
        "sentences.tsv": _sentence_lines(inputs, of_orders),
        "scores.tsv": _score_lines(inputs, list(map(str, metrics)), scores, of_orders is not None),
    }
    given = {name: v if side(name) == "ref" else [v] for name, v in inputs.shared.items()}
    if inputs.documents:
        given[DOCUMENTS] = [inputs.documents]
    for name in inputs.systems[0].inputs:
        given[name] = [system.inputs[name] for system in inputs.systems]
    for name, values in given.items():
        for number, value in enumerate(values, 1):
            are_links = isinstance(value, Alignments)
            lines = map(format_links if are_links else _line, value)
            kind = "align" if are_links else "txt"
            files[f"inputs/{name}.{number}.{kind}"] = (f"{line}\n" for line in lines)
    return files


def _line(words: str | Sequence[str]) -> str:
    return words if isinstance(words, str) else " ".join(words)


def _sentence_lines(inputs: Inputs, of_orders: ReferenceSet | None) -> Iterator[str]:
    columns: dict[str, Iterable[str | None]] = {}
    if of_orders is not None:
        orders = of_orders.allowed
        values: list[Iterable[str | None]] = [
            (None if linked else NO_LINKS for linked in orders.informative),
            map(escape_tokens, of_orders.source),
            map(escape_tokens, of_orders.target or [[]] * len(of_orders)),
            map(format_links, of_orders.alignments),
            format_reference_orders(orders),
        ]
        columns = dict(zip(OF_ORDERS, values, strict=True))
    for number, text in enumerate(inputs.references, 1):
        columns[f"{REFERENCE}{number}"] = map(escape_text, text.sentences)
    rows = zip(range(1, len(inputs) + 1), *columns.values(), strict=True)
    return tsv_lines(["sentence", *columns], rows)


def _score_lines(
    inputs: Inputs, metrics: Sequence[str], scores: Sequence[Sequence[Scores]], of_orders: bool
) -> Iterator[str]:
    columns = ["order"] * of_orders + ["output"] * (inputs.systems[0].hyp is not None)

    def rows() -> Iterator[list[object]]:
        for number, system in enumerate(inputs.systems):
            orders = inputs.orders(number) if of_orders else None
            by_sentence = np.column_stack([of_metric.sentence for of_metric in scores[number]])
            for s, values in enumerate(map(np.ndarray.tolist, by_sentence)):
                row: list[object] = [system.name, s + 1]
                row += [] if orders is None else [format_order(orders[s])]
                row += [] if system.hyp is None else [escape_text(system.hyp[s])]
                yield row + [None if value != value else value for value in values]

    return tsv_lines(["system", "sentence", *columns, *metrics], rows())


def versions() -> dict[str, str]:
    """Return the versions that a result depends on: this project, Python and libraries in use."""
    libraries = ("numpy", "rapidfuzz", "sacrebleu", "spacy")
    return {"preorder-eval": __version__, "python": platform.python_version()} | {
        name: sys.modules[name].__version__ for name in libraries if name in sys.modules
    }
