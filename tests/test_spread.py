import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.stats.spread import Spread


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=6))
def test_spread_against_the_standard_library(values):
    summary = Spread.of(values).summary()
    assert summary["mean"] == pytest.approx(statistics.fmean(values), abs=1e-12)
    assert summary["sd"] == pytest.approx(statistics.stdev(values), abs=1e-12)
    assert (summary["min"], summary["max"]) == (min(values), max(values))


def test_a_single_value_has_no_deviation():
    assert math.isnan(Spread.of([0.5]).sd)
