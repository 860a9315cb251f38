"""`preorder-eval tune` from the command line."""

import json

import pytest
from judged_outputs import JudgedOutputs

QUICK = ("--folds", 3, "--starts", 2, "--resamples", 50)
TEXTS = ("--hyp", "out.*.en", "--ref", "ref.en")
JUDGED = ("--human", "human.tsv")
OWN = (*TEXTS, *JUDGED, *QUICK)


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Outputs, a reference, scores, a source and its alignments as files."""
    monkeypatch.chdir(tmp_path)
    data = JudgedOutputs(0)
    data.write()
    return data


def test_lrscore_with_automatic_alignments(good, data):
    links = ("--align", "ibm1", "--source", "src.ja", "--source-tokenize", "none")
    out = good("tune", "LR-KB4(alpha=?)", *OWN, *links, "--tokenize", "13a", "--json")
    assert [s["setting"] for s in json.loads(out)["settings"]] == ["default", "fitted"]


@pytest.mark.parametrize("signature", ["hppr(weights=?:?:1)", "ebleu(alpha=?)"])
def test_estimates_from_tags_need_no_references(run, good, data, signature):
    tags = ("--hyp-tags", "out.*.pos", "--source-tags", "src.pos")
    out = good("tune", signature, *TEXTS[:2], *OWN[4:], *tags, "--json")
    default, found = json.loads(out)["settings"]
    assert found["fitted"] >= default["fitted"]
    tags = ("--hyp-tags", "out.good.pos", "--source-tags", "src.pos", "--metric", found["metric"])
    assert run("score", "--hyp", "out.good.en", *tags)[0] == 0


def test_tags_from_files_are_counted(run, good, data):
    tags = ("--hyp-tags", "out.*.en", "--ref-tags", "ref.en")
    out = good("tune", "hlepor(weights=?,mix=1:1)", *OWN, *tags, "--json")
    # Tags that are the words themselves change nothing.
    of_words = json.loads(run("tune", "hlepor(weights=?)", *OWN, "--json")[1])
    default, *_ = json.loads(out)["settings"]
    assert default["fitted"] == of_words["settings"][0]["fitted"]
