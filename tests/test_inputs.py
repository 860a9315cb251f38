"""Inputs: what fits together, what is held against what, and how two are joined."""

import dataclasses

import pytest

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.evaluation.inputs import Inputs, Texts, first_difference
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics import metric
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Alternatives, Orders
from preorder_eval.references.reference_set import ReferenceSet

SOURCE = [["a", "b"], ["c"]]
LINKS = Alignments.of([[(0, 1), (1, 0)], [(0, 0)]])
OTHER = Alignments.of([[(0, 0), (1, 1)], [(0, 0)]])
DATA = ReferenceSet("set", SOURCE, LINKS)
SEVERAL = Alternatives.of([[[[1], [0]], [[0], [1]]], [[[0]]]])
ORDERS = System("mt", Orders.of([[1, 0], [0]]), made_by={"orders": {"file": "o"}})
OUTPUT = System("mt", hyp=["y x", "z"], inputs={"hyp_alignment": LINKS}, made_by={"file": "h"})
REF = Texts("ref", ["y x", "z"])
OF_ORDERS = Inputs((ORDERS,), DATA)
OF_OUTPUTS = Inputs(
    (OUTPUT,), references=(REF,), shared={"source": SOURCE, "ref_alignment": [LINKS]}
)


def test_what_metrics_can_have_is_named():
    assert set(OF_ORDERS.names) >= {"orders", "reference_orders", "source"}
    assert "hyp" not in OF_ORDERS.names
    assert set(OF_OUTPUTS.names) >= {
        *("hyp", "ref", "source", "hyp_alignment", "ref_alignment", "orders", "reference_orders")
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"systems": ()}, "give at least one system"),
        ({"systems": (OUTPUT, OUTPUT)}, "2 systems are called mt; rename one"),
        ({"systems": (System("mt", hyp=["a"]),)}, "mt, outputs: 1 sentence, but ref has 2"),
        ({"systems": (System("mt", Orders.of([[0]])),)}, "mt, orders: 1 sentence, but ref has 2"),
        ({"systems": (System("mt", hyp=["a", "b"], inputs={"hyp_tags": ["N"]}),)},
         "mt, hyp_tags: 1 sentence, but ref has 2"),
        ({"references": (REF, Texts("other", ["a"]))}, "other: 1 sentence, but ref has 2"),
        ({"shared": {"source": [["a"]]}}, "source: 1 sentence, but ref has 2"),
        ({"shared": {"ref_tags": [["N", "V"], ["N"]]}}, "ref_tags: 1 sentence, but ref has 2"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_told(changes, message):
    with pytest.raises(PreorderEvalError, match=message):
        dataclasses.replace(OF_OUTPUTS, **changes)


@pytest.mark.parametrize(
    ("inputs", "signature", "lacking"),
    [
        (OF_ORDERS, "wer", "needs hyp"),
        (OF_OUTPUTS, "hlepor(mix=1:9)", "needs hyp_tags and ref_tags"),
        (Inputs((System("mt", hyp=["a"]),)), "kendall", "metric kendall needs .*orders"),
    ],
)
def test_what_a_metric_lacks_is_told(inputs, signature, lacking):
    inputs.require([])
    with pytest.raises(PreorderEvalError, match=lacking):
        inputs.require([metric(signature)])


def test_links_of_outputs_make_orders():
    assert list(OF_OUTPUTS.of(0).orders) == [[1, 0], [0]]
    assert list(OF_OUTPUTS.ordered.references) == list(DATA.references)
    assert OF_OUTPUTS.ordered.target == [["y", "x"], ["z"]]
    assert list(Inputs((OUTPUT,), DATA).of(0).orders) == [[1, 0], [0]]
    several = dataclasses.replace(
        OF_OUTPUTS, references=(REF, REF), shared={"source": SOURCE, "ref_alignment": [LINKS] * 2}
    )
    assert len(several.references) == 2


def test_systems_are_chosen_by_name_in_that_order():
    three = dataclasses.replace(OF_OUTPUTS, systems=tuple(OUTPUT.named(name) for name in "abc"))
    assert [own.name for own in three.chosen(["c", "a"]).systems] == ["c", "a"]


def test_a_system_of_both_has_what_it_has_in_either():
    both = OF_ORDERS.joined(OF_OUTPUTS)
    [system] = both.systems
    assert (system.orders, system.hyp) == (ORDERS.orders, OUTPUT.hyp)
    assert system.made_by == {"orders": {"file": "o"}, "file": "h"}
    assert (both.reference, both.references) == (DATA, (REF,))
    both.require([metric("kendall"), metric("wer"), metric("lrscore")])
    added = OF_ORDERS.joined(Inputs((OUTPUT.named("other"),), references=(REF,)))
    assert [own.name for own in added.systems] == ["mt", "other"]


def changed(**shared):
    return dataclasses.replace(OF_OUTPUTS, shared={**OF_OUTPUTS.shared, **shared})


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        (OF_ORDERS, OF_ORDERS, ""),
        (OF_ORDERS, OF_OUTPUTS, ""),
        (OF_ORDERS, Inputs((System("x", hyp=["a"]),)), "number of sentences, 2 and 1"),
        (OF_ORDERS, Inputs((ORDERS,), dataclasses.replace(DATA, source=[["a", "x"], ["c"]])),
         "source of sentence 1"),
        (OF_ORDERS, Inputs((ORDERS,), dataclasses.replace(DATA, alignments=OTHER)), "links of sen"),
        (OF_ORDERS, Inputs((ORDERS,), dataclasses.replace(DATA, alternatives=SEVERAL)),
         "reference orders of sentence 1"),
        (OF_ORDERS, changed(source=[["a", "b"], ["x"]]), "source of sentence 2"),
        (OF_OUTPUTS, changed(ref_alignment=[OTHER]), "ref_alignment 1 of sentence 1"),
        (changed(ref_tags=[["N", "V"]]), changed(ref_tags=[["N", "N"]]),
         "ref_tags 1 of sentence 2"),
        (changed(ref_tags=[["N", "V"]]), OF_OUTPUTS, ""),
        (changed(source_tags=["N", "V"]), changed(source_tags=["V", "V"]), "source_tags of sen"),
        (OF_OUTPUTS, dataclasses.replace(OF_OUTPUTS, references=(Texts("ref", ["y x", "w"]),)),
         "reference 1 of sentence 2"),
        (OF_OUTPUTS, Inputs((OUTPUT,), references=(REF, REF)), "number of references"),
    ],
)  # fmt: skip
def test_what_differs_is_named_from_either_side(one, other, difference):
    for found in (one.difference(other), other.difference(one)):
        assert found.startswith(difference) if len(one) == len(other) else found
        assert bool(found) == bool(difference)
    assert one.difference(other).startswith(difference)


def test_the_first_difference_is_counted_from_1():
    assert first_difference(["a", "b"], ["a", "b"]) is None
    assert first_difference([["a"], ["b"]], [("a",), ("c",)]) == 2
    assert first_difference(LINKS, OTHER) == 1
    assert first_difference(LINKS, Alignments.of([[(1, 0), (0, 1)], [(0, 0)]])) is None
