"""Work that may be killed at any point and goes on where it was.

Its folder holds `settings.json`, all that decides the outcome, and is refused to any other work.
Every product appears in it whole or not at all, so that what is there is not made again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from preorder_eval.errors import FormatError
from preorder_eval.formats.files import decode_lines, read_bytes
from preorder_eval.formats.writing import format_json, refuse_existing, take_lock, write_text

_SETTINGS = "settings.json"


@contextmanager
def resumable(folder: Path, settings: Mapping[str, Any]) -> Iterator[None]:
    """Hold the folder of a work, new or begun before with the same settings.

    Raises FormatError if the folder holds anything else, if it was begun with other settings,
    naming the first that differs, and while another process is at work in it.
    """
    file = folder / _SETTINGS
    text = format_json(settings)
    if not file.exists():
        for left in folder.glob(f".{_SETTINGS}.*.tmp"):
            left.unlink()
        refuse_existing(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FormatError(f"cannot be made: {error.strerror}", file=folder) from error
        write_text(file, text)
    with file.open() as held:
        if not take_lock(held.fileno()):
            hint = "wait, or name another folder"
            raise FormatError("another process is at work here", file=folder, hint=hint)
        _check_same(file, json.loads(text))
        for left in list(folder.rglob(".*.tmp")):
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink(missing_ok=True)
        yield


def _check_same(file: Path, settings: dict[str, Any]) -> None:
    hint = "repeat them, or name a new folder"
    try:
        begun = json.loads("\n".join(decode_lines(read_bytes(file), str(file))))
    except ValueError as error:
        raise FormatError("not JSON", file=file, hint="name a new folder") from error
    old, new = _flat(begun), _flat(settings)
    for key in {**old, **new}:
        if old.get(key) != new.get(key):
            defect = f"begun with {key} {old.get(key, 'left out')}, not {new.get(key, 'left out')}"
            raise FormatError(defect, file=file, hint=hint)


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """Return nested settings under names such as `recipe weight`."""
    if not isinstance(value, dict):
        return {name: value}
    return {
        key: inner
        for k, part in value.items()
        for key, inner in _flat(part, f"{name} {k}".strip()).items()
    }


def once(path: Path, make: Callable[[], str]) -> Path:
    """Return the text file of that path, made now if it is not there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, make())
    return path
