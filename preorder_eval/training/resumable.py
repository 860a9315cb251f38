"""Work that may be killed at any point and goes on where it was.

Such work has a folder. `settings.json` there says what decides the outcome, settings and inputs
with their hashes, and the same folder is refused to any other work. Every product appears in it
whole or not at all, under a temporary name first; so what is there is finished, and is not made
again.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from preorder_eval import __version__
from preorder_eval.errors import FormatError
from preorder_eval.formats.files import decode_lines, read_bytes, reason
from preorder_eval.formats.tables import format_json
from preorder_eval.formats.writing import refuse_existing, take_lock, write_text

_SETTINGS = "settings.json"


@contextmanager
def resumable(folder: Path, settings: Mapping[str, Any]) -> Iterator[None]:
    """Hold the folder of a work, new or begun before with the same settings.

    Raises FormatError where the folder holds anything else, where it was begun with other
    settings, naming the first that differs, and while another process is at work in it.
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
            raise _busy(folder)
        _check_same(file, json.loads(text))
        for left in list(folder.rglob(".*.tmp")):
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink(missing_ok=True)
        yield


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder for files that a second process would write, too; it goes if it stays empty.

    Raises FormatError where another process holds it, and where it cannot be made.
    """
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with suppress(PermissionError):  # Windows opens no folders
                descriptor = os.open(folder, os.O_RDONLY)
                stack.callback(os.close, descriptor)
                if not _take(descriptor):
                    raise _busy(folder)
        except OSError as error:
            raise FormatError(f"cannot be made: {reason(error)}", file=folder) from error
        try:
            yield
        finally:
            with suppress(OSError):  # something is in it, or it is gone
                folder.rmdir()


def _take(descriptor: int) -> bool:
    try:
        return take_lock(descriptor)
    except OSError:  # a file system without locks
        return True


def _busy(folder: Path) -> FormatError:
    mend = "wait, or name another folder"
    return FormatError("another process is at work here", file=folder, mend=mend)


def library_versions() -> dict[str, str]:
    """The versions that trained weights depend on."""
    libraries = {name: version(name) for name in ("spacy", "thinc", "numpy")}
    return {"preorder-eval": __version__, **libraries}


def _check_same(file: Path, settings: dict[str, Any]) -> None:
    mend = "repeat them, or name a new folder"
    try:
        begun = json.loads("\n".join(decode_lines(read_bytes(file), str(file))))
    except ValueError as error:
        raise FormatError("not JSON", file=file, mend="name a new folder") from error
    old, new = _flat(begun), _flat(settings)
    for key in {**old, **new}:
        if old.get(key) != new.get(key):
            raise FormatError(
                f"begun with {key} {old.get(key, 'left out')}, not {new.get(key, 'left out')}",
                file=file,
                mend=mend,
            )


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """Nested settings under names such as `recipe weight`."""
    if not isinstance(value, dict):
        return {name: value}
    return {
        key: inner
        for k, part in value.items()
        for key, inner in _flat(part, f"{name} {k}".strip()).items()
    }


def once(path: Path, make: Callable[[], str]) -> Path:
    """The text file of that path, made now if it is not there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, make())
    return path
