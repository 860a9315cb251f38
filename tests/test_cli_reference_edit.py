"""The command as a user runs it; what its page does is tested in test_editing*.py."""

import contextlib
import http.client
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest
from edited_reference import TEXTS, texts_of, write_folder

from preorder_eval.analysis.reference.annotation import annotation
from preorder_eval.errors import FormatError
from preorder_eval.formats.reference_folder import load_reference


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
        r"small, 2 sentences, at http://127\.0\.0\.1:\d+/[\w-]{22}/ \(Ctrl-C ends\)\n", line
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


def test_a_folder_is_built_without_links(folder, run, tmp_path):
    text = ["--source", "small/source.en", "--target", "small/target.ja"]
    code, out, _ = run("reference", "build", *text, "--out", "new")
    assert code == 0
    assert out.startswith("new: 2 sentences, 0 links, 2 sentences without links;")
    assert load_reference(tmp_path / "new").alignments[0] == []
    assert (tmp_path / "new" / "en-ja.align").read_text() == "\n\n"


@pytest.mark.parametrize(
    "option", [["--base", "1"], ["--direction", "target-source"], ["--alignment-format", "giza"]]
)
def test_how_to_read_an_alignment_needs_one(folder, run, option):
    text = ["--source", "small/source.en", "--target", "small/target.ja"]
    code, _, errors = run("reference", "build", *text, "--out", "new", *option)
    assert code == 2
    assert f"{option[0]} goes with --alignment" in errors


ADDED = {"do": "add", "source": "Cats sleep", "target": "猫 が 寝る"}
AFTER = {
    name: text + {"source.en": "Cats sleep\n", "target.ja": "猫 が 寝る\n"}.get(name, "\n")
    for name, text in TEXTS.items()
    if name != "DATASHEET.md"
} | {"DATASHEET.md": TEXTS["DATASHEET.md"]}


@contextlib.contextmanager
def editor(fault):
    """The command, which meets a fault when it saves; yields what posts a request to it."""
    command = ["strace", "-f", "-qqq", "-o", "trace", "-e", fault, sys.executable, "-B", "-m"]
    command += ["preorder_eval", "reference", "edit", "small"]
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        address = re.search(r"http://(\S+?)/(\S+)/\s", running.stdout.readline())

        def post(request):
            connection = http.client.HTTPConnection(address[1], timeout=60)
            headers = {"Origin": f"http://{address[1]}", "Content-Type": "application/json"}
            connection.request("POST", f"/{address[2]}/do", json.dumps(request), headers)
            return json.loads(connection.getresponse().read())

        yield post
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()


needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")


@needs_strace
@pytest.mark.slow
def test_killed_while_it_saves_the_next_editor_finishes(folder):
    outcomes = []
    for number in itertools.count(1):
        shutil.rmtree(folder)
        write_folder(folder)
        with editor(f"inject=rename:signal=KILL:when={number}") as post:
            try:
                answer = post(ADDED)
            except (OSError, http.client.HTTPException):
                answer = None
        half = (folder / ".changes").exists()
        if half:
            with pytest.raises(FormatError, match="its files are being changed"):
                load_reference(folder)
        else:
            load_reference(folder)
        with annotation(folder) as work:
            outcomes.append(len(work.text))
        assert texts_of(folder) in (TEXTS, AFTER)
        if answer is not None:
            break
    assert "error" not in answer
    # Killed at the journal's rename nothing has happened; at each file's the change is finished.
    assert outcomes == [2, *[3] * 6, 3]


@needs_strace
@pytest.mark.slow
@pytest.mark.parametrize("fault", ["rename:error=ENOSPC", "fsync:error=EIO"])
def test_a_folder_that_cannot_be_written_is_said_on_the_page(folder, fault):
    with editor(f"inject={fault}") as post:
        answer = post(ADDED)
        assert set(answer) == {"error"}
        assert answer["error"].startswith("small: cannot be written: ")
        assert "error" not in post({"do": "show", "sentence": 1})
    assert texts_of(folder) == TEXTS
