"""The command as a user runs it; what its page does is tested in test_editing*.py."""

import re
import signal
import subprocess
import sys

import pytest
from edited_reference import TEXTS, texts_of, write_folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_folder(tmp_path / "small")


@pytest.mark.slow
def test_the_page_is_served_until_it_is_interrupted(folder, run):
    running = subprocess.Popen(
        [sys.executable, "-m", "preorder_eval", "reference", "edit", "small"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    line = running.stdout.readline()
    assert re.fullmatch(
        r"small, 2 sentences, at http://127\.0\.0\.1:\d+/[\w-]{43}/ \(Ctrl-C ends\)\n", line
    )
    code, _, errors = run("reference", "edit", "small")
    assert code == 2
    assert "another process is changing it; close the other editor first" in errors
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=60) == ("", "")
    assert running.returncode == 0
    assert texts_of(folder) == TEXTS


@pytest.mark.parametrize("name", ["en-ja", "nothing"])
def test_only_a_folder_is_edited(folder, run, name):
    code, out, errors = run("reference", "edit", name)
    assert (code, out) == (2, "")
    assert errors == (
        f"preorder-eval: {name}: no such reference folder; make one with "
        "`preorder-eval reference build`\n"
    )
