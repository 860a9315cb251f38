"""Any spaCy pipeline with a dependency parser."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import spacy
from spacy.language import Language

from preorder_eval.errors import PreorderEvalError
from preorder_eval.parsers.base import ParserIdentity, refuse_empty
from preorder_eval.parsers.documents import document
from preorder_eval.treebank import Column, Treebank, offsets_of

# Components that cost time and change no tree, or that would set sentence boundaries.
_UNUSED = ["ner", "lemmatizer", "textcat", "senter", "sentencizer", "entity_linker", "spancat"]
_BATCH = 128


class SpacyParser:
    """A spaCy pipeline that is given tokens and asked for one tree a sentence."""

    def __init__(self, path: Path, name: str) -> None:
        try:
            self.nlp = spacy.load(path, exclude=_UNUSED)
        except (OSError, ValueError, KeyError) as error:
            reason = " ".join(str(error).split())
            raise PreorderEvalError(f"{path}: not a spaCy pipeline: {reason:.200}") from error
        if not {"parser", "beam_parser"} & set(self.nlp.pipe_names):
            raise PreorderEvalError(
                f"{path}: the pipeline has no parser, only {', '.join(self.nlp.pipe_names)}"
            )
        self.identity = ParserIdentity(name, self.nlp.meta["version"], _hash(path))

    def parse(
        self, sentences: Sequence[Sequence[str]], advance: Callable[[int], None] | None = None
    ) -> Treebank:
        """One tree a sentence, whatever the tokens."""
        refuse_empty(sentences)
        docs = []
        vocab = self.nlp.vocab
        for number, doc in enumerate(
            self.nlp.pipe((document(vocab, words) for words in sentences), batch_size=_BATCH), 1
        ):
            docs.append(doc.to_array(["HEAD", "DEP", "POS", "TAG"]))
            if advance and (number % _BATCH == 0 or number == len(sentences)):
                advance((number - 1) % _BATCH + 1)
        return _treebank(self.nlp, sentences, docs)


def _treebank(
    nlp: Language, sentences: Sequence[Sequence[str]], docs: Sequence[np.ndarray]
) -> Treebank:
    """The trees of parsed documents, under the words as they were given."""
    offsets = offsets_of(map(len, sentences))
    flat = np.concatenate([np.zeros((0, 4), dtype=np.uint64), *docs])
    steps = flat[:, 0].astype(np.int64)  # from each token to its head; 0 at a root
    places = np.arange(len(flat)) - np.repeat(offsets[:-1], np.diff(offsets))
    heads = np.where(steps == 0, -1, places + steps).astype(np.int32)

    def column(number: int) -> Column:
        values, codes = np.unique(flat[:, number], return_inverse=True)
        names = (nlp.vocab.strings[int(value)] or "_" for value in values)
        return Column(codes.astype(np.int32), tuple("root" if x == "ROOT" else x for x in names))

    words = [word for sentence in sentences for word in sentence]
    return Treebank(offsets, words, heads, column(1), column(2), column(3))


def _hash(path: Path) -> str:
    """A SHA-256 over the names and contents of a pipeline's files."""
    digest = hashlib.sha256()
    for file in sorted(p for p in path.rglob("*") if p.is_file()):
        digest.update(file.relative_to(path).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def installed_pipelines() -> list[str]:
    """The names of the spaCy pipelines installed as packages."""
    return list(spacy.util.get_installed_models())


def installed_path(name: str) -> Path:
    """The folder of an installed pipeline."""
    package = spacy.util.get_package_path(name)
    meta = spacy.util.get_model_meta(package)
    return package / f"{meta['lang']}_{meta['name']}-{meta['version']}"
