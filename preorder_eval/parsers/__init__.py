"""The parsers, found by name: bundled, of other packages, a spaCy pipeline, or a CoNLL-U file."""

from __future__ import annotations

import functools
import sys
from pathlib import Path

from preorder_eval.errors import UnknownNameError
from preorder_eval.parsers.base import TRUSTING, Parser, ParserIdentity
from preorder_eval.parsers.cache import CachedParser, ParseCache, cache_path
from preorder_eval.parsers.conllu_file import ConlluParser
from preorder_eval.parsers.pipelines import installed_pipelines, pipeline_identity
from preorder_eval.plugins import Named, named
from preorder_eval.resources import bundled_names


def load_parser(
    name: str | Path, cache: ParseCache | None = None, *, trust: bool = False
) -> Parser:
    """A parser by the name of a bundled or installed one, or by path.

    Installed are the parsers of other packages (`preorder_eval.plugins`) and spaCy's pipelines. A
    path is the folder of a spaCy pipeline or a `.conllu` file. With a cache a pipeline looks there
    first, and is itself loaded when a sentence is missing; other packages' parsers do without,
    because nothing vouches that their hash changes when they do. With `trust` a folder is loaded
    that may run code of its maker, see `parsers.trust`. Raises UnknownNameError with the
    known names, and PreorderEvalError for what cannot be loaded or is no parser.

    >>> load_parser("en-web").parse([["She", "reads", "books"]])[0].labels
    ['nsubj', 'root', 'obj']
    """
    path = Path(name)
    if path.suffix == ".conllu":
        return ConlluParser(path)
    label, found, installed = _find(name)
    if not isinstance(found, Path):
        return found
    trusted = installed or trust or TRUSTING.get()

    def load() -> Parser:
        # spaCy takes a second to import, and trees from a file or the cache need none of it.
        from preorder_eval.parsers.spacy_pipeline import SpacyParser

        return SpacyParser(found, label, trust=trusted)

    return load() if cache is None else CachedParser(pipeline_identity(found, label), load, cache)


def find_parser(name: str | Path, cache: bool = True) -> Parser:
    """`load_parser` with the user's cache of parses (`cache_path`) before it, unless told not."""
    return load_parser(name, _cache_at(cache_path()) if cache else None)


@functools.cache
def _cache_at(path: Path) -> ParseCache:
    """The cache of a file, one for all parsers: it warns once."""

    def warn(line: str) -> None:
        print(f"preorder-eval: warning: {line}", file=sys.stderr)

    return ParseCache(path, warn)


def _find(name: str | Path) -> tuple[str, Path | Parser, bool]:
    """The name of a pipeline with its folder, or of another package's parser with itself.

    The third tells whether it is installed, and not just a folder.
    """
    known = named("parsers", bundled_names("parsers/bundled"))
    if str(name) in known:
        return str(name), _made(known[str(name)]), True
    path = Path(name)
    if path.is_dir():
        return path.resolve().name, path, False
    pipelines = installed_pipelines()
    if str(name) in pipelines:
        return str(name), pipelines[str(name)], True
    raise UnknownNameError(
        "parser",
        str(name),
        [*known, *pipelines],
        "; or the path of a spaCy pipeline or .conllu file",
    )


def _made(entry: Named) -> Path | Parser:
    """A pipeline's folder, or the parser that another package makes."""
    made = entry.make()
    if isinstance(made, str | Path) and Path(made).is_dir():
        return Path(made)
    if isinstance(getattr(made, "identity", None), ParserIdentity) and callable(
        getattr(made, "parse", None)
    ):
        parser: Parser = made
        return parser
    raise entry.wrong("a Parser or the path of a spaCy pipeline")
