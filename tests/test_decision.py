"""One decision for every sentence, and what verdicts do not claim."""

import re

import numpy as np
import pytest

from preorder_eval.base.stats.bootstrap import Interval
from preorder_eval.base.stats.significance import Difference
from preorder_eval.evaluation.decision import DecidedDifference, Decision, least_differing
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.inputs import with_documents
from preorder_eval.evaluation.score import score, score_inputs
from preorder_eval.evaluation.systems import System
from preorder_eval.evaluation.words_or_order import words_or_order
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Orders
from preorder_eval.references.reference_set import ReferenceSet

LINES = [" ".join(np.random.default_rng(n).permutation(list("abcdefgh"))) for n in range(20)]


def difference(p, differing, value=0.1):
    at, least = Interval(value, -0.1, 0.3), 2.0 ** (1 - differing)
    return Difference(value, at, at, p, "randomization", differing=differing, least_p=least)


@pytest.mark.parametrize(
    ("p", "comparisons", "differing", "decision"),
    [
        (0.05, 1, 6, Decision.BETTER),
        (0.03, 2, 9, Decision.WEAKLY_BETTER),
        (0.001, 1, 5, Decision.CANNOT_BE_SHOWN),
        (0.03, 3, 6, Decision.WEAKLY_BETTER),
        (0.12, 1, 4, Decision.CANNOT_BE_SHOWN),
        (0.12, 1, 6, Decision.NO_EVIDENCE),
        (0.12, 3, 6, Decision.CANNOT_BE_SHOWN),
        (1.0, 1, 0, Decision.SAME),
    ],
)
def test_a_decision_rests_on_p_comparisons_and_what_differs(p, comparisons, differing, decision):
    found = DecidedDifference(difference(p, differing), comparisons=comparisons)
    assert found.decision == decision
    opposite = {"better": "worse"}.get(decision.kind, "")
    turned = DecidedDifference(difference(p, differing, -0.1), comparisons=comparisons)
    assert turned.decision.kind == opposite
    assert (
        DecidedDifference(difference(p, differing).unreadable()).decision == Decision.CANNOT_BE_READ
    )


@pytest.mark.parametrize("comparisons", [1, 2, 3, 10])
def test_fewer_sentences_cannot_reach_the_level(comparisons):
    least = least_differing(comparisons)
    assert 2 / 2**least * comparisons <= 0.05 < 2 / 2 ** (least - 1) * comparisons


def test_documents_count_where_they_are_the_unit(tmp_path):
    base = ["x " * (n < 4) + line for n, line in enumerate(LINES)]
    result = score({"base": base, "new": LINES}, LINES, ["wer"], resamples=50)
    (tmp_path / "ten").write_text("".join(f"{n // 2}\n" for n in range(20)))
    grouped = score_inputs(with_documents(result.inputs, tmp_path / "ten"), ["wer"])
    assert grouped.verdict.endswith("only 2 of 10 documents differ; at least 6 must.")
    facts = grouped.found.facts()
    assert (facts["decision"], facts["differing"], facts["documents"]) == ("cannot be shown", 2, 10)


def test_the_source_order_beside_them_changes_no_word_on_two_systems():
    """p of an annotator was multiplied by the pairs in the table, and that of the verdict not."""
    words, turned, middle = ["a", "b", "c", "d"], [3, 2, 1, 0], [0, 2, 1, 3]

    def annotated(orders, **more):
        links = [[(word, place) for place, word in enumerate(order)] for order in orders]
        return ReferenceSet("x", [words] * 40, Alignments.of(links), **more)

    first = annotated([[0, 1, 2, 3], *[turned] * 39])
    by = {"first": first, "second": annotated([turned] * 40)}
    data = annotated([turned] * 40, annotators=by)
    orders = {"A": [middle] * 40, "B": [turned] * 6 + [middle] * 34}
    two = [System(name, Orders.of(order)) for name, order in orders.items()]
    none = System("none", Orders.of([[0, 1, 2, 3]] * 40), made_by={"rules": {"name": "none"}})
    alone, beside = evaluate(data, two), evaluate(data, [none, *two])
    assert alone.verdict == beside.verdict
    told = "The result depends on the annotator: FRS +0.100 (p = 0.031) by adjudication, +0.083"
    assert told in alone.verdict
    assert [caveat.kind for caveat in alone.found.caveats] == ["few_units", "annotators"]


def test_a_system_called_none_is_not_no_system():
    worse = [f"x {line}" for line in LINES]
    for outputs in ({"none": LINES, "a": LINES, "b": worse}, {"a": LINES, "none": worse}):
        result = score(outputs, LINES, ["wer"], resamples=50)
        parts = words_or_order(result) if len(outputs) == 2 else None
        for told in (result.verdict, result.for_paper, parts.sentence if parts else ""):
            assert not re.search("(^|[.;:,] |In words )none", told), told
    assert "In words, system none is worse" in parts.sentence
    assert result.for_paper.startswith("On 20 sentences, system none is significantly worse than a")
