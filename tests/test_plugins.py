"""What other packages bring is found by name, and what is wrong with them is said in a line.

The package in `tests/outside` brings one thing of every kind, and metrics of orders, of words, of
tags and with an input of its own: each is a class, and every command takes it.
"""

from __future__ import annotations

import json
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
from judged_outputs import SYSTEMS, JudgedOutputs

from preorder_eval.base.errors import InputWarning
from preorder_eval.base.plugins import Registry, _installed
from preorder_eval.evaluation.score import score
from preorder_eval.metrics.outputs.chrf import Chrf
from preorder_eval.metrics.registry import _for_people, entries, metric_type, metric_types

OUTSIDE = Path(__file__).parent / "outside"
FEW = ["--resamples", "20"]
EMPTY = "preorder-eval: warning: out.poor: no output in 1 line of 30: 4\n"


def install(site, name, entries):
    """Put into a folder what an installer notes of a package: its name and its entry points."""
    info = site / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = []
    for group, named in entries.items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in named.items())]
    (info / "entry_points.txt").write_text("\n".join([*lines, ""]))


def one(group, value, name="thing"):
    """The entry points of a package that brings a single thing."""
    return {f"preorder_eval.{group}": {name: value}}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder of installed packages, with the one of `tests/outside`."""
    site = tmp_path_factory.mktemp("site")
    project = tomllib.loads((OUTSIDE / "pyproject.toml").read_text())["project"]
    install(site, project["name"], project["entry-points"])
    shutil.copytree(OUTSIDE / "preorder_outside", site / "preorder_outside")
    return site


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder where the test is, and where this process finds packages installed."""

    def forget():
        for cached in (_installed, entries, metric_type, metric_types, _for_people):
            cached.cache_clear()
        sys.modules.pop("torn", None)

    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    forget()
    yield tmp_path
    forget()


@pytest.fixture
def command(here, run, site, monkeypatch):
    """Runs the command line where the outside package is installed."""
    monkeypatch.syspath_prepend(site)
    return run


@pytest.fixture
def outputs(command):
    """Judged outputs in files, with a number of edits for each."""
    data = JudgedOutputs(0)
    data.write()
    for name, words in zip(SYSTEMS, data.outputs, strict=True):
        counted = "".join(f"{len(own) // 2}\n" for own in words)
        Path(f"edits.{name}.txt").write_text(counted)
    return data


HYPS = [part for name in SYSTEMS for part in ("--hyp", f"out.{name}.en")]
EDITS = [part for name in SYSTEMS for part in ("--input", f"hyp_edits=edits.{name}.txt")]
SCORE = ["score", *HYPS, "--ref", "ref.en", *FEW]
OWN = "edits_per_word"


