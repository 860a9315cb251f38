"""Parsers that are spaCy pipelines, and which of them are loaded without being trusted.

The config of a pipeline names functions that are called when it is loaded. Some that packages have
registered unpickle files or use the network. So without `trust` a folder is loaded only if it was
written by `train`. Because a folder can falsely claim this, every function and component that it
names must also be one of spaCy's or ours. These read arrays, JSON and MessagePack, but no pickles.
Bundled pipelines and installed packages are trusted: whoever installs a package runs its code
anyway.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc
from spacy.util import load_config, load_meta, registry

from preorder_eval.base.arrays import offsets_of
from preorder_eval.base.errors import PreorderEvalError, argument
from preorder_eval.base.processes import Processes, forks
from preorder_eval.base.progress import Advance
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.text.tokenization import TokenLists
from preorder_eval.parsers.beam import Arcs, best_first, candidates, own_scores
from preorder_eval.parsers.from_docs import misc, words_of
from preorder_eval.parsers.parser import ListParser, ParserIdentity, refuse_bad_length
from preorder_eval.parsers.pipelines import (
    LOWER_CASE,
    READER,
    PipelineFolder,
    made_by_train,
    refuse_overstated,
)
from preorder_eval.parsers.products import SentenceOps, multiply_by
from preorder_eval.parsers.to_docs import document, set_sentence
from preorder_eval.parsers.truecase import pipeline_truecaser
from preorder_eval.trees.clearnlp import CLEARNLP
from preorder_eval.trees.in_ud import is_clearnlp
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.treebank import Treebank

# Factories of components that cost time and change no tree, or would set sentence boundaries. Names
# of persons change those that are converted (`trees.clearnlp`).
_NAMES = "ner"
_UNUSED = {
    *("beam_ner", "entity_linker", "entity_ruler", "span_ruler", "spancat", "span_finder"),
    *("spancat_singlelabel", "textcat", "textcat_multilabel", "lemmatizer"),
    *("trainable_lemmatizer", "senter", "sentencizer", "preorder"),
}
PARSERS = {"parser", "beam_parser"}
_BATCH = 128
# Words, once for each tree, that are parsed in the time that it takes to start a process.
_ENOUGH = 2_000 if forks() else 20_000
_ATTRIBUTES: list[int | str] = ["HEAD", "DEP", "POS", "TAG", "ENT_IOB", "ENT_TYPE"]

# What may be named by a pipeline that is loaded unasked.
_SAFE_COMPONENTS = {
    _NAMES,
    "tok2vec",
    "tagger",
    "morphologizer",
    "attribute_ruler",
    *PARSERS,
    *_UNUSED,
}
_MAKERS = ("spacy", "spacy_legacy", "preorder_eval")
_OF_LANGUAGE = {"@tokenizers": "spacy.Tokenizer.v1"}
_SAVED = "preorder_eval.saved_tokenizer.v1"
_SAFE_REGISTRIES = {"architectures", "scorers", "tokenizers", "vectors"}

# A document's tokens by these attributes, the head as its position, -1 at a root; int64[tokens, 6].
_Rows: TypeAlias = NDArray[np.int64]
# A sentence's trees with their log-probabilities.
TreeList: TypeAlias = list[tuple[_Rows, float]]


class _PipelineParser(ListParser):
    """A parser that is a pipeline `nlp`."""

    nlp: Language
    _maker: TreeMaker

    def tokenize(self, text: str) -> list[str]:
        """Cut raw text into words by the pipeline's tokenizer."""
        return [token.text for token in words_of(self.nlp.make_doc(text))]

    def _parsed(self, batches: list[TokenLists], n: int | None) -> Iterator[list[TreeList]]:
        return (self._maker.lists(batch, n) for batch in batches)

    def _lists(self, sentences: TokenLists, n: int | None, advance: Advance | None) -> NBest:
        """Parse; lists come from a beam of width `n` (`parsers.beam`)."""
        refuse_bad_length(sentences)
        starts, lists = range(0, len(sentences), _BATCH), list[TreeList]()
        for part in self._parsed([sentences[start : start + _BATCH] for start in starts], n):
            lists += part
            if advance:
                advance(len(part))
        try:
            return self._maker.nbest(sentences, lists)
        except PreorderEvalError as error:  # a component has changed what the parser made
            raise PreorderEvalError(f"{self.identity.name}: {error}") from error


