"""Folders of results, which appear whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from preorder_eval.errors import FormatError


def refuse_existing(folder: Path) -> None:
    """Raise FormatError where a run folder would overwrite something."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FormatError("exists already", file=folder, mend="name a new folder for the run")


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts by their name in the folder, which appears whole or not at all."""
    refuse_existing(folder)
    temporary = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    try:
        for name, text in files.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        if folder.exists():
            folder.rmdir()
        temporary.rename(folder)
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror}", file=folder) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
