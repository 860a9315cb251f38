"""Where spaCy pipelines lie and what identifies them, found out without importing spaCy.

spaCy takes a second to import, and where all trees are in the cache nobody needs it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
from pathlib import Path
from typing import Any

from preorder_eval.errors import PreorderEvalError
from preorder_eval.parsers.base import ParserIdentity
from preorder_eval.parsers.truecase import Truecase

# The keys in a pipeline's meta data that say whether it has learned in lower case only, and, if
# it knows the case of words, which sentences it is to read truecased unless it is told.
LOWER_CASE, TRUECASE = "lower_case", "truecase"
TUNED_ON = "tuned_on"  # and on which reference sets it was tuned


def pipeline_identity(path: Path, name: str, truecase: Truecase | None = None) -> ParserIdentity:
    """The identity of the pipeline in a folder, by its contents and how it is told to truecase.

    Raises PreorderEvalError for a folder that is no pipeline, and for one that is to truecase and
    does not know the case of words.
    """
    meta = _meta(path)
    by_itself = "" if meta.get(LOWER_CASE) is True else str(meta.get(TRUECASE, ""))
    if truecase == "always" and not by_itself:
        raise PreorderEvalError(
            f"{name}: cannot truecase, for it keeps no case of words; one that `train` makes does, "
            "unless it learns in lower case only"
        )
    chosen = (truecase or by_itself) if by_itself or truecase == "never" else ""
    full_name = name if truecase is None else f"{name}(truecase={truecase})"
    return ParserIdentity(full_name, str(meta["version"]), _hash(path), chosen)


def pipeline_language(path: Path) -> str:
    """The code of the language that the pipeline in a folder is for."""
    return str(_meta(path).get("lang", ""))


def pipeline_tuned_on(path: Path) -> tuple[str, ...]:
    """The reference sets that the pipeline in a folder says it was tuned on."""
    names = _meta(path).get(TUNED_ON, [])
    return tuple(map(str, names)) if isinstance(names, list) else (str(names),)


def _meta(path: Path) -> dict[str, Any]:
    """What a pipeline says of itself, its version at least."""
    try:
        meta: dict[str, Any] = json.loads((path / "meta.json").read_bytes())
        meta["version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PreorderEvalError(f"{path}: not a spaCy pipeline: no readable meta.json") from error
    return meta


def _hash(path: Path) -> str:
    """A SHA-256 over the names and contents of a pipeline's files."""
    digest = hashlib.sha256()
    for file in sorted(p for p in path.rglob("*") if p.is_file()):
        digest.update(file.relative_to(path).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def installed_pipelines() -> dict[str, Path]:
    """The folders of the spaCy pipelines installed as packages, by name."""
    pipelines = {}
    for entry in importlib.metadata.entry_points(group="spacy_models"):
        spec = importlib.util.find_spec(entry.value)
        if spec is None or spec.origin is None:
            continue
        package = Path(spec.origin).parent
        folders = sorted(file.parent for file in package.glob("*-*/meta.json"))
        if folders:
            pipelines[entry.name] = folders[-1]
    return pipelines
