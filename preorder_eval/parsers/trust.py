"""Which pipeline folders are loaded without being told that their maker is trusted.

A spaCy pipeline names functions in its config that are called when it is loaded: any that a package
of this machine has registered, among them some that unpickle files or reach the network. So a
folder is loaded by itself only if `train` has written it. A folder can claim that falsely; what
makes it harmless is that beside it every function and component that it names must be spaCy's own.
Those read arrays, JSON and MessagePack, and no pickles.

Bundled pipelines and installed packages are trusted: who installs a package runs its code anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from spacy.util import registry

from preorder_eval.errors import PreorderEvalError

_OURS = "preorder_eval.treebank.v1"  # the reader of a training's files
_COMPONENTS = frozenset({"tok2vec", "tagger", "morphologizer", "parser", "beam_parser"})
_REGISTRIES = frozenset({"architectures", "scorers", "tokenizers", "vectors"})


def refuse_untrusted(
    path: Path, config: Mapping[str, Any], meta: Mapping[str, Any], mark: str
) -> None:
    """Raise PreorderEvalError for a pipeline that may run code of its maker when it is loaded.

    `config` and `meta` are those in the folder, `mark` the key that `train` writes in the latter.
    """
    reader = config.get("corpora", {}).get("train", {}).get("@readers")
    ours = mark in meta or reader == _OURS
    reason = None if ours else "it was not written by preorder-eval train"
    for part in ("nlp", "components"):
        for kind, name in _named(config.get(part, {})):
            if not _is_spacys(kind, name):
                reason = f"it names {kind} {name!r}, which is not spaCy's own"
    if reason is not None:
        raise PreorderEvalError(
            f"{path}: loading this spaCy pipeline could run code of its maker: {reason}; "
            "with --trust, or load_parser(…, trust=True), it is loaded all the same"
        )


def _named(config: Any) -> Iterator[tuple[str, Any]]:
    """The factories and the registered functions that a part of a config names."""
    if isinstance(config, Mapping):
        for key, value in config.items():
            if key == "factory" or key.startswith("@"):
                yield key, value
            yield from _named(value)
    elif isinstance(config, list | tuple):
        for value in config:
            yield from _named(value)


def _is_spacys(kind: str, name: object) -> bool:
    if kind == "factory":
        return name in _COMPONENTS
    if kind[1:] not in _REGISTRIES or not isinstance(name, str):
        return False
    try:
        function = registry.get(kind[1:], name)
    except Exception:  # there is none, or its package is broken
        return False
    return str(getattr(function, "__module__", "")).partition(".")[0] in ("spacy", "spacy_legacy")
