"""`preorder-eval manual`: pages in the terminal, and all of them as a page for a browser."""

import os
import pty
import subprocess
import sys

import pytest
from rich.cells import cell_len


def test_lists_the_pages(run):
    code, output, _ = run("manual")
    assert code == 0
    assert "• rules: the rule language\n" in output
    assert "](" not in output


def test_shows_a_page_as_text(run):
    code, output, _ = run("manual", "lab")
    assert code == 0
    assert "(page rules)" in output
    assert "\x1b" not in output
    assert "<!-- slow -->" not in output
    assert not any(line.endswith(" ") for line in output.splitlines())


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_columns_say_how_wide_a_file_is(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    for page in ("rules", "papers"):
        assert max(map(cell_len, run("manual", page)[1].splitlines())) <= columns


def test_an_unknown_page(run):
    code, output, errors = run("manual", "ruls")
    assert (code, output) == (2, "")
    assert errors.startswith("preorder-eval: unknown page of the manual 'ruls' (did you mean 'ru")


@pytest.mark.slow
def test_a_pager_shows_it_in_a_terminal():
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "preorder_eval", "manual", "house"]
    pager = {"PAGER": "sed 's/^/paged: /'", "TERM": "xterm-256color", "LINES": "30"}
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    subprocess.run(command, stdout=theirs, stdin=theirs, env=environment | pager, check=True)
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 65536)
        except OSError:  # everything is read
            break
    os.close(ours)
    assert b"paged: " in shown
    assert b"\x1b[1m" in shown


def test_html(run, tmp_path):
    file = tmp_path / "manual.html"
    code, output, _ = run("manual", "--html", file)
    assert (code, output) == (0, f"{file}: {file.stat().st_size / 1e6:.1f} MB\n")
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    code, _, errors = run("manual", "rules", "--html", file)
    assert (code, errors) == (2, "preorder-eval: --html has all pages; leave out 'rules'\n")
