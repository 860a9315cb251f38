"""The names that files and folders have beside their place until they are whole."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

from preorder_eval.formats.file_lock import take_lock


def temporary_name(path: Path) -> Path:
    """The name that a file or folder has until it is whole.

    >>> temporary_name(Path("runs/today")).match("runs/.today.*.tmp")
    True
    """
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def hold(descriptor: int) -> None:
    """Keep an open temporary file or folder from `clear_left` until it is closed."""
    with suppress(OSError):  # a file system without locks
        take_lock(descriptor)


def clear_left(path: Path) -> None:
    """Remove what killed processes left where they were writing this file or folder.

    What a process holds stays, as does everything where folders cannot be held (Windows).
    """
    named = re.compile(rf"\.{re.escape(path.name)}\.[0-9]+\.tmp")
    with suppress(OSError):
        for left in [other for other in path.parent.iterdir() if named.fullmatch(other.name)]:
            descriptor = os.open(left, os.O_RDONLY)
            try:
                if take_lock(descriptor):
                    _remove(left)
            finally:
                os.close(descriptor)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
