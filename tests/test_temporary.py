"""What killed processes leave beside a file or folder is removed, and nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from preorder_eval.errors import FormatError
from preorder_eval.formats.folders import path_inside, write_folder
from preorder_eval.formats.temporary import clear_left, hold, temporary_name
from preorder_eval.formats.text import write_text

KILLED_IN_A_FOLDER = """
import os, signal
from pathlib import Path
from preorder_eval.formats.folders import write_folder

class Files(dict):
    def items(self):
        yield "one", "1"
        os.kill(os.getpid(), signal.SIGKILL)

write_folder(Path("run"), Files())
"""
KILLED_IN_A_FILE = """
import os, signal
from pathlib import Path
from preorder_eval.formats.text import write_parts

def parts():
    yield "1"
    os.kill(os.getpid(), signal.SIGKILL)

write_parts(Path("run"), parts())
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def there():
    return sorted(path.name for path in Path().iterdir())


@pytest.mark.parametrize("program", [KILLED_IN_A_FOLDER, KILLED_IN_A_FILE])
@pytest.mark.parametrize("again", [lambda: write_folder(Path("run"), {"one": "1"}), "a file"])
def test_what_a_killed_process_left_is_removed_by_the_next(program, again):
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -9
    [left] = there()
    assert left.startswith(".run.")
    if again == "a file":
        write_text(Path("run"), "1")
    else:
        again()
    assert there() == ["run"]


def test_what_a_process_holds_stays():
    held = temporary_name(Path("run"))
    held.mkdir()
    descriptor = os.open(held, os.O_RDONLY)
    hold(descriptor)
    clear_left(Path("run"))
    assert there() == [held.name]
    os.close(descriptor)
    clear_left(Path("run"))
    assert there() == []


@pytest.mark.parametrize("name", [".run.tmp", ".run.x.tmp", "run.1.tmp", ".runs.1.tmp", ".run.1"])
def test_other_names_stay(name):
    Path(name).write_text("mine")
    clear_left(Path("run"))
    assert there() == [name]


def test_what_a_link_names_stays():
    Path("mine").mkdir()
    Path("mine/file").write_text("mine")
    Path(".run.1.tmp").symlink_to("mine")
    clear_left(Path("run"))
    assert there() == ["mine"]
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


def test_names_inside_are_paths():
    assert path_inside(Path("run"), "trees/a b.conllu") == Path("run/trees/a b.conllu")
