"""Files and folders are written whole or not at all, and what killed processes leave is removed."""

import contextlib
import errno
import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from preorder_eval.base.errors import FormatError
from preorder_eval.base.files import writing
from preorder_eval.base.files.files import read_lines
from preorder_eval.base.files.writing import (
    path_inside,
    place_held,
    take_lock,
    write_folder,
    write_parts,
    write_text,
)
from preorder_eval.references.folder_changes import change_files, held_folder, refuse_half_changed

KILLED_IN_A_FOLDER = """
import os, signal
from pathlib import Path
from preorder_eval.base.files.writing import write_folder

class Files(dict):
    def items(self):
        yield "one", "1"
        os.kill(os.getpid(), signal.SIGKILL)

write_folder(Path("run"), Files())
"""
KILLED_IN_A_FILE = """
import os, signal
from pathlib import Path
from preorder_eval.base.files.writing import write_parts

def parts():
    yield "1"
    os.kill(os.getpid(), signal.SIGKILL)

write_parts(Path("run"), parts())
"""
TRY = "import sys; from preorder_eval.base.files.writing import take_lock; print(take_lock(0))"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def there():
    return sorted(path.name for path in Path().iterdir())


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.bz2", "a.txt.xz"])
def test_what_is_written_is_compressed_as_its_name_says(name):
    first, again = Path(name), Path(f"b{name}")
    for path in (first, again):
        write_parts(path, ["ein Satz\n", "日本\n"])
    assert read_lines(first) == ["ein Satz", "日本"]
    assert first.read_bytes() == again.read_bytes()
    assert (first.read_bytes() == "ein Satz\n日本\n".encode()) == (name == "a.txt")


