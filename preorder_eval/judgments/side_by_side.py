"""Agreement of metrics with humans over several language pairs, or several kinds of scores.

Language pairs have a column each, and their mean, as the tables of LRscore, RIBES and LEPOR do.
Human scores, such as adequacy and fluency, have a column each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.stats.bootstrap import Bootstrap, averaged
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends
from preorder_eval.judgments.meta_result import MetaEvaluation, with_chance
from preorder_eval.judgments.metric_scores import common_labels, of_readable, short_labels
from preorder_eval.judgments.permutation import paired_p_values
from preorder_eval.judgments.standing import shown_groups

_TEST = "paired bootstrap"  # of means


@dataclass(frozen=True, eq=False)
class SideBySide(Shown):
    """Meta-evaluations of the same metrics, by language pair or by human score.

    `labels` are the signatures of the metrics, and `names` their names in tables, without settings
    that differ between languages. For language pairs, `means` has the mean of each statistic that
    all pairs share, undefined if it is undefined for one of them; the mean accuracy of systems is
    that of all pairs of systems together (Kocmi et al. 2021). `p` float64[M, M] are two-sided
    p-values of differences in the statistic that sorts, of means by the paired bootstrap. `order`
    numbers the metrics from the best on, and `groups` those of equal standing in that order. Human
    scores have no means; the first of them sorts.
    """

    results: Mapping[str, MetaEvaluation]
    labels: list[str]
    names: list[str]
    means: dict[str, Bootstrap]
    p: Floats
    order: list[int]
    groups: list[int | None]

    @classmethod
    def of_pairs(cls, pairs: Mapping[str, MetaEvaluation]) -> SideBySide:
        """Put language pairs side by side; PreorderEvalError if their metrics are not the same."""
        if not pairs:
            raise PreorderEvalError("give at least one language pair")
        results = list(pairs.values())
        metrics, by = [result.metrics for result in results], results[0].by
        labels, names = common_labels(metrics)
        means = {
            name: averaged([r.statistics[name] for r in results], _weights(name, results))
            for name in results[0].statistics
            if all(name in result.statistics for result in results)
        }
        p = paired_p_values(means[by].resampled)
        everywhere = [all(m.readable for m in of) for of in zip(*metrics, strict=True)]
        scores = [replace(m, readable=r) for m, r in zip(metrics[0], everywhere, strict=True)]
        order = np.argsort(
            -of_readable(means[by].values, scores), kind="stable"
        ).tolist()  # NaN last
        grouped = shown_groups(p, order, results[0].level, scores)
        return cls(pairs, labels, names, means, p, order, grouped)

    @classmethod
    def of_scores(cls, scores: Mapping[str, MetaEvaluation]) -> SideBySide:
        """Put evaluations by several human scores, by their names, side by side."""
        first = next(iter(scores.values()))
        labels, (names, _) = [m.label for m in first.metrics], short_labels(first.metrics)
        return cls(scores, labels, names, {}, first.p, first.order, first.groups)

    @property
    def first(self) -> MetaEvaluation:
        """The first evaluation."""
        return next(iter(self.results.values()))

    @property
    def verdict(self) -> str:
        if self.means:
            return ""
        return "\n".join(f"{name}: {result.verdict}" for name, result in self.results.items())

    @property
    def for_paper(self) -> str:
        return "\n".join(f"{name}: {result.for_paper}" for name, result in self.results.items())

    def tables(self) -> list[Table]:
        """Return a table for each statistic; the one that sorts the metrics comes first."""
        by = self.first.by
        every = dict.fromkeys([by, *(self.means or self.first.statistics)])
        return [self._table(name, self.labels, only="" if name == by else "json") for name in every]

    def view(self, whole: bool = False) -> list[Table]:
        shown = (self.first.by,) if self.means else self.first.shown
        known = self.means or self.first.statistics
        parts = []
        for name in dict.fromkeys([*shown, *(known if whole else ())]):
            part = self._table(name, self.names, title=name)
            parts.append(with_chance(part, self._chance_row(name), whole))
        if whole and self.means:
            for pair, result in self.results.items():
                [systems, *_] = result.tables()
                parts.append(replace(systems, title=f"{pair}: {systems.title}"))
        sizes = [f"{name}: {result.size()}" for name, result in self.results.items()]
        units = " or ".join(sorted({result.judgments.drawn for result in self.results.values()}))
        method = self.first.method(whole, _TEST if self.means else "", units)
        *others, last = parts
        return [*others, replace(last, notes=[*last.notes, *sizes, *method, *self.notes()])]

    def notes(self) -> list[str]:
        """Return each note once, with the names of the results that it is about."""
        names: dict[str, list[str]] = {}
        for name, result in self.results.items():
            for note in result.notes:
                names.setdefault(note, []).append(name)
        told = [
            f"note: {note}" if len(of) == len(self.results) else f"note: {', '.join(of)}: {note}"
            for note, of in names.items()
        ]
        return [*told, *(f"warning: {caveat.text}" for caveat in self.unfit)]

    @property
    def unfit(self) -> list[Caveat]:
        """The warnings of metrics that do not fit the texts, each once."""
        found = (caveat for result in self.results.values() for caveat in result.unfit)
        return list(dict.fromkeys(found))

    @property
    def own_warnings(self) -> list[Caveat]:
        found = (caveat for result in self.results.values() for caveat in result.warnings)
        return list(dict.fromkeys(found))

    def _facts(self) -> dict[str, Any]:
        each = {name: result.to_dict() for name, result in self.results.items()}
        return {"by": self.first.by, "pairs" if self.means else "human_scores": each}

    def _table(self, statistic: str, names: Sequence[str], **more: Any) -> Table:
        mean, mark = self.means.get(statistic), " ▼" * (statistic == self.first.by)
        columns = [Column("metric", label=True), Column("group")]
        for number, name in enumerate(self.results):
            heading = name + mark * (number == 0 and mean is None)
            columns.append(Column(name, heading, " .3f", interval=mean is None))
        if mean is not None:
            fields = ("mean", "low", "high")
            columns.append(Column("mean", f"mean{mark}", " .3f", interval=True, fields=fields))
        each = [result.statistics[statistic] for result in self.results.values()]
        rows: list[list[Any]] = []
        for metric, group in zip(self.order, self.groups, strict=True):
            if mean is None:
                cells: list[Any] = [ends(sampled.interval(metric)) for sampled in each]
            else:
                cells = [*(of.values[metric] for of in each), ends(mean.interval(metric))]
            rows.append([names[metric], group, *cells])
        return Table(("scores" if mean is None else "mean", statistic), columns, rows, **more)

    def _chance_row(self, statistic: str) -> list[Any]:
        """Return the row of chance values; for language pairs, with their mean."""
        results, unknown = list(self.results.values()), float("nan")
        each = [result.chance(statistic) for result in results]
        if not self.means:
            return ["chance", None, *((value, unknown, unknown) for value in each)]
        mean = float(np.average(each, weights=_weights(statistic, results)))
        return ["chance", None, *each, (mean, unknown, unknown)]


def _weights(statistic: str, results: Sequence[MetaEvaluation]) -> list[float]:
    """Return the weight of each language pair: one, or its pairs of systems for accuracy."""
    level, _, coefficient = statistic.partition(".")
    if coefficient != "accuracy" or level == "pairs":
        return [1.0] * len(results)
    left_out = [len(result.outliers) * (level == "core") for result in results]
    systems = [len(r.judgments.systems) - out for r, out in zip(results, left_out, strict=True)]
    return [max(n * (n - 1) / 2, 1.0) for n in systems]
