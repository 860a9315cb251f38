"""Which metric agrees with people in several language pairs: a column for each, and their mean.

So do the tables of LRscore, RIBES and LEPOR stand in their papers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.tables import Table, known
from preorder_eval.meta_evaluation.evaluation import two_sided
from preorder_eval.meta_evaluation.result import MetaEvaluation
from preorder_eval.meta_evaluation.scores import common_labels
from preorder_eval.stats.bootstrap import Bootstrap, averaged
from preorder_eval.stats.system_correlation import groups


@dataclass(frozen=True, eq=False)
class LanguagePairs:
    """Meta-evaluations of the same metrics by the same statistics, by language pair.

    Raises PreorderEvalError where the metrics are not the same.
    """

    pairs: Mapping[str, MetaEvaluation]

    def __post_init__(self) -> None:
        if not self.pairs:
            raise PreorderEvalError("nothing to do without a language pair")
        _ = self.labels

    def __repr__(self) -> str:
        return f"<LanguagePairs: {', '.join(self.pairs)}>"

    @property
    def first(self) -> MetaEvaluation:
        """What all share: the statistics and how they were resampled."""
        return next(iter(self.pairs.values()))

    @cached_property
    def labels(self) -> list[str]:
        """The signatures of the metrics, where they do not differ between languages."""
        return common_labels([result.metrics for result in self.pairs.values()])

    @property
    def names(self) -> list[str]:
        """The same in short."""
        return common_labels([result.metrics for result in self.pairs.values()], short=True)

    @property
    def statistics(self) -> list[str]:
        """The statistics that all pairs have."""
        return [
            name
            for name in self.first.statistics
            if all(name in result.statistics for result in self.pairs.values())
        ]

    def mean(self, statistic: str) -> Bootstrap:
        """The mean over language pairs of each metric; undefined where it is for one of them."""
        return averaged([result.statistics[statistic] for result in self.pairs.values()])

    @cached_property
    def order(self) -> list[int]:
        """The metrics by number, the one that is best on average first."""
        values = self.mean(self.first.by).values
        return np.argsort(-values, kind="stable").tolist()  # type: ignore[no-any-return]

    @cached_property
    def p(self) -> Floats:
        """Two-sided p-values of differences of means, by the paired bootstrap; float64[M, M]."""
        resampled = self.mean(self.first.by).resampled
        p = np.eye(resampled.shape[1])
        for a, b in combinations(range(len(p)), 2):
            p[a, b] = p[b, a] = two_sided(resampled[:, b] - resampled[:, a])
        return p

    @cached_property
    def groups(self) -> list[int]:
        """The group of each metric in that order, counted from 1 (`system_correlation.groups`)."""
        return groups(self.p, self.order)

    def table(self, statistic: str = "") -> Table:
        """Header and a row for each metric as plain values, by the statistic that sorts them."""
        name = statistic or self.first.by
        mean = self.mean(name)
        rows: list[list[object]] = []
        for number, group in zip(self.order, self.groups, strict=True):
            interval = mean.interval(number)
            values = [r.statistics[name].values[number] for r in self.pairs.values()]
            numbers = [*values, interval.value, interval.low, interval.high]
            rows.append([self.labels[number], group, *map(known, numbers)])
        return ["metric", "group", *self.pairs, "mean", "low", "high"], rows

    def summary(self) -> dict[str, Any]:
        """What `--json` prints."""
        means = {}
        for name in self.statistics:
            header, rows = self.table(name)
            means[name] = [dict(zip(header, row, strict=True)) for row in rows]
        return {
            "by": self.first.by,
            "mean": means,
            "pairs": {pair: result.summary() for pair, result in self.pairs.items()},
        }
