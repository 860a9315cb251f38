"""Run folders that the first edition (0.1.0) wrote are still read, and give the same numbers.

`data/first_edition/evaluate` and `data/first_edition/score` are as its two commands wrote them,
from trees with rules and an order file (with `--significance`), and from two outputs with two
references; `--resamples 20 --seed 3`.
"""

import json
import shutil
from pathlib import Path

import pytest

from preorder_eval.metrics import metric
from preorder_eval.results.comparison import compare
from preorder_eval.results.result import Sampling
from preorder_eval.results.run import read_run, write_run
from preorder_eval.stats.bootstrap import bootstrap, percentile_interval

FIRST = Path(__file__).parent / "data" / "first_edition"
KINDS = ("evaluate", "score")


def said(kind):
    return json.loads((FIRST / kind / "run.json").read_text(encoding="utf-8"))


def test_orders_are_read():
    result = read_run(FIRST / "evaluate")
    assert result.systems == ["parsed/verb-final", "two"]
    parsed, two = result.inputs.systems
    assert (parsed.parser, parsed.rules, two.parser, two.rules) == (
        "parsed",
        "verb-final",
        "two",
        "",
    )
    assert two.orders[0] == [0, 1, 2, 3]
    assert parsed.made_from.rules.name == "verb-final"
    assert parsed.made_from.trees.sentences == result.inputs.reference.source
    assert two.made_from is None
    assert result.inputs.reference.source[2] == ["Cats", "chase", "10\u00a0000", "mice"]
    assert result.inputs.reference.name == "p"
    assert dict(result.inputs.reference.hashes) == said("evaluate")["reference"]["files"]
    assert result.left_out == [2]
    assert result.sampling == Sampling(20, 3, "randomization", "all")


def test_outputs_are_read():
    result = read_run(FIRST / "score")
    assert result.systems == ["a", "b"]
    assert result.inputs.systems[1].hyp[2] == "\ta tab \\ back"
    ref, other = result.inputs.references
    assert (ref.name, other.name) == ("ref", "a")
    assert ref.sentences[2:5] == ["\ta tab \\ and back", "b", ""]
    assert dict(ref.made_by) == {
        "file": "ref.en",
        "sha256": said("score")["references"][0]["sha256"],
    }
    assert result.sampling == Sampling(20, 3, "randomization", "first")


@pytest.mark.parametrize("kind", KINDS)
def test_values_and_the_percentiles_of_their_resamples_are_equal(kind):
    """The first edition's intervals were plain percentiles."""
    result, old = read_run(FIRST / kind), said(kind)
    sampling = result.sampling
    drawn = bootstrap(result.measurements, resamples=sampling.resamples, seed=sampling.seed)
    for number, system in enumerate(old["systems"]):
        for sampled, name in zip(drawn, old["metrics"], strict=True):
            cells = system["scores"][name]
            value = cells["mean" if kind == "evaluate" else "value"]
            interval = percentile_interval(
                float(sampled.values[number]), sampled.resampled[:, number], 0.95
            )
            assert (interval.value, interval.low, interval.high) == pytest.approx(
                (value, cells["low"], cells["high"]), abs=1e-12
            )


def test_differences_and_their_p_are_equal():
    """All 2^7 subsets are tried, so that p is exact in both editions."""
    result, old = read_run(FIRST / "evaluate"), said("evaluate")["significance"]["pairs"]
    for [pair], expected in zip(result.pairs, old, strict=True):
        found = pair.difference
        assert found.value == pytest.approx(expected["difference"])
        assert found.p == pytest.approx(expected["p"])
        assert pair.p_holm == pytest.approx(expected["p_holm"])
        assert found.mark == expected["significance"]


def test_differences_by_koehns_test_are_equal():
    """The first edition's marks and intervals were those of the paired bootstrap."""
    for kind in KINDS:
        result = read_run(FIRST / kind)
        compared = compare(result, test="koehn")
        if kind == "evaluate":
            old = said(kind)["significance"]["pairs"]
        else:
            old = [said(kind)["systems"][1]["scores"][m] for m in said(kind)["metrics"]]
        for found, expected in zip(compared.metrics, old, strict=True):
            at_95 = found.difference.at_95
            assert (at_95.value, at_95.low, at_95.high) == pytest.approx(
                (expected["difference"], expected["low_95"], expected["high_95"]), abs=1e-12
            )
            assert found.difference.mark == expected["significance"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_written_anew_says_the_same(kind, tmp_path):
    old = read_run(FIRST / kind)
    write_run(old, tmp_path / "new")
    new = read_run(tmp_path / "new")
    assert new.to_dict() == old.to_dict()
    for name in ("sentences.tsv", "scores.tsv", "trees/parsed.conllu", "rules/verb-final.toml"):
        if (FIRST / kind / name).exists():
            text = (FIRST / kind / name).read_text(encoding="utf-8")
            # BLEU has said since how it splits words.
            text = text.replace("\tbleu(order=4,smooth=exp)", f"\t{metric('bleu')}")
            assert (tmp_path / "new" / name).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("kind", KINDS)
def test_commands_work_on_them(run, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("compare", FIRST / kind, "--json")
    assert (code, err) == (0, "")
    compared = json.loads(out)["metrics"][0]
    assert (compared["better"], compared["worse"]) == {"evaluate": (2, 4), "score": (0, 6)}[kind]
    assert run("report", FIRST / kind)[0] == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert {"evaluate": "<b>0.7619</b>", "score": "<b>0.4375</b>"}[kind] in page
    assert f"{kind} --" in page, "it says what was run"


def test_analyse_works_on_them(run):
    code, out, err = run(
        "analyse", FIRST / "evaluate", "--system", "parsed/verb-final", "--json", "--least", 1
    )
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["score"] == pytest.approx(
        said("evaluate")["systems"][0]["scores"]["fuzzy(match=word)"]["mean"]
    )
    # As the first edition's `analyse` printed it.
    total = found["total"]
    assert (total["count"], total["wrong"], total["parted"], total["missed"]) == (22, 6, 0, 5)
    assert total["inversions"] == pytest.approx(0.2727272727272727)
    assert [(own["sentence"], round(own["score"], 4)) for own in found["worst"]] == [
        (5, 0.0),
        (6, 0.3333),
    ]
    assert "label" in found["groups"]


def test_old_and_new_runs_stand_together(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind in KINDS:
        write_run(read_run(FIRST / kind), tmp_path / kind)
        names = {"evaluate": "two", "score": "b"}
        code, out, _ = run("compare", FIRST / kind, kind, "--system", names[kind], "--json")
        assert code == 0
        assert {m["difference"] for m in json.loads(out)["metrics"]} == {0}
        code, _, err = run("report", FIRST / kind, kind)
        assert (code, err) == (0, "")


def test_a_run_without_significance_compares_nothing(tmp_path):
    shutil.copytree(FIRST / "evaluate", tmp_path / "run")
    summary = said("evaluate")
    del summary["significance"]
    (tmp_path / "run" / "run.json").write_text(json.dumps(summary))
    assert read_run(tmp_path / "run").sampling.against == "none"
