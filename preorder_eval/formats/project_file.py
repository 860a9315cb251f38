"""Project files: what the commands take in a folder where they are not told otherwise, in TOML.

The file is called `preorder.toml` and holds for its folder and all below it. Every key may be left
out; `begun_project.toml`, which `init` writes, describes them. Paths are relative to the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from preorder_eval.errors import FormatError
from preorder_eval.formats.files import labelled, read_decoded
from preorder_eval.formats.schema import Within, parse_toml
from preorder_eval.formats.writing import write_text
from preorder_eval.resources import PROJECT_FILE, bundled_names

_FOLDERS = {"parsers": "parsers/bundled", "rules": "rules", "references": "reference_data"}
_ENDINGS = (".toml", ".conllu", ".conll", ".spacy", ".gz", ".bz2", ".xz")
_BEGUN = Path(__file__).with_name("begun_project.toml")  # what `init` writes

_Name = Annotated[str, Within(1)]
_Names = tuple[_Name, ...]


@dataclass(frozen=True)
class ProjectFile:
    """The content of a project file."""

    parsers: _Names = ()
    rules: _Names = ()
    references: _Names = ()
    metrics: _Names = ()
    gates: _Names = ()
    runs: _Name = "runs"
    treebanks: _Names = ()


@dataclass(frozen=True)
class Project:
    """A project file and where it lies, as a path from the folder that a command runs in."""

    path: Path
    content: ProjectFile

    @property
    def runs(self) -> Path:
        """The folder of the runs."""
        return self.path.parent / self.content.runs

    def names(self, key: str) -> list[str]:
        """Return what the file says of something, with paths that hold where the command runs."""
        names: Sequence[str] = getattr(self.content, key)
        if key not in _FOLDERS:
            return list(names)
        known = bundled_names(_FOLDERS[key])
        return [_placed(name, self.path.parent, known) for name in names]


def load_project(path: Path) -> Project:
    """Read a project file. Raises FormatError, with line and key, for what is none."""
    text = read_decoded(path, blank=True)
    return parse_toml(ProjectFile, text, path, lambda content: Project(path, content))


def begin_project(folder: Path) -> Path:
    """Write a project file to fill in, and return its path; FormatError if there is one."""
    path = folder / PROJECT_FILE
    if path.exists():
        raise FormatError("exists already", file=path, hint="edit it, or name another folder")
    if not folder.is_dir():
        raise FormatError("no such folder", file=folder)
    write_text(path, _BEGUN.read_text(encoding="utf-8"))
    return path


def _placed(name: str, folder: Path, known: Collection[str]) -> str:
    """Return a name as it is, or a path in the project as one from where a command runs."""
    label, plain = labelled(name)
    before = "" if label is None else f"{label}="
    path = folder / plain
    if plain.partition("(")[0] in known or re.split("[@/]", plain)[0] in known:
        return name
    looks = "/" in plain or plain.endswith(_ENDINGS)
    return f"{before}{path}" if looks or path.exists() else name
