"""Noticing that a file was saved, whatever way the editor saves it.

The file is small, so that reading it again and again is cheaper than being right about times of
modification: those are too coarse on some file systems, and editors that write a new file and
rename it, or restore an old one, leave times of all kinds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

_PATIENCE = 10  # looks at a file that is gone or empty before it is taken for that


def saves(path: Path, every: float = 0.03) -> Iterator[bytes | None]:
    """The content of a file now and whenever it is another one, None when the file is gone.

    Looks `every` so many seconds, and once more before it believes what it sees, because a file
    may be half written. A file that is gone or empty may be about to be replaced, and gets longer.
    """
    known: bytes | None = b"\0"  # what no rule file is
    while True:
        content = _content(path)
        if content != known and _lasts(path, content, every):
            known = content
            yield content
        time.sleep(every)


def _lasts(path: Path, content: bytes | None, every: float) -> bool:
    """Whether the content is the same for a while."""
    for _ in range(1 if content else _PATIENCE):
        time.sleep(every)
        if _content(path) != content:
            return False
    return True


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