class SpacyParser(_PipelineParser):
    """A spaCy pipeline as a parser.

    If it was trained on lower-cased text only, all text is lower-cased first. If it has learned the
    case of words, sentences are truecased first (`parsers.truecase`). Without `trust`, raises
    PreorderEvalError for a pipeline that could run code of its maker.
    """

    def __init__(self, pipeline: PipelineFolder, *, trust: bool = True) -> None:
        self._pipeline = pipeline
        self._others: Processes[SpacyParser] | None = None
        self._asked = 0  # words to parse, as often as there were to be trees
        self._lower = pipeline.lower
        self.identity = pipeline.identity
        self.tuned_on = pipeline.tuned_on
        self.learned, self.learned_from = pipeline.learned, pipeline.learned_from
        path, self._trust = pipeline.path, trust
        self.nlp = self.loaded_anew()
        try:
            self.truecaser = pipeline_truecaser(self.nlp, self.identity.truecase)
        except (LookupError, TypeError, ValueError) as error:
            raise _no_pipeline(path, error) from error
        self.language = self.nlp.lang
        try:
            self._maker = TreeMaker(self.nlp)
        except PreorderEvalError as error:
            raise PreorderEvalError(f"{path}: {error}") from error

    def loaded_anew(self) -> Language:
        """Load the pipeline once more; unlike `nlp`, which parsers share, it may be changed."""
        pipeline = self._pipeline
        without = _UNUSED if pipeline.of_clearnlp else {_NAMES, *_UNUSED}
        nlp = load_checked(pipeline.path, trust=self._trust, without=without)
        if made_by_train(nlp.meta):
            multiply_by(nlp, SentenceOps)
        return nlp

    def with_jobs(self, jobs: int) -> SpacyParser:
        """Return this parser with processes of its own, which parse once there is enough to do."""
        parser = copy(self)
        # spaCy's `pipe(n_process=…)` starts its processes anew at every call, and has no lists.
        others = Processes(jobs, SpacyParser, self._pipeline, made=parser)
        vars(parser).update(_others=others if jobs > 1 else None, _asked=0)
        return parser

    def _parsed(self, batches: list[TokenLists], n: int | None) -> Iterator[list[TreeList]]:
        """Parse the batches here, or by other processes once there is enough to do."""
        self._asked += sum(len(words) for batch in batches for words in batch) * (n or 1)
        if self._others is not None and self._asked >= _ENOUGH:
            return self._others.map(partial(SpacyParser.lists, n=n), batches)
        return (self.lists(batch, n) for batch in batches)

    def lists(self, batch: TokenLists, n: int | None) -> list[TreeList]:
        """Parse one batch: the parser's tree of each sentence, or up to n."""
        seen = map(self.truecaser.read, batch) if self.truecaser else batch
        try:
            return self._maker.lists(seen, n, lower=self._lower)
        except (IndexError, KeyError, TypeError, ValueError) as error:  # of a damaged component
            why = " ".join(f"{type(error).__name__}: {error}".split())
            text = f"{self.identity.name}: not a spaCy pipeline that can parse: {why:.200}"
            raise PreorderEvalError(text) from error


class LoadedPipeline(_PipelineParser):
    """A spaCy pipeline that the user has loaded, as a parser; the pipeline is not changed."""

    def __init__(self, nlp: Language) -> None:
        self._maker = TreeMaker(nlp)
        self.nlp, self.language = nlp, nlp.lang
        meta = nlp.meta
        self.identity = ParserIdentity(
            f"{meta['lang']}_{meta['name']}",
            str(meta["version"]),
            hashlib.sha256(nlp.to_bytes()).hexdigest(),
            converted=self._maker.scheme,
        )


