"""A paper's table for several language pairs: a column each, and their mean, as in the papers."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from preorder_eval.papers.metrics_tables import PaperResult
from preorder_eval.stats.bootstrap import Interval


def by_pair(results: Mapping[str, PaperResult]) -> PaperResult:
    """The table by its first statistic, from those of each language pair.

    A row that cannot be made for one of them has no mean.
    """
    first = next(iter(results.values()))
    statistic = first.table.statistics[0]
    cells = {}
    for label in first.cells:
        of_pairs = [
            result.row(label)[list(result.columns).index(statistic)] for result in results.values()
        ]
        mean = float(np.mean([interval.value for interval in of_pairs]))
        cells[label] = [*of_pairs, Interval(mean, math.nan, math.nan)]
    notes = [f"{statistic} of each language pair, and the mean"]
    notes += [f"{pair}: {note}" for pair, result in results.items() for note in result.notes]
    return PaperResult(first.table, [*results, "mean"], cells, first.resamples, first.seed, notes)
