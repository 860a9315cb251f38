"""`preorder-eval reproduce`."""

from __future__ import annotations

import json

import pytest

GOLD = ["reproduce", "references", "--parser", "gold", "--resamples", "20"]


def test_the_design_of_table_7_on_the_bundled_sets(run):
    code, out, errors = run(*GOLD, "--json")
    assert (code, errors) == (0, "")
    result = json.loads(out)
    assert result["automatic"] == {
        "model": "ibm1",
        "iterations": 5,
        "symmetrize": "none",
        "pairs": 400,
    }
    scores = {}
    for entry in result["references"]:
        assert entry["reference"]["sentences"] == 100
        for system in entry["systems"]:
            assert system["sentences"] + system["left_out"] == 100
            interval = system["scores"]["fuzzy(match=word)"]
            assert interval["low"] <= interval["value"] <= interval["high"]
            key = entry["translation"], entry["alignment"], system["rules"]
            scores[key] = interval["value"]
    assert len(scores) == 8
    # Good rules follow translations made for alignment more closely than standard ones.
    oriented = scores["alignment-oriented", "manual", "en-ja"]
    assert oriented > scores["standard", "manual", "en-ja"] + 0.1
    for translation in ("alignment-oriented", "standard"):
        assert scores[translation, "manual", "en-ja"] > scores[translation, "manual", "none"] + 0.1


@pytest.mark.slow
def test_table_and_tsv_hold_the_same(run):
    code, table, _ = run(*GOLD, "--rules", "reverse", "--symmetrize", "intersection")
    assert code == 0
    assert "symmetrization intersection" in table
    _, tsv, _ = run(*GOLD, "--rules", "reverse", "--symmetrize", "intersection", "--tsv")
    header, *rows = [line.split("\t") for line in tsv.splitlines()]
    assert header[:3] == ["translation", "alignment", "aligned"]
    assert len(rows) == 4
    for row, line in zip(rows, table.splitlines()[1:5], strict=True):
        values = dict(zip(header, row, strict=True))
        cells = line.split()
        assert cells[:3] == [values["translation"], values["alignment"], "reverse"]
        assert cells[3] == f"{float(values['fuzzy(match=word)']):.4f}"
        assert cells[-3:-1] == [values["sentences"], values["left_out"]]


def test_the_bundled_parser_is_the_default(run):
    code, out, _ = run("reproduce", "references", "--rules", "none", "--resamples", "5")
    assert code == 0
    assert "parser en-web" in out


def test_sets_that_do_not_fit_together(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, errors = run(*GOLD, "--standard", "nowhere")
    assert (code, out) == (2, "")
    assert "unknown reference set 'nowhere'" in errors
    code, out, errors = run(*GOLD, "--oriented", "en-ja-standard", "--standard", "en-ja")
    assert (code, out) == (2, "")
    assert "is not in en-ja-standard" in errors


@pytest.mark.parametrize(
    "arguments",
    [["--json", "--tsv"], ["--rules", "nothing"], ["--train-source", "x"], ["--symmetrize", "x"]],
)
def test_bad_options(run, arguments):
    code, out, _ = run(*GOLD, *arguments)
    assert (code, out) == (2, "")