def test_a_file_is_replaced_whole_or_not_at_all(monkeypatch):
    write_text(Path("x"), "old\n")

    def fail(self, *_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(FormatError, match="x: cannot be written: No space left on device"):
        write_text(Path("x"), "new\n")
    assert there() == ["x"]
    assert Path("x").read_text() == "old\n"


def test_places_without_a_name_are_refused():
    for place in (".", "..", "/"):
        with pytest.raises(FormatError, match="has no name; give a new folder"):
            write_folder(Path(place), {"one": "1"})
        with pytest.raises(FormatError, match="cannot be written: "):
            write_text(Path(place), "1")
    assert there() == []


@pytest.mark.parametrize(
    ("files", "replaced"),
    [
        (["run.json", "scores.tsv"], True),
        (["a/run.json", "b/run.json"], True),
        (["run.json", "mine.txt"], False),
        (["a/run.json", "mine.txt"], False),
        (["scores.tsv"], False),
    ],
)
def test_only_runs_are_replaced(files, replaced):
    write_folder(Path("run"), dict.fromkeys(files, "old"))
    refused = contextlib.nullcontext()
    if not replaced:
        refused = pytest.raises(FormatError, match="exists; give a new folder for the run")
    with refused:
        write_folder(Path("run"), {"run.json": "new"}, overwrite=True)
    kept = [str(path.relative_to("run")) for path in Path("run").rglob("*") if path.is_file()]
    assert sorted(kept) == (["run.json"] if replaced else sorted(files))


@pytest.mark.parametrize(
    ("program", "again"), [(KILLED_IN_A_FOLDER, "a file"), (KILLED_IN_A_FILE, "a folder")]
)
def test_what_a_killed_process_left_is_removed_by_the_next(program, again):
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -9
    [left] = there()
    assert left.startswith(".run.")
    if again == "a file":
        write_text(Path("run"), "1")
    else:
        write_folder(Path("run"), {"one": "1"})
    assert there() == ["run"]


def test_what_a_process_holds_stays():
    Path(".run.1.tmp").mkdir()
    descriptor = os.open(".run.1.tmp", os.O_RDONLY)
    assert take_lock(descriptor)
    write_text(Path("run"), "1")
    assert there() == [".run.1.tmp", "run"]
    os.close(descriptor)
    write_text(Path("run"), "2")
    assert there() == ["run"]


def test_other_processes_see_the_lock_until_the_file_is_closed():
    Path("held").write_text("{}")

    def another():
        with Path("held").open() as file:
            return subprocess.check_output([sys.executable, "-c", TRY], stdin=file, text=True)

    with Path("held").open() as held:
        assert take_lock(held.fileno())
        assert another() == "False\n"
    assert another() == "True\n"


@pytest.mark.parametrize("name", [".run.tmp", ".run.x.tmp", "run.1.tmp", ".runs.1.tmp", ".run.1"])
def test_other_names_stay(name):
    Path(name).write_text("mine")
    write_text(Path("run"), "1")
    assert there() == sorted([name, "run"])


def test_what_a_link_names_stays():
    Path("mine").mkdir()
    Path("mine/file").write_text("mine")
    Path(".run.1.tmp").symlink_to("mine")
    write_text(Path("run"), "1")
    assert there() == ["mine", "run"]
    assert Path("mine/file").read_text() == "mine"


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/x", "a\0b", "link/x"])
def test_names_that_lead_out_are_refused(name):
    Path("run").mkdir()
    Path("run/link").symlink_to("..")
    with pytest.raises(FormatError, match="leads out of the folder"):
        path_inside(Path("run"), name)
    if name != "link/x":
        with pytest.raises(FormatError, match="leads out of the folder"):
            write_folder(Path("new"), {"good": "1", name: "2"})
        assert there() == ["run"]


OLD = {"a.txt": "old a\n", "b.txt": "old b\n", "gone.txt": "old\n", "left.txt": "as it is\n"}
CHANGES = {"a.txt": "new a\n", "b.txt": "new b\n", "come.txt": "new\n", "gone.txt": None}
NEW = {"a.txt": "new a\n", "b.txt": "new b\n", "come.txt": "new\n", "left.txt": "as it is\n"}


def contents(folder):
    return {p.name: p.read_text() if p.is_file() else None for p in folder.iterdir()}


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


def test_changes_that_are_a_link_are_not_made(folder, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.txt").write_text("not ours\n")
    (folder / ".changes").symlink_to(tmp_path / "other")
    with pytest.raises(
        FormatError, match="changes: this file was not left by an interrupted change; remove"
    ):
        change_files(folder, CHANGES)
    assert contents(tmp_path / "other") == {"a.txt": "not ours\n"}


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


@pytest.mark.parametrize("place", ["run", "runs/new/run"])
def test_the_place_of_a_folder_is_held_by_one(place):
    before = there()
    with place_held(Path(place)):
        with (
            pytest.raises(FormatError, match="another process is about to write it"),
            place_held(Path(place)),
        ):
            pass
        write_folder(Path(place), {"one": "1"})
    with pytest.raises(FormatError, match="exists"), place_held(Path(place)):
        pass
    assert there() == sorted({*before, place.partition("/")[0]})


@pytest.mark.parametrize("there", ["other.txt", "missing.txt", "folder"])
def test_a_change_that_is_a_link_is_refused_before_any_is_made(folder, tmp_path, there):
    """Who made the folder may have put it there."""
    (tmp_path / "other.txt").write_text("secret")
    (tmp_path / "folder").mkdir()
    before = {path.name: path.read_text() for path in folder.iterdir()}
    (folder / ".changes").mkdir()
    (folder / ".changes" / "a.txt").write_text("new\n")
    (folder / ".changes" / "b.txt").symlink_to(tmp_path / there)
    defect = "this file was not left by an interrupted change"
    with pytest.raises(FormatError, match=defect), held_folder(folder):
        pass
    assert {path.name: path.read_text() for path in folder.iterdir() if path.is_file()} == before


def test_a_link_in_the_way_is_not_followed(folder, tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("not ours\n")
    (folder / "a.txt").unlink()
    (folder / "a.txt").symlink_to(outside)
    change_files(folder, {"a.txt": "new\n"})
    assert outside.read_text() == "not ours\n"
    assert not (folder / "a.txt").is_symlink()


class Killed(BaseException):
    """The process ends at a call; what it has written stays."""


CALLS = [(os, "fsync"), *((Path, name) for name in ("mkdir", "rename", "replace", "unlink"))]


@pytest.mark.parametrize("fault", [Killed(), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))])
@pytest.mark.parametrize(("owner", "name"), [*CALLS, (Path, "rmdir"), (Path, "open")])
def test_a_fault_at_any_call_loses_nothing(folder, owner, name, fault):
    call = getattr(owner, name)
    for number in itertools.count():
        calls = itertools.count()

        def faulty(*args, number=number, calls=calls, **named):
            if next(calls) == number:
                raise fault
            return call(*args, **named)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(owner, name, faulty)
            if isinstance(fault, Killed):
                patch.setattr(writing, "remove_made", lambda path, within: None)
            with contextlib.suppress(Killed, FormatError), held_folder(folder):
                change_files(folder, CHANGES)
            met = next(calls) > number
        with contextlib.suppress(FormatError):  # readers are told
            refuse_half_changed(folder)
            assert {n: text for n, text in contents(folder).items() if n[0] != "."} in (OLD, NEW)
        with held_folder(folder):
            assert contents(folder) in (OLD, NEW)
        if not met:
            break
        shutil.rmtree(folder)
        folder.mkdir()
        for file, text in OLD.items():
            (folder / file).write_text(text)
    assert (number > 0, contents(folder)) == (True, NEW), f"{name} was never called"
