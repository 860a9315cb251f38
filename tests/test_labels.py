"""`label=path` wherever a file or a rule set is named."""

import json
import shutil

import pytest

import preorder_eval as pe
from preorder_eval.base.resources import bundled_names
from preorder_eval.trees.conllu import write_conllu


@pytest.fixture
def files(tmp_path, monkeypatch, gold):
    """Two files and two rule sets of the same name, in two folders."""
    monkeypatch.chdir(tmp_path)
    for folder, rules in (("one", "en-ja"), ("two", "none")):
        (tmp_path / folder).mkdir()
        write_conllu(tmp_path / folder / "out.conllu", gold)
        shutil.copy(bundled_names("rules")[rules], tmp_path / folder / "rules.toml")
        (tmp_path / folder / "out.order").write_text("0\n")
        (tmp_path / folder / "out.en").write_text(f"a {folder}\n")
    (tmp_path / "s.en").write_text("a\n")
    (tmp_path / "s.align").write_text("0-0\n")
    return tmp_path


@pytest.mark.slow
def test_trees_and_rules_stand_side_by_side(good, files):
    options = ["--reference", "en-ja"]
    options += ["--trees", "a=one/out.conllu", "--trees", "b=two/out.conllu"]
    options += ["--rules", "v1=one/rules.toml", "--rules", "v2=two/rules.toml", "--resamples", 10]
    out = good("evaluate", *options, "--json", "--out", "run")
    systems = [entry["system"] for entry in json.loads(out)["systems"]]
    assert systems == ["a/v1", "a/v2", "b/v1", "b/v2"]
    again = pe.read_run("run").inputs.systems[0].origin()
    assert again.rules.name == "v1"
    assert again.rules.rules == pe.load_rules("en-ja").rules
    assert (files / "run" / "trees" / "b.conllu").is_file()


def test_orders_and_alignments(run, files):
    own = ["--source", "s.en", "--alignment", "s.align", "--resamples", 10, "--tsv"]
    options = ["--orders", "a=one/out.order", "--orders", "two/out.order"]
    code, out, _ = run("evaluate", *own, *options, "--system-alignment", "c=s.align")
    assert code == 0
    assert [line.split("\t")[0] for line in out.splitlines()[1:]] == ["a", "out", "c"]


def test_outputs_and_references(run, files):
    outputs = ["--hyp", "mt1=one/out.en", "--hyp", "mt2=two/out.en", "--ref", "r=one/out.en"]
    code, out, _ = run("score", *outputs, "--metric", "wer", "--json", "--resamples", 10)
    assert code == 0
    found = json.loads(out)
    assert [entry["system"] for entry in found["systems"]] == ["mt1", "mt2"]
    assert found["systems"][0]["made_by"]["file"] == "one/out.en"
    assert [entry["name"] for entry in found["references"]] == ["r"]
