"""Files and folders that appear whole or not at all: written beside their place, then renamed.

While something is written it has a temporary name and a lock, which ends with its process, however
that ends. So the next writer in a place removes files that a killed process left there, but none
that another process is still writing.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import re
import secrets
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

from preorder_eval.base.errors import FormatError, argument
from preorder_eval.base.files.destinations import Destination, destination, folder_above, keep_mode
from preorder_eval.base.files.files import reason

Content = str | Iterable[str]  # or its parts, made while they are written

_RUN = {"run.json", "sentences.tsv", "scores.tsv", "trees", "rules", "inputs"}
# By these the same bytes come out at any time and under any name; the file is left open.
_COMPRESSED: dict[str, Callable[[IO[bytes]], AbstractContextManager[Any]]] = {
    ".gz": lambda file: gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0),
    ".bz2": partial(bz2.BZ2File, mode="wb"),
    ".xz": partial(lzma.LZMAFile, mode="wb"),
}
# What JSON leaves as it is and a terminal may obey: C1 controls, and format characters, which turn
# the direction of writing or cannot be seen. Halves of surrogate pairs stand for bytes of a name.
_HIDDEN = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]"
)
_NOT_PORTABLE = re.compile(  # signs, and where the name of a device begins
    r'[<>:"\\|?*\x01-\x1f]'
    r"|(?<![^/])(?=(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|$)).",
    re.IGNORECASE,
)


def format_json(value: Any) -> str:
    r"""Write JSON as everywhere in this project: indented, keys in the order given, without NaN.

    Characters that a terminal may obey, or that cannot be seen, are escaped.

    >>> print(format_json({"日本": "\u202ex"}), end="")
    {
      "日本": "\u202ex"
    }
    """
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file so that it appears whole or not at all."""
    write_parts(path, [text])


def write_parts(path: Path, parts: Iterable[str]) -> None:
    """Write a file from parts, one after the other, so that it appears whole or not at all.

    If its name ends in .gz, .bz2 or .xz, it is compressed.
    """
    compressed = _COMPRESSED.get(path.suffix, nullcontext)
    with replacing(path) as whole, compressed(whole) as file:
        for part in parts:
            file.write(part.encode())


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file, which replaces the one of that name when the block ends without an error.

    See `base.files.destinations` for links, devices and modes. Raises FormatError if it cannot be
    written.
    """
    place = destination(path)
    if place.in_place:
        with _written(path, place) as file:
            yield file
        return
    if place.path.is_dir():
        raise FormatError("cannot be written: it is a folder", file=path)
    with _beside(place.path, path) as temporary:
        with _new_file(temporary) as file:
            yield file
        keep_mode(temporary, place.path)
        temporary.replace(place.path)


@contextmanager
def _written(path: Path, place: Destination) -> Iterator[IO[bytes]]:
    """Open a device, a pipe or a descriptor, which is written to and stays what it is."""
    try:
        if place.descriptor == 1:
            sys.stdout.flush()
        held = place.path if place.descriptor is None else os.dup(place.descriptor)
        with open(held, "wb") as file:  # noqa: PTH123 (of a descriptor, too)
            yield file
    except OSError as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=path) from error


@contextmanager
def _new_file(temporary: Path) -> Iterator[IO[bytes]]:
    """Open a file of a temporary name, locked: nobody else has made it, or made it a link."""
    with temporary.open("xb") as file:
        with suppress(OSError):  # of a file system without locks
            take_lock(file.fileno())
        yield file


@contextmanager
def adding(path: Path) -> Iterator[IO[str]]:
    """Open a new file, which gets its name when the block ends without an error.

    A file that has that name by then stays as it is. If the name ends in .gz, .bz2 or .xz, the new
    file is compressed. Raises FormatError if it cannot be written.
    """
    place, compressed = destination(path).path, _COMPRESSED.get(path.suffix, nullcontext)
    with _beside(place, path) as temporary:
        with _new_file(temporary) as whole, compressed(whole) as file:
            text = io.TextIOWrapper(file, "utf-8", newline="\n", write_through=True)
            yield text
            text.detach()
        try:
            os.link(temporary, place)
        except FileExistsError:
            return
        except OSError:  # of a file system without links
            if not place.exists():
                temporary.rename(place)


def write_folder(
    folder: Path, files: Mapping[str, Content], *, durable: bool = False, overwrite: bool = False
) -> None:
    """Write texts into a new folder, by their names; it appears whole or not at all.

    With `durable` the texts have reached the disk when the folder appears. With `overwrite` the
    folder may replace a run folder.
    """
    with new_folder(folder, overwrite=overwrite) as temporary:
        for name, text in files.items():
            path = temporary / path_inside(folder, name).relative_to(folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                file = path.open("x", encoding="utf-8", newline="\n")
            except FileExistsError as error:  # where names that differ in case only are one
                hint = "give one of the two another label"
                defect = "has the name of another file here"
                raise FormatError(defect, file=folder / name, hint=hint) from error
            with file:
                file.writelines([text] if isinstance(text, str) else text)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())


@contextmanager
def new_folder(folder: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give an empty folder to fill, which gets its final name when the block ends.

    With `overwrite` it may replace a run folder. Raises FormatError for any other folder of that
    name, and if it cannot be written.
    """
    refuse_existing(folder, overwrite=overwrite)
    place = destination(folder).path
    with _beside(place, folder) as temporary:
        temporary.mkdir(parents=True)
        with held(temporary):
            yield temporary
            refuse_existing(folder, overwrite=overwrite)  # it may have been made meanwhile
            before = temporary.with_name(f"{temporary.stem}0.tmp")
            keep_mode(temporary, place)
            if place.exists():
                place.rename(before)
            temporary.rename(place)
            with suppress(OSError):
                remove_made(before, place.parent)


