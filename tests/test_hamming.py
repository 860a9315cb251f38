import numpy as np
import pytest
from allowed_orders import best, every_case
from published import BIRCH_TABLE_1

from preorder_eval.metrics.order import Hamming


def share_in_place(places):
    return sum(place == i for i, place in enumerate(places)) / len(places)


@pytest.mark.parametrize(("permutation", "moved", "_"), BIRCH_TABLE_1.values(), ids=BIRCH_TABLE_1)
def test_permutations_of_birch(permutation, moved, _):
    order = [place - 1 for place in permutation]
    result = Hamming().score([order], [[[i] for i in range(10)]])
    assert result.corpus == pytest.approx(1 - moved / 10)


def test_a_tied_word_is_in_place_anywhere_in_its_group():
    groups = [[0], [1, 2, 3], [4]]
    assert Hamming().score([[0, 3, 1, 2, 4]], [groups]).corpus == 1
    assert Hamming().score([[4, 3, 1, 2, 0]], [groups]).corpus == pytest.approx(0.6)


@pytest.mark.slow
def test_every_order_and_tie():
    orders, references = every_case(6)
    scores = Hamming().score(orders, references).sentence
    expected = [best(share_in_place, *case) for case in zip(orders, references, strict=True)]
    np.testing.assert_allclose(scores, expected, atol=1e-12)
