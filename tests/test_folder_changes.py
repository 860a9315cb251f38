import errno
import itertools
import os
import shutil
import subprocess
import sys

import pytest

from preorder_eval.errors import FormatError
from preorder_eval.formats.folder_changes import change_files, held_folder, refuse_half_changed

OLD = {"a.txt": "old a\n", "b.txt": "old b\n", "gone.txt": "old\n", "left.txt": "as it is\n"}
CHANGES = {"a.txt": "new a\n", "b.txt": "new b\n", "come.txt": "new\n", "gone.txt": None}
NEW = {"a.txt": "new a\n", "b.txt": "new b\n", "come.txt": "new\n", "left.txt": "as it is\n"}


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "set"
    path.mkdir()
    for name, text in OLD.items():
        (path / name).write_text(text)
    return path


def test_files_are_replaced_made_and_removed(folder):
    with held_folder(folder):
        change_files(folder, CHANGES)
        assert contents(folder) == NEW
        change_files(folder, {"a.txt": "again\n"})
    assert contents(folder) == {**NEW, "a.txt": "again\n"}


def begun(folder, taken=0):
    """What a process leaves that is killed after the journal and so many renames."""
    for name in [name for name, text in CHANGES.items() if text][taken:]:
        (folder / f".{name}.preorder-eval").write_text(CHANGES[name])
    for name in [name for name, text in CHANGES.items() if text][:taken]:
        (folder / name).write_text(CHANGES[name])
    (folder / ".changes.json").write_text(
        '{"replaced": ["a.txt", "b.txt", "come.txt"], "removed": ["gone.txt"]}'
    )


@pytest.mark.parametrize("taken", [0, 1, 3])
def test_a_change_that_was_begun_is_finished_by_the_next(folder, taken):
    begun(folder, taken)
    with pytest.raises(FormatError, match="its files are being changed; if nobody is editing it"):
        refuse_half_changed(folder)
    with held_folder(folder):
        assert contents(folder) == NEW
    refuse_half_changed(folder)


def test_what_was_written_before_the_journal_is_cleared(folder):
    (folder / ".a.txt.preorder-eval").write_text("half")
    (folder / ".changes.json.preorder-eval").write_text("{")
    refuse_half_changed(folder)
    with held_folder(folder):
        assert contents(folder) == OLD


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        "{}",
        '{"replaced": ["../a.txt"], "removed": []}',
        '{"replaced": ["a/b.txt"], "removed": []}',
        '{"replaced": [], "removed": ["/etc/passwd"]}',
        '{"replaced": [], "removed": ["a\\u0000b"]}',
        '{"replaced": [], "removed": [".git"]}',
        '{"replaced": [""], "removed": []}',
        '{"replaced": "a.txt", "removed": []}',
    ],
)
def test_a_journal_names_files_of_its_folder_and_nothing_else(folder, text):
    (folder / ".changes.json").write_text(text)
    with pytest.raises(FormatError), held_folder(folder):
        pass
    assert contents(folder) == {**OLD, ".changes.json": text}


def test_a_folder_is_held_by_one(folder):
    with held_folder(folder):
        with (
            pytest.raises(FormatError, match="another process is changing it"),
            held_folder(folder),
        ):
            pass
        change_files(folder, CHANGES)
    with held_folder(folder):
        assert contents(folder) == NEW


def test_a_link_in_the_way_is_not_followed(folder, tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("not ours\n")
    (folder / ".a.txt.preorder-eval").symlink_to(outside)
    (folder / "a.txt").unlink()
    (folder / "a.txt").symlink_to(outside)
    change_files(folder, {"a.txt": "new\n"})
    assert outside.read_text() == "not ours\n"
    assert not (folder / "a.txt").is_symlink()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the system refuses root nothing")
def test_a_folder_that_cannot_be_written_is_said(folder):
    folder.chmod(0o500)
    try:
        with pytest.raises(FormatError, match="set: cannot be written"), held_folder(folder):
            pass
    finally:
        folder.chmod(0o700)


# Every call that writes something, or gives it a name; fsync is of files and of the folder.
CALLS = ["write", "fsync", "rename", "unlink"]
SCRIPT = f"""
from pathlib import Path
from preorder_eval.errors import FormatError
from preorder_eval.formats.folder_changes import change_files, held_folder
folder = Path("set")
try:
    with held_folder(folder):
        change_files(folder, {CHANGES!r})
except FormatError as error:
    raise SystemExit(str(error))
"""


def faults(folder, fault):
    """The change, each time from the start, in processes that meet a fault at one of their calls.

    It is at every call in turn; yields the processes that have met it.
    """
    trace = folder.parent / "trace"
    for call in CALLS:
        for number in itertools.count(1):
            shutil.rmtree(folder)
            folder.mkdir()
            for name, text in OLD.items():
                (folder / name).write_text(text)
            inject = f"inject={call}:{fault}:when={number}"
            command = ["strace", "-f", "-qqq", "-o", trace, "-e", f"trace={call}", "-e", inject]
            done = subprocess.run(
                [*command, sys.executable, "-B", "-c", SCRIPT],
                cwd=folder.parent,
                check=False,
                capture_output=True,
                text=True,
            )
            if done.returncode == 0 and "INJECTED" not in trace.read_text():
                assert contents(folder) == NEW
                assert number > 2, f"{call} was never called"
                break
            yield done


needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")


@needs_strace
@pytest.mark.slow
def test_killed_at_any_call_nothing_is_lost(folder):
    outcomes = []
    for _ in faults(folder, "signal=KILL"):
        try:
            refuse_half_changed(folder)
            seen = {n: text for n, text in contents(folder).items() if n[0] != "."}
            assert seen in (OLD, NEW)
        except FormatError:
            outcomes.append("told")  # readers are
        with held_folder(folder):
            assert contents(folder) in (OLD, NEW)
        outcomes.append("old" if contents(folder) == OLD else "new")
    assert {*outcomes} == {"old", "new", "told"}


@needs_strace
@pytest.mark.slow
@pytest.mark.parametrize("fault", ["ENOSPC", "EROFS"])
def test_an_error_at_any_call_is_said_and_nothing_is_lost(folder, fault):
    told = f"set: cannot be written: {os.strerror(getattr(errno, fault))}\n"
    codes = set()
    for done in faults(folder, f"error={fault}"):
        with held_folder(folder):
            after = contents(folder)
        codes.add(done.returncode)
        if done.returncode:
            assert (done.stderr, after in (OLD, NEW)) == (told, True)
        else:
            assert after == NEW  # a call that need not work
    assert codes == {0, 1}
