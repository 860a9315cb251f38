"""`preorder-eval metrics`, and what metrics may be called."""

import json

import pytest

from preorder_eval.metrics import metric, metric_types


def test_all_metrics_are_listed(run):
    code, out, err = run("metrics", "list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["metric", "needs", "better", "range", "source"]
    assert [line.split()[0] for line in lines[1:]] == list(metric_types())
    rows = [line.split("\t") for line in run("metrics", "list", "--tsv")[1].splitlines()]
    assert [row[0] for row in rows[1:]] == list(metric_types())
    listed = {row["metric"]: row for row in json.loads(run("metrics", "list", "--json")[1])}
    assert listed["wer"]["better"] == "lower"
    assert listed["kendall"]["needs"] == "orders, reference_orders"


def test_a_metric_is_shown(run):
    code, out, err = run("metrics", "show", "fuzzy")
    assert (code, err) == (0, "")
    assert out.startswith("fuzzy: Share of the joints between neighbouring words")
    assert "equation  (1): 1 − (C − 1) / (M − 1)\n" in out
    assert ">>>" not in out
    assert out.splitlines()[-1].split() == ["match", "word", "|", "position", "word"]
    shown = json.loads(run("metrics", "show", "ROUGE-L", "--json")[1])
    assert shown["metric"] == "rouge_l"
    defaults = {p["name"]: (p["values"], p["default"]) for p in shown["parameters"]}
    assert defaults["beta"] == ("a number | ratio", "1.0")
    assert defaults["lower"] == ("true | false", "false")


@pytest.mark.parametrize("name", metric_types())
def test_every_metric_can_be_shown(run, name):
    code, out, _ = run("metrics", "show", name)
    assert code == 0
    assert out.startswith(f"{name}: ")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("frs", "fuzzy(match=word)"), ("FUZZY", "fuzzy(match=word)"), ("tau", "kendall"),
        ("rho", "spearman"), ("FRS(match=position)", "fuzzy(match=position)"), ("WER", "wer"),
        ("Tau( root = true )", "kendall(root=true)"), ("lr-hb1", "LR-HB1"),
    ],
)  # fmt: skip
def test_names_that_people_type(typed, meant):
    assert metric(typed) == metric(meant)


def test_they_are_understood_by_commands(run):
    options = ["--parser", "gold", "--rules", "none", "--metric", "FRS", "--reference", "en-ja"]
    code, out, _ = run("evaluate", *options, "--tsv")
    assert code == 0
    assert out.startswith("parser\trules\tsentences\tleft_out\tfuzzy(match=word)\t")
    code, _, err = run("metrics", "show", "fuzy")
    assert code == 2
    assert err.startswith("preorder-eval: unknown metric 'fuzy' (did you mean 'fuzzy'?); known:")
