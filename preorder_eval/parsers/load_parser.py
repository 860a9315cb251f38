"""Parsers by name: bundled, of other packages, a spaCy pipeline, or a file of trees."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, Any

from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError, warn
from preorder_eval.base.plugins import Named, Registry
from preorder_eval.base.resources import DEFAULT_PARSER, bundled_names
from preorder_eval.parsers.cache import CachedParser, ParseCache, cache_path
from preorder_eval.parsers.function import FunctionParser, GivenParser
from preorder_eval.parsers.parser import (
    TRUSTING,
    ConsensusParser,
    Parser,
    ParserIdentity,
    split_options,
    with_options,
)
from preorder_eval.parsers.pipelines import (
    PipelineFolder,
    installed_pipelines,
    made_by_train,
    read_pipeline,
)
from preorder_eval.parsers.tree_file import TreeFile, is_tree_file

if TYPE_CHECKING:
    from spacy.language import Language

    from preorder_eval.parsers.spacy_pipeline import SpacyParser

AnyParser = Any  # str | Path | Parser | Language | Callable[[Sequence[str]], Tree]: `find_parser`
_OF_SPACY = re.compile(r"[a-z]{2,3}_[a-z]+_[a-z]+_(sm|md|lg|trf)")  # en_core_web_sm
_SENTENCES = "sentences"
_LOG = logging.getLogger(__name__)


def load_parser(
    name: str | Path, cache: ParseCache | None = None, jobs: int = 1, *, trust: bool = False
) -> Parser:
    """Load a bundled or installed parser by name, or a parser by path.

    Installed are the parsers of other packages (`preorder_eval.base.plugins`) and spaCy's
    pipelines. A path is the folder of a spaCy pipeline or a file of trees (`tree_file`). With a
    `cache`, parses are looked up there first, and the pipeline is loaded only when a sentence is
    missing. Other packages' parsers have no cache, because their hash may stay the same when they
    change. `jobs` is how many processes parse with a pipeline, once there is enough to do. A thread
    that loads the same pipeline again gets the one that it has, unless its folder has changed.

    A pipeline that has learned the case of words (such as the bundled one) truecases sentences
    without a capital letter (`parsers.truecase`); `NAME(truecase=always)` truecases all sentences,
    `NAME(truecase=never)` none. With `NAME(consensus=16)` the rules choose one of 16 trees
    (`rules.consensus_orders`): the parser then gives n-best lists only. Trees with ClearNLP labels
    are converted to UD (`trees.clearnlp`), except with `NAME(labels=own)`. With `trust`, a folder
    is loaded even if it may run its maker's code (`parsers.spacy_pipeline`).

    Raises UnknownNameError with the known names. Raises PreorderEvalError if something cannot be
    loaded, is no parser, or is to truecase and cannot.

    >>> import preorder_eval as pe
    >>> pe.load_parser("en-web").parse([["She", "reads", "books"]])[0].labels
    ['nsubj', 'root', 'obj']
    """
    plain, options = split_options(str(name))
    if n := options.pop("consensus", ""):
        lists = load_parser(with_options(plain, options), cache, jobs, trust=trust)
        label, _ = split_options(lists.identity.name)
        return ConsensusParser(lists, int(n), with_options(label, {**options, "consensus": n}))
    is_trees = is_tree_file(plain)
    label, parser, installed = (plain, TreeFile(name), True) if is_trees else _find(plain)
    if not isinstance(parser, Path):
        if "truecase" in options:
            raise PreorderEvalError(f"{name}: only spaCy pipelines can truecase")
        return parser
    trusted = installed or trust or TRUSTING.get()
    pipeline = read_pipeline(parser, label, options)

    if cache is None:
        return _loaded(pipeline, trusted, get_ident()).with_jobs(jobs)
    # The cache has the trees as the pipeline gives them.
    unconverted = replace(pipeline, identity=replace(pipeline.identity, converted=""))
    _LOG.info("parser %s %s from %s", label, pipeline.identity.version, parser)

    def load() -> Parser:
        return _loaded(unconverted, trusted, get_ident()).with_jobs(jobs)

    return CachedParser(pipeline, load, cache)


@lru_cache(maxsize=1)
def _loaded(pipeline: PipelineFolder, trust: bool, thread: int) -> SpacyParser:
    """Load a pipeline, unless it is the one that this `thread` has loaded last.

    Whoever parses or evaluates in a loop does not wait for spaCy each time.
    """
    # spaCy takes a second to import, and trees from a file or the cache need none of it.
    from preorder_eval.parsers.spacy_pipeline import SpacyParser

    return SpacyParser(pipeline, trust=trust)


def names_parser(name: str) -> bool:
    """Return whether `load_parser` takes a name as that of a parser, without loading it.

    spaCy's own pipelines are parsers too if they are not installed. Folders are if they are of a
    pipeline, files if they are of trees.

    >>> names_parser("en-web(consensus=16)"), names_parser("new.conllu"), names_parser("runs/today")
    (True, True, False)
    """
    plain, _ = split_options(name)
    return (
        is_tree_file(plain)
        or plain in Registry("parsers", bundled_names("parsers/bundled"))
        or (Path(plain) / "meta.json").is_file()
        or _OF_SPACY.fullmatch(plain) is not None
        or plain in installed_pipelines()
    )


def find_parser(parser: AnyParser, cache: bool = True, jobs: int = 1) -> Parser:
    """Return a parser by its name or path (`load_parser`), or make one from an object.

    The object may be a `Parser`, a loaded spaCy pipeline, or a function (`FunctionParser`);
    anything else raises PreorderEvalError. A parser loaded by name uses the user's cache of parses,
    unless `cache` is false.
    """
    if isinstance(parser, str | Path):
        path = cache_path() if cache else None
        return load_parser(parser, _cache_at(path) if path else None, jobs)
    if isinstance(parser, type):
        name = parser.__name__
        raise PreorderEvalError(f"the class {name} is not a parser: give an instance, {name}(…)")
    if hasattr(parser, "identity") and hasattr(parser, "parse"):
        is_ours = type(parser).__module__.startswith(f"{__package__}.")
        made: Parser = parser if is_ours else GivenParser(parser)
        return made
    if hasattr(parser, "pipe_names") and hasattr(parser, "make_doc"):
        from preorder_eval.parsers.spacy_pipeline import LoadedPipeline  # spaCy is there already

        return LoadedPipeline(parser)
    if callable(parser):
        return FunctionParser(parser)
    raise PreorderEvalError(
        f"{parser!r:.60} is not a parser: give a name, a path, a spaCy pipeline or a function "
        "that returns the tree of a sentence"
    )


@cache
def _cache_at(path: Path) -> ParseCache:
    """Open the cache of a file, one for all parsers: it warns once."""
    return ParseCache(path, warn)


def load_pipeline(name: str = DEFAULT_PARSER, *, trust: bool = False, **settings: Any) -> Language:
    """Load the spaCy pipeline of a parser, with a tokenizer for raw text.

    Parameters: `name` a bundled or installed parser or a folder; `settings` are those of
    `spacy.load`. With `trust`, a folder is loaded even if it may run its maker's code. The bundled
    pipeline is also available as `spacy.load("en_preorder_web")`. A parser made by `train` treats
    its input as one sentence. So spaCy's `sentencizer`, under the name `sentences`, is put before
    it. It ends sentences at `.`, `!` and `?`, except in documents that have sentence borders
    already. Raises PreorderEvalError for anything but a spaCy pipeline, and for a pipeline that
    could run code.

    >>> import preorder_eval as pe
    >>> nlp = pe.load_pipeline()
    >>> _ = nlp.add_pipe("preorder", config={"rules": "en-ja"})
    >>> nlp("She doesn't read old books.")._.preordered
    "She old books read does n't ."
    >>> nlp("She reads books in Tokyo. He sleeps.")._.preordered
    'She Tokyo in books reads . He sleeps .'
    """
    from preorder_eval.parsers.spacy_pipeline import load_checked  # spaCy takes a second

    label, parser, installed = _find(str(name))
    if not isinstance(parser, Path):
        raise PreorderEvalError(f"parser {label!r} is not a spaCy pipeline")
    nlp = load_checked(parser, trust=installed or trust or TRUSTING.get(), **settings)
    if made_by_train(nlp.meta) and not nlp.has_pipe(_SENTENCES):
        nlp.add_pipe("sentencizer", name=_SENTENCES, first=True)
    return nlp


def _find(name: str) -> tuple[str, Path | Parser, bool]:
    """Return a parser's name with a pipeline's folder or with another package's parser.

    The third value is true for an installed parser, false for a plain folder.
    """
    known = Registry("parsers", bundled_names("parsers/bundled"))
    if name in known:
        return name, _made(known[name]), True
    path = Path(name)
    if name and path.is_dir():
        return path.resolve().name, path, False
    pipelines = installed_pipelines()
    if name in pipelines:
        return name, pipelines[name], True
    if _OF_SPACY.fullmatch(name):
        hint = f"install it with python -m spacy download {name}"
        raise PreorderEvalError(f"spaCy's pipeline {name} is not installed; {hint}")
    if path.is_file():
        hint = "give files of trees as *.conllu, *.conll or *.spacy"
        raise FormatError("is neither a spaCy pipeline nor trees", file=path, hint=hint)
    raise UnknownNameError(
        "parser",
        name,
        [*known, *pipelines],
        "; or the path of a spaCy pipeline or of a .conllu file",
    )


def _made(entry: Named) -> Path | Parser:
    """Return a pipeline's folder, or the parser that another package makes."""
    parser = entry.make()
    if isinstance(parser, str | Path) and Path(parser).is_dir():
        return Path(parser)
    identity = getattr(parser, "identity", None)
    if isinstance(identity, ParserIdentity) and callable(getattr(parser, "parse", None)):
        named: Parser = GivenParser(parser)
        return named
    raise entry.wrong("a Parser or the path of a spaCy pipeline")
