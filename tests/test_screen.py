"""What a terminal is shown, and what a file gets."""

import os
import pty
import subprocess
import sys
import termios

import pytest

COMMAND = [sys.executable, "-m", "preorder_eval", "compare", "none", "reverse.toml"]
OPTIONS = ["--parser", "gold", "--reference", "en-ko", "--sentences", "0", "--resamples", "50"]


@pytest.fixture
def on_terminal(tmp_path):
    """Runs a comparison on a terminal of some width, and gives what is printed there."""
    (tmp_path / "reverse.toml").write_text('name = "r"\nscheme = "ud"\ndefault = "reverse"\n')

    def run(width, **environment):
        terminal, stdout = pty.openpty()
        termios.tcsetwinsize(stdout, (24, width))
        process = subprocess.Popen(
            [*COMMAND, *OPTIONS],
            stdout=stdout,
            cwd=tmp_path,
            env={k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
            | {"TERM": "xterm"}
            | environment,
        )
        os.close(stdout)
        printed = b""
        try:
            while read := os.read(terminal, 4096):
                printed += read
        except OSError:  # Linux ends a terminal so
            pass
        os.close(terminal)
        assert process.wait() == 0
        return printed.decode().replace("\r\n", "\n")

    return run


@pytest.mark.slow
def test_tables_fit_a_terminal_and_have_its_colours(on_terminal):
    shown = on_terminal(70)
    table = shown.split("\n\n")[1:3]
    assert "\x1b[31m-**\x1b[0m" in shown
    assert all(len(line) <= 80 for part in table for line in part.split("\n"))
    assert [part.split()[0] for part in table] == ["metric", "metric"]
    assert "\x1b" not in on_terminal(70, NO_COLOR="1")


def test_a_file_gets_them_whole(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reverse.toml").write_text('name = "r"\nscheme = "ud"\ndefault = "reverse"\n')
    monkeypatch.setenv("COLUMNS", "40")
    out = run("compare", "none", "reverse.toml", *OPTIONS)[1]
    assert "\x1b" not in out
    assert len(out.split("\n")[3]) > 80
