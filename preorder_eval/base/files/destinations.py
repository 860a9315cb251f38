"""Destinations of outputs: the resolution of all paths that the user gives for writing.

A link is written through, to the file or folder it leads to. A device, a pipe or a descriptor such
as /dev/stdout is written to in place. A new file or folder gets the mode and the owner of the one
that it replaces. An output that cannot be written, is one of the inputs, or is inside a run that is
read, is refused before anything is read.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from glob import glob
from pathlib import Path
from typing import NamedTuple

from preorder_eval.base.errors import FormatError, argument
from preorder_eval.base.files.files import reason

_DESCRIPTORS = re.compile(r"/proc/(self|thread-self|[0-9]+)(/task/[0-9]+)?/fd|/dev/fd")
_LINKS = 40  # that lead from one to the next
_PATTERN = set("*?[")


class Destination(NamedTuple):
    """Where a path leads: to a file or folder behind all links, or to an open descriptor.

    `in_place` is True for a device, pipe or descriptor, which is written to and not replaced.
    """

    path: Path
    descriptor: int | None = None
    in_place: bool = False


def destination(path: Path) -> Destination:
    """Resolve a path that is to be written.

    Raises FormatError for a link that leads nowhere, and for a file that must not be written.
    """
    try:
        if (descriptor := _descriptor(path)) is not None:
            return Destination(path, descriptor, in_place=True)
        behind = Path(os.path.realpath(path))
        if behind.is_symlink():
            raise FormatError("is a broken link", file=path)
        if not behind.exists() or behind.is_dir():
            return Destination(behind)
        if not os.access(behind, os.W_OK):
            raise FormatError("cannot be written: Permission denied", file=path)
        return Destination(behind, in_place=not behind.is_file())
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=path) from error


def _descriptor(path: Path) -> int | None:
    """Return the number of this process's descriptor that a path names, such as /dev/stdout."""
    for _ in range(_LINKS if sys.platform != "win32" else 0):
        folder = os.path.realpath(path.parent)
        named = _DESCRIPTORS.fullmatch(folder)
        if named and path.name.isdecimal():
            own = named[1] in (None, "self", "thread-self", str(os.getpid()))
            return int(path.name) if own else None
        if not path.is_symlink():
            return None
        path = Path(folder) / path.readlink()
    return None


def keep_mode(new: Path, old: Path) -> None:
    """Give a new file or folder the mode and, if possible, the owner of the one it replaces."""
    if not old.exists():
        return
    before = old.stat()
    with suppress(OSError):
        if hasattr(os, "chown"):
            os.chown(new, before.st_uid, before.st_gid)
    new.chmod(stat.S_IMODE(before.st_mode))


def folder_above(out: Path) -> Path:
    """Return the nearest folder above a path, in which a new file or folder can be made.

    Raises FormatError if it is no folder, or nothing can be written there.
    """
    try:
        place = destination(out).path.absolute()
        nearest = next((parent for parent in place.parents if parent.exists()), place)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=out) from error
    if not nearest.is_dir():
        raise FormatError(f"cannot be written: {nearest} is not a folder", file=out)
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise FormatError("cannot be written: Permission denied", file=out)
    return nearest


def require_file(out: str | Path) -> None:
    """Raise FormatError if a path is that of a folder, or its folder does not exist.

    >>> require_file("missing/s.conllu")
    Traceback (most recent call last):
        ...
    preorder_eval.base.errors.FormatError: missing/s.conllu: cannot be written: there is no folder \
missing; make it first
    """
    place = destination(Path(out))
    if place.in_place:
        return
    if place.path.is_dir():
        raise FormatError("cannot be written: it is a folder", file=out)
    if not place.path.parent.exists():
        defect = f"cannot be written: there is no folder {Path(out).parent}"
        raise FormatError(defect, file=out, hint="make it first")


def check_output(out: str | Path | None, given: Iterable[object]) -> None:
    """Raise FormatError if an output cannot be written, or would harm what is read.

    It must not be one of the inputs, nor inside a run that is read. Parameters: `out` the path to
    write, None for standard output; `given` paths and names that are read, which may also be
    labels, patterns of file names, or values that are no paths. A file is the same by device and
    inode, whatever it is called. Standard input counts as an input.

    >>> check_output("s.conllu", ["s.en", "en-web", 3])
    """
    if out is None:
        return
    out = Path(out)
    if not destination(out).in_place:
        folder_above(out)
    with suppress(OSError, ValueError):  # which is told when it is written
        place = _identity(out)
        if place is not None and place == _standard_input():
            raise _is_input(out, "standard input")
        for path in _paths(given):
            if place is not None and place == _identity(path):
                raise _is_input(out, path)
            if path.is_dir() and _is_of(path, out):
                hint = "give a file outside of it"
                raise FormatError(f"is inside {path}, which is an input", file=out, hint=hint)
            if (out / "run.json").is_file() and _inside(path, out):
                hint = f"it would be replaced; give another {argument('out', '--out')}"
                raise FormatError(f"contains {path}, which is an input", file=out, hint=hint)


def _is_input(out: Path, read: Path | str) -> FormatError:
    same = "" if str(read) == str(out) else f", {read}"
    hint = f"give another {argument('out', '--out')}"
    return FormatError(f"is one of the inputs{same}", file=out, hint=hint)


def _paths(given: Iterable[object]) -> Iterator[Path]:
    """Yield the files and folders that are named, with or without labels, alone or by patterns."""
    for value in given:
        if isinstance(value, list | tuple):
            yield from _paths(value)
        elif isinstance(value, str | os.PathLike):
            text = os.fspath(value)
            if isinstance(text, str) and text and "\0" not in text and "\n" not in text:
                pieces = text.split("=")
                names = {"=".join(pieces[n:]) for n in range(len(pieces))}
                names |= {re.sub(r"\([^()]*\)$", "", name) for name in names}
                for name in filter(None, names):
                    if os.path.lexists(name):
                        yield Path(name)
                    elif _PATTERN & {*name}:
                        yield from map(Path, glob(name))  # noqa: PTH207 (of any folder)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file; None for anything else, such as a terminal."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _standard_input() -> tuple[int, int] | None:
    with suppress(OSError):
        status = os.fstat(0)
        return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
    return None


def _inside(path: Path, folder: Path) -> bool:
    inner, outer = os.path.realpath(path), os.path.realpath(folder)
    return inner != outer and Path(inner).is_relative_to(outer)


def _is_of(folder: Path, out: Path) -> bool:
    """Return whether a path is of a folder that is read: of its runs, or else a file in it."""
    if not _inside(out, folder):
        return False
    outer, place = Path(os.path.realpath(folder)), Path(os.path.realpath(out))
    above = [parent for parent in place.parents if parent.is_relative_to(outer)]
    if any((parent / "run.json").is_file() for parent in above):
        return True
    of_runs = any(outer.glob("*/run.json")) or any(outer.glob("runs/*/run.json"))
    return place.is_file() and not of_runs
