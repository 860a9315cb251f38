"""Quality estimation, against the definition of DeltaAvg spelled out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.errors import PreorderEvalError
from preorder_eval.stats.quality_estimation import delta_avg, mae, rmse


def slow_delta_avg(estimates, values):
    """Equation (7-1) for estimates without ties."""
    ranked = [value for _, value in sorted(zip(estimates, values, strict=True), reverse=True)]
    size = len(ranked)
    results = []
    for n in range(2, size // 2 + 1):
        ends = [k * size // n for k in range(1, n)]
        heads = [sum(ranked[:end]) / end for end in ends]
        results.append(sum(heads) / (n - 1) - sum(ranked) / size)
    return sum(results) / len(results)


@given(st.lists(st.integers(-9, 9), min_size=4, max_size=15), st.randoms())
def test_delta_avg(values, random):
    estimates = random.sample(range(100), len(values))
    found = delta_avg(np.array(estimates, dtype=float), np.array(values, dtype=float))
    assert found == pytest.approx(slow_delta_avg(estimates, values), abs=1e-9)


def test_ties_count_as_the_mean_of_all_their_orders():
    values = np.array([5.0, 1.0, 3.0, 2.0])
    orders = [np.array([4.0, 3.0, 2.0, 1.0]), np.array([3.0, 4.0, 2.0, 1.0])]
    mean = np.mean([delta_avg(order, values) for order in orders])
    assert delta_avg(np.array([4.0, 4.0, 2.0, 1.0]), values) == pytest.approx(mean)
    assert delta_avg(np.zeros(4), values) == 0


def test_errors():
    estimates, values = np.array([1.0, 2.0, 6.0]), np.array([1.0, 4.0, 5.0])
    assert mae(estimates, values) == 1
    assert rmse(estimates, values) == pytest.approx((5 / 3) ** 0.5)


def test_too_few():
    with pytest.raises(PreorderEvalError, match="it needs as many of both, and four"):
        delta_avg(np.ones(3), np.ones(3))
