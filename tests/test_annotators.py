"""Whether a verdict holds by each of two annotators and by the adjudicated references."""

from __future__ import annotations

from dataclasses import replace

import pytest

from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.sampling import between
from preorder_eval.evaluation.systems import System
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.references.reference_set import ReferenceSet

SIZE, WORDS = 30, ["a", "b", "c", "d"]
KEPT, TURNED = [[0, 1, 2, 3]] * SIZE, [[3, 2, 1, 0]] * SIZE


def annotated(orders):
    links = [[(word, place) for place, word in enumerate(order)] for order in orders]
    return ReferenceSet("x", [WORDS] * SIZE, Alignments.of(links))


def compared(first, second, **more):
    """Systems on references that want all turned, by two annotators who may want it otherwise."""
    by = {"first": annotated(first), "second": annotated(second)}
    orders = {"kept": KEPT, "turned": TURNED, **more}
    return evaluate(replace(annotated(TURNED), annotators=by), orders=orders, resamples=100)


HALF = KEPT[:15] + TURNED[15:]


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        (TURNED, TURNED, True),
        (TURNED, KEPT, False),  # another sign
        (HALF, TURNED, False),  # no significance
        (TURNED[:20] + [[]] * 10, TURNED, True),  # ten sentences of one annotator alone
    ],
)
def test_a_verdict_depends_on_nobody_if_all_decide_alike(first, second, alike):
    result = compared(first, second)
    assert result.estimates.annotators.sentences == sum(map(bool, first))
    assert ("The result depends on the annotator: " in result.verdict) != alike
    for who, orders in (("first", first), ("second", second)):
        both = [number for number, order in enumerate(first) if order]
        alone = annotated(orders).take(both, "x")
        given = {"kept": KEPT[: len(both)], "turned": TURNED[: len(both)]}
        by = evaluate(alone, orders=given, resamples=100, significance=True)
        difference = by.difference(0, 1)
        found = between(result.estimates.annotators.pairs[who], 0, 1)
        assert (found.value, found.p) == pytest.approx((difference.value, difference.p))


def test_of_several_systems_all_pairs_with_the_best_count():
    result = compared(TURNED, TURNED, middle=HALF)
    for pairs in result.estimates.annotators.pairs.values():
        named = [(result.systems[pair.first], result.systems[pair.second]) for pair in pairs]
        assert named == [("kept", "turned"), ("middle", "turned")]
    assert result.chosen(["kept", "middle"]).estimates.annotators is not None


def test_sets_without_two_annotators_say_nothing_of_it():
    result = evaluate(annotated(TURNED), orders={"kept": KEPT, "turned": TURNED}, resamples=10)
    assert result.estimates.annotators is None


def test_gold_trees_are_not_judged():
    data = replace(annotated(TURNED), annotators={"first": annotated(TURNED)})
    gold = {"parser": {"name": "gold", "gold": True}}
    systems = [
        System.from_orders(KEPT, data, "kept"),
        replace(System.from_orders(TURNED, data, "best"), made_by=gold),
    ]
    result = evaluate(data, systems, resamples=10)
    assert (result.estimates.annotators, result.verdict) == (
        None,
        "kept: FRS 0.000; gold trees: 1.000.",
    )


def test_layers_of_a_folder_are_its_annotators(tmp_path):
    for name, text in {
        "source.en": "a b\nc d\n",
        "target.ja": "x y\nz w\n",
        "en-ja.align": "0-1 1-0\n0-0 1-1\n",
        "target.first.ja": "x y\n\n",
        "en-ja.first.align": "0-1 1-0\n\n",
        "target.second.ja": "x y\nz w\n",
        "en-ja.second.align": "0-0 1-1\n0-0 1-1\n",
    }.items():
        (tmp_path / name).write_text(text)
    annotators = load_reference(tmp_path).annotators
    assert {who: data.informative.tolist() for who, data in annotators.items()} == {
        "first": [True, False],
        "second": [True, True],
    }
    assert load_reference(f"{tmp_path}@first").annotators == {}
