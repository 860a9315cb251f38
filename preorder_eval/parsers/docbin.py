"""Documents that spaCy has stored, as trees: a `.spacy` file."""

from __future__ import annotations

import zlib
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.util import get_lang_class

from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.text import read_bytes


def read_docbin(path: str | Path) -> Treebank:
    """The trees of a `.spacy` file, one for each sentence; raises FormatError."""
    try:
        return Treebank.from_docs(_documents(read_bytes(path)))
    except FormatError:
        raise
    except PreorderEvalError as error:
        raise FormatError(str(error), file=path) from error
    except (ValueError, KeyError, TypeError, AssertionError, zlib.error) as error:
        raise FormatError(
            "holds no documents of spaCy", file=path, mend="write it with DocBin.to_disk"
        ) from error


def _documents(data: bytes) -> list[Doc]:
    vocab = get_lang_class("xx")().vocab  # knows which tokens are white space
    return list(DocBin().from_bytes(data).get_docs(vocab))
