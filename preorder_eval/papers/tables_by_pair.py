"""A paper's table for several language pairs: a column each, and their mean, as in the papers."""

from __future__ import annotations

from collections.abc import Mapping

from preorder_eval.papers.metrics_tables import PaperResult
from preorder_eval.stats.bootstrap import averaged


def by_pair(results: Mapping[str, PaperResult]) -> PaperResult:
    """The table by its first statistic, from those of each language pair.

    A row that cannot be made for one of them has no mean.
    """
    first = next(iter(results.values()))
    statistic = first.table.statistics[0]
    cells, means = {}, {}
    for label in first.cells:
        of_pairs = [
            result.row(label)[list(result.columns).index(statistic)] for result in results.values()
        ]
        means[label] = averaged([result.sampled[label] for result in results.values()])
        cells[label] = [*of_pairs, means[label].interval(0)]
    notes = [f"{statistic} of each language pair, and the mean"]
    notes += [f"{pair}: {note}" for pair, result in results.items() for note in result.notes]
    columns = [*results, "mean"]
    return PaperResult(first.table, columns, cells, means, first.resamples, first.seed, notes)