def by_hand(data, system):
    words = data.outputs[SYSTEMS.index(system)]
    return sum(len(own) // 2 for own in words) / sum(map(len, words))


def test_metric_parser_and_rules_from_evaluate_to_report(command):
    run = ["--reference", OUTSIDE / "tiny", "--parser", "chain", "--rules", "straight"]
    code, out, errors = command(
        "evaluate", *run, "--rules", "backwards", "--metric", "first_word", "--metric", "kendall",
        *FEW, "--json", "--out", "run",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    summary = json.loads(out)
    assert summary["reference"]["name"] == "tiny"
    means = {s["system"]: s["scores"]["first_word"]["value"] for s in summary["systems"]}
    assert means == {
        "chain/straight": pytest.approx(1 / 3),
        "chain/backwards": pytest.approx(2 / 3),
    }
    assert "\tX\t" in Path("run/trees/chain.conllu").read_text()
    rules = sorted(Path("run/rules").iterdir())
    assert [path.name for path in rules] == ["backwards.toml", "straight.toml"]
    assert command("rules", "check", *rules)[0] == 0
    systems = ["--system", "chain/straight", "--system", "chain/backwards"]
    code, out, errors = command("compare", "run", *systems, "--metric", "first_word", *FEW)
    assert (code, errors, "first_word" in out) == (0, "", True)
    code, _, errors = command("report", "run", "--out", "page.html")
    assert (code, errors) == (0, "")
    assert "first_word" in Path("page.html").read_text(encoding="utf-8")


def test_a_metric_with_an_input_of_its_own(outputs, command):
    texts = {n: list(map(" ".join, w)) for n, w in zip(SYSTEMS, outputs.outputs, strict=True)}
    reference = list(map(" ".join, outputs.references[0]))
    counts = [Path(f"edits.{name}.txt").read_text().split() for name in SYSTEMS]
    with pytest.warns(InputWarning, match="no output in 1 line"):
        result = score(texts, reference, [OWN, "wer"], resamples=10, hyp_edits=counts)
    chosen = ("--metric", OWN, "--metric", "wer")
    code, out, errors = command(*SCORE, *EDITS, *chosen, "--json", "--out", "run")
    assert (code, errors) == (0, EMPTY)
    printed = json.loads(out)
    for name, system in zip(SYSTEMS, printed["systems"], strict=True):
        assert result.value(name, OWN) == pytest.approx(by_hand(outputs, name))
        assert system["scores"][OWN]["value"] == pytest.approx(by_hand(outputs, name))
    files = [given["file"] for given in printed["inputs"]["hyp_edits"]]
    assert files == [f"edits.{name}.txt" for name in SYSTEMS]

    options = ("--system", "out.good", "--system", "out.poor", *FEW, "--json")
    code, out, errors = command("compare", "run", *options)
    assert (code, errors) == (0, EMPTY)
    difference = json.loads(out)["metrics"][0]["difference"]
    assert difference == pytest.approx(by_hand(outputs, "poor") - by_hand(outputs, "good"))

    meta = ("meta", *FEW, "--human", "human.tsv", "--tsv", "--hyp", "out.*.en", "--ref", "ref.en")
    given = ("--input", "hyp_edits=edits.*.txt")  # each is found by its system's name
    code, out, errors = command(*meta, *chosen, *given)
    assert (code, errors.count("\n")) == (0, 1)
    assert "3 systems cannot show (at least 4 are needed)" in errors
    assert f"\n{OWN}\t" in out

    code, _, errors = command("report", "run", "--out", "page.html")
    assert (code, errors) == (0, EMPTY)
    assert OWN in Path("page.html").read_text(encoding="utf-8")


def test_rules_made_by_a_package_have_no_file_to_watch(command):
    code, _, errors = command("watch", "--rules", "straight")
    assert (code, errors.count("\n")) == (2, 1)
    assert "rule set straight is provided by a package and has no file" in errors


# What asks for a thing of each kind.
ASKING = {
    "metrics": ["evaluate", "--metric", "thing"],
    "parsers": ["parse", "--parser", "thing"],
    "rules": ["rules", "check", "thing"],
}
every_group = pytest.mark.parametrize("group", ASKING)


TORN = ["torn:thing", "nowhere:thing", "json:thing", ":"]  # which cannot be imported
WRONG = {
    "metrics": [
        "string:digits",
        "json:JSONDecoder",
        "preorder_eval.metrics.orders.order:OrderMetric",
    ],
    "parsers": ["string:digits", "json:JSONDecoder", "failing:fails"],
    "rules": ["string:digits", "json:JSONDecoder", "failing:fails"],
}


@pytest.mark.slow
@every_group
def test_what_is_wrong_with_a_package_is_one_line_that_names_it(here, run, monkeypatch, group):
    (here / "torn.py").write_text("raise RuntimeError('two\\nlines')\n")
    (here / "failing.py").write_text("def fails(): return 1 / 0\n")
    for number, value in enumerate([*TORN, *WRONG[group]]):
        _installed.cache_clear()
        entries.cache_clear()
        install(here / str(number), f"torn-{number}", one(group, value))
        with monkeypatch.context() as patch:
            patch.syspath_prepend(here / str(number))
            code, out, errors = run(*ASKING[group])
        assert (code, out, errors.count("\n")) == (2, "", 1), value
        assert errors.startswith(f"preorder-eval: package torn-{number}: "), value
        if value == "torn:thing":
            assert "(torn:thing) cannot be loaded: RuntimeError: two lines; fix" in errors


@every_group
def test_a_name_of_two_packages_is_refused(here, run, group):
    for name in ("one-package", "other-package"):
        install(here, name, one(group, "json:loads"))
    code, out, errors = run(*ASKING[group])
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert "is provided by one-package and by other-package; uninstall" in errors


def test_a_bundled_name_stays_the_bundled_one(here):
    install(here, "greedy-package", one("metrics", "json:loads", "chrf"))
    known = Registry("metrics", {"chrf": "preorder_eval.metrics.outputs.chrf:Chrf"})
    assert known["chrf"].load() is Chrf
    with pytest.warns(InputWarning, match="'chrf' of package greedy-package is ignored"):
        assert list(known) == ["chrf"]


def test_a_metric_must_be_called_by_its_own_name(here, run, site):
    install(here, "torn-package", one("metrics", "preorder_outside:FirstWord"))
    shutil.copytree(site / "preorder_outside", here / "preorder_outside")
    code, _, errors = run(*ASKING["metrics"])
    assert (code, errors.count("\n")) == (2, 1)
    assert "is not a complete subclass of Metric whose name is 'thing'" in errors
