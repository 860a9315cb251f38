"""Gold trees of the sentences of a result, from wherever there are any."""

from __future__ import annotations

from pathlib import Path

from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.reference_folder import load_reference, reference_folder
from preorder_eval.results.result import Result
from preorder_eval.visible import quantity


def gold_trees(result: Result, file: str | Path | None = None) -> Treebank | None:
    """Gold trees of a result's sentences, from a CoNLL-U file or where they can be found.

    That is in the reference set itself, among the trees of its run folder (parser `gold`), or in
    the reference set of the same name, if its files are still the same. None where there are
    none; FormatError for a file with trees of other sentences.
    """
    reference = result.inputs.ordered
    if reference is None:
        return None
    if file is not None:
        return _trees(result, Path(file))
    if reference.trees is not None:
        return reference.trees
    if result.stored is not None:
        kept = result.stored.folder / "trees" / "gold.conllu"
        if kept.exists():
            return _trees(result, kept)
    folder = reference_folder(reference.name)
    if folder is None or not folder.is_dir():
        return None
    known = load_reference(folder)
    return known.trees if known.hashes == dict(reference.hashes) else None


def _trees(result: Result, file: Path) -> Treebank:
    trees = read_conllu(file)
    source = [] if result.inputs.ordered is None else result.inputs.ordered.source
    if len(trees) != len(source):
        raise FormatError(
            f"{quantity(len(trees), 'tree')} for the {len(source)} sentences of {result.name}",
            file=file,
        )
    for number, (sentence, words) in enumerate(zip(trees.sentences, source, strict=True), 1):
        if sentence != words:
            raise FormatError(f"sentence {number} has other words than in {result.name}", file=file)
    return trees
