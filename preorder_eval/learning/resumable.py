"""Work that can be interrupted at any point and resumed.

Its folder holds `settings.json`, with all settings that determine the result. Work with other
settings is rejected in this folder. Each product appears in the folder whole or not at all;
existing products are not made again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from preorder_eval.base.errors import FormatError
from preorder_eval.base.files.files import read_json
from preorder_eval.base.files.writing import format_json, take_lock, write_folder, write_text


@contextmanager
def resumable(folder: Path, settings: Mapping[str, Any]) -> Iterator[None]:
    """Hold the folder of a work during the block.

    The folder is new, or was begun with the same settings. Raises FormatError if it holds anything
    else, if it was begun with other settings (the first that differs is named), and while another
    process works in it.
    """
    file, text = folder / "settings.json", format_json(settings)
    if not file.exists():
        write_folder(folder, {file.name: text})
    with file.open() as held:
        if not take_lock(held.fileno()):
            hint = "wait, or give another folder"
            raise FormatError("another process is working in this folder", file=folder, hint=hint)
        begun, wanted = _flat(read_json(file, "give a new folder")), _flat(json.loads(text))
        for key in {**begun, **wanted}:
            before, now = begun.get(key, "left out"), wanted.get(key, "left out")
            if before != now:
                hint = "repeat them, or give a new folder"
                raise FormatError(f"begun with {key} {before}, not {now}", file=file, hint=hint)
        yield


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """Return nested settings under names such as `recipe weight`."""
    if not isinstance(value, dict):
        return {name: value}
    parts = [_flat(part, f"{name} {key}".strip()) for key, part in value.items()]
    return {key: inner for part in parts for key, inner in part.items()}


def once(path: Path, make: Callable[[], str]) -> Path:
    """Return the path of a text file; `make` gives its text if it is not there yet."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, make())
    return path
