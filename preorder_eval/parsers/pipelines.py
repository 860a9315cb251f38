"""spaCy pipelines on disk: found by name and described, all without importing spaCy."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.text.tokenization import TokenLists
from preorder_eval.parsers.parser import ParserIdentity, with_options
from preorder_eval.parsers.truecase import TRUECASE
from preorder_eval.trees.clearnlp import CLEARNLP
from preorder_eval.trees.in_ud import is_clearnlp

# The keys of a pipeline's meta data for having learned in lower case only, and for the reference
# sets that it was tuned on.
LOWER_CASE, TUNED_ON = "lower_case", "tuned_on"
# The reader of the corpora that `train` names in a pipeline's config (`learning.corpus`).
READER = "preorder_eval.treebank.v1"
# The file of a pipeline with the hashes of the sentences that it has learned from.
LEARNED_FILE = "learned.npy"
# Shorter sentences, such as "Thanks ,", stand in any text: to have seen them flatters nothing.
_FEWEST_WORDS = 4


@dataclass(frozen=True)
class PipelineFolder:
    """The folder of a spaCy pipeline, with its metadata.

    `language` is the code of its language, and `tuned_on` the reference sets that it was tuned on.
    `lower` is True if it was trained on lower-cased text only. `of_clearnlp` is True if it has
    ClearNLP labels, like spaCy's own English pipelines.
    """

    path: Path
    identity: ParserIdentity
    language: str
    tuned_on: tuple[str, ...]
    lower: bool
    of_clearnlp: bool = False

    def learned(self) -> NDArray[np.uint32]:
        """Return the hashes of the sentences that it has learned from, if the folder has them.

        Raises FormatError for a damaged file.
        """
        file, hashes = self.path / LEARNED_FILE, None
        if not file.is_file():
            return np.zeros(0, dtype=np.uint32)
        with contextlib.suppress(OSError, ValueError, EOFError):
            refuse_overstated(file)
            hashes = np.load(file)
        if not isinstance(hashes, np.ndarray) or hashes.dtype.kind != "u":
            hint = "copy the parser again, or remove this file"
            raise FormatError("has no hashes of sentences", file=file, hint=hint)
        return hashes.ravel()

    def learned_from(self, sentences: TokenLists) -> int:
        """Count the sentences that it has learned from, as far as the folder shows.

        Sentences of fewer than four words do not count.
        """
        known = self.learned()
        whole = [words for words in sentences if len(words) >= _FEWEST_WORDS]
        return int(np.isin(sentence_hashes(whole), known).sum()) if known.size else 0


def refuse_overstated(array: Path) -> None:
    """Raise ValueError for an array file whose header declares more data than the file holds.

    NumPy would allocate memory for all declared numbers, and spaCy for all declared rows, even
    empty ones, and memory would run out. Missing files and files without an array are not checked
    here; their readers report them.
    """
    if not array.is_file():
        return
    with array.open("rb") as file:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0
        shape, _, kind = (read if version == (1, 0) else np.lib.format.read_array_header_2_0)(file)
        held = array.stat().st_size - file.tell()
    if max(math.prod(shape) * kind.itemsize, *shape[:1], 0) > held:
        raise ValueError(f"{array.name} promises {shape} numbers, and has fewer")


def sentence_hashes(sentences: TokenLists) -> NDArray[np.uint32]:
    """Return a hash of each sentence, which does not depend on case; uint32[S]."""
    texts = (" ".join(words).lower().encode() for words in sentences)
    digests = (hashlib.blake2b(text, digest_size=4).digest() for text in texts)
    return np.frombuffer(b"".join(digests), dtype="<u4")


def read_pipeline(
    path: Path, name: str, options: Mapping[str, str] | None = None
) -> PipelineFolder:
    """Describe the pipeline in a folder; its contents and the options in its name identify it.

    Raises PreorderEvalError for a folder that is no pipeline, and if truecasing is asked of a
    pipeline that does not know the case of words.
    """
    try:
        meta = json.loads((path / "meta.json").read_bytes())
        version, lower = str(meta["version"]), meta.get(LOWER_CASE) is True
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise PreorderEvalError(f"{path}: not a spaCy pipeline: no readable meta.json") from error
    options = options or {}
    truecase = options.get("truecase")
    known = "" if lower else str(meta.get(TRUECASE, ""))
    if truecase == "always" and not known:
        raise PreorderEvalError(
            f"{name}: cannot truecase, for it keeps no case of words; one that `train` makes does, "
            "unless it learns in lower case only"
        )
    chosen = (truecase or known) if known or truecase == "never" else ""
    of_clearnlp = meta.get("lang") == "en" and is_clearnlp(_labels(meta))
    own = CLEARNLP if of_clearnlp else ""
    converted = CLEARNLP if options.get("labels", own) == CLEARNLP else ""
    label = with_options(name, options)
    tuned_on = meta.get(TUNED_ON, [])
    return PipelineFolder(
        path,
        ParserIdentity(label, version, _hash(path), chosen, converted=converted),
        str(meta.get("lang", "")),
        tuple(map(str, tuned_on if isinstance(tuned_on, list) else [tuned_on])),
        lower,
        of_clearnlp,
    )


def made_by_train(meta: Mapping[str, Any]) -> bool:
    """Return whether the meta data of a pipeline are those of one that `train` has made."""
    return bool(meta.keys() & {LOWER_CASE, TRUECASE})


def _labels(meta: Mapping[str, Any]) -> NameColumn:
    """Return the labels of all components."""
    labels = meta.get("labels")
    of_each = labels.values() if isinstance(labels, dict) else ()
    lists = [names for names in of_each if isinstance(names, list)]
    return NameColumn.of(str(name) for names in lists for name in names)


def _hash(path: Path) -> str:
    """Return a SHA-256 over the names and contents of a pipeline's files."""
    digest = hashlib.sha256()
    for file in sorted(p for p in path.rglob("*") if p.is_file()):
        digest.update(file.relative_to(path).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def installed_pipelines() -> dict[str, Path]:
    """Find the folders of the spaCy pipelines installed as packages, by name."""
    from importlib.metadata import entry_points  # takes long, and bundled names do without
    from importlib.util import find_spec

    pipelines = {}
    for entry in entry_points(group="spacy_models"):
        spec = find_spec(entry.value)
        if spec is None or spec.origin is None:
            continue
        folders = sorted(file.parent for file in Path(spec.origin).parent.glob("*-*/meta.json"))
        if folders:
            pipelines[entry.name] = folders[-1]
    return pipelines