def refuse_existing(folder: Path, *, overwrite: bool = False) -> Path:
    """Raise FormatError if a run folder cannot be made here, or would replace something.

    With `overwrite` it may replace a run folder, or a folder of run folders, and nothing else.
    Returns the nearest folder above it that exists.
    """
    hint = "give a new folder for the run"
    if folder.name in ("", ".."):
        raise FormatError("has no name", file=folder, hint=hint)
    try:
        place = destination(folder).path
        taken = place.exists() and (not place.is_dir() or any(place.iterdir()))
        if taken and not (overwrite and _is_run(place)):
            if overwrite:
                hint += f"; {argument('overwrite=True')} replaces only run folders"
            raise FormatError("already exists", file=folder, hint=hint)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=folder) from error
    return folder_above(folder)


@contextmanager
def place_held(folder: Path, *, overwrite: bool = False) -> Iterator[None]:
    """Hold the place of a new folder during the block, so that nobody else works for it in vain.

    Raises FormatError if the folder exists, and while another process holds its place.
    """
    nearest = refuse_existing(folder, overwrite=overwrite)
    inside = destination(folder).path.absolute().relative_to(nearest)
    mark = nearest / f".{'-'.join(inside.parts)}.0.tmp"
    with suppress(OSError):  # where nothing can be written is told when it is
        mark.mkdir(exist_ok=True)
    with held(mark) if mark.is_dir() else nullcontext(True) as alone:
        if not alone:
            hint = "wait, or give a new folder"
            raise FormatError("another process is about to write it", file=folder, hint=hint)
        try:
            refuse_existing(folder, overwrite=overwrite)  # it may have got there meanwhile
            yield
        finally:
            with suppress(OSError):
                mark.rmdir()


