"""Folders of results, which appear whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path

from preorder_eval.errors import FormatError
from preorder_eval.formats.temporary import clear_left, hold, temporary_name
from preorder_eval.formats.text import reason

Text = str | Iterable[str]  # or its parts, made while they are written
_NOT_PORTABLE = re.compile(  # signs, and where the name of a device begins
    r'[<>:"\\|?*\x01-\x1f]'
    r"|(?<![^/])(?=(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|$)).",
    re.IGNORECASE,
)


def refuse_existing(folder: Path) -> None:
    """Raise FormatError where a run folder would overwrite something, or cannot be made."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise FormatError("exists already", file=folder, mend="name a new folder for the run")
        nearest = next(parent for parent in folder.absolute().parents if parent.exists())
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=folder) from error
    if not nearest.is_dir():
        raise FormatError(f"cannot be written: {nearest} is no folder", file=folder)


def new_run(runs: Path, day: date) -> Path:
    """A new, empty folder for a run, called by the day and by its number on that day.

    Raises FormatError where it cannot be made.
    """
    try:
        runs.mkdir(parents=True, exist_ok=True)
        while True:
            begun = [re.fullmatch(rf"{day}-([0-9]{{1,9}})", path.name) for path in runs.iterdir()]
            number = max((int(name[1]) for name in begun if name), default=0) + 1
            with suppress(FileExistsError):  # another process was quicker
                (runs / f"{day}-{number}").mkdir()
                return runs / f"{day}-{number}"
    except OSError as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=runs) from error


def path_inside(folder: Path, name: str) -> Path:
    """The path of a file in a folder, by a name such as `trees/en-web.conllu`.

    Raises FormatError for a name that leads out of the folder, by `..` or by a link, so that
    neither a name in a file of others nor a link in their folder reaches anything else.

    >>> path_inside(Path("run"), "rules/../../secret.toml")
    Traceback (most recent call last):
        ...
    preorder_eval.errors.FormatError: run: name 'rules/../../secret.toml' leads out of the folder
    """
    path = folder / name
    if (
        "\0" in name
        or ".." in Path(name).parts
        or not path.resolve().is_relative_to(folder.resolve())
    ):
        raise FormatError(f"name {name!r} leads out of the folder", file=folder)
    return path


def portable(name: str) -> str:
    """A name as it can stand in the name of a file on any system.

    What Windows has no place for is written as in URLs: signs such as a colon, and the first
    letter of the name of a device.

    >>> portable("a:b"), portable("aux"), portable("en-web(truecase=never)")
    ('a%3Ab', '%61ux', 'en-web(truecase=never)')
    """
    return _NOT_PORTABLE.sub(lambda found: f"%{ord(found[0]):02X}", name)


def write_folder(folder: Path, files: Mapping[str, Text]) -> None:
    """Write texts by their name in the folder, which appears whole or not at all."""
    refuse_existing(folder)
    clear_left(folder)
    temporary = temporary_name(folder)
    held = None
    try:
        temporary.mkdir(parents=True)
        with suppress(OSError):  # Windows opens no folders
            held = os.open(temporary, os.O_RDONLY)
            hold(held)
        for name, text in files.items():
            path = temporary / path_inside(folder, name).relative_to(folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_new(path, text, folder / name)
        if folder.exists():
            folder.rmdir()
        temporary.rename(folder)
    except OSError as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=folder) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        if held is not None:
            os.close(held)


def _write_new(path: Path, text: Text, final: Path) -> None:
    try:
        file = path.open("x", encoding="utf-8", newline="\n")
    except FileExistsError as error:  # where names that differ in case only are one
        mend = "give one of the two another label"
        raise FormatError("has the name of another file here", file=final, mend=mend) from error
    with file:
        file.writelines([text] if isinstance(text, str) else text)
