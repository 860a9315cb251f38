"""Gold trees show what parsers could reach: they are no candidate among them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import preorder_eval as pe
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.trees.conllu import write_conllu


@pytest.fixture(scope="module")
def parsers(tuned_parser):
    return ["gold", "en-web", f"other={tuned_parser}(consensus=8)"]


@pytest.fixture(scope="module")
def both(parsers):
    return pe.evaluate("en-ja-web/test", parsers=parsers, rules=["none", "en-ja"], resamples=100)


@pytest.mark.slow
def test_gold_stands_last_and_apart(both):
    assert both.systems == ["none", "en-web/en-ja", "other/en-ja", "gold/en-ja"]
    assert both.systems[both.best] == "other/en-ja"
    assert both.systems[both.baseline] == "en-web/en-ja"
    compared = {number for pair in both.pairs[0] for number in (pair.first, pair.second)}
    assert compared == {0, 1, 2}
    assert "other/en-ja" in both.verdict
    assert "gold" not in both.verdict
    assert [line.split()[:2] for line in both.show().splitlines() if "ceiling" in line] == [
        ["gold", "(ceiling)"]
    ]


@pytest.mark.slow
def test_pairs_and_their_correction_are_without_gold(parsers):
    alone = pe.evaluate(
        "en-ja-web/test", parsers=parsers[1:], rules=["en-ja"], significance=True, resamples=50
    )
    beside = pe.evaluate(
        "en-ja-web/test", parsers=parsers, rules=["en-ja"], significance=True, resamples=50
    )
    assert [pair.p_holm for pair in beside.pairs[0]] == [pair.p_holm for pair in alone.pairs[0]]


@pytest.mark.slow
def test_gold_competes_where_it_is_named_or_there_is_nothing_else(both):
    named = both.with_sampling(baseline="gold/en-ja")
    assert named.systems[named.baseline] == "gold/en-ja"
    assert "ceiling" not in named.show()
    assert named.verdict.startswith("No system orders better than gold/en-ja: FRS 0.8")
    only = pe.evaluate("en-ja-web/test", parsers="gold", rules=["none", "en-ja"], resamples=10)
    assert only.verdict.startswith("en-ja orders better than none: FRS +")
    assert only.with_sampling(baseline="none").verdict == only.verdict
    fell = only.with_sampling(baseline="gold/en-ja").verdict
    assert fell.startswith("system none orders worse than en-ja: FRS -")
    assert both.system_number("gold/none") == both.system_number("none") == 0
    compared = pe.compare(both, systems=["en-web/en-ja", "gold/en-ja"])
    assert compared.verdict.startswith("gold/en-ja orders better than en-web/en-ja")


@pytest.mark.slow
def test_gold_is_known_by_its_trees(tmp_path, both):
    """A label hides it as little as a file; a file that is only called so is none."""
    data = pe.load_reference("en-ja-web/test")
    write_conllu(tmp_path / "copy.conllu", data.trees)
    trees = [tmp_path / "copy.conllu", "best=gold", f"gold={tmp_path / 'other.conllu'}"]
    write_conllu(tmp_path / "other.conllu", pe.load_parser("en-web").parse(data.source))
    result = pe.evaluate(data, parsers=trees, rules=["en-ja"], resamples=10)
    ceilings = {system.name: system.ceiling for system in result.made}
    best, own = (result.value(f"{name}/en-ja") for name in ("best", "gold"))
    assert ceilings == {"gold/en-ja": False, "copy/en-ja": True, "best/en-ja": True}
    assert result.verdict.startswith(f"gold/en-ja: FRS {own:.3f}; gold trees: {best:.3f}.")
    write_run(both, tmp_path / "run")
    assert [system.ceiling for system in read_run(tmp_path / "run").made] == [False] * 3 + [True]


@pytest.mark.slow
def test_every_door_has_the_same_default(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = json.loads(run("evaluate", "--resamples", 10, "--json")[1])
    python = pe.evaluate(resamples=10).to_dict()
    assert told["reference"]["name"] == python["reference"]["name"] == "en-ja-web/dev"
    assert [s["system"] for s in told["systems"]] == ["en-web/none", "en-web/en-ja"]
    assert told["systems"] == python["systems"]


@pytest.mark.slow
def test_what_learned_from_a_sibling_is_marked(both, tuned_parser):
    assert both.learned == {"rules en-ja": ["en-ja-web/dev"], "parser other": ["en-ja-web/dev"]}
    verdict = both.verdict
    assert "other was trained on en-ja-web/dev, a split of the same text: its" in verdict
    marked = [line.split()[0] for line in both.show().splitlines() if "en-ja†" in line]
    assert marked == ["en-web", "other†", "gold"]
    korean = pe.evaluate("en-ko", parsers=tuned_parser, rules=["none", "en-ko"], resamples=5)
    assert "parser tuned" not in korean.learned


# A parser's tests: files of trees, gates, and a run that replaces the last one


TREES = ["--reference", "en-ja-web/test", "--rules", "en-ja", "--resamples", "50"]


@pytest.fixture(scope="module")
def files(tmp_path_factory, both):
    folder = tmp_path_factory.mktemp("trees")
    for name in ("en-web", "other"):
        system = both.made[both.system_number(f"{name}/en-ja")]
        write_conllu(folder / f"{name}.conllu", system.origin().trees)
    return folder


@pytest.fixture
def there(files, monkeypatch):
    monkeypatch.chdir(files)
    return files


def spoil(folder):
    """Write trees without objects, which are worse."""
    text = (folder / "en-web.conllu").read_text(encoding="utf-8")
    (folder / "spoilt.conllu").write_text(text.replace("\tobj\t", "\tdep\t"), encoding="utf-8")


@pytest.mark.slow
def test_two_files_of_trees_are_compared(run, there, both):
    command = ["compare", "old=en-web.conllu", "other.conllu", *TREES]
    code, out, _ = run(*command, "--json")
    assert code == 0
    rows = json.loads(out)["metrics"]
    names = ("en-web/en-ja", "other/en-ja")
    for m, row in enumerate(rows):
        assert [row["first"], row["second"]] == [both.value(name, m) for name in names]
    assert run(*command, "--gate", "fuzzy:0")[0] == 0
    spoil(there)
    worse = ["compare", "en-web.conllu", "old=spoilt.conllu", *TREES, "--gate", "FRS:0"]
    code, _, err = run(*worse)
    assert (code, "gate FRS:0 failed: fuzzy(match=word) of old/en-ja fell by" in err) == (1, True)


@pytest.mark.slow
def test_evaluate_has_gates_against_a_system(run, there):
    spoil(there)
    command = ["evaluate", "--trees", "spoilt.conllu", "--trees", "en-web.conllu", *TREES]
    command += ["--rules", "none"]  # lower than both, and no candidate
    for name, code in (("spoilt/en-ja", 0), ("en-web/en-ja", 1)):
        assert run(*command, "--against", name, "--gate", "fuzzy:0")[0] == code
    assert run(*command, "--gate", "fuzzy:0")[0] == 2


@pytest.mark.slow
def test_a_run_replaces_an_earlier_run_alone(run, there):
    command = ["evaluate", "--trees", "en-web.conllu", *TREES, "--out", "run"]
    assert run(*command)[0] == 0
    before = Path("run/run.json").read_text()
    assert run(*command)[0] == 2
    assert run(*command, "--metric", "kendall", "--overwrite")[0] == 0
    assert Path("run/run.json").read_text() != before
    assert sorted(path.name for path in Path().glob(".*")) == []
    Path("run/notes.txt").write_text("mine")
    code, _, err = run(*command, "--overwrite")
    assert (code, "--overwrite replaces only run folders" in err) == (2, True)
    assert Path("run/notes.txt").read_text() == "mine"


def test_trees_that_are_the_gold_file_are_the_ceiling(tmp_path):
    """`--trees gold=g.conllu --gold g.conllu` was the best of the systems."""
    data = replace(load_reference("en-ko/test").take(range(20), "few"), trees=None, hashes={})
    gold = load_reference("en-ko/test").trees.take(np.arange(20))
    for name, trees in {"g": gold, "p": pe.parse(data.source, "en-web")}.items():
        write_conllu(tmp_path / f"{name}.conllu", trees)
    files = [f"gold={tmp_path}/g.conllu", f"A={tmp_path}/p.conllu"]
    how = {"parsers": files, "rules": ["none", "en-ko"], "resamples": 20}
    result = pe.evaluate(data, gold=tmp_path / "g.conllu", **how)
    assert [system.ceiling for system in result.made] == [False, False, True]
    assert result.verdict.startswith("A/en-ko orders better than none")
    assert not any(system.ceiling for system in pe.evaluate(data, **how).made)
