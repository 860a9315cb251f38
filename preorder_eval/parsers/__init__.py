"""The parsers, found by name: a bundled one, a spaCy pipeline, or a CoNLL-U file."""

from __future__ import annotations

from pathlib import Path

from preorder_eval.errors import UnknownNameError
from preorder_eval.parsers.base import Parser
from preorder_eval.parsers.conllu_file import ConlluParser
from preorder_eval.resources import bundled_names


def load_parser(name: str | Path) -> Parser:
    """A parser by the name of a bundled one or an installed spaCy pipeline, or by path.

    A path is the folder of a spaCy pipeline or a `.conllu` file. Raises UnknownNameError with the
    known names, and PreorderEvalError for a folder that is no pipeline with a parser.

    >>> load_parser("en-web").parse([["She", "reads", "books"]])[0].labels
    ['nsubj', 'root', 'obj']
    """
    path = Path(name)
    if path.suffix == ".conllu":
        return ConlluParser(path)
    bundled = bundled_names("parsers/bundled")

    # spaCy takes a second to import, and trees from a file need none of it.
    from preorder_eval.parsers.spacy_pipeline import (
        SpacyParser,
        installed_path,
        installed_pipelines,
    )

    if str(name) in bundled:
        return SpacyParser(bundled[str(name)], str(name))
    if path.is_dir():
        return SpacyParser(path, path.resolve().name)
    installed = installed_pipelines()
    if str(name) in installed:
        return SpacyParser(installed_path(str(name)), str(name))
    raise UnknownNameError(
        "parser",
        str(name),
        [*bundled, *installed],
        "; or the path of a spaCy pipeline or .conllu file",
    )
