"""Where spaCy pipelines lie and what identifies them, found out without importing spaCy.

spaCy takes a second to import, and where all trees are in the cache nobody needs it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
from pathlib import Path

from preorder_eval.errors import PreorderEvalError
from preorder_eval.parsers.base import ParserIdentity


def pipeline_identity(path: Path, name: str) -> ParserIdentity:
    """The identity of the pipeline in a folder, by its contents.

    Raises PreorderEvalError for a folder that is no pipeline.
    """
    try:
        meta = json.loads((path / "meta.json").read_bytes())
        version = str(meta["version"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PreorderEvalError(f"{path}: not a spaCy pipeline: no readable meta.json") from error
    return ParserIdentity(name, version, _hash(path))


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
