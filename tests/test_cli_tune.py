"""`preorder-eval tune` from the command line."""

import json

import pytest
from judged_outputs import JudgedOutputs
from score_files import inputs

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


def test_lrscore_with_automatic_alignments(run, data):
    links = ("--align", "ibm1(force=true)", "--input", "source(tokenize=none)=src.ja")
    code, out, err = run("tune", "LR-KB4(alpha=?)", *OWN, *links, "--tokenize", "13a", "--json")
    assert (code, err) == (0, "")
    assert [s["setting"] for s in json.loads(out)["settings"]] == ["default", "fitted"]


@pytest.mark.slow
@pytest.mark.parametrize("signature", ["hppr(weights=?:?:1)", "ebleu(alpha=?)"])
def test_estimates_from_tags_need_no_references(run, data, signature):
    tags = inputs("hyp_tags=out.*.pos", "source_tags=src.pos")
    code, out, err = run("tune", signature, *TEXTS[:2], *OWN[4:], *tags, "--json")
    assert (code, err) == (0, "")
    default, found = json.loads(out)["settings"]
    assert found["fitted"] >= default["fitted"]
    tags = inputs("hyp_tags=out.good.pos", "source_tags=src.pos")
    one = ("score", "--hyp", "out.good.en", "--metric", found["metric"])
    assert run(*one, *tags)[0] == 0


def test_tags_from_files_are_counted(run, data):
    tags = inputs("hyp_tags=out.*.en", "ref_tags=ref.en")
    code, out, err = run("tune", "hlepor(weights=?,mix=1:1)", *OWN, *tags, "--json")
    assert (code, err) == (0, "")
    # Tags that are the words themselves change nothing.
    of_words = json.loads(run("tune", "hlepor(weights=?)", *OWN, "--json")[1])
    default, *_ = json.loads(out)["settings"]
    assert default["fitted"] == of_words["settings"][0]["fitted"]
