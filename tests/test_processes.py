"""Work that several processes share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from judged_outputs import JudgedOutputs

from preorder_eval import processes
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import format_conllu
from preorder_eval.meta_evaluation import statistic
from preorder_eval.meta_evaluation.evaluation import meta
from preorder_eval.meta_evaluation.tuning import tune
from preorder_eval.parsers import spacy_pipeline
from preorder_eval.parsers.loading import load_parser
from preorder_eval.processes import Processes
from preorder_eval.results import scoring
from preorder_eval.results.scoring import score_inputs

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
def test_several_processes_find_what_one_finds(forking, workers, parser, gold, n):
    sentences, told = (list(gold.sentences) * 3)[:700], []
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


def test_an_interrupt_does_not_wait_for_what_the_others_are_at():
    program = (
        "import signal, time\n"
        "from preorder_eval.processes import Processes\n"
        "if __name__ == '__main__':\n"
        "    signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "    signal.alarm(2)\n"
        "    list(Processes(2, float, 90).map(slept, [1.0] * 8))\n"
    )
    slept = "import time\n\n\ndef slept(state, times):\n    time.sleep(state * times)\n"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sleeping.py").write_text(slept)
        (Path(folder) / "program.py").write_text("from sleeping import slept\n" + program)
        ended = subprocess.run(
            [sys.executable, "program.py"], cwd=folder, timeout=60, capture_output=True
        )
    assert ended.returncode not in (0, 2)


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
