"""What other packages bring is found by name, and what is wrong with them is said in a line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from preorder_eval.alignment.ibm1 import align
from preorder_eval.errors import InputWarning
from preorder_eval.metrics.registry import entries, metric_type, metric_types
from preorder_eval.plugins import Registry, _installed

OUTSIDE = Path(__file__).parent / "outside"
FEW = ["--resamples", "20"]


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


def python_in(site, folder, *arguments):
    """Exit code, output and errors of a Python that has the packages of a folder."""
    paths = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    result = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "COLUMNS": "300"},
        check=False,
    )
    return result.returncode, result.stdout, result.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder of installed packages, with the one of `tests/outside`."""
    site = tmp_path_factory.mktemp("site")
    project = tomllib.loads((OUTSIDE / "pyproject.toml").read_text())["project"]
    install(site, project["name"], project["entry-points"])
    shutil.copytree(OUTSIDE / "preorder_outside", site / "preorder_outside")
    return site


@pytest.fixture
def command(site, tmp_path):
    """Runs the command line where the package is installed."""

    def command(*arguments):
        return python_in(site, tmp_path, "-m", "preorder_eval", *arguments)

    return command


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder where the test is, and where this process finds packages installed."""

    def forget():
        _installed.cache_clear()
        entries.cache_clear()
        metric_type.cache_clear()
        metric_types.cache_clear()
        sys.modules.pop("torn", None)

    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    forget()
    yield tmp_path
    forget()


@pytest.fixture
def run_outside(here, run, site, monkeypatch):
    """Runs the command line in this process, which takes no time to start."""
    monkeypatch.syspath_prepend(site)
    return run


@pytest.fixture(scope="module")
def evaluated(site, tmp_path_factory):
    """The folder of a run of `evaluate` with everything from outside."""
    folder = tmp_path_factory.mktemp("runs")
    rules = ["--rules", "straight", "--rules", "backwards"]
    metrics = ["--metric", "first_word", "--metric", "kendall"]
    code, _, errors = python_in(
        site, folder, "-m", "preorder_eval", "evaluate", "--reference", "tiny",
        "--parser", "chain", *rules, *metrics, *FEW, "--out", "run",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    return folder / "run"


def test_metric_parser_rules_and_reference_set_in_evaluate(command):
    code, out, errors = command(
        "evaluate", "--reference", "tiny", "--parser", "chain", "--rules", "straight",
        "--rules", "backwards", "--metric", "first_word", *FEW, "--json",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    summary = json.loads(out)
    assert summary["reference"]["name"] == "tiny"
    means = {s["system"]: s["scores"]["first_word"]["value"] for s in summary["systems"]}
    assert means == {
        "chain/straight": pytest.approx(1 / 3),
        "chain/backwards": pytest.approx(2 / 3),
    }


@pytest.mark.slow
def test_a_run_keeps_trees_and_rules_from_outside(evaluated, command):
    assert "\tX\t" in (evaluated / "trees" / "chain.conllu").read_text()
    assert sorted(path.name for path in (evaluated / "rules").iterdir()) == [
        "backwards.toml", "straight.toml",
    ]  # fmt: skip
    code, out, _ = command("rules", "check", *sorted((evaluated / "rules").iterdir()))
    assert (code, out.count("all right; rules: 1")) == (0, 2)


@pytest.mark.slow
def test_metric_in_compare(evaluated, command):
    systems = ["--system", "chain/straight", "--system", "chain/backwards"]
    code, out, errors = command("compare", evaluated, *systems, "--metric", "first_word", *FEW)
    assert (code, errors) == (0, "")
    assert "first_word" in out
    assert "+0.3333" in out


@pytest.mark.slow
def test_metric_in_report(evaluated, command, tmp_path):
    code, _, errors = command("report", evaluated, "--out", "page.html")
    assert (code, errors) == (0, "")
    assert "first_word" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def scored(site, tmp_path_factory):
    """A folder with a run of `score`, with a metric that has an input of its own."""
    folder = tmp_path_factory.mktemp("outputs")
    for name, text in {"mt1": "a b\nc\n", "mt2": "a b c\nd\n"}.items():
        (folder / name).write_text(text)
    (folder / "edits1").write_text("2\n1\n")
    (folder / "edits2").write_text("0\n1\n")
    code, _, errors = python_in(
        site, folder, "-m", "preorder_eval", "score", "--hyp", "mt1", "--hyp", "mt2",
        "--metric", "edits_per_word", "--input", "hyp_edits=edits1", "--input", "hyp_edits=edits2",
        *FEW, "--out", "run",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    return folder


def test_metric_with_an_input_of_its_own_in_score(scored):
    systems = json.loads((scored / "run" / "run.json").read_text())["systems"]
    assert [s["scores"]["edits_per_word"]["value"] for s in systems] == [1.0, 0.25]


@pytest.mark.slow
def test_metric_with_an_input_of_its_own_in_compare(scored, command):
    code, out, errors = command(
        "compare", scored / "run", "--system", "mt1", "--system", "mt2", *FEW, "--json"
    )
    assert (code, errors) == (0, "")
    assert "edits_per_word" in out
    assert "-0.75" in out


@pytest.mark.slow
def test_metric_with_an_input_of_its_own_in_report(scored, command, tmp_path):
    code, _, errors = command("report", scored / "run", "--out", "page.html")
    assert (code, errors) == (0, "")
    assert "edits_per_word" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_an_input_of_its_own_that_is_missing(scored, command):
    code, _, errors = command("score", "--hyp", scored / "mt1", "--metric", "edits_per_word")
    assert (code, errors.count("\n")) == (2, 1)
    assert "metric edits_per_word needs" in errors
    assert "hyp_edits" in errors


@pytest.mark.slow
def test_format_in_convert_and_recognised_by_its_content(command, tmp_path):
    (tmp_path / "links").write_text("0-1 1-0\n\n2-2\n")
    assert command("convert", "links", "new", "--to", "arrows") == (0, "", "")
    assert (tmp_path / "new").read_text() == "0>1 1>0\n\n2>2\n"
    for form in ("auto", "arrows"):
        back = command("convert", "new", "-", "--to", "pharaoh", "--from", form)
        assert back == (0, "0-1 1-0\n\n2-2\n", "")
    (tmp_path / "text").write_text("a b\nc d\ne f g\n")
    code, out, _ = command(
        "evaluate", "--source", "text", "--alignment", "new", "--alignment-format", "arrows",
        "--parser", "chain", "--rules", "backwards", *FEW,
    )  # fmt: skip
    assert (code, "reference new" in out) == (0, True)


def test_aligner(command, tmp_path):
    (tmp_path / "s").write_text("a b\nc\n")
    (tmp_path / "t").write_text("A B C\nD E\n")
    assert command("align", "s", "t", "--aligner", "diagonal") == (0, "0-0 1-1\n0-0\n", "")


def test_rules_are_listed_and_shown(run_outside):
    code, out, _ = run_outside("rules", "list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:]][-2:] == ["backwards", "straight"]
    for name, how in (("backwards", "heads last"), ("straight", "heads first")):
        code, out, _ = run_outside("rules", "show", name)
        assert (code, how in out) == (0, True)


def test_rules_made_by_a_package_have_no_file_to_watch(run_outside):
    code, _, errors = run_outside("watch", "--rules", "straight")
    assert (code, errors.count("\n")) == (2, 1)
    assert "rule set straight was made by a package and has no file" in errors


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["evaluate", "--metric", "first_wort"], "first_word"),
        (["parse", "--parser", "chains"], "chain"),
        (["rules", "check", "backward"], "backwards"),
        (["reference", "stats", "tinny"], "tiny"),
        (["convert", "x", "y", "--to", "arrow"], "arrows"),
        (["align", "x", "y", "--aligner", "diagonals"], "diagonal"),
    ],
)
def test_an_unknown_name_is_answered_with_the_names_there_are(run_outside, arguments, name):
    code, _, errors = run_outside(*arguments)
    assert (code, errors.count("\n")) == (2, 1)
    assert f"did you mean '{name}'?" in errors


@pytest.mark.parametrize(("arguments", "name"), [(["convert"], "arrows"), (["align"], "diagonal")])
def test_help_lists_the_names(command, arguments, name):
    code, out, _ = command(*arguments, "--help")
    assert (code, name in out) == (0, True)


@pytest.mark.slow
def test_nothing_is_imported_that_nobody_asked_for(site, tmp_path):
    script = (
        "import sys\nfrom preorder_eval.cli import app\n"
        "try: app(['evaluate', '--rules', 'none', '--parser', 'gold', '--metric', 'kendall'])\n"
        "except SystemExit: pass\n"
        "print(*sys.modules)"
    )
    code, out, _ = python_in(site, tmp_path, "-c", script)
    modules = out.splitlines()[-1].split()
    assert code == 0
    assert "preorder_eval.metrics.order" in modules
    assert not {"preorder_outside", "preorder_eval.metrics.bleu"} & set(modules)


# What asks for a thing of each kind.
ASKING = {
    "metrics": ["evaluate", "--metric", "thing"],
    "parsers": ["parse", "--parser", "thing"],
    "formats": ["convert", "x", "y", "--to", "thing"],
    "aligners": ["align", "x", "y", "--aligner", "thing"],
    "rules": ["rules", "check", "thing"],
    "references": ["reference", "stats", "thing"],
}
every_group = pytest.mark.parametrize("group", ASKING)


@every_group
def test_a_package_that_cannot_be_imported_is_named(here, run, group):
    (here / "torn.py").write_text("raise RuntimeError('two\\nlines')\n")
    install(here, "torn-package", one(group, "torn:thing"))
    code, out, errors = run(*ASKING[group])
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("preorder-eval: package torn-package: ")
    assert "'thing' (torn:thing) cannot be loaded: RuntimeError: two lines; mend" in errors


@every_group
@pytest.mark.parametrize("value", ["nowhere:thing", "json:thing", "json:", ":"])
def test_what_is_not_there_is_said(here, run, group, value):
    install(here, "torn-package", one(group, value))
    code, out, errors = run(*ASKING[group])
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("preorder-eval: package torn-package: ")


@pytest.mark.parametrize(
    ("group", "value"),
    [
        ("metrics", "string:digits"),
        ("metrics", "json:JSONDecoder"),
        ("metrics", "preorder_eval.metrics.order:OrderMetric"),
        ("parsers", "string:digits"),
        ("parsers", "json:JSONDecoder"),
        ("parsers", "torn:fails"),
        ("formats", "string:digits"),
        ("formats", "json:JSONDecoder"),
        ("aligners", "string:digits"),
        ("rules", "string:digits"),
        ("rules", "json:JSONDecoder"),
        ("rules", "torn:fails"),
        ("references", "string:digits"),
        ("references", "json:JSONDecoder"),
        ("references", "torn:fails"),
    ],
)
def test_what_is_of_the_wrong_type_is_refused(here, run, group, value):
    (here / "torn.py").write_text("def fails(): return 1 / 0\n")
    install(here, "torn-package", one(group, value))
    code, out, errors = run(*ASKING[group])
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("preorder-eval: package torn-package: ")


@every_group
def test_a_name_of_two_packages_is_refused(here, run, group):
    for name in ("one-package", "other-package"):
        install(here, name, one(group, "json:loads"))
    code, out, errors = run(*ASKING[group])
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert "is in one-package and in other-package; uninstall" in errors


def test_a_bundled_name_stays_the_bundled_one(here):
    install(here, "greedy-package", one("aligners", "json:loads", "ibm1"))
    known = Registry("aligners", {"ibm1": "preorder_eval.alignment.ibm1:align"})
    assert known["ibm1"].load() is align
    with pytest.warns(InputWarning, match="'ibm1' of package greedy-package is ignored"):
        assert list(known) == ["ibm1"]


def test_a_broken_package_disturbs_nobody_who_does_without_it(here, run):
    entries = {}
    for group in ASKING:
        entries |= one(group, "nowhere:thing")
    install(here, "torn-package", entries)
    (here / "links").write_text("0-1\n")
    for arguments in (
        ["evaluate", "--parser", "gold", "--rules", "none", "--metric", "kendall", *FEW],
        ["convert", "links", "-", "--to", "pharaoh"],
        ["align", "links", "links"],
    ):
        code, _, errors = run(*arguments)
        assert (code, errors) == (0, "")


def test_a_metric_must_be_called_by_its_own_name(here, run, site):
    install(here, "torn-package", one("metrics", "preorder_outside:FirstWord"))
    shutil.copytree(site / "preorder_outside", here / "preorder_outside")
    code, _, errors = run(*ASKING["metrics"])
    assert (code, errors.count("\n")) == (2, 1)
    assert "is not a complete subclass of Metric whose name is 'thing'" in errors