class TreeMaker:
    """Makes trees of tokenised sentences by a pipeline `nlp`: one for each, or lists.

    Raises PreorderEvalError for a pipeline without a parser, or with several.
    """

    def __init__(self, nlp: Language) -> None:
        self.nlp = nlp
        factory_of = {name: nlp.get_pipe_meta(name).factory for name in nlp.pipe_names}
        names = [name for name, factory in factory_of.items() if factory not in _UNUSED]
        parsers = [name for name in names if factory_of[name] in PARSERS]
        if len(parsers) != 1:
            count = f"{len(parsers)} parsers" if parsers else "no parser"
            only = f", only {', '.join(names)}" if names else ""
            raise PreorderEvalError(f"the pipeline has {count}{only}")
        [self._parser] = parsers
        self.scheme = CLEARNLP if is_clearnlp(NameColumn.of(nlp.pipe_labels[self._parser])) else ""
        if not self.scheme:
            names = [name for name in names if factory_of[name] != _NAMES]
        at = names.index(self._parser)
        self._before, self._after = names[:at], names[at + 1 :]

    def lists(
        self, sentences: Iterable[Sequence[str]], n: int | None, *, lower: bool = False
    ) -> list[TreeList]:
        """Parse sentences, each into one tree or up to n."""
        unparsed = [document(self.nlp.vocab, words, lower=lower) for words in sentences]
        docs = self._run(unparsed, self._before)
        for doc in docs:
            set_sentence(doc)
        return self._n_each(docs, n) if n else [[(rows, 0.0)] for rows in self._one_each(docs)]

    def nbest(self, sentences: TokenLists, lists: Sequence[TreeList]) -> NBest:
        """Return the lists as an `NBest`, with the words as they were given."""
        sizes = list(map(len, lists))
        words = [words for words, size in zip(sentences, sizes, strict=True) for _ in range(size)]
        treebank = _treebank(self.nlp, words, [row for trees in lists for row, _ in trees])
        scores = np.array([score for trees in lists for _, score in trees], dtype=np.float64)
        return NBest(treebank, offsets_of(sizes), scores)

    def _run(self, docs: Iterable[Doc], names: Sequence[str]) -> list[Doc]:
        """Send documents through some of the components."""
        unused = [name for name in self.nlp.pipe_names if name not in names]
        return list(self.nlp.pipe(docs, disable=unused, batch_size=_BATCH))

    def _one_each(self, docs: Sequence[Doc]) -> list[_Rows]:
        parsed = self._run(docs, [self._parser, *self._after])
        trees = [doc.to_array(_ATTRIBUTES).view(np.int64) for doc in parsed]
        for rows in trees:
            steps = rows[:, 0].copy()  # from a token to its head, 0 at a root
            rows[:, 0] = np.where(steps == 0, -1, np.arange(len(rows)) + steps)
        return trees

    def _n_each(self, docs: Sequence[Doc], n: int) -> list[TreeList]:
        parser = self.nlp.get_pipe(self._parser)
        lists = list(candidates(parser, docs, n))
        # The parser runs on copies: to one that sees its own labels again spaCy adds actions.
        best = self._one_each([doc.copy() for doc in docs])
        best_arcs = [
            (tuple(rows[:, 0].tolist()), tuple(rows[:, 1].view(np.uint64).tolist()))
            for rows in best
        ]
        missing = [i for i, trees in enumerate(lists) if best_arcs[i] not in trees]
        for i, score in zip(missing, own_scores(parser, [docs[i] for i in missing]), strict=True):
            lists[i] = best_first({**dict(islice(lists[i].items(), n - 1)), best_arcs[i]: score})
        return [
            [(_with_arcs(rows, arcs), score) for arcs, score in trees.items()]
            for trees, rows in zip(lists, best, strict=True)
        ]


def _with_arcs(rows: _Rows, arcs: Arcs) -> _Rows:
    """Return a document's tokens with other heads and labels."""
    heads, labels = arcs
    return np.column_stack([heads, np.array(labels, np.uint64).view(np.int64), rows[:, 2:]])


def _treebank(nlp: Language, sentences: TokenLists, rows: Sequence[_Rows]) -> Treebank:
    """Return the trees of parsed documents, under the words as they were given."""
    flat = np.concatenate([np.zeros((0, len(_ATTRIBUTES)), dtype=np.int64), *rows])

    def column(number: int) -> NameColumn:
        hashes, codes = np.unique(flat[:, number].view(np.uint64), return_inverse=True)
        names = (nlp.vocab.strings[int(code)] or "_" for code in hashes)
        return NameColumn(
            codes.astype(np.int32), tuple("root" if x == "ROOT" else x for x in names)
        )

    words = NameColumn.of(word for sentence in sentences for word in sentence)
    offsets = offsets_of(map(len, sentences))
    heads = flat[:, 0].astype(np.int32)
    entities = zip(flat[:, 4].tolist(), column(5), strict=True)
    told = NameColumn.of(itertools.starmap(misc, entities))
    columns = {"misc": told} if told.names != ("_",) else {}
    return Treebank(offsets, words, heads, column(1), column(2), column(3), columns)


