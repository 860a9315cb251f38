"""Orders and outputs in one table of `preorder-eval score`, and all they need in one folder."""

import csv
import io
import json
from pathlib import Path

import pytest
from score_files import (
    BOTH,
    HYP_LINKS,
    HYP_TAGS,
    LINKS,
    LR,
    MIX,
    REF_TAGS,
    TEXT,
    TEXTS,
    expected_lrscore,
    values,
    write_files,
)

from preorder_eval.metrics import metric


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files()


def test_orders_and_outputs_stand_in_one_table(run):
    """The orders are those of the links; the sentence without links has none."""
    own = ("--ref", "ref.en", "--source", "src.ja", *HYP_LINKS, "--ref-alignment", "ref.align")
    chosen = ("--metric", "fuzzy", "--metric", "kendall", "--metric", "bleu", *LR)
    code, out, err = run(*TEXT, *own, *chosen, "--json")
    assert (code, err) == (0, "")
    summary = json.loads(out)
    assert summary["left_out"] == {"no links": [3]}
    assert summary["sentences"] == 3
    orders = {"good": [[0, 2, 1], [0, 1], []], "poor": [[1, 0, 2], [1, 0], []]}
    reference = [[[0], [2], [1]], [[0], [1]], []]
    for system in ("good", "poor"):
        found = values(out, system)
        for name in ("fuzzy(match=word)", "kendall"):
            expected = metric(name).score(orders[system], reference).corpus
            assert found[name] == pytest.approx(expected)
        bleu = metric("bleu(tokenize=13a)").score(TEXTS[f"{system}.en"], TEXTS["ref.en"])
        assert found[bleu.metric] == pytest.approx(bleu.corpus)
    _, out, _ = run(*TEXT, *own, *chosen)
    assert [line.split()[0] for line in out.splitlines()[1:9:2]] == [
        "fuzzy(match=word)", "kendall", str(metric("bleu", tokenize="13a")), str(metric("lrscore"))
    ]  # fmt: skip
    assert "\n3 sentences, 1 reference\nscore [95 % interval" in out
    assert "left out of fuzzy(match=word), kendall: 1 without links (sentences 3)\n" in out


def test_the_closest_of_several_references_counts_for_orders_too(run):
    code, out, err = run(*BOTH, *LINKS, "--metric", "fuzzy", "--metric", "kendall", "--json")
    assert (code, err) == (0, "")
    # Poor has the first sentence in the order of the second reference.
    for name, worst in (("fuzzy(match=word)", 0.0), ("kendall", 0.0)):
        assert values(out, "good")[name] == 1
        assert values(out, "poor")[name] == pytest.approx((1 + worst) / 2)


def test_orders_alone_are_those_of_evaluate(run):
    links = ("--source", "src.ja", *HYP_LINKS, "--ref-alignment", "ref.align")
    code, out, err = run(*TEXT, "--ref", "ref.en", *links, "--metric", "fuzzy", "--json")
    assert (code, err) == (0, "")
    for name in ("src.ja", "good.align", "poor.align", "ref.align"):  # which knows no blank line
        Path(name).write_text("".join(Path(name).read_text().splitlines(keepends=True)[:2]))
    systems = ("--system-alignment", "good.align", "--system-alignment", "poor.align")
    data = ("--source", "src.ja", "--alignment", "ref.align", "--metric", "fuzzy")
    _, other, _ = run("evaluate", *data, *systems, "--resamples", 50, "--json")
    assert [values(out, name) for name in ("good", "poor")] == [
        values(other, name) for name in ("good", "poor")
    ]


def test_words_are_aligned_by_learning(run):
    own = ("--source", "src.ja", "--align", "ibm1", *LR, "--metric", "fuzzy")
    code, out, err = run(*TEXT, "--ref", "ref.en", *own, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["inputs"]["align"] == {"aligner": "ibm1", "iterations": 5}
    source = ("--source-tokenize", "char", "--tokenize", "char")
    code, out, err = run(*TEXT, "--ref", "ref.en", *own, *source, "--out", "by-character")
    assert (code, err) == (0, "")
    assert "彼 本 読 む" in Path("by-character/sentences.tsv").read_text()
    assert run("compare", "by-character")[0] == 0
    code, _, err = run("report", "by-character", "--out", "page.html")
    assert (code, err) == (0, "")


KEPT = {
    "links": (*LINKS, *LR, "--metric", "wer"),
    "orders": (
        *("--source", "src.ja", *HYP_LINKS, "--ref-alignment", "ref.align"),
        *("--metric", "fuzzy", "--metric", "bleu", *LR),
    ),
    "tags": (*HYP_TAGS, *REF_TAGS, *MIX),
    "tags of the source": (*HYP_TAGS, "--source-tags", "src.pos", "--metric", "ebleu"),
}


@pytest.mark.parametrize("what", KEPT)
def test_a_run_folder_keeps_all_that_metrics_need(run, what):
    """What `compare` makes again from the folder is what was written."""
    refs = {"orders": ("--ref", "ref.en"), "tags of the source": ()}
    own = (*TEXT, *refs.get(what, BOTH[len(TEXT) :]), *KEPT[what])
    code, table, err = run(*own, "--out", "run", "--tsv")
    assert (code, err) == (0, "")
    for name in TEXTS:
        Path(name).unlink()
    code, out, err = run("compare", "run", "--resamples", 50, "--json")
    assert (code, err) == (0, "")
    _, poor = csv.DictReader(io.StringIO(table), delimiter="\t")
    for compared in json.loads(out)["metrics"]:
        for key in ("difference", "p"):
            assert compared[key] == float(poor[f"{compared['metric']} {key}"])


def test_compare_makes_other_metrics_of_what_was_kept(run):
    assert run(*BOTH, *LINKS, *LR, "--out", "run")[0] == 0
    code, out, err = run("compare", "run", "--metric", "LR-HB1", "--metric", "ribes", "--json")
    assert (code, err) == (0, "")
    hamming, ribes = json.loads(out)["metrics"]
    for place, system in (("first", "good"), ("second", "poor")):
        expected = expected_lrscore("LR-HB1", system).corpus
        assert hamming[place] == pytest.approx(expected)
        references = [TEXTS["ref.en"], TEXTS["ref2.en"]]
        expected = metric("ribes").score(TEXTS[f"{system}.en"], references).corpus
        assert ribes[place] == pytest.approx(expected)
