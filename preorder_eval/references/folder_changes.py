"""Changes of several files of a reference folder: all of them are made, or none.

The new contents are first written into a folder of their own. As soon as that folder has its final
name, the change counts as made. If it is interrupted after that, the next process that holds the
reference folder finishes it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from preorder_eval.base.errors import FormatError
from preorder_eval.base.files.destinations import keep_mode
from preorder_eval.base.files.files import reason
from preorder_eval.base.files.writing import clear_left, held, write_folder

_CHANGES = ".changes"


@contextmanager
def held_folder(folder: Path) -> Iterator[None]:
    """Hold a folder during the block to change its files; an interrupted change is finished first.

    Raises FormatError while another process holds it, and if it cannot be written.
    """
    if not os.access(folder, os.W_OK):
        raise FormatError("cannot be written", file=folder, hint="copy it to change it")
    with held(folder / ".lock" if sys.platform == "win32" else folder) as alone:
        if not alone:
            hint = "close the other editor first"
            raise FormatError("another process is changing it", file=folder, hint=hint)
        _finish_changes(folder)
        yield


def change_files(folder: Path, texts: Mapping[str, str | None]) -> None:
    """Replace the contents of files in a held folder: all of them or none.

    None as a content removes the file. Raises FormatError if that is impossible; then either no
    file is changed, or the change is finished when the folder is held the next time.
    """
    _finish_changes(folder)
    # No file here is ever empty, so that an empty one can stand for one to be removed.
    new = {name: text or "" for name, text in texts.items()}
    try:
        write_folder(folder / _CHANGES, new, durable=True)
    except FormatError as error:
        raise FormatError(error.message, file=folder, hint=error.hint) from error
    _finish_changes(folder)


def refuse_half_changed(folder: Path) -> None:
    """Raise FormatError for a folder in which a change of files is not finished."""
    if (folder / _CHANGES).exists():
        hint = (
            f"if nobody is editing it, `preorder-eval reference edit {folder}` completes the change"
        )
        raise FormatError("its files are being changed", file=folder, hint=hint)


def _finish_changes(folder: Path) -> None:
    """Rename the new contents to their final names, and remove the files to be removed."""
    changes = folder / _CHANGES
    clear_left(changes)
    try:
        if changes.is_symlink():
            hint = "remove it"
            raise FormatError(
                "this file was not left by an interrupted change", file=changes, hint=hint
            )
        if not changes.exists():
            return
        found = list(changes.iterdir())
        for new in found:  # before any is replaced
            if new.is_symlink() or not new.is_file():
                hint = "remove it"
                raise FormatError(
                    "this file was not left by an interrupted change", file=new, hint=hint
                )
        for new in found:
            if new.stat().st_size:
                place = folder / new.name
                if not place.is_symlink():
                    keep_mode(new, place)
                new.replace(place)
            else:
                (folder / new.name).unlink(missing_ok=True)
                new.unlink()
        changes.rmdir()
    except OSError as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=folder) from error
