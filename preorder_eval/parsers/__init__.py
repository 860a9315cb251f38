"""The parsers, found by name: a bundled one, a spaCy pipeline, or a CoNLL-U file."""

from __future__ import annotations

from pathlib import Path

from preorder_eval.errors import UnknownNameError
from preorder_eval.parsers.base import Parser
from preorder_eval.parsers.cache import CachedParser, ParseCache
from preorder_eval.parsers.conllu_file import ConlluParser
from preorder_eval.parsers.pipelines import installed_pipelines, pipeline_identity
from preorder_eval.resources import bundled_names


def load_parser(name: str | Path, cache: ParseCache | None = None) -> Parser:
    """A parser by the name of a bundled one or an installed spaCy pipeline, or by path.

    A path is the folder of a spaCy pipeline or a `.conllu` file. With a cache the parser looks
    there first, and is itself loaded when a sentence is missing. Raises UnknownNameError with the
    known names, and PreorderEvalError for a folder that is no pipeline with a parser.

    >>> load_parser("en-web").parse([["She", "reads", "books"]])[0].labels
    ['nsubj', 'root', 'obj']
    """
    path = Path(name)
    if path.suffix == ".conllu":
        return ConlluParser(path)
    label, folder = _pipeline(name)

    def load() -> Parser:
        # spaCy takes a second to import, and trees from a file or the cache need none of it.
        from preorder_eval.parsers.spacy_pipeline import SpacyParser

        return SpacyParser(folder, label)

    return load() if cache is None else CachedParser(pipeline_identity(folder, label), load, cache)


def _pipeline(name: str | Path) -> tuple[str, Path]:
    """The name and folder of a spaCy pipeline."""
    bundled = bundled_names("parsers/bundled")
    if str(name) in bundled:
        return str(name), bundled[str(name)]
    path = Path(name)
    if path.is_dir():
        return path.resolve().name, path
    installed = installed_pipelines()
    if str(name) in installed:
        return str(name), installed[str(name)]
    raise UnknownNameError(
        "parser",
        str(name),
        [*bundled, *installed],
        "; or the path of a spaCy pipeline or .conllu file",
    )