@registry.tokenizers(_SAVED)  # type: ignore[untyped-decorator]
def _saved_tokenizer() -> Callable[[Language], Tokenizer]:
    """Make a tokenizer without rules, for those that are read from the pipeline's folder.

    With spaCy's own, loading would first make all special cases of the language, in vain.
    """
    return lambda nlp: Tokenizer(nlp.vocab)


def load_checked(
    path: Path, *, trust: bool, without: Collection[str] = (), **settings: Any
) -> Language:
    """Load a pipeline after checking that it is safe; `without` names factories to leave out.

    Raises PreorderEvalError for what is no pipeline and, without `trust`, for one that could run
    code of its maker. `settings` are those of `spacy.load`.
    """
    try:
        # What a section names can stand in another one: ${section}.
        config = load_config(path / "config.cfg", interpolate=True)
        if not trust:
            _refuse_untrusted(path, config, load_meta(path / "meta.json"))
        refuse_overstated(path / "vocab" / "vectors")
        components = config["components"]
        factories = {name: part.get("factory") for name, part in components.items()}
        unused = [name for name, factory in factories.items() if factory in without]
        changes: dict[str, Any] = {"exclude": unused} if unused else {}
        tokenizer = config["nlp"]["tokenizer"]
        # A setting can be replaced where it has a section of its own, not inside one of one line.
        replaced = "\n[nlp.tokenizer]\n" in (path / "config.cfg").read_text(encoding="utf-8")
        saved = tokenizer == _OF_LANGUAGE and (path / "tokenizer").is_file()
        if settings or not (saved and replaced):
            return spacy.load(path, **(settings | changes))
        nlp = spacy.load(path, config={"nlp.tokenizer.@tokenizers": _SAVED}, **changes)
        nlp.config["nlp"]["tokenizer"] = dict(_OF_LANGUAGE)
        return nlp
    except PreorderEvalError:
        raise
    except Exception as error:  # spaCy has errors of all kinds for damaged files
        raise _no_pipeline(path, error) from error


def _no_pipeline(path: Path, error: Exception) -> PreorderEvalError:
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    return PreorderEvalError(f"{path}: not a spaCy pipeline: {reason:.200}")


def _refuse_untrusted(path: Path, config: Mapping[str, Any], meta: Mapping[str, Any]) -> None:
    """Raise PreorderEvalError for a pipeline that may run code of its maker when it is loaded."""
    reader = config.get("corpora", {}).get("train", {}).get("@readers")
    # `train` writes its reader into the config, and whether it has lower-cased into the meta data.
    ours = LOWER_CASE in meta or reader == READER
    reason = None if ours else "it was not written by preorder-eval train"
    for part in ("nlp", "components"):
        for kind, name in _named_functions(config.get(part, {})):
            if not _is_harmless(kind, name):
                reason = f"it contains {kind} {name!r}, which is not known to be harmless"
    if reason is not None:
        raise PreorderEvalError(
            f"{path}: loading this spaCy pipeline could run code of its maker: {reason}; to load "
            f"it anyway, use {argument('trust=True', '--trust')}"
        )


def _named_functions(config: Any) -> Iterator[tuple[str, Any]]:
    """Yield the factories, other pipelines and registered functions that a config names."""
    if isinstance(config, Mapping):
        for key, value in config.items():
            if key in ("factory", "source") or key.startswith("@"):
                yield key, value
            yield from _named_functions(value)
    elif isinstance(config, list | tuple):
        for value in config:
            yield from _named_functions(value)


def _is_harmless(kind: str, name: object) -> bool:
    if kind == "factory":
        return name in _SAFE_COMPONENTS
    if kind[1:] not in _SAFE_REGISTRIES or not isinstance(name, str):
        return False
    try:
        function = registry.get(kind[1:], name)
    except Exception:  # there is none, or its package is broken
        return False
    return str(getattr(function, "__module__", "")).partition(".")[0] in _MAKERS
