"""The command as a user runs it: a process, a file that is saved, and Ctrl-C."""

import re
import signal
import subprocess
import sys
import threading
from queue import Empty, Queue

import pytest

pytestmark = pytest.mark.slow  # waits for files to change

PATIENCE = 60  # seconds; a busy machine is no failure
RULES = """\
name = "mine"
scheme = "ud"

[[rule]]
head = "VERB"
order = ["punct<", "nsubj", "OTHER", "obj", "HEAD", "punct>"]
"""


class Watch:
    """A running command whose lines can be awaited."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "preorder_eval", "watch", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
        )
        self._lines = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def line_with(self, text):
        seen = []
        while True:
            try:
                seen.append(self._lines.get(timeout=PATIENCE))
            except Empty:
                pytest.fail(f"no line with {text!r} after {seen}")
            if text in seen[-1]:
                return seen[-1]

    def rest(self):
        lines = []
        while not self._lines.empty():
            lines.append(self._lines.get())
        return lines

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@pytest.fixture
def rules(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(RULES)
    return file


@pytest.fixture
def watch():
    started = []

    def start(*arguments):
        started.append(Watch(*arguments))
        return started[-1]

    yield start
    for watch in started:
        watch.process.kill()
        watch.process.wait(PATIENCE)
        watch.process.stdout.close()


def test_a_save_is_scored_an_error_is_said_and_mended(watch, rules):
    own = ("--reference", "en-ja", "--parser", "gold", "--resamples", "100")
    running = watch("--rules", rules, *own, "--sentences", "1")
    assert "mine.toml on en-ja, trees of gold" in running.line_with("watching")
    first = running.line_with("FRS 0.")
    assert "since" not in first

    rules.write_text(RULES.replace('"obj", ', ""))
    changed = running.line_with("since last save ")
    value = float(re.search(r"FRS (0\.\d+)", changed)[1])
    change = re.search(r"since last save (\S+) \[\S+ \S+\] (\S+)   since start (\S+)", changed)
    assert float(change[1]) != 0
    assert change[1] == change[3]
    assert value - float(re.search(r"0\.\d+", first)[0]) == pytest.approx(
        float(change[1]), abs=2e-3
    )
    assert re.fullmatch(
        r"\d+ sentences reordered: \d+ better, \d+ worse", running.line_with("reordered")
    )
    assert running.line_with("source  ")
    assert running.line_with("before  ")[8:] != running.line_with("after   ")[8:]

    rules.write_text(RULES.replace("nsubj", "nsubjj"))
    assert "mine.toml:6: unknown label in " in running.line_with("nsubjj")
    rules.write_text(RULES)
    mended = running.line_with("since last save ")
    assert "since start +0.000 " in mended

    assert running.interrupt() == 0
    assert not any("Traceback" in line or "Abort" in line for line in running.rest())
