import random
import statistics

import numpy as np
import pytest
from allowed_orders import every_case
from published import ISOZAKI_ORDERS
from scipy.stats import spearmanr

from preorder_eval.metrics.order import Spearman


def slow_score(order, groups):
    """Pearson's correlation of the places in the two orders, tied words in the middle."""
    middle = {}
    for group in groups:
        before = len(middle)
        middle |= dict.fromkeys(group, before + (len(group) - 1) / 2)
    if len(groups) == 1:
        return 1
    return (statistics.correlation(range(len(order)), [middle[i] for i in order]) + 1) / 2


@pytest.mark.parametrize(("ranks", "_", "rho"), ISOZAKI_ORDERS)
def test_orders_of_isozaki(ranks, _, rho):
    order = [rank - 1 for rank in ranks]
    result = Spearman().score([order], [[[i] for i in range(len(order))]])
    assert round(2 * result.corpus - 1, 3) == rho


def test_every_order_and_tie():
    orders, references = every_case(6)
    scores = Spearman().score(orders, references).sentence
    expected = list(map(slow_score, orders, references))
    np.testing.assert_allclose(scores, expected, atol=1e-12)


def test_agrees_with_scipy_on_long_sentences():
    rng = random.Random(3)
    for size in (20, 50, 200):
        order = rng.sample(range(size), size)
        ranks = [rng.randrange(size // 3) for _ in range(size)]
        groups = [[i for i in range(size) if ranks[i] == r] for r in sorted(set(ranks))]
        rho = spearmanr(range(size), [ranks[i] for i in order]).statistic
        assert Spearman().score([order], [groups]).corpus == pytest.approx((rho + 1) / 2)


def test_the_best_order_of_a_tied_reference_is_below_1():
    result = Spearman().score([[0, 1, 2]], [[[0, 1], [2]]])
    assert round(2 * result.corpus - 1, 3) == 0.866


def test_nothing_to_correlate_scores_1():
    assert Spearman().score([[1, 0], [0]], [[[0, 1]], [[0]]]).sentence.tolist() == [1, 1]


def test_pooled_without_ties_is_distances_over_largest_distances():
    orders = [[1, 0, 2], [3, 2, 1, 0]]
    references = [[[0], [1], [2]], [[0], [1], [2], [3]]]
    pooled = Spearman(average="pooled").score(orders, references)
    assert pooled.corpus == pytest.approx(1 - (2 + 20) / (2 * (4 + 10)))
