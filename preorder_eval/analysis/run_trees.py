"""The trees that go with a run folder: what its parsers made, and gold trees if there are any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.reference_set import load_reference
from preorder_eval.formats.run_folder import Run
from preorder_eval.resources import bundled_names


def system_made_by(run: Run, system: str) -> tuple[str, str]:
    """The parser and the rule set of a run's system, empty for an order file's.

    Raises UnknownNameError for a system that the run does not have.
    """
    if system not in run.systems:
        raise UnknownNameError(f"system of {run.folder}", system, run.systems)
    for entry in _entries(run):
        if entry.get("system") == system and entry.get("rules"):
            return str(entry.get("parser")), str(entry["rules"])
    return "", ""


def _entries(run: Run) -> list[dict[str, Any]]:
    """What `run.json` says of the systems."""
    entries = run.summary.get("systems")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise FormatError(
            "no list of systems",
            file=run.folder / "run.json",
            mend="the folder was changed; run evaluate again",
        )
    return entries


def only_system(run: Run, name: str | None) -> str:
    """The system of that name, or the only one of a run; PreorderEvalError if that is open."""
    if name is None:
        if len(run.systems) > 1:
            listed = ", ".join(run.systems)
            raise PreorderEvalError(
                f"name the system to analyse with --system: {run.folder} has {listed}"
            )
        [name] = run.systems
    if name not in run.systems:
        raise UnknownNameError(f"system of {run.folder}", name, run.systems)
    return name


def parsed_trees(run: Run, system: str) -> Treebank | None:
    """The trees that a system's orders were made from; None where it had none."""
    parser, _ = system_made_by(run, system)
    return _trees(run, run.folder / "trees" / f"{parser}.conllu") if parser else None


def gold_trees(run: Run, file: str | Path | None = None) -> Treebank | None:
    """Gold trees of the run's sentences, from a CoNLL-U file or where they can be found.

    That is among the run's own trees (`--parser gold`), or in the bundled reference set that was
    used, if its files are still the same. None where there are none; FormatError for a file with
    trees of other sentences.
    """
    if file is not None:
        return _trees(run, Path(file))
    kept = run.folder / "trees" / "gold.conllu"
    if kept.exists():
        return _trees(run, kept)
    used = run.summary.get("reference")
    if not isinstance(used, dict):
        return None
    folder = bundled_names("reference_data").get(str(used.get("name")))
    if folder is None or not folder.is_dir():
        return None
    reference = load_reference(folder)
    return reference.trees if reference.hashes == used.get("files") else None


def _trees(run: Run, file: Path) -> Treebank:
    trees = read_conllu(file)
    if len(trees) != len(run.source):
        raise FormatError(
            f"{len(trees)} trees for the {len(run.source)} sentences of {run.folder}", file=file
        )
    for number, (own, words) in enumerate(zip(trees.sentences, run.source, strict=True), 1):
        if own != words:
            raise FormatError(f"sentence {number} has other words than in {run.folder}", file=file)
    return trees
