"""Names and texts of strangers: nothing of them that commands a terminal gets out as it is."""

import re
import shutil
from pathlib import Path

import pytest

from preorder_eval.resources import bundled

HOSTILE = "a\x1b[31m\x07\u202eb\x9b2J"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
RULES = """name = "r\\u001b[2J\\u202e"
scheme = "ud"
[[rule]]
head = "VERB"
order = ["OTHER", "HEAD"]
"""
GOLD = ["--parser", "gold", "--resamples", "9"]
SCORE = ["score", "--hyp", HOSTILE, "--hyp", "plain", "--ref", HOSTILE, "--resamples", "9"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (HOSTILE, "plain"):
        Path(name).write_text(f"one {HOSTILE} two\n{name}\n", encoding="utf-8")
    Path("rules.toml").write_text(RULES)
    shutil.copytree(bundled("reference_data") / "contrast", f"set {HOSTILE}")


@pytest.mark.slow
@pytest.mark.parametrize(
    "commands",
    [
        [[*SCORE, "--significance"]],
        [[*SCORE, "--out", "run"], ["compare", "run", "--metric", "bleu"]],
        [[*SCORE, "--out", HOSTILE], ["analyse", HOSTILE]],
        [["evaluate", "--reference", f"set {HOSTILE}", "--rules", "rules.toml", *GOLD]],
        [["reference", "check", f"set {HOSTILE}"]],
        [["rules", "show", "rules.toml"]],
        [["parse", "--source", f"nothing {HOSTILE}"]],
    ],
    ids=lambda commands: " ".join(commands[-1][:2]),
)
def test_what_is_printed(run, commands):
    *before, last = commands
    for arguments in (*before, last, [*last, "--json"], [*last, "--tsv"]):
        _, out, err = run(*arguments)
        assert not RAW.search(out)
        assert not RAW.search(err)
        assert "Traceback" not in err
