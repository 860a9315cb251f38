"""`preorder-eval compare`, its gates, and what commands take from a project."""

import json
from datetime import date
from pathlib import Path

import pytest

import preorder_eval as pe
from preorder_eval.cli import evaluate
from preorder_eval.formats.reference_set import reference_from_files
from preorder_eval.formats.writing import new_run
from preorder_eval.results.run_writing import write_run

SIZE = 20
FILES = {
    "s.en": "".join(f"one{s} two three four\n" for s in range(SIZE)),
    "s.align": "0-0 1-1 2-2 3-3\n" * SIZE,
    "good.order": "0 1 2 3\n" * (SIZE - 1) + "3 2 1 0\n",
    "poor.order": "0 2 1 3\n" * (SIZE - 2) + "0 1 2 3\n" * 2,
}
RULES = 'name = "mine"\nscheme = "ud"\ndefault = "{}"\n'


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A folder with runs `before` and `after` of one system each, and `both` of the two."""
    folder = tmp_path_factory.mktemp("runs")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    data = reference_from_files(folder / "s.en", folder / "s.align")
    for out, names in {"before": ["good"], "after": ["poor"], "both": ["good", "poor"]}.items():
        orders = [folder / f"{name}.order" for name in names]
        write_run(pe.evaluate(data, orders=orders, resamples=10), folder / out)
    return folder


@pytest.fixture
def runs(written, monkeypatch):
    monkeypatch.chdir(written)


def test_two_runs_are_compared(run, runs):
    code, out, err = run("compare", "before", "after", "--sentences", 2, "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert found["first"] == {"run": "before", "system": "good"}
    assert found["second"] == {"run": "after", "system": "poor"}
    # Good: 19 sentences right, one reversed. Poor: 18 with all adjacencies broken, two right.
    frs, tau = found["metrics"]
    expected = {"first": 0.95, "second": 0.1, "difference": -0.85, "significance": "-**"}
    expected |= {"better": 1, "worse": 18, "same": 1}
    assert {key: frs[key] for key in expected} == pytest.approx(expected)
    assert frs["p"] < 0.001
    assert (tau["first"], tau["second"]) == pytest.approx((0.95, 0.85))
    [gained], lost = found["moved"]["gained"], found["moved"]["lost"]
    assert (gained["number"], gained["second"]) == (20, "one19 two three four")
    assert [moved["number"] for moved in lost] == [1, 2]
    text = run("compare", "before", "after", "--sentences", 2)[1]
    assert text.count("two three four") >= 6
    assert "A          four three two one19" in text


@pytest.mark.parametrize(
    ("command", "code", "lines", "message"),
    [
        ("before after --gate fuzzy:-0.005", 1, 1, "gate fuzzy:-0.005 failed: fuzzy(match=word)"),
        ("before after --gate fuzzy:0 --gate fuzzy:-0.1", 1, 2, "fell by 0.850"),
        ("before after --gate fuzzy:-0.99", 0, 0, ""),
        # One that passes tells how little it can detect.
        ("after before --gate fuzzy:-0.005", 0, 1, "gate fuzzy:-0.005: 20 sentences detect falls"),
    ],
)  # fmt: skip
def test_gates(run, runs, command, code, lines, message):
    found, out, err = run("compare", *command.split())
    assert (found, len(err.splitlines())) == (code, lines)
    assert "fuzzy" in out
    assert message in err


@pytest.mark.slow
def test_runs_on_several_references(run, tmp_path, monkeypatch):
    """Those that both runs have are compared, each by itself."""
    monkeypatch.chdir(tmp_path)
    own = ["evaluate", "--parser", "gold", "--metric", "kendall", "--resamples", 10]
    both = ["--reference", "en-ko", "--reference", "en-tr"]
    assert run(*own, *both, "--rules", "none", "--out", "a")[0] == 0
    more = [*both, "--reference", "en-hi"]
    assert run(*own, *more, "--rules", "reverse", "--out", "b")[0] == 0
    code, out, err = run("compare", "a", "b", "--json")
    assert code == 0
    assert err == "preorder-eval: note: only one of the runs is on en-hi-dev; left out\n"
    [_, second] = json.loads(out)["comparisons"]
    alone = json.loads(run("compare", "a/en-tr-dev", "b/en-tr-dev", "--json")[1])
    assert second["metrics"] == alone["metrics"]


# A project.

PROJECT = (
    'parsers = "gold"\nrules = ["mine.toml", "none"]\nreferences = "en-ko"\n'
    'metrics = "kendall"\ngates = "kendall:-0.01"\n'
)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project, and a folder below it to work in."""
    (tmp_path / "preorder.toml").write_text(PROJECT)
    (tmp_path / "mine.toml").write_text(f'{RULES.format("reverse")}target = "ko"\n')
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    return tmp_path


@pytest.mark.slow
def test_evaluate_without_options_runs_it_and_keeps_the_run(run, project, monkeypatch):
    monkeypatch.setattr(evaluate, "new_run", lambda runs, _: new_run(runs, date(2026, 11, 21)))
    for number in (1, 2):
        code, _, err = run("evaluate")
        assert code == 0
        assert err == f"preorder-eval: note: the run is kept in ../runs/2026-11-21-{number}\n"
    kept = json.loads((project / "runs" / "2026-11-21-1" / "run.json").read_text())
    assert [system["system"] for system in kept["systems"]] == ["gold/mine", "gold/none"]
    assert (kept["reference"]["name"], kept["metrics"]) == ("en-ko/dev", ["kendall"])
    _, out, _ = run("evaluate", "--rules", "reverse", "--out", "own", "--json")
    assert [system["system"] for system in json.loads(out)["systems"]] == ["gold/reverse"]
    assert len(list((project / "runs").iterdir())) == 2


def test_what_is_given_comes_first_and_displaces(run, project):
    Path("s.en").write_text("a b\n")
    Path("s.align").write_text("0-1 1-0\n")
    Path("o.order").write_text("1 0\n")
    own = ["--source", "s.en", "--alignment", "s.align", "--orders", "o.order"]
    _, out, _ = run("evaluate", *own, "--json")
    assert [system["system"] for system in json.loads(out)["systems"]] == ["o"]
    Path("t.conllu").write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert run("reorder", "--trees", "t.conllu")[:2] == (0, "a\n")


@pytest.mark.slow
def test_gates_are_the_projects(run, project):
    assert run("evaluate", "--rules", "none", "--out", "a")[0] == 0
    assert run("evaluate", "--rules", "../mine.toml", "--out", "b")[0] == 0
    assert run("compare", "b", "a")[0] == 0
    code, _, err = run("compare", "a", "b")
    assert (code, "gate kendall:-0.01 failed" in err) == (1, True)
    assert run("compare", "a", "b", "--gate", "kendall:-0.9")[0] == 0


def test_a_broken_file_is_one_line_and_help_goes_on(run, project):
    (project / "preorder.toml").write_text("parser = 1\n")
    code, out, err = run("evaluate")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("preorder-eval: ../preorder.toml:1: unknown key")
    assert run("evaluate", "--help")[0] == 0
    assert run("metrics")[0] == 0


def test_init_never_overwrites(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("init")[:2] == (
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
