import numpy as np
import pytest
from allowed_orders import best, every_case

from preorder_eval.metrics.order import Footrule


def nearness(places):
    size = len(places)
    distances = sum(abs(place - i) for i, place in enumerate(places))
    return 1 - distances / (size**2 // 2) if size > 1 else 1


@pytest.mark.parametrize(
    ("order", "score"),
    [([1, 2, 3, 4, 0], 1 - 8 / 12), ([0, 2, 1, 3, 4], 1 - 2 / 12), ([4, 3, 2, 1, 0], 0)],
)
def test_values(order, score):
    result = Footrule().score([order], [[[0], [1], [2], [3], [4]]])
    assert result.corpus == pytest.approx(score)


@pytest.mark.slow
def test_every_order_and_tie():
    orders, references = every_case(6)
    scores = Footrule().score(orders, references).sentence
    expected = [best(nearness, *case) for case in zip(orders, references, strict=True)]
    np.testing.assert_allclose(scores, expected, atol=1e-12)
