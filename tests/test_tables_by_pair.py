"""A paper's table with a column for each language pair: the mean, and how sure it is."""

import numpy as np
import pytest
from preorder_eval.papers.metrics_tables import PaperResult
from preorder_eval.papers.tables import TABLES
from preorder_eval.papers.tables_by_pair import by_pair

from preorder_eval.stats.bootstrap import Bootstrap


def result(values, resampled):
    table = TABLES["lepor-7-3"]
    sampled = {
        row.label: Bootstrap(np.array([value]), np.array(drawn)[:, None])
        for row, value, drawn in zip(table.rows, values, resampled, strict=True)
    }
    cells = {label: [drawn.interval(0)] for label, drawn in sampled.items()}
    return PaperResult(table, table.statistics, cells, sampled, 1000, 0, ["3 systems"])


def test_the_interval_of_a_mean_is_narrower_than_those_of_pairs():
    """Of n pairs whose resamples are independent by √n."""
    rng = np.random.default_rng(0)
    drawn = [[rng.normal(0.5, 0.1, 1000) for _ in range(3)] for _ in range(4)]
    table = by_pair({f"p{n}": result([0.5] * 3, own) for n, own in enumerate(drawn)})
    assert table.columns == ["p0", "p1", "p2", "p3", "mean"]
    for cells in table.cells.values():
        *pairs, mean = cells
        assert mean.value == pytest.approx(0.5)
        width = np.mean([pair.high - pair.low for pair in pairs])
        assert mean.high - mean.low == pytest.approx(width / 2, rel=0.1)
    assert table.notes[1:] == [f"p{n}: 3 systems" for n in range(4)]


def test_what_one_pair_lacks_has_no_mean():
    known, unknown = np.full(5, 0.5), np.full(5, np.nan)
    one = result([0.5, 0.5, 0.5], [known] * 3)
    other = result([0.7, 0.5, np.nan], [known, known, unknown])
    _, rows = by_pair({"a": one, "b": other}).as_table()
    assert [row[7] for row in rows] == [pytest.approx(0.6), 0.5, None]
    assert [row[8:10] for row in rows][2] == [None, None]
