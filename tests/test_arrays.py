"""Flat arrays."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data.arrays import in_order

numbers = st.integers(-3, 9) | st.sampled_from([2**31, 2**40, 2**62])


@given(st.lists(st.tuples(numbers, numbers, st.integers(0, 3))))
def test_rows_are_sorted_as_tuples_are_and_equal_ones_stay_in_order(rows):
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    assert in_order(*columns).tolist() == sorted(range(len(rows)), key=rows.__getitem__)
