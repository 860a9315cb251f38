"""A lock on a file that other processes respect and that ends with the process, however it ends."""

from __future__ import annotations

import sys

# By the platform and not by trying, so that mypy looks at the half that is there.
if sys.platform == "win32":
    import msvcrt
    import os

    # Windows lets nobody else read a locked byte, so this is one that no file of ours has.
    _FAR = 1 << 30

    def take_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def take_lock(descriptor: int) -> bool:
        """Lock an open file until it is closed; False where another has locked it.

        Raises OSError on a file system without locks.

        >>> import tempfile
        >>> with tempfile.NamedTemporaryFile() as held, open(held.name) as again:
        ...     take_lock(held.fileno()), take_lock(again.fileno())
        (True, False)
        """
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
