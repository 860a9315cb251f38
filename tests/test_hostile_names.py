"""Names and texts of strangers: nothing of them that commands a terminal gets out as it is."""

import os
import re
import shutil
from pathlib import Path

import pytest

from preorder_eval.base.resources import bundled
from preorder_eval.cli import terminal

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


@pytest.mark.parametrize(
    "command",
    [
        "reorder --rules reverse --trees t.conllu",
        "reorder --rules reverse --trees t.conllu --output conllu",
        "evaluate --source s.en --alignment s.align --orders s.order --compat lader",
    ],
)
def test_data_cannot_command_a_terminal_and_stays_as_it_is_elsewhere(run, monkeypatch, command):
    row = "{}\t{}\t_\tVERB\t_\t_\t{}\t_\t_\t_\n".format
    Path("t.conllu").write_text(f"{row(1, HOSTILE, 0)}{row(2, 'b', 1)}\n", encoding="utf-8")
    Path("s.en").write_text(f"{HOSTILE} b\n", encoding="utf-8")
    Path("s.align").write_text("0-1 1-0\n")
    Path("s.order").write_text("1 0\n")
    code, data, _ = run(*command.split())
    assert (code, HOSTILE in data) == (0, True)
    monkeypatch.setattr(terminal, "_on_terminal", lambda: True)
    code, shown, _ = run(*command.split())
    assert code == 0
    assert not RAW.search(shown)
    assert shown.count("\t") == data.count("\t")


@pytest.mark.slow
def test_a_name_whose_bytes_are_no_utf8(run):
    odd = os.fsdecode(b"a\xff.en")
    for name in ("plain.align", "plain.order", odd):
        Path(name).write_text("0\n")
    command = ["evaluate", "--source", odd, "--alignment", "plain.align", "--orders", odd]
    code, out, err = run(*command, "--json", "--out", odd + "run")
    assert code == 0, err
    assert "a\\\\xff" in out
    assert run("analyse", odd + "run", "--json")[0] == 0
    assert run("report", odd + "run", "--out", odd + ".html")[0] == 0
    Path(os.fsdecode(b"\xff.conllu")).write_text("1\tGo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    trees = os.fsdecode(b"\xff.conllu")
    code, _, err = run("train", "--train", trees, "--dev", trees, "--out", "model")
    assert (code, err.count("\n"), "a name that is not UTF-8" in err) == (2, 1, True)
