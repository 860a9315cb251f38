"""Locks on files: between processes, and on a platform without fcntl."""

import importlib
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from preorder_eval.formats import file_lock
from preorder_eval.formats.file_lock import take_lock

TRY = "import sys; from preorder_eval.formats.file_lock import take_lock; print(take_lock(0))"


def test_other_processes_see_the_lock_until_the_file_is_closed(tmp_path):
    path = tmp_path / "held"
    path.write_text("{}")

    def another():
        with path.open() as file:
            return subprocess.check_output([sys.executable, "-c", TRY], stdin=file, text=True)

    with path.open() as held:
        assert take_lock(held.fileno())
        assert another() == "False\n"
    assert another() == "True\n"


@pytest.fixture
def on_windows(monkeypatch):
    """The module as it is where there is no fcntl, and the bytes that are locked."""
    locked = set()

    def locking(descriptor, mode, count):
        assert mode == "LK_NBLCK"
        start = os.lseek(descriptor, 0, os.SEEK_CUR)
        bytes_ = {(os.fstat(descriptor).st_ino, start + i) for i in range(count)}
        if bytes_ & locked:
            raise OSError(13, "Permission denied")
        locked.update(bytes_)

    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "win32")
        patch.setitem(sys.modules, "fcntl", None)
        patch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK="LK_NBLCK"))
        yield importlib.reload(file_lock), locked
    importlib.reload(file_lock)


def test_without_fcntl_a_byte_beyond_the_text_is_locked(on_windows, tmp_path):
    module, locked = on_windows
    path = tmp_path / "held"
    path.write_text("{}")
    with path.open() as held, path.open() as again:
        assert module.take_lock(held.fileno())
        assert not module.take_lock(again.fileno())
    assert min(byte for _, byte in locked) > len("{}")
