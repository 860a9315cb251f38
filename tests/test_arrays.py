"""Flat arrays."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data.arrays import blocks, in_order, offsets_of, sums

numbers = st.integers(-3, 9) | st.sampled_from([2**31, 2**40, 2**62])


@given(st.lists(st.tuples(numbers, numbers, st.integers(0, 3))))
def test_rows_are_sorted_as_tuples_are_and_equal_ones_stay_in_order(rows):
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    assert in_order(*columns).tolist() == sorted(range(len(rows)), key=rows.__getitem__)


@given(st.lists(st.lists(st.integers(-3, 9))))
def test_sums_are_of_each_sentence(rows):
    flat = np.array([number for row in rows for number in row], dtype=np.int64)
    offsets = offsets_of(map(len, rows))
    assert sums(flat, offsets).tolist() == list(map(sum, rows))
    assert sums(flat > 0, offsets).tolist() == [sum(n > 0 for n in row) for row in rows]


@given(st.lists(st.integers(0, 6)), st.integers(1, 9))
def test_blocks_hold_every_sentence_once(lengths, size):
    stretches = list(blocks(offsets_of(lengths), size))
    assert [s for first, last in stretches for s in range(first, last)] == list(range(len(lengths)))
