import pytest

from preorder_eval.analysis.orders.overview import overview
from preorder_eval.data.orders import Orders
from preorder_eval.results.order_scoring import evaluate
from preorder_eval.results.parsed import Parsed
from preorder_eval.results.systems import System

pytestmark = pytest.mark.slow  # analyses whole runs


@pytest.fixture(scope="module")
def result(bundled_reference):
    unchanged = Orders.unchanged(bundled_reference.trees.offsets)
    systems = [
        Parsed.by("gold", bundled_reference).reordered("en-ja"),
        System.from_orders(unchanged, bundled_reference, name="source"),
    ]
    return evaluate(bundled_reference, systems, ["fuzzy"], resamples=20)


@pytest.fixture(scope="module")
def made(result):
    return overview(result)


def test_only_what_is_known_is_computed(made):
    ruled, plain = made.systems
    assert ruled.ablation is not None
    assert ruled.limits is not None
    assert ruled.fit is not None
    assert ruled.errors is None, "gold trees have no errors"
    assert (plain.ablation, plain.limits, plain.fit, plain.errors) == (None, None, None, None)