def _is_run(folder: Path) -> bool:
    """Return whether a folder is a run folder, or one of runs, without any other file."""
    inside = list(folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else []
    if folder / "run.json" in inside:
        return {path.name for path in inside} <= _RUN
    return bool(inside) and all(path.is_dir() and _is_run(path) for path in inside)


def path_inside(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder, by a name such as `trees/en-web.conllu`.

    Raises FormatError for a name that leads out of the folder, by `..` or by a link: neither names
    in files nor links in folders that others made can reach any other file.

    >>> path_inside(Path("run"), "rules/../../my.toml")
    Traceback (most recent call last):
        ...
    preorder_eval.base.errors.FormatError: run: name 'rules/../../my.toml' leads out of the folder
    """
    path = folder / name
    upwards = "\0" in name or ".." in Path(name).parts
    if upwards or not path.resolve().is_relative_to(folder.resolve()):
        raise FormatError(f"name {name!r} leads out of the folder", file=folder)
    return path


def portable(name: str) -> str:
    """Return a name in the form in which it can stand in a file name on any system.

    What Windows does not allow is written as in URLs: signs such as a colon, and the first letter
    of a device's name.

    >>> portable("a:b"), portable("aux"), portable("en-web(truecase=never)")
    ('a%3Ab', '%61ux', 'en-web(truecase=never)')
    """
    return _NOT_PORTABLE.sub(lambda found: f"%{ord(found[0]):02X}", name)


def take_lock(descriptor: int) -> bool:
    """Lock an open file or folder until it is closed; False where another process has locked it.

    Raises OSError on a file system without locks.
    """
    import portalocker  # takes 50 ms, which commands that write nothing need not spend

    flags = portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
    try:
        portalocker.lock(descriptor, flags)
    except portalocker.AlreadyLocked:
        return False
    except portalocker.LockException as error:
        raise OSError(f"no lock: {error}") from error
    status = os.fstat(descriptor)
    _locked[descriptor] = status.st_dev, status.st_ino
    return True


_locked: dict[int, tuple[int, int]] = {}  # what locks were taken of, by descriptors, perhaps closed


def _let_go_of_locks() -> None:
    """Close, in a copy of this process, its locked files: otherwise the copy keeps the locks.

    A descriptor may have been closed and be another file now, which stays. The null device takes
    the place of a file that was locked, because whoever opened that will close it.
    """
    for descriptor, place in _locked.items():
        with suppress(OSError):
            status = os.fstat(descriptor)
            if (status.st_dev, status.st_ino) == place:
                null = os.open(os.devnull, os.O_RDONLY)
                os.dup2(null, descriptor)
                os.close(null)
    _locked.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_of_locks)


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Hold a folder, or a file made for it, during the block; False where another process does."""
    try:
        descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT)
    except PermissionError:  # Windows opens no folders
        yield True
        return
    try:
        alone = True
        with suppress(OSError):  # of a file system without locks
            alone = take_lock(descriptor)
        yield alone
    finally:
        os.close(descriptor)


@contextmanager
def _beside(path: Path, named: Path) -> Iterator[Path]:
    """Yield the temporary name of a file or folder; anything left under that name is removed.

    Errors call it as it was `named`.
    """
    clear_left(path)
    # Another machine may have a process of the same number, and work for the same place.
    number = f"{os.getpid()}{secrets.randbelow(10**6):06}"
    temporary = path.parent / f".{path.name}.{number}.tmp"
    try:
        yield temporary
    except OSError as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=named) from error
    finally:
        with suppress(OSError):  # it may be renamed, or its folder no folder
            remove_made(temporary, path.parent)


def clear_left(path: Path) -> None:
    """Remove the temporary files and folders that killed processes left for this file or folder.

    Those that a process holds are kept, and so are those that cannot be opened to check this
    (folders on Windows).
    """
    named = re.compile(rf"\.{re.escape(path.name)}\.[0-9]+\.tmp")
    with suppress(OSError):
        for left in [other for other in path.parent.iterdir() if named.fullmatch(other.name)]:
            descriptor = os.open(left, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # of a pipe
            try:
                if take_lock(descriptor):
                    remove_made(left, path.parent)
            finally:
                os.close(descriptor)


def remove_made(path: Path, within: Path) -> None:
    """Remove a file or folder that this program made directly in the folder `within`.

    No other function of the package removes a folder. Callers make sure that the file or folder is
    theirs, by a temporary name that no process holds or by a record of the files that they wrote.
    Raises FormatError for a path that is not directly in that folder.
    """
    if path.name in ("", ".", "..") or path.parent != within:
        raise FormatError("must not be removed: it is not inside", file=within)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
