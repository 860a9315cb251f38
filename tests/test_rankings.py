"""Systems by several references: whether these rank them alike."""

from __future__ import annotations

import pytest

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import PreorderEvalError
from preorder_eval.results.comparison import compare
from preorder_eval.results.order_scoring import evaluate
from preorder_eval.results.rankings import Rankings, disagreement, opposed

SIZE = 30
WORDS = [["a", "b", "c", "d"]] * SIZE
ORDERS = {
    "kept": [[0, 1, 2, 3]] * SIZE,
    "near": [[0, 1, 3, 2]] * SIZE,
    "far": [[3, 2, 0, 1]] * SIZE,
}
TARGETS = {"forward": [0, 1, 2, 3], "backward": [3, 2, 1, 0], "swapped": [0, 1, 3, 2]}


def result(reference, names=tuple(ORDERS), metrics=("kendall", "fuzzy")):
    """Systems by a reference order of all sentences."""
    place = {source: target for target, source in enumerate(TARGETS[reference])}
    links = Alignments.of([[(i, place[i]) for i in range(4)]] * SIZE)
    orders = {name: ORDERS[name] for name in names}
    data = ReferenceSet(reference, WORDS, links)
    return evaluate(data, metrics=metrics, orders=orders, resamples=20)


@pytest.fixture(scope="module")
def results():
    return {name: result(name) for name in TARGETS}


def test_values_and_correlations(results):
    rankings = Rankings.of(results)
    values, correlations = rankings.tables()
    # τ of kept, near and far: 1, 5/6 and 1/6 forward, and the rest backward.
    by_name = {tuple(row[:2]): row[2:] for row in values.rows}
    assert by_name["τ", "kept"] == pytest.approx([1, 0, 5 / 6])
    assert by_name["τ", "far"] == pytest.approx([1 / 6, 5 / 6, 1 / 3])
    rows = {tuple(row[:2]): row[2] for row in correlations.rows}
    assert rows["forward", "backward"] == pytest.approx(-1)
    assert rows["forward", "swapped"] == pytest.approx(0.5)
    assert set(rankings.signatures) == {
        "kendall by forward, backward, swapped",
        "fuzzy(match=word) by forward, backward, swapped",
    }


def test_the_verdict_names_what_differs_and_what_is_best(results):
    both = {name: results[name] for name in ("forward", "backward")}
    verdict = Rankings.of(both).verdict
    assert verdict == disagreement(both)
    assert verdict.startswith(
        "The references rank the 3 systems differently: ρ of τ -1.000 for forward and backward"
    )
    assert "best by τ: kept by forward; far by backward." in verdict
    alike = {name: result(name, metrics=["kendall"]) for name in ("forward", "swapped")}
    assert Rankings.of(alike).verdict == "The references rank the 3 systems alike: ρ of τ 0.500."
    assert disagreement(alike) == ""


def test_systems_that_all_have_are_ranked_and_parameters_may_differ(results):
    other = result("backward", ("far", "near"), ["kendall(root=true)"])
    rankings = Rankings.of({"forward": results["forward"], "backward": other})
    assert (rankings.systems, list(rankings.metrics)) == (["near", "far"], ["τ"])
    assert rankings.signatures == ["kendall by forward", "kendall(root=true) by backward"]
    # Of two systems any ρ is 1 or -1: the two are to be compared.
    assert rankings.differing() == []


@pytest.mark.parametrize(
    ("names", "metrics", "message"),
    [
        (("kept",), ["kendall"], "1 system in common"),
        (("kept", "far"), ["hamming"], "share no metric of orders"),
    ],
)
def test_what_cannot_be_ranked(results, names, metrics, message):
    other = result("backward", names, metrics)
    with pytest.raises(PreorderEvalError, match=message):
        Rankings.of({"forward": results["forward"], "backward": other})
    assert disagreement({"forward": results["forward"], "backward": other}) == ""
    with pytest.raises(PreorderEvalError, match="1 reference with"):
        Rankings.of({"forward": results["forward"]})


def test_two_systems_that_references_disagree_on(results):
    compared = {n: compare(r, systems=["kept", "far"]) for n, r in results.items()}
    assert opposed(compared) == (
        "The references disagree: far is better by backward, worse by forward, swapped."
    )
    assert opposed({name: compared[name] for name in ("forward", "swapped")}) == ""
    few = {name: result(name).chosen(["near", "kept"]) for name in ("forward", "swapped")}
    assert "kept is better by forward, worse by swapped." in opposed(
        {name: compare(each) for name, each in few.items()}
    )


def test_an_insignificant_difference_only_may_disagree(results):
    """Of the sentences of the second reference one alone goes the other way."""
    orders = {"kept": ORDERS["kept"], "far": ORDERS["far"]}
    links = [[(i, 3 - i) for i in range(4)]] + [[]] * (SIZE - 1)
    data = ReferenceSet("once", WORDS, Alignments.of(links))
    once = evaluate(data, metrics=["kendall"], orders=orders, resamples=20)
    forward = result("forward", ("kept", "far"), ["kendall"])
    assert opposed({"forward": compare(forward), "once": compare(once)}) == (
        "The references may disagree: far is better by once (not significantly), worse by forward."
    )
