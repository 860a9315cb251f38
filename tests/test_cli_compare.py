"""`preorder-eval compare` and its gates."""

import json

import pytest

import preorder_eval as pe
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.references.reference_build import reference_from_files

SIZE = 20


def _trees(*heads):
    """The trees of `s.en`, all with these heads."""
    rows = [f"{n}\t%s\t_\tX\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n"
            for n, head in enumerate(heads, 1)]  # fmt: skip
    words = ((f"one{s}", "two", "three", "four") for s in range(SIZE))
    return "".join(f"{''.join(rows)}\n" % each for each in words)


FILES = {
    "s.en": "".join(f"one{s} two three four\n" for s in range(SIZE)),
    "s.align": "0-0 1-1 2-2 3-3\n" * SIZE,
    "chain.conllu": _trees(0, 1, 2, 3),
    "flat.conllu": _trees(0, 1, 1, 1),
    "good.order": "0 1 2 3\n" * (SIZE - 1) + "3 2 1 0\n",
    "poor.order": "0 2 1 3\n" * (SIZE - 2) + "0 1 2 3\n" * 2,
}


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
    ("a", "b", "more"),
    [("chain.conllu", "other=flat.conllu", "--rules reverse"),
     ("flat.conllu", "poor.order", "--rules reverse"), ("good.order", "poor.order", "")],
)  # fmt: skip
def test_systems_are_evaluated_and_compared(run, runs, a, b, more):
    """What `compare` says of two parsers or permutations is said of their runs."""
    own = ["--source", "s.en", "--alignment", "s.align", *more.split()]
    shown = run("compare", a, b, *own, "--json")
    for name, out in ((a, "first"), (b, "second")):
        how = "--orders" if name.endswith(".order") else "--trees"
        alone = own if how == "--trees" else own[:4]
        run("evaluate", how, name, *alone, "--out", out, "--overwrite", "-q")
    out = run("compare", "first", "second", "--json")[1]
    both = [json.loads(text) for text in (shown[1], out)]
    for found in both:
        del found["first"]["run"], found["second"]["run"], found["reference"]
    assert both[0] == both[1]


@pytest.mark.parametrize(
    ("command", "code", "lines", "message"),
    [
        ("before after --gate fuzzy:-0.005", 1, 1, "gate fuzzy:-0.005 failed: fuzzy(match=word)"),
        ("before after --gate fuzzy:0 --gate fuzzy:-0.1", 1, 2, "fell by 0.850"),
        ("before after --gate fuzzy:-0.99", 0, 1, "19 of 20 sentences differ"),
        ("after before --gate fuzzy:-0.005", 0, 0, ""),
    ],
)  # fmt: skip
def test_gates(run, runs, command, code, lines, message):
    found, out, err = run("compare", *command.split())
    assert (found, len(err.splitlines())) == (code, lines)
    assert "fuzzy" in out
    assert message in err


@pytest.mark.slow
def test_rule_files_are_compared_on_the_constructions(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("none", "en-ja"):
        toml = run("rules", "show", name, "--toml")[1]
        (tmp_path / f"{name}.toml").write_text(toml, encoding="utf-8")
    files = ("none.toml", "en-ja.toml")
    code, out, _ = run("compare", *files, "--reference", "constructions", "--parser", "gold")
    assert (code, "en-ja orders better than none" in out) == (0, True)


def test_bundled_rule_sets_are_compared_by_name(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    how = ["--reference", "en-ko", "--parser", "gold", "--resamples", 10, "--sentences", 0]
    code, out, err = run("compare", "none", "reverse", *how)
    assert (code, err) == (0, "")
    assert "A  en-ko/dev  gold/none\nB  en-ko/dev  gold/reverse" in out


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
    assert err == "preorder-eval: note: only one of the runs has en-hi-dev; skipped\n"
    [_, second] = json.loads(out)["comparisons"]
    alone = json.loads(run("compare", "a/en-tr-dev", "b/en-tr-dev", "--json")[1])
    assert second["metrics"] == alone["metrics"]
