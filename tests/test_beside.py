"""Orders and outputs of the same systems as one result."""

import pytest

from preorder_eval.errors import InputWarning, PreorderEvalError
from preorder_eval.reporting.beside import beside
from preorder_eval.results.scoring import evaluate, score


@pytest.fixture(scope="module")
def orders():
    return evaluate("en-ko", parsers=["gold"], rules=["none", "en-ko"], metrics=["fuzzy"])


def outputs(orders, *names):
    target = [" ".join(words) for words in orders.inputs.reference.target]
    return score(dict.fromkeys(names, target), target, ["bleu", "wer"])


def test_scores_are_those_of_either(orders):
    scored = outputs(orders, "gold/en-ko", "gold/none")
    both = beside([scored, orders])
    assert both.systems == ["gold/en-ko", "gold/none"], "as the first result has them"
    assert [metric.name for metric in both.metrics] == ["fuzzy", "bleu", "wer"]
    for name in both.systems:
        assert both.value(name, "fuzzy(match=word)") == orders.value(name, "fuzzy(match=word)")
        assert both.value(name, "wer") == scored.value(name, "wer") == 0
    assert len(both.pairs[0]) == 1


def test_systems_with_but_one_of_the_two_are_left_out(orders):
    with pytest.warns(InputWarning, match="not both orders and outputs: gold/en-ko, mt"):
        both = beside([orders, outputs(orders, "gold/none", "mt")])
    assert both.systems == ["gold/none"]
    with pytest.raises(
        PreorderEvalError, match="orders are of gold/none, gold/en-ko, outputs of mt"
    ):
        beside([orders, outputs(orders, "mt")])


def test_other_text_is_refused(orders):
    few = score({"gold/none": ["a"], "gold/en-ko": ["a"]}, ["a"], ["wer"])
    with pytest.raises(PreorderEvalError, match="number of sentences, 150 and 1"):
        beside([orders, few])
