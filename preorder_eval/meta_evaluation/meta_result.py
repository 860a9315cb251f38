"""What `meta` finds: metrics by their agreement with humans, as a verdict, tables and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.judgments import Judgments
from preorder_eval.errors import argument
from preorder_eval.meta_evaluation.judges import ESTIMATION, agreement_table
from preorder_eval.meta_evaluation.permutation import name_of_test
from preorder_eval.meta_evaluation.scores import MetricScores, ranked, short_labels
from preorder_eval.meta_evaluation.standing import Lead
from preorder_eval.meta_evaluation.statistic import MEANINGS, Conventions, statistic
from preorder_eval.results.verdict.caveats import below_chance, without_outliers
from preorder_eval.results.verdict.verdict import Verdict
from preorder_eval.stats.agreement import Agreement
from preorder_eval.stats.bootstrap import Bootstrap
from preorder_eval.stats.measurement import TIE
from preorder_eval.stats.significance import TRIALS_PER_RESAMPLE
from preorder_eval.tables import Caveat, Column, Shown, Table, ends, figure
from preorder_eval.visible import quantity

_MOST = 10  # metrics that fit a screen with what stands around them
_FEW = 4  # metrics, whose signatures a screen has room for
_LEVELS = {
    "system": "Over systems",
    "core": "Over systems without outliers",
    "segment": "Over all judged outputs",
    "within-system": "Over the outputs of each system, mean over systems",
    "within-segment": "Over the outputs of each segment, mean over segments",
    "pairs": "Over pairs of outputs of the same segment",
}


@dataclass(frozen=True, eq=False)
class MetaEvaluation(Shown):
    """The agreement of M metrics with humans, by many statistics.

    `statistics` has the values of each, float64[M], with those of resamples. The table is sorted by
    the one called `by`. `order` numbers the metrics from the best on, and `groups` those of equal
    standing in that order. `p` float64[M, M] are the p-values of the differences. `outliers` are
    the names of the systems that `core` leaves out. `agreement` of judges is empty unless there are
    several. `ratings` are the human ratings of the R systems, with resampled values; `chances`
    float64[M] has for each statistic its value for metrics that know nothing; `estimation` is empty
    unless it was asked for; `standing` has the best metric and those not significantly worse, and
    `core` the same without outliers, if there are any.
    """

    metrics: Sequence[MetricScores]
    judgments: Judgments
    statistics: dict[str, Bootstrap]
    by: str
    order: list[int]
    groups: list[int | None]
    p: Floats
    ratings: Bootstrap
    outliers: list[str]
    chances: dict[str, Floats]
    agreement: dict[str, Agreement]
    estimation: list[tuple[float, float, float]]
    standing: Lead
    core: Lead | None
    notes: list[str]
    conventions: Conventions
    level: float
    shown: tuple[str, ...]
    resamples: int
    seed: int
    unfit: Sequence[Caveat] = ()

    @property
    def people(self) -> Floats:
        """The human scores of the systems; float64[R]."""
        return self.ratings.values

    @property
    def verdict(self) -> str:
        names, _ = short_labels(self.metrics)
        best, known = self.order[0], range(len(names))
        if not self.metrics[best].readable:
            return "No verdict: no metric can read these texts"
        chance = f"(chance {figure(self.chances[self.by][best])})"
        value = f"{self.by} {figure(self.statistics[self.by].values[best])} {chance}"
        over_systems = [n for n in self.statistics if n.startswith("system.") and n != self.by]
        if not any(self._above_chance(self.by, metric) for metric in known):
            others = [n for n in over_systems if any(self._above_chance(n, m) for m in known)]
            if not others:
                return (
                    "No evidence that any metric agrees with humans better than chance: the best, "
                    f"{names[best]}, has {value}"
                )
            said = f"{names[best]} has the best {value}, no clear agreement with humans"
            beside = max(others, key=lambda name: name in self.shown)
            best = int(np.nanargmax(ranked(self.statistics[beside].values, self.metrics)))
            return f"{said}; over systems the best is {names[best]}: {self._said(beside, best)}"
        told, caveats = self.standing.told(names), self.found.caveats
        answer = f"{names[best]} agrees best with humans: {value}{told}"
        if (beside := self._over_systems(best)) and self._above_chance(beside, best):
            answer += f"; over systems {self._said(beside, best)}"
        if caveats and caveats[0].kind == "below_chance":
            answer = f"{names[best]} has the best {value}, but {caveats[0].text}{told}"
            caveats = caveats[1:]
        return ". ".join([answer, *(caveat.text for caveat in caveats)])

    @property
    def found(self) -> Verdict:
        """The best metric, those not shown to be worse, and the caveats, as data."""
        names = [metric.label for metric in self.metrics]
        best, close, caveats = self.order[0], self.standing.close, list[Caveat]()
        beside = self._over_systems(best)
        if not self._above_chance(self.by, best):
            caveats.append(below_chance())
        elif beside and not self._above_chance(beside, best):
            caveats.append(below_chance(self._said(beside, best)))
        if self.core:
            changed = self.standing.changed(self.core, short_labels(self.metrics)[0])
            caveats += without_outliers(self.outliers, changed)
        values = ranked(self.statistics[self.by].values, self.metrics)
        worse = [m for m in self.order[1:] if m not in close and not np.isnan(values[m])]
        return Verdict(
            "best of several",
            (names[best],),
            pairs=self.standing.comparisons,
            close=tuple(names[m] for m in close),
            worse=tuple(names[m] for m in worse),
            metric=self.by,
            value=float(values[best]),
            caveats=tuple(caveats),
        )

    @property
    def warnings(self) -> list[Caveat]:
        return [*self.found.caveats, *self.unfit]

    def _over_systems(self, metric: int) -> str:
        """Return the statistic over systems that is shown beside another, where it is defined."""
        beside = (n for n in self.shown if n.startswith("system.") and n != self.by)
        return next((n for n in beside if not np.isnan(self.statistics[n].values[metric])), "")

    def _above_chance(self, name: str, metric: int) -> bool:
        low = self.statistics[name].interval(metric).low
        return self.metrics[metric].readable and bool(low > self.chances[name][metric])

    def _said(self, name: str, metric: int) -> str:
        """Return a metric's value over systems, with what chance gets."""
        value, chance = self.statistics[name].values[metric], self.chances[name][metric]
        return f"{name.partition('.')[2]} {figure(value)} (chance {figure(chance)})"

    def tables(self) -> list[Table]:
        metrics = self._metrics_table([scores.label for scores in self.metrics])
        columns = metrics.select("metric", *(("statistics", name) for name in self.statistics))
        baselines = Table("baselines", columns.columns, [self._chance_row(columns)], only="json")
        return [self._systems_table(), metrics, baselines, agreement_table(self.agreement)]

    def view(self, whole: bool = False) -> list[Table]:
        metrics = self._metrics_table(short_labels(self.metrics)[0])
        if whole:
            parts = self.levels()
        else:
            most = metrics.select("metric", "group", *self._keys(self.shown))
            parts = [with_chance(most, self._chance_row(most))]
        if self.estimation:
            parts.append(metrics.select("metric", *ESTIMATION, title="Quality estimation"))
        parts += [agreement_table(self.agreement)] if self.agreement else []
        parts += [self._systems_table()] if whole else []
        notes = [*parts[-1].notes, self.size(), *self.method(whole)]
        notes += [*map(marked, self.notes), *(f"warning: {each.text}" for each in self.unfit)]
        return [*parts[:-1], replace(parts[-1], notes=notes)]

    def levels(self) -> list[Table]:
        """Return a table of all statistics for each level, that of the chosen statistic first."""
        metrics = self._metrics_table(short_labels(self.metrics)[0])
        first = self.by.partition(".")[0]
        by_level: dict[str, list[str]] = {first: []}
        for name in self.statistics:
            by_level.setdefault(name.partition(".")[0], []).append(name)
        if not self.outliers and first != "core":
            del by_level["core"]  # which is the same as system
        tables = []
        for level, names in by_level.items():
            group = ["group"] * (level == first)
            table = metrics.select("metric", *group, *self._keys(names), title=_LEVELS[level])
            for name in names:
                key = ("statistics", name)
                heading = table.columns[table.at(key)].heading or ""
                table = table.change(key, heading=heading.partition(".")[2])
            tables.append(with_chance(table, self._chance_row(table), whole=True))
        return tables

    def method(self, whole: bool, test: str = "") -> list[str]:
        """Return notes on what is shown, and on how it was resampled and tested."""
        _, signatures = short_labels(self.metrics)
        chosen = statistic(self.by, self.judgments)
        test = test or name_of_test(chosen, self.conventions)
        shown = self.statistics if whole else self.shown
        bounded = any(self.statistics[name].bounds for name in shown)
        drawn = f"{self.resamples} bootstrap resamples of segments, seed {self.seed}"
        drawn += "; symmetric over systems, except for spa" * bounded
        return [
            f"{self.by}: {MEANINGS.get(self.by) or MEANINGS[chosen.coefficient]}",
            f"[95% CI, {drawn}]",
            "a group ends above a metric that differs significantly from one in it "
            f"({test}, p ≤ {self.level:g}, uncorrected)",
            "noise lowers correlations over systems, in resamples even more, so their intervals "
            "are symmetric around the value and end at 1"
            if whole
            else "all statistics, and human scores of systems: "
            + argument("show(whole=True)", "--all"),
            *([signatures] if whole or len(self.metrics) <= _FEW else []),
        ]

    def size(self) -> str:
        """Return the numbers of systems, segments and judgments in words."""
        systems = quantity(len(self.judgments.systems), "system")
        segments = quantity(self.judgments.segments, "segment")
        judged = quantity(len(self.judgments), self.judgments.unit)
        return f"{systems}, {segments}, {judged}"

    def _facts(self) -> dict[str, Any]:
        return {
            "segments": self.judgments.segments,
            "judgments": len(self.judgments),
            "by": self.by,
            "margin": self.conventions.margin,
            "constant": self.conventions.constant,
            "level": self.level,
            "test": name_of_test(statistic(self.by, self.judgments), self.conventions),
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
            "randomization": {"trials": TRIALS_PER_RESAMPLE * self.resamples, "seed": self.seed},
            "notes": self.notes,
            "verdict": self.found.facts(),
        }

    def _metrics_table(self, names: Sequence[str]) -> Table:
        """Return a row for each metric by these names, the best first."""
        columns = [Column("metric", label=True), Column("group")]
        for name in self.statistics:
            heading = f"{name} ▼" if name == self.by else name
            key = ("statistics", name)
            columns.append(Column(key, heading, " .3f", interval=True))
            columns.append(Column((*key, "chance"), "chance", ".3f", only="json"))
        columns.append(Column("p", only="json"))
        if self.estimation:
            columns += [Column(key, name, ".3f", only="json") for key, name in ESTIMATION.items()]
        rows = [
            [names[metric], group]
            + [
                cell
                for name, sampled in self.statistics.items()
                for cell in (ends(sampled.interval(metric)), self.chances[name][metric])
            ]
            + [{self.metrics[m].label: self.p[metric][m] for m in self.order}]
            + (list(self.estimation[metric]) if self.estimation else [])
            for metric, group in zip(self.order, self.groups, strict=True)
        ]
        return Table("metrics", columns, rows)

    def chance(self, name: str) -> float:
        """Return what any metric gets by a statistic by chance; NaN where each has its own."""
        return float("nan") if self._own_chance(name) else float(self.chances[name][0])

    def _own_chance(self, name: str) -> bool:
        """Return whether chance differs between metrics, by how many outputs they tie."""
        return bool(np.ptp(self.chances[name]) > TIE)

    def _keys(self, names: Iterable[str]) -> list[tuple[str, ...]]:
        """Return the keys of columns of statistics, and of chance where metrics have their own."""
        keys = [[("statistics", name), ("statistics", name, "chance")] for name in names]
        own = map(self._own_chance, names)
        return [key for pair, differs in zip(keys, own, strict=True) for key in pair[: 1 + differs]]

    def _chance_row(self, metrics: Table) -> list[Any]:
        """Return a row of what chance gets, with the columns of metrics."""
        unknown = float("nan")
        cells = [
            (self.chance(column.path[-1]), unknown, unknown) if column.interval else None
            for column in metrics.columns[1:]
        ]
        return ["chance", *cells]

    def _systems_table(self) -> Table:
        columns = [
            Column("system", label=True),
            Column("humans", "rating", " .3f", interval=True, fields=("humans", "low", "high")),
            Column("outlier", "", "outlier"),
            Column("scores", only="json"),
        ]
        scores = {metric.label: metric.system_scores() for metric in self.metrics}
        rows = [
            [
                name,
                ends(self.ratings.interval(s)),
                name in self.outliers,
                {label: of_systems[s] for label, of_systems in scores.items()},
            ]
            for s, name in enumerate(self.judgments.systems)
        ]
        return Table("systems", columns, rows, title="Systems by humans", only="json")


def with_chance(metrics: Table, chance: list[Any], whole: bool = False) -> Table:
    """Return a table of metrics, the best alone unless `whole`, above a row of what chance gets."""
    more = f"… and {{}} more: {argument('show(whole=True)', '--all')}"
    shown = metrics if whole else metrics.head(_MOST, more)
    return replace(shown, rows=[*shown.rows, chance])


def marked(note: str) -> str:
    """Return a note as it stands below tables; a warning is marked as one already."""
    return note if note.startswith("warning: ") else f"note: {note}"
