import numpy as np
import pytest
from allowed_orders import allowed_orders, every_case

from preorder_eval.metrics.order import Exact


@pytest.mark.slow
def test_every_order_and_tie():
    orders, references = every_case(6)
    scores = Exact().score(orders, references).sentence
    expected = [
        order in allowed_orders(groups) for order, groups in zip(orders, references, strict=True)
    ]
    assert 0 < sum(expected) < len(expected)
    np.testing.assert_array_equal(scores, expected)


def test_corpus_is_the_share_of_sentences():
    groups = [[0], [1, 2]]
    for average in ("sentence", "pooled"):
        result = Exact(average=average).score([[0, 2, 1], [1, 0, 2]], [groups, groups])
        assert result.sentence.tolist() == [1, 0]
        assert result.corpus == 0.5
