"""Several files of a folder replaced together: all of them or none, whatever happens.

The new contents are written beside the files. Then a journal appears that names them: from then on
the change is made, and whoever holds the folder next finishes what a killed process has begun.
Until then readers refuse a folder of which some files are new and others old.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from preorder_eval.errors import FormatError
from preorder_eval.formats.file_lock import take_lock
from preorder_eval.formats.tables import format_json, read_json
from preorder_eval.formats.text import reason

_JOURNAL = ".changes.json"
_LOCK = ".lock"
_ENDING = ".preorder-eval"  # of new contents


@contextmanager
def held_folder(folder: Path) -> Iterator[None]:
    """Hold a folder to change its files, after what an earlier change has left is finished.

    Raises FormatError while another process holds it, and where nothing can be written in it.
    """
    if not os.access(folder, os.W_OK):
        raise FormatError("cannot be written", file=folder, mend="copy it to change it")
    try:
        held = _open_lock(folder)
    except OSError as error:
        raise FormatError(f"cannot be held: {reason(error)}", file=folder) from error
    try:
        with suppress(OSError):  # a file system without locks
            if not take_lock(held):
                mend = "close the other editor first"
                raise FormatError("another process is changing it", file=folder, mend=mend)
        with _told(folder):
            _finish(folder)
            for left in folder.glob(f".*{_ENDING}"):
                left.unlink()
        yield
    finally:
        os.close(held)
        if sys.platform == "win32":
            with suppress(OSError):
                (folder / _LOCK).unlink()


def change_files(folder: Path, texts: Mapping[str, str | None]) -> None:
    """Give files of a folder, by their names, new contents; None removes a file.

    The folder is held. Raises FormatError where that cannot be done, and then no file is changed,
    or the change is finished when the folder is held the next time.
    """
    new = [_temporary(folder, name) for name, text in texts.items() if text is not None]
    with _told(folder):
        _finish(folder)
        try:
            for name, text in texts.items():
                if text is not None:
                    _write(_temporary(folder, name), text)
            journal = _temporary(folder, _JOURNAL)
            names = {
                "replaced": [name for name, text in texts.items() if text is not None],
                "removed": [name for name, text in texts.items() if text is None],
            }
            _write(journal, format_json(names))
            journal.replace(folder / _JOURNAL)
        except OSError:
            for path in (*new, _temporary(folder, _JOURNAL)):
                with suppress(OSError):
                    path.unlink()
            raise
        _finish(folder)


def refuse_half_changed(folder: Path) -> None:
    """Raise FormatError for a folder whose files are being changed, or half changed."""
    if (folder / _JOURNAL).exists():
        mend = f"if nobody is editing it, `preorder-eval reference edit {folder}` finishes that"
        raise FormatError("its files are being changed", file=folder, mend=mend)


def _finish(folder: Path) -> None:
    """Make the change that a journal tells of."""
    journal = folder / _JOURNAL
    if not journal.exists():
        return
    names = read_json(journal)
    replaced, removed = (_names(names.get(key), journal) for key in ("replaced", "removed"))
    _synchronize(folder)
    for name in replaced:
        with suppress(FileNotFoundError):  # it is in its place already
            _temporary(folder, name).replace(folder / name)
    for name in removed:
        (folder / name).unlink(missing_ok=True)
    _synchronize(folder)
    journal.unlink()


def _names(value: object, journal: Path) -> list[str]:
    """Names of files in the journal's own folder, and of nothing else."""
    names = [str(name) for name in value] if isinstance(value, list) else [".."]
    if any("\0" in name or name[:1] in ".\\/" or Path(name).name != name for name in names):
        raise FormatError("not what an interrupted change leaves", file=journal, mend="remove it")
    return names


def _temporary(folder: Path, name: str) -> Path:
    """Where a file is written. Who holds the folder is alone in it, so the name may be foreseen."""
    return folder / f".{name.removeprefix('.')}{_ENDING}"


def _write(path: Path, text: str) -> None:
    """Write a text so that it is on the disk, and not only on its way."""
    path.unlink(missing_ok=True)  # whatever it is: a link is not followed
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _synchronize(folder: Path) -> None:
    """Have the names of a folder on the disk."""
    with suppress(OSError):  # not on every file system, and not on Windows
        held = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(held)
        finally:
            os.close(held)


def _open_lock(folder: Path) -> int:
    """A descriptor to be locked: the folder's own, or of a file in it on Windows."""
    if sys.platform == "win32":
        return os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT)
    return os.open(folder, os.O_RDONLY)


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """What the system refuses, in a line."""
    try:
        yield
    except OSError as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=folder) from error
