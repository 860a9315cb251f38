"""Two systems by several references, which may disagree on them."""

from __future__ import annotations

import pytest

from preorder_eval.evaluation.compare import compare, opposed
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.reference_set import ReferenceSet

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


def test_two_systems_that_references_disagree_on(results):
    compared = {n: compare(r, systems=["kept", "far"]) for n, r in results.items()}
    assert opposed(compared) == (
        "The references disagree: far is better on backward, worse on forward, swapped."
    )
    assert opposed({name: compared[name] for name in ("forward", "swapped")}) == ""
    few = {name: result(name).chosen(["near", "kept"]) for name in ("forward", "swapped")}
    assert "kept is better on forward, worse on swapped." in opposed(
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
        "The references may disagree: far is better on once (not significantly), worse on forward."
    )
