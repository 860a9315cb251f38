"""Commands in a project: what they take from its file, and the runs that they keep."""

import json
from datetime import date
from pathlib import Path

import pytest

from preorder_eval.formats.writing import new_run

RULES = 'name = "mine"\nscheme = "ud"\ntarget = "ja"\ndefault = "reverse"\n'
PROJECT = (
    'parsers = "gold"\nrules = ["mine.toml", "none"]\nreferences = "en-ko"\n'
    'metrics = "kendall"\ngates = "kendall:-0.01"\n'
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A project, and a folder below it to work in."""
    (tmp_path / "preorder.toml").write_text(PROJECT)
    (tmp_path / "mine.toml").write_text(RULES.replace("ja", "ko"))
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_evaluate_without_options_runs_it_and_keeps_the_run(run, folder, monkeypatch):
    monkeypatch.chdir(folder / "below")
    today = date.today().isoformat()
    for number in (1, 2):
        code, out, err = run("evaluate")
        assert code == 0
        assert err == f"preorder-eval: note: the run is kept in ../runs/{today}-{number}\n"
    kept = json.loads((folder / "runs" / f"{today}-1" / "run.json").read_text())
    assert [system["system"] for system in kept["systems"]] == ["gold/mine", "gold/none"]
    assert kept["reference"]["name"] == "en-ko"
    assert kept["metrics"] == ["kendall"]
    assert out.startswith("parser  rules")
    code, out, _ = run("evaluate", "--rules", "reverse", "--out", "own", "--tsv")
    assert out.splitlines()[1].startswith("gold\treverse\t")
    assert sorted(path.name for path in (folder / "runs").iterdir()) == [f"{today}-1", f"{today}-2"]
    code, out, _ = run("history")
    assert code == 0
    assert [line.split()[-1] for line in out.splitlines()[2:6]] == ["150"] * 4


def test_what_is_taken_is_said_with_verbose(run, folder, monkeypatch):
    monkeypatch.chdir(folder / "below")
    _, _, err = run("--verbose", "rules", "ablate", "--resamples", 1)
    taken = [line for line in err.splitlines() if line.endswith("from ../preorder.toml")]
    assert taken == [
        "preorder-eval: --parser gold, from ../preorder.toml",
        "preorder-eval: --reference en-ko, from ../preorder.toml",
        "preorder-eval: --rules ../mine.toml, from ../preorder.toml",
    ]


def test_what_is_given_comes_first_and_displaces(run, folder):
    Path("s.en").write_text("a b\n")
    Path("s.align").write_text("0-1 1-0\n")
    Path("o.order").write_text("1 0\n")
    own = ["--source", "s.en", "--alignment", "s.align", "--orders", "o.order"]
    _, out, _ = run("evaluate", *own, "--tsv")
    assert [line.split("\t")[0] for line in out.splitlines()] == ["parser", "o"]
    Path("t.conllu").write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert run("reorder", "--trees", "t.conllu")[:2] == (0, "a\n")


@pytest.mark.slow
def test_gates_are_the_projects(run, folder):
    assert run("evaluate", "--rules", "none", "--out", "a")[0] == 0
    assert run("evaluate", "--rules", "mine.toml", "--out", "b")[0] == 0
    assert run("compare", "b", "a")[0] == 0
    code, _, err = run("compare", "a", "b")
    assert code == 1
    assert "gate kendall:-0.01 failed" in err
    assert run("compare", "a", "b", "--gate", "kendall:-0.9")[0] == 0


def test_a_broken_file_is_one_line_and_help_goes_on(run, folder):
    (folder / "preorder.toml").write_text("parser = 1\n")
    code, out, err = run("evaluate")
    assert (code, out) == (2, "")
    assert err.startswith("preorder-eval: preorder.toml:1: unknown key at parser: 'parser' (did")
    assert err.count("\n") == 1
    assert run("evaluate", "--help")[0] == 0
    assert run("metrics", "list")[0] == 0


def test_init_never_overwrites(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("init")
    assert (code, out) == (
        0,
        "preorder.toml: written; look through it, then: preorder-eval evaluate\n",
    )
    Path("preorder.toml").write_text("mine")
    assert run("init")[0] == 2
    assert Path("preorder.toml").read_text() == "mine"


def test_runs_are_numbered_by_the_day(tmp_path):
    day = date(2026, 11, 21)
    runs = tmp_path / "runs"
    assert [new_run(runs, day).name for _ in range(2)] == ["2026-11-21-1", "2026-11-21-2"]
    (runs / "2026-11-21-10").mkdir()
    (runs / "2026-11-21-x").mkdir()
    assert new_run(runs, day).name == "2026-11-21-11"
    assert new_run(runs, date(2026, 11, 22)).name == "2026-11-22-1"
