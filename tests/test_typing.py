"""The types that users annotate with."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SCRIPT = """
import preorder_eval as pe

def best(result: pe.Result, metric: str | pe.Metric) -> str:
    interval: pe.Interval = result.interval(result.systems[0], metric)
    print(interval.low, result.show(), result.verdict)
    return max(result.systems, key=lambda name: result.value(name, metric))

scored: pe.Result = pe.score({"a": ["x y"], "b": ["x"]}, ["x y"], ["wer"])
comparison: pe.Comparison = pe.compare(scored, metrics=[pe.metric("wer")])
difference: pe.Difference | None = scored.difference("a", "b")
system: pe.System = pe.System.from_output(["x y"], "mine")
def of(people: pe.HumanScores) -> pe.MetaEvaluation:
    return pe.meta(scored, people)
"""


@pytest.mark.slow
def test_a_script_of_a_user_is_typed(tmp_path):
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(SCRIPT, encoding="utf-8")
    wrong.write_text(SCRIPT + 'scored.value(3, "WER")\n', encoding="utf-8")
    # The project's settings are strict, too: what mypy has found by them is in its cache.
    run = subprocess.run(
        [sys.executable, "-m", "mypy", right, wrong], cwd=ROOT, capture_output=True, text=True
    )
    assert [line for line in run.stdout.splitlines() if "right.py" in line] == []
    assert run.stdout.count("error:") == 1
    assert "wrong.py:15: error: " in run.stdout
    assert "arg-type" in run.stdout
