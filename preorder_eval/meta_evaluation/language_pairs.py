"""Agreement of metrics with humans over several language pairs, or several kinds of scores.

Language pairs have a column each, and their mean, as the tables of LRscore, RIBES and LEPOR do.
Human scores, such as adequacy and fluency, have a column each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.evaluation import MetaEvaluation
from preorder_eval.meta_evaluation.permutation import paired_p_values
from preorder_eval.meta_evaluation.scores import common_labels, short_labels
from preorder_eval.stats.bootstrap import Bootstrap, averaged
from preorder_eval.stats.correlation import groups
from preorder_eval.tables import Column, Shown, Table, ends

TEST = "paired bootstrap"
_MOST = 10  # metrics that fit a screen


@dataclass(frozen=True, eq=False)
class LanguagePairs(Shown):
    """Meta-evaluations of the same metrics by the same statistics, by language pair.

    `labels` are the signatures of the metrics, where they do not differ between languages, and
    `means` has for each statistic that all pairs have the mean over them, undefined where it is for
    one of them; the accuracy of systems is that of all pairs of systems together (Kocmi et al.
    2021). Of the statistic called `by`, `p` float64[M, M] are two-sided p-values of
    differences of means by the paired bootstrap, `order` numbers the metrics from the best on, and
    `groups` those of equal standing in that order.
    """

    pairs: Mapping[str, MetaEvaluation]
    by: str
    labels: list[str]
    means: dict[str, Bootstrap]
    p: Floats
    order: list[int]
    groups: list[int]

    @classmethod
    def of(cls, pairs: Mapping[str, MetaEvaluation]) -> LanguagePairs:
        """Compute the means; raise PreorderEvalError where the metrics are not the same."""
        if not pairs:
            raise PreorderEvalError("give at least one language pair")
        results = list(pairs.values())
        labels, by = common_labels([result.metrics for result in results]), results[0].by
        means = {
            name: averaged([r.statistics[name] for r in results], _weights(name, results))
            for name in results[0].statistics
            if all(name in result.statistics for result in results)
        }
        p = paired_p_values(means[by].resampled)
        order = np.argsort(-means[by].values, kind="stable").tolist()  # NaN comes last
        grouped = groups(p, order, results[0].level)
        return cls(pairs, by, labels, means, p, order, grouped)

    def tables(self) -> list[Table]:
        """Return a table for each statistic, that which sorts the metrics first."""
        others = [name for name in self.means if name != self.by]
        return [
            self._table(name, self.labels, only="" if name == self.by else "json")
            for name in (self.by, *others)
        ]

    def view(self, whole: bool = False) -> list[Table]:
        names = common_labels([result.metrics for result in self.pairs.values()], short=True)
        others = [name for name in self.means if name != self.by]
        parts = []
        for name in (self.by, *others) if whole else (self.by,):
            part = self._table(name, names, title=name)
            parts.append(_shown(part, self._baselines(name), whole))
        if whole:
            for pair, result in self.pairs.items():
                [systems, *_] = result.tables()
                parts.append(replace(systems, title=f"{pair}: {systems.title}"))
        first = next(iter(self.pairs.values()))
        notes = [f"{pair}: {result.size()}" for pair, result in self.pairs.items()]
        below = [*parts[-1].notes, *notes, *first.size_and_method(whole, TEST)[1:]]
        return [*parts[:-1], replace(parts[-1], notes=below)]

    def facts(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "pairs": {pair: result.to_dict() for pair, result in self.pairs.items()},
        }

    def _table(self, statistic: str, names: Sequence[str], **more: Any) -> Table:
        columns = [Column("metric", label=True), Column("group")]
        columns += [Column(pair, format=" .3f") for pair in self.pairs]
        heading = "mean ▼" if statistic == self.by else "mean"
        fields = ("mean", "low", "high")
        columns.append(Column("mean", heading, " .3f", interval=True, fields=fields))
        mean = self.means[statistic]
        values = [result.statistics[statistic].values for result in self.pairs.values()]
        rows = [
            [
                *(names[metric], group, *(of_pair[metric] for of_pair in values)),
                ends(mean.interval(metric)),
            ]
            for metric, group in zip(self.order, self.groups, strict=True)
        ]
        return Table(("mean", statistic), columns, rows, **more)

    def _baselines(self, statistic: str) -> list[list[Any]]:
        """Return the rows of what chance gets, and people where all pairs know it."""
        results = self.pairs.values()
        chance = [result.chance[statistic] for result in results]
        weights = _weights(statistic, [*results])
        mean = float(np.average(chance, weights=weights))
        rows: list[list[Any]] = [["chance", None, *chance, (mean, None, None)]]
        among = [result.among_people.get(statistic) for result in results]
        people = [found for found in among if found]
        if len(people) == len(among):
            values = [found.values[0] for found in people]
            rows.append(["humans", None, *values, ends(averaged(people, weights).interval(0))])
        return rows


def _shown(metrics: Table, baselines: list[list[Any]], whole: bool) -> Table:
    """Return the metrics, or the first of them, with the baselines below."""
    part = metrics if whole else metrics.head(_MOST, "… and {} more: --all")
    return replace(part, rows=[*part.rows, *baselines])


def _weights(statistic: str, results: Sequence[MetaEvaluation]) -> list[float]:
    """Return how much each language pair counts: one, or its pairs of systems for accuracy."""
    level, _, coefficient = statistic.partition(".")
    if coefficient != "accuracy":
        return [1.0] * len(results)
    left_out = [len(result.outliers) * (level == "core") for result in results]
    systems = [len(r.judgments.systems) - out for r, out in zip(results, left_out, strict=True)]
    return [max(n * (n - 1) / 2, 1.0) for n in systems]


@dataclass(frozen=True, eq=False)
class SeveralScores(Shown):
    """Meta-evaluations of the same metrics by several human scores, by these scores' names.

    The first of them sorts the metrics and makes the groups.
    """

    scores: Mapping[str, MetaEvaluation]

    @property
    def first(self) -> MetaEvaluation:
        """The evaluation by the first human score."""
        return next(iter(self.scores.values()))

    @property
    def verdict(self) -> str:
        return "\n".join(f"{name}: {result.verdict}" for name, result in self.scores.items())

    def tables(self) -> list[Table]:
        """Return a table for each statistic, that which sorts the metrics first."""
        labels = [metric.label for metric in self.first.metrics]
        by = self.first.by
        names = dict.fromkeys([by, *self.first.statistics])
        return [self._table(n, labels, only="" if n == by else "json") for n in names]

    def view(self, whole: bool = False) -> list[Table]:
        labels, _ = short_labels(self.first.metrics)
        names = dict.fromkeys([*self.first.shown, *(self.first.statistics if whole else ())])
        parts = []
        for name in names:
            part = self._table(name, labels, title=name)
            parts.append(_shown(part, self._baselines(name), whole))
        notes = [f"{name}: {result.size()}" for name, result in self.scores.items()]
        further = [f"note: {n}" for r in self.scores.values() for n in r.notes]
        below = self.first.size_and_method(whole)[1:]
        below = [*parts[-1].notes, *notes, *dict.fromkeys([*below, *further])]
        return [*parts[:-1], replace(parts[-1], notes=below)]

    def facts(self) -> dict[str, Any]:
        return {
            "by": self.first.by,
            "human_scores": {name: result.to_dict() for name, result in self.scores.items()},
        }

    def _table(self, statistic: str, labels: Sequence[str], **more: Any) -> Table:
        columns = [Column("metric", label=True), Column("group")]
        for number, name in enumerate(self.scores):
            heading = f"{name} ▼" if number == 0 and statistic == self.first.by else name
            columns.append(Column(name, heading, " .3f", interval=True))
        found = [result.statistics[statistic] for result in self.scores.values()]
        rows = [
            [labels[metric], group, *(ends(sampled.interval(metric)) for sampled in found)]
            for metric, group in zip(self.first.order, self.first.groups, strict=True)
        ]
        return Table(("scores", statistic), columns, rows, **more)

    def _baselines(self, statistic: str) -> list[list[Any]]:
        results = self.scores.values()
        chance = [(result.chance[statistic], None, None) for result in results]
        people = [result.among_people.get(statistic) for result in results]
        among = [found and ends(found.interval(0)) for found in people]
        return [["chance", None, *chance], *([["humans", None, *among]] if any(among) else [])]
