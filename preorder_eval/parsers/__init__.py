"""The parsers, found by name: bundled, of other packages, a spaCy pipeline, or a file of trees."""

from __future__ import annotations

import functools
import logging
from pathlib import Path

from preorder_eval.errors import PreorderEvalError, UnknownNameError, warn
from preorder_eval.parsers.base import TRUSTING, Parser, ParserIdentity
from preorder_eval.parsers.cache import CachedParser, ParseCache, cache_path
from preorder_eval.parsers.pipelines import (
    installed_pipelines,
    pipeline_identity,
    pipeline_language,
    pipeline_tuned_on,
)
from preorder_eval.parsers.tree_file import TreeFile, is_tree_file
from preorder_eval.parsers.truecase import split_truecase
from preorder_eval.plugins import Named, named
from preorder_eval.resources import bundled_names

_LOG = logging.getLogger(__name__)


def load_parser(
    name: str | Path, cache: ParseCache | None = None, jobs: int = 1, *, trust: bool = False
) -> Parser:
    """A parser by the name of a bundled or installed one, or by path.

    Installed are the parsers of other packages (`preorder_eval.plugins`) and spaCy's pipelines. A
    path is the folder of a spaCy pipeline or a file of trees (`tree_file`). With a cache a
    pipeline looks there first, and is itself loaded when a sentence is missing; other packages'
    parsers do without, because nothing vouches that their hash changes when they do. With several
    `jobs` as many processes parse with a pipeline, once that is worth while; what they find is the
    same.

    A pipeline that knows the case of words (the bundled one does) truecases every sentence that has
    no capital before it parses it (`parsers.truecase`); `NAME(truecase=always)` does so with all
    sentences, whatever their case, `NAME(truecase=never)` with none.

    With `trust` a folder is loaded that may run code of its maker, see `parsers.trust`.

    Raises UnknownNameError with the known names, and PreorderEvalError for what cannot be loaded or
    is no parser, and for truecasing that is asked of one that cannot.

    >>> load_parser("en-web").parse([["She", "reads", "books"]])[0].labels
    ['nsubj', 'root', 'obj']
    >>> [load_parser(name).identity.truecase for name in ("en-web", "en-web(truecase=never)")]
    ['auto', 'never']
    """
    plain, truecase = split_truecase(str(name))
    is_trees = is_tree_file(plain)
    label, found, installed = (plain, TreeFile(plain), True) if is_trees else _find(plain)
    if not isinstance(found, Path):
        if truecase is not None:
            raise PreorderEvalError(f"{name}: only spaCy pipelines can truecase")
        return found
    trusted = installed or trust or TRUSTING.get()

    def load() -> Parser:
        # spaCy takes a second to import, and trees from a file or the cache need none of it.
        from preorder_eval.parsers.spacy_pipeline import SpacyParser

        return SpacyParser(found, label, truecase, jobs, trust=trusted)

    if cache is None:
        return load()
    identity = pipeline_identity(found, label, truecase)
    _LOG.info("parser %s %s from %s", identity.name, identity.version, found)
    language, tuned_on = pipeline_language(found), pipeline_tuned_on(found)
    return CachedParser(identity, load, cache, language, tuned_on)


def find_parser(name: str | Path, cache: bool = True, jobs: int = 1) -> Parser:
    """`load_parser` with the user's cache of parses (`cache_path`) before it, unless told not."""
    path = cache_path() if cache else None
    return load_parser(name, _cache_at(path) if path else None, jobs)


@functools.cache
def _cache_at(path: Path) -> ParseCache:
    """The cache of a file, one for all parsers: it warns once."""
    return ParseCache(path, warn)


def pipeline_folder(name: str | Path) -> Path:
    """The folder of the spaCy pipeline of that name or path.

    Raises UnknownNameError with the known names, and PreorderEvalError for a parser of another
    kind.

    >>> pipeline_folder("en-web").name
    'en-web'
    """
    label, found, _ = _find(str(name))
    if not isinstance(found, Path):
        raise PreorderEvalError(f"parser {label!r} is no spaCy pipeline")
    return found


def _find(name: str) -> tuple[str, Path | Parser, bool]:
    """The name of a pipeline with its folder, or of another package's parser with itself.

    The third tells whether it is installed, and not just a folder.
    """
    known = named("parsers", bundled_names("parsers/bundled"))
    if name in known:
        return name, _made(known[name]), True
    path = Path(name)
    if path.is_dir():
        return path.resolve().name, path, False
    pipelines = installed_pipelines()
    if name in pipelines:
        return name, pipelines[name], True
    raise UnknownNameError(
        "parser",
        name,
        [*known, *pipelines],
        "; or the path of a spaCy pipeline or of a .conllu file",
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
