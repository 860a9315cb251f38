"""The benchmark beside peers: both sides compute the same."""

from __future__ import annotations

import pytest
from benchmarks.ratios import ROWS


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_both_sides_find_the_same(row):
    pytest.importorskip(row.peer)
    data = row.data(40)
    # nltk's RIBES is the paper's in all but long contexts.
    assert row.ours(data) == pytest.approx(row.theirs(data), rel=1e-3)
