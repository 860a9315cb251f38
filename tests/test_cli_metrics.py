"""`preorder-eval metrics`: the list of metrics, and each of them."""

import json

import pytest

from preorder_eval.metrics import metric_types


@pytest.mark.parametrize("name", metric_types())
def test_every_metric_can_be_shown(run, good, name):
    out = good("metrics", name)
    assert out.startswith(f"{name}: ")
    facts = json.loads(run("metrics", name, "--json")[1])
    assert facts["metric"] == name
    assert facts["equation"] in out
    for parameter in facts["parameters"]:
        assert f"\n{parameter['name']} " in out


@pytest.mark.parametrize(("name", "found"), [("ROUGE-L", "rouge_l"), ("LR-HB1", "lrscore")])
def test_other_names_are_understood(run, name, found):
    assert json.loads(run("metrics", name, "--json")[1])["metric"] == found


def test_parameters_with_their_values_and_defaults(good):
    lines = [" ".join(line.split()) for line in good("metrics", "rouge_s").splitlines()]
    assert lines[-4:] == [
        "beta a number | ratio 1.0",
        "stem true | false false",
        "jackknife true | false false",
        "skip a whole number | none none",
    ]


def test_what_a_metric_equals(run):
    assert "equals    ribes-1.03.1 on the same words\n" in run("metrics", "ribes")[1]
    rouge = run("metrics", "ROUGE-L")[1]
    assert "equals    rouge-score by like=rouge-score: tokenize=rouge_score\n" in rouge
    assert (
        "differs   METEOR 1.5 also matches synonyms and paraphrases" in run("metrics", "meteor")[1]
    )
    code, _, err = run("score", "--hyp", "x", "--ref", "x", "--metric", "ribes(like=nltk)")
    assert code == 2
    assert "unknown program that ribes equals 'nltk'; known: ribes-1.03.1" in err
