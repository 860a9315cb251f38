"""The result of `meta`: metrics by their agreement with humans, as a verdict, tables and JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import argument
from preorder_eval.base.plot import Panel, Plot, plot_panels
from preorder_eval.base.stats import FEWEST_UNITS
from preorder_eval.base.stats.bootstrap import Bootstrap
from preorder_eval.base.stats.measurement import TIE
from preorder_eval.base.stats.significance import TRIALS_PER_RESAMPLE
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends, figure, p_value
from preorder_eval.base.version import __version__
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.verdict.caveats import below_chance, without_outliers
from preorder_eval.evaluation.verdict.verdict import Verdict
from preorder_eval.judgments.agreement import Agreement
from preorder_eval.judgments.chance import DRAWS, FEWEST_TESTED, LEVEL
from preorder_eval.judgments.human_scores import HumanScores, Judgments
from preorder_eval.judgments.judges import ESTIMATION, agreement_table
from preorder_eval.judgments.metric_scores import MetricScores, of_readable, short_labels
from preorder_eval.judgments.permutation import name_of_test, units_swapped
from preorder_eval.judgments.standing import Lead
from preorder_eval.judgments.statistic import MEANINGS, Conventions, statistic

_MOST = 10  # metrics that fit a screen with what stands around them
_FEW = 4  # metrics, whose signatures a screen has room for
_PERMUTED = (
    f"p over systems: human scores of systems are permuted, in all ways or in {DRAWS} random "
    "ways, and the best metric of each permutation counts"
)
_LEVELS = {
    "system": "Over systems",
    "core": "Over systems without outliers",
    "segment": "Over all judged outputs",
    "within-system": "Over the outputs of each system, averaged over systems",
    "within-segment": "Over the outputs of each segment, averaged over segments",
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
    float64[M] has for each statistic its value for metrics that know nothing, and `by_systems`
    float64[M] the p of `chance_p` for those over systems that the verdict names: the statistic that
    sorts, or the one `beside` it, if there is one. `opposite` is set if all metrics agree with the
    opposite of the human judgments. `estimation` is empty
    unless it was asked for; `standing` has the best metric and those not significantly worse, and
    `core` the same without outliers, if there are any.
    """

    metrics: Sequence[MetricScores]
    judgments: Judgments
    statistics: Mapping[str, Bootstrap]
    by: str
    order: list[int]
    groups: list[int | None]
    p: Floats
    ratings: Bootstrap
    outliers: list[str]
    chances: Mapping[str, Floats]
    by_systems: dict[str, Floats]
    beside: str
    opposite: bool
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
        value = f"{self.by} {self._with_chance(self.by, best)}"
        if self.opposite:
            return (
                "All metrics agree with the opposite of the human judgments: the best, "
                f"{names[best]}, has {value}. {self._turned()}"
            )
        beside, caveats = self.beside, self.found.caveats
        if not any(self._above_chance(self.by, metric) for metric in known):
            if not any(self._above_chance(beside, metric) for metric in known if beside):
                few = self._too_few(self.by)
                return (
                    "No evidence that any metric agrees with humans better than chance"
                    f"{f', which {few}' * bool(few)}: the best, {names[best]}, has {value}"
                )
            said = f"{names[best]} has the best {value}, but shows no clear agreement with humans"
            best = int(np.nanargmax(of_readable(self.statistics[beside].values, self.metrics)))
            return f"{said}; over systems the best is {names[best]}: {self._said(beside, best)}"
        doubts = [self.standing.in_doubt(names)] * (not self.standing.shown)
        told = self.standing.told(names) * self.standing.shown
        doubts += [caveat.text for caveat in self._below_chance(names[best] if told else "it")]
        if doubts:
            answer = f"{names[best]} has the highest {value}{told}, but {', and '.join(doubts)}"
        else:
            agrees = "agrees best" if self.standing.others else "agrees"
            answer = f"{names[best]} {agrees} with humans: {value}{told}"
        if beside and self._above_chance(beside, best):
            answer += f"; over systems {self._said(beside, best)}"
        others = (caveat.text for caveat in caveats if caveat.kind != "below_chance")
        return ". ".join([answer, *others])

    @property
    def for_paper(self) -> str:
        _, signatures = short_labels(self.metrics)
        return (
            f"{self.verdict}. There are {self.size()}; 95% intervals are by {self.resamples:,} "
            f"bootstrap resamples of {self.judgments.drawn}, differences of metrics by "
            f"{self._test()}; {signatures}; preorder_eval {__version__}."
        )

    @property
    def found(self) -> Verdict:
        """The best metric, those not shown to be worse, and the caveats, as data."""
        names = [metric.label for metric in self.metrics]
        best, close = self.order[0], self.standing.close
        caveats = self._below_chance(short_labels(self.metrics)[0][best])
        if self.core:
            changed = self.standing.changed(self.core, short_labels(self.metrics)[0])
            caveats += without_outliers(self.outliers, changed)
        values = of_readable(self.statistics[self.by].values, self.metrics)
        worse = [m for m in self.order[1:] if m not in close and not np.isnan(values[m])]
        return Verdict(
            "best of several",
            (names[best],),
            pairs=self.standing.comparisons,
            close=tuple(names[m] for m in close),
            worse=tuple(names[m] for m in worse),
            metric=self.by,
            value=float(values[best]),
            caveats=caveats,
        )

    def _below_chance(self, who: str) -> tuple[Caveat, ...]:
        """Warn if the best metric, called `who`, is not shown to be better than chance."""
        best = self.order[0]
        if not self._above_chance(self.by, best):
            return (below_chance(who),)
        if not self.beside or self._above_chance(self.beside, best):
            return ()
        few, said = self._too_few(self.beside), self._said(self.beside, best)
        unknown = np.isnan(self.statistics[self.beside].values[best])
        told = f", which {few}" * bool(few) + f": {said}" * (not unknown)
        return (below_chance(who, told),)

    @property
    def own_warnings(self) -> list[Caveat]:
        return [*self.found.caveats, *self.unfit]

    def _turned(self) -> str:
        """Explain how to state the other direction of judgments."""
        if not isinstance(self.judgments, HumanScores):
            return "Rank 1 must be the best"
        other, written = "lower", "human(better=lower)=FILE"
        if self._penalties:
            other, written = "higher", "FILE"
        hint = argument(f"ScoreColumns(better='{other}')", f"--human '{written}'")
        return f"If {other} human scores are better, write {hint}"

    def _above_chance(self, name: str, metric: int) -> bool:
        """Return whether a metric is shown to agree better than chance.

        Over systems a permutation of these decides. Over segments the interval does, of at least
        six segments or documents; it is corrected for the number of metrics (Bonferroni), of which
        the best may be the luckiest.
        """
        if name in self.by_systems:
            return bool(self.by_systems[name][metric] <= LEVEL)
        if self._too_few(name):
            return False
        level = 1 - min(0.05, 0.1 / max(1, sum(each.readable for each in self.metrics)))
        low = self.statistics[name].interval(metric, level).low
        return self.metrics[metric].readable and bool(low > self.chances[name][metric])

    def _too_few(self, name: str) -> str:
        """State that a statistic is over too few systems or segments; empty if it is not."""
        there, least = self.judgments.judged_units, FEWEST_UNITS
        if name in self.by_systems:
            there, least = (len(self.judgments.systems), "system"), FEWEST_TESTED
        return f"{quantity(*there)} cannot show (at least {least} are needed)" * (there[0] < least)

    def _with_chance(self, name: str, metric: int) -> str:
        """Return a metric's value with its chance value and, over systems, p."""
        value, chance = self.statistics[name].values[metric], self.chances[name][metric]
        p = self.by_systems.get(name, self.statistics[name].values * np.nan)[metric]
        sure = "" if np.isnan(p) else f", p = {p_value(p)}".replace("= <", "<")
        return f"{figure(value)} (chance {figure(chance)}{sure})"

    def _said(self, name: str, metric: int) -> str:
        """Return a metric's value over systems, with its chance value."""
        return f"{name.partition('.')[2]} {self._with_chance(name, metric)}"

    def tables(self) -> list[Table]:
        labels = [scores.label for scores in self.metrics]
        metrics = self._metrics_table(labels, self.statistics)
        columns = metrics.select("metric", *(("statistics", name) for name in self.statistics))
        baselines = Table("baselines", columns.columns, [self._chance_row(columns)], only="json")
        return [self._systems_table(), metrics, baselines, agreement_table(self.agreement)]

    def view(self, whole: bool = False) -> list[Table]:
        known = self.statistics if whole else self.shown
        metrics = self._metrics_table(short_labels(self.metrics)[0], known)
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
        notes += [f"note: {note}" for note in self.notes]
        notes += [f"warning: {each.text}" for each in self.unfit]
        return [*parts[:-1], replace(parts[-1], notes=notes)]

    def plot(self) -> Plot:
        """Draw the metrics' agreement with humans with 95% intervals, the best metric at the top.

        There is a panel for each statistic of the table, with a line at the chance value. Requires
        matplotlib, the extra `plot`.
        """
        names = short_labels(self.metrics)[0]
        panels = [
            Panel(
                name,
                [self.statistics[name].interval(metric) for metric in self.order],
                line=self.chance(name),
            )
            for name in self.shown
        ]
        return plot_panels([names[metric] for metric in self.order], panels)

    def levels(self) -> list[Table]:
        """Return a table of all statistics for each level, that of the chosen statistic first."""
        metrics = self._metrics_table(short_labels(self.metrics)[0], self.statistics)
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

    def method(self, whole: bool, test: str = "", units: str = "") -> list[str]:
        """Return notes on what is shown, and on how it was resampled, by `units`, and tested."""
        _, signatures = short_labels(self.metrics)
        chosen = statistic(self.by, self.judgments)
        test = test or self._test()
        shown = self.statistics if whole else self.shown
        bounded = any(self.statistics[name].bounds for name in shown)
        units = units or self.judgments.drawn
        drawn = f"{self.resamples} bootstrap resamples of {units}, seed {self.seed}"
        drawn += "; symmetric over systems, except for spa" * bounded
        return [
            f"{self.by}: {MEANINGS.get(self.by) or MEANINGS[chosen.coefficient]}",
            f"[95% CI, {drawn}]",
            *([] if not self.by_systems else [_PERMUTED]),
            "a new group begins at a metric that differs significantly from one in the group above "
            f"({test}, p ≤ {self.level:g}, uncorrected)",
            "noise lowers correlations over systems, and resampling lowers them further, so "
            "their intervals are symmetric around the value and end at 1"
            if whole
            else "for all statistics and the human scores of systems, use "
            + argument("show(whole=True)", "--all"),
            *([signatures] if whole or len(self.metrics) <= _FEW else []),
        ]

    def _test(self) -> str:
        """Return the test of differences in the statistic that sorts, with what it draws."""
        chosen = statistic(self.by, self.judgments)
        drawn = (
            units_swapped(chosen, self.judgments, self.conventions) and self.judgments.unit.drawn
        )
        return name_of_test(chosen, self.conventions) + f" of {drawn}" * bool(drawn)

    def size(self) -> str:
        """Return the numbers of systems, segments and judgments in words."""
        systems = quantity(len(self.judgments.systems), "system")
        segments = quantity(self.judgments.segments, "segment")
        segments += f" of {self.judgments.unit.drawn}" * bool(self.judgments.unit.drawn)
        judged = quantity(len(self.judgments), self.judgments.noun)
        told = f"{systems}, {segments}, {judged}"
        return told + "; lower human scores are better" * self._penalties

    def _facts(self) -> dict[str, Any]:
        return {
            "segments": self.judgments.segments,
            **self.judgments.unit.facts(),
            "judgments": len(self.judgments),
            **({"human_scores": {"better": "lower"}} if self._penalties else {}),
            "by": self.by,
            "margin": self.conventions.margin,
            "constant": self.conventions.constant,
            "level": self.level,
            "test": name_of_test(statistic(self.by, self.judgments), self.conventions),
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
            "randomization": {"trials": TRIALS_PER_RESAMPLE * self.resamples, "seed": self.seed},
            "over_systems": {
                name: dict(zip((m.label for m in self.metrics), p.tolist(), strict=True))
                for name, p in self.by_systems.items()
            },
            "notes": self.notes,
            "verdict": {**self.found.facts(), "lead_shown": self.standing.shown},
        }

    def _metrics_table(self, names: Sequence[str], statistics: Collection[str]) -> Table:
        """Return a row for each metric by these names, the best first, with these statistics."""
        columns = [Column("metric", label=True), Column("group")]
        for name in statistics:
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
                for name in statistics
                for cell in (
                    ends(self.statistics[name].interval(metric)),
                    self.chances[name][metric],
                )
            ]
            + [{self.metrics[m].label: self.p[metric][m] for m in self.order}]
            + (list(self.estimation[metric]) if self.estimation else [])
            for metric, group in zip(self.order, self.groups, strict=True)
        ]
        return Table("metrics", columns, rows)

    def chance(self, name: str) -> float:
        """Return the chance value of a statistic for all metrics; NaN if each has its own."""
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
        """Return a row of chance values, with the columns of metrics."""
        unknown = float("nan")
        cells = [
            (self.chance(column.path[-1]), unknown, unknown) if column.interval else None
            for column in metrics.columns[1:]
        ]
        return ["chance", *cells]

    @property
    def _penalties(self) -> bool:
        """Whether lower human scores are better."""
        return isinstance(self.judgments, HumanScores) and not self.judgments.higher_is_better

    def _rating(self, system: int) -> tuple[float, float, float]:
        """Return a system's human rating with its interval, as it was given."""
        rating = self.ratings.interval(system)
        if self._penalties:
            return 0.0 - rating.value, 0.0 - rating.high, 0.0 - rating.low
        return rating.value, rating.low, rating.high

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
                self._rating(s),
                name in self.outliers,
                {label: of_systems[s] for label, of_systems in scores.items()},
            ]
            for s, name in enumerate(self.judgments.systems)
        ]
        return Table("systems", columns, rows, title="Systems by humans", only="json")


def with_chance(metrics: Table, chance: list[Any], whole: bool = False) -> Table:
    """Return a table of metrics, the best alone unless `whole`, above a row of chance values."""
    more = f"… and {{}} more: {argument('show(whole=True)', '--all')}"
    shown = metrics if whole else metrics.head(_MOST, more)
    return replace(shown, rows=[*shown.rows, chance])
