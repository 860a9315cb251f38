"""Work that several processes share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pytest
from judged_outputs import JudgedOutputs

from preorder_eval.base import processes
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.processes import Processes
from preorder_eval.evaluation import score as scoring
from preorder_eval.evaluation.score import score_inputs
from preorder_eval.judgments import statistic
from preorder_eval.judgments.meta import meta
from preorder_eval.judgments.tune import tune
from preorder_eval.parsers import spacy_pipeline
from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.trees.conllu import format_conllu

pytestmark = pytest.mark.slow


@pytest.fixture
def workers(monkeypatch):
    """A parser that has two processes parse."""
    monkeypatch.setattr(spacy_pipeline, "_ENOUGH", 1)
    return load_parser("en-web", jobs=2)


@pytest.fixture(params=[True, False])
def forking(request, monkeypatch):
    """Processes that begin as copies of this one, as on Linux, or anew."""
    monkeypatch.setattr(processes, "forks", lambda: request.param)


@pytest.mark.parametrize("n", [None, 3])
def test_several_processes_find_what_one_finds(forking, workers, parser, gold, n, monkeypatch):
    monkeypatch.setattr(spacy_pipeline, "_BATCH", 30)  # several for each process, and a short one
    sentences, told = list(gold.sentences)[:140], []
    one, several = parser.parse(sentences, n), workers.parse(sentences, n, told.append)
    trees = [made if n is None else made.trees for made in (one, several)]
    assert format_conllu(trees[0]) == format_conllu(trees[1])
    if n is not None:
        assert np.array_equal(one.scores, several.scores)
        assert np.array_equal(one.offsets, several.offsets)
    assert sum(told) == len(sentences)


def test_a_process_that_is_ended_is_an_error(workers, gold):
    assert len(workers.parse(gold.sentences)) == len(gold)
    for process in workers._others._pool._processes:
        os.kill(process, signal.SIGKILL)
    with pytest.raises(PreorderEvalError, match="use fewer jobs=…"):
        workers.parse(gold.sentences)


def test_an_error_in_a_process_is_raised_here(forking):
    with pytest.raises(ValueError, match="invalid literal"):
        list(Processes(2, str, "").map(_number, ["1", "one"]))


def test_copies_of_pytorch_are_not_made(monkeypatch):
    assert processes.forks() == (sys.platform == "linux" and "torch" not in sys.modules)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert not processes.forks()


@pytest.mark.skipif(not processes.forks(), reason="starts processes anew")
def test_a_parser_is_loaded_once_for_all_processes(workers, gold, monkeypatch):
    """Few words are parsed here, and then no process loads the parser anew."""
    monkeypatch.setattr(spacy_pipeline, "_ENOUGH", 2_000)
    monkeypatch.setattr(spacy_pipeline.spacy, "load", None)
    workers.parse(gold.sentences[:20])
    assert "_pool" not in vars(workers._others)
    assert len(workers.parse(gold.sentences)) == len(gold)
    assert "_pool" in vars(workers._others)


PROGRAM = """
import sys
from work import work
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.processes import Processes

if __name__ == "__main__":
    try:
        for _ in Processes(3, float, 90).map(work, range(10_000)):
            pass
    except PreorderEvalError as error:
        print(error)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
"""
LARGE = "def work(state, piece):\n    return bytes(2_000_000)\n"
SLOW = "import time\n\n\ndef work(state, piece):\n    time.sleep(state)\n"


def children(process):
    """The processes that a process has started."""
    listed = subprocess.run(
        ["ps", "--ppid", str(process.pid), "-o", "pid="], capture_output=True, text=True
    )
    return list(map(int, listed.stdout.split()))


@pytest.mark.skipif(not processes.forks(), reason="starts processes anew")
@pytest.mark.parametrize("after", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("how", ["interrupted", "worker killed", "killed"])
@pytest.mark.parametrize("work", [LARGE, SLOW])
def test_whatever_dies_all_end_at_once(tmp_path, work, how, after):
    """In the middle of a result of 2 MB, too: nothing waits for the rest of it."""
    (tmp_path / "work.py").write_text(work)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while len(started := children(process)) < 3:
        time.sleep(0.02)
    time.sleep(after)
    if how == "interrupted":
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    else:
        os.kill(process.pid if how == "killed" else started[1], signal.SIGKILL)
    begun = time.monotonic()
    try:
        printed, errors = process.communicate(timeout=30)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert time.monotonic() - begun < 10  # a fraction of a second where others do not compute
    codes = {"interrupted": 130, "worker killed": 2, "killed": -signal.SIGKILL}
    assert (process.returncode, errors) == (codes[how], "")
    assert printed.count("\n") == (how == "worker killed")
    assert list((tmp_path / "tmp").iterdir()) == []


def test_work_that_is_left_ends_and_can_begin_again(forking):
    together = Processes(2, str, "1")
    for _ in range(2):
        results = together.map(_number, map(str, range(1000)))
        assert [next(results), next(results)] == [10, 11]
        results.close()
    assert list(together.map(_number, ["2"])) == [12]


def test_a_result_that_cannot_be_sent_is_an_error():
    with pytest.raises(RuntimeError, match="pickle"):
        list(Processes(2, str, "").map(_unsendable, ["1"]))


def test_a_folder_without_room_is_named(monkeypatch, tmp_path):
    together = Processes(2, str, "")
    list(together.map(_number, ["1"]))
    together._folder.rename(tmp_path / "gone")
    with pytest.raises(PreorderEvalError, match=r"cannot be written: .* TMPDIR"):
        list(together.map(_number, ["1"]))


def _unsendable(state: str, text: str) -> object:
    return lambda: None


def _number(state: str, text: str) -> int:
    return int(state + text)


def test_several_processes_score_and_judge_metrics_as_one_does(monkeypatch):
    for module in (scoring, statistic):
        monkeypatch.setattr(module, "_ENOUGH", 1)
    data = JudgedOutputs(1)
    result = score_inputs(data.inputs, ["ribes", "wer", "nist", "rouge_l"])
    one, two = (meta(result, data.people, resamples=50, jobs=jobs) for jobs in (1, 2))
    assert one.to_dict() == two.to_dict()
    one, two = (
        tune("rouge_w(weight=?)", data.inputs, data.people, folds=2, starts=2, jobs=jobs)
        for jobs in (1, 2)
    )
    assert one.to_dict() == two.to_dict()
