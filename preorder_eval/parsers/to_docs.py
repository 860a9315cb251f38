"""Documents of spaCy: made from sentences and trees, or read from files."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.util import get_lang_class
from spacy.vocab import Vocab

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.files.files import LINE, check_expanded, read_bytes
from preorder_eval.base.ragged import NameColumn
from preorder_eval.parsers.from_docs import from_docs
from preorder_eval.trees.treebank import Tree, Treebank

# spaCy refuses empty tokens and treats white space as no word at all; such a token is given to
# the parser as this harmless one and keeps its own text in the result.
_STAND_IN = "."


def document(vocab: Vocab, words: Sequence[str], *, lower: bool = False) -> Doc:
    """Make a document of one sentence with exactly these words, or with these words lower-cased.

    Its sentence start is set, so that the parser does not split it.
    """
    starts: list[bool | int | None] = [i == 0 for i in range(len(words))]
    return Doc(vocab, words=_visible(words, lower), sent_starts=starts)


def set_sentence(doc: Doc) -> None:
    """Make a document one sentence again, if components have split it."""
    for token in doc[1:]:
        if token.is_sent_start:
            token.is_sent_start = False


def gold_document(vocab: Vocab, tree: Tree, *, lower: bool = False, **columns: Any) -> Doc:
    """Make a document with a tree's heads, labels and tags, except for those that are `_`.

    `columns` are further columns of spaCy, such as `lemmas`, or `words` if the document's words are
    to differ from the tree's.
    """
    return Doc(
        vocab,
        words=columns.pop("words", _visible(tree.words, lower)),
        heads=[i if head < 0 else head for i, head in enumerate(tree.heads)],
        deps=[
            "ROOT" if head < 0 else label
            for head, label in zip(tree.heads, _known(tree.labels), strict=True)
        ],
        tags=_known(tree.xpos),
        pos=_known(tree.upos),
        **columns,
    )


def to_docs(trees: Treebank, nlp: Language) -> list[Doc]:
    """Return a document of spaCy for each tree, with the vocabulary of the pipeline `nlp`.

    Documents have the heads, labels and tags of the trees, and their lemmas, features and spaces if
    the trees have such columns. Raises PreorderEvalError for what spaCy does not allow, such as a
    UPOS tag that it does not know.

    >>> import preorder_eval as pe
    >>> nlp = pe.load_pipeline()
    >>> [doc] = pe.to_docs(pe.from_docs([nlp("She reads.")]), nlp)
    >>> doc.text, doc[0].head.text
    ('She reads. ', 'reads')
    """
    empty = NameColumn.same("_", len(trees.words))
    misc, lemma = (trees.columns.get(column, empty) for column in ("misc", "lemma"))
    docs = []
    for tree, (start, stop) in zip(trees, pairwise(trees.offsets.tolist()), strict=True):
        spaces = ["SpaceAfter=No" not in entry.split("|") for entry in misc[start:stop]]
        lemmas, morphs = _known(lemma[start:stop]), _known(trees.feats[start:stop])
        try:
            doc = gold_document(
                nlp.vocab, tree, words=tree.words, spaces=spaces, lemmas=lemmas, morphs=morphs
            )
        except (ValueError, KeyError) as error:
            reason = " ".join(str(error).split())
            raise PreorderEvalError(
                f"sentence {' '.join(tree.words)!r:.60} cannot be a spaCy document: {reason:.150}"
            ) from error
        docs.append(doc)
    return docs


def _known(names: Sequence[str]) -> list[str]:
    return ["" if name == "_" else name for name in names]


def _visible(words: Sequence[str], lower: bool) -> list[str]:
    shown = (word if word.strip() else _STAND_IN for word in words)
    return [word.lower() if lower else word for word in shown]


def read_docbin(path: str | Path) -> Treebank:
    """Read the trees of a `.spacy` file, one for each sentence; raises FormatError.

    Labels are as they are in the file.
    """
    try:
        data = read_bytes(path)
        _check_unpacked(data, path)
        vocab = get_lang_class("xx")().vocab  # knows which tokens are white space
        return from_docs(list(DocBin().from_bytes(data).get_docs(vocab)), labels="own")
    except FormatError:
        raise
    except PreorderEvalError as error:
        raise FormatError(str(error), file=path) from error
    except Exception as error:  # spaCy has errors of all kinds for damaged bytes
        raise FormatError(
            "holds no documents of spaCy", file=path, hint="write it with DocBin.to_disk"
        ) from error


def _check_unpacked(data: bytes, path: str | Path) -> None:
    """Raise FormatError for compressed data that would fill the memory."""
    unpacking, size = zlib.decompressobj(), 0
    while data and not unpacking.eof:
        size += len(unpacking.decompress(data, LINE))
        check_expanded(size, path)
        data = unpacking.unconsumed_tail
