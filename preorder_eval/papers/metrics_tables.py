"""The rows of the papers' tables about metrics, for any outputs and judgments."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from preorder_eval.data.judgments import Judgments
from preorder_eval.meta_evaluation.scores import MetricScores, scores_of
from preorder_eval.meta_evaluation.statistic import ratings_of_systems, resample, statistic
from preorder_eval.meta_evaluation.tuning import tune
from preorder_eval.meta_evaluation.tuning_space import Space
from preorder_eval.metrics import metric, shared_settings
from preorder_eval.metrics.base import Metric, parse_signature
from preorder_eval.metrics.ter import Ter
from preorder_eval.papers.tables.paper_table import PaperTable
from preorder_eval.results.inputs import Inputs
from preorder_eval.results.scoring import score_inputs, score_systems
from preorder_eval.stats.bootstrap import Bootstrap, Interval
from preorder_eval.stats.system_correlation import outliers
from preorder_eval.visible import quantity

UNKNOWN = Interval(math.nan, math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class PaperResult:
    """A paper's table for other data: the cells of each row that can be made, by its label.

    `columns` are the names of the cells. `sampled` has the table's first statistic of each row, of
    one value, as it was resampled.
    """

    table: PaperTable
    columns: Sequence[str]
    cells: dict[str, list[Interval]]
    sampled: Mapping[str, Bootstrap]
    resamples: int
    seed: int
    notes: list[str]

    def row(self, label: str) -> list[Interval]:
        """The cells of a row, NaN where it cannot be made."""
        return self.cells.get(label, [UNKNOWN] * len(self.columns))

    def as_table(self) -> tuple[list[str], list[list[object]]]:
        """Header and rows as plain values; None for what is not known."""
        header = ["metric"]
        for column in self.columns:
            header += [column, f"{column} low", f"{column} high"]
        header += [f"published {column}" for column in self.table.published]
        rows: list[list[object]] = []
        for row in self.table.rows:
            intervals = self.row(row.label)
            numbers = [
                x for interval in intervals for x in (interval.value, interval.low, interval.high)
            ]
            cells = [None if math.isnan(number) else number for number in numbers]
            rows.append([row.label, *cells, *row.published])
        return header, rows

    def summary(self) -> dict[str, Any]:
        """What `--json` prints."""
        header, rows = self.as_table()
        return {
            "paper": self.table.paper,
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
            "rows": [dict(zip(header, row, strict=True)) for row in rows],
            "notes": self.notes,
        }


def correlate(
    table: PaperTable,
    inputs: Inputs,
    judgments: Judgments,
    *,
    measures: Mapping[str, Metric],
    resamples: int = 1000,
    seed: int = 0,
    advance: Callable[[int], None] | None = None,
) -> PaperResult:
    """The rows of a table scored and correlated with people, by the table's statistics.

    `measures` are the metrics of the rows (`row_metrics`); `advance` is told of each system.
    """
    scores = score_rows(table, inputs, measures, advance)
    wanted = [statistic(name, judgments) for name in table.statistics]
    drawn = resample(list(scores.values()), judgments, wanted, resamples=resamples, seed=seed)
    cells = {
        label: [sampled.interval(number) for sampled in drawn]
        for number, label in enumerate(scores)
    }
    sampled = {label: drawn[0].of([number]) for number, label in enumerate(scores)}
    left_out = [judgments.systems[system] for system in outliers(ratings_of_systems(judgments))]
    notes = [quantity(len(inputs.systems), "system")]
    if any(one.level == "core" for one in wanted):
        notes[0] += f"; core leaves out {', '.join(left_out) or 'none'}"
    if any(row.metric and row.metric not in measures for row in table.rows):
        notes.append("TER is left out, as was asked for")
    return PaperResult(table, table.statistics, cells, sampled, resamples, seed, notes)


def fit_lrscores(
    table: PaperTable,
    inputs: Inputs,
    judgments: Judgments,
    *,
    tokenize: str | None = None,
    lower: bool = False,
    resamples: int = 1000,
    seed: int = 0,
) -> PaperResult:
    """Consistency of BLEU and of LRscores whose α is fitted to it, on all judgments and held out.

    The first row is BLEU, the others are LRscores; `inputs` are their alignments and the source.
    """
    bleu, *variants = table.rows
    measure = metric(bleu.metric, **shared_settings(bleu.metric, tokenize, lower))
    [name] = table.statistics
    [drawn] = resample(
        scores_of(score_inputs(inputs, (measure,)))[0],
        judgments,
        [statistic(name, judgments)],
        resamples=resamples,
        seed=seed,
    )
    cells = {bleu.label: [UNKNOWN, drawn.interval(0), drawn.interval(0)]}
    sampled = {bleu.label: drawn}
    folds = 0
    for row in variants:
        fitted = tune(
            Space.of(f"{row.metric}(alpha=?)", **shared_settings(row.metric, tokenize, lower)),
            inputs,
            judgments,
            objective=name,
            resamples=resamples,
            seed=seed,
        )
        folds = len(fitted.folds)
        alpha = replace(UNKNOWN, value=float(fitted.found[0]))
        sampled[row.label] = fitted.sampled.of([1])
        cells[row.label] = [alpha, fitted.sampled.interval(1), fitted.sampled.interval(2)]
    notes = [
        f"{len(judgments.pairs().decided)} pairs; alpha is fitted to all of them by .01; held "
        f"out: {folds} folds of segments, each with the alpha that fits the others best"
    ]
    return PaperResult(table, ["alpha", name, "held out"], cells, sampled, resamples, seed, notes)


def row_metrics(
    table: PaperTable,
    *,
    tokenize: str | None = None,
    lower: bool = False,
    ter: bool = True,
    pair: str = "",
    tags: bool = False,
) -> dict[str, Metric]:
    """The metrics of a table's rows by their signatures there.

    Parameters: `tokenize` and `lower` for metrics that do not say it themselves; `ter` whether TER
    is among them, which takes long; `pair` the languages whose tuned parameters the metrics of
    the LEPOR family take (Han 2014, Table 5-3), with `tags` those that mix in tags too.
    """
    measures = {}
    for signature in sorted({row.metric for row in table.rows} - {""}):
        tuned = _for_pair(signature, pair, tags) if pair else signature
        made = metric(tuned, **shared_settings(tuned, tokenize, lower))
        if ter or not isinstance(made, Ter):
            measures[signature] = made
    return measures


def _for_pair(signature: str, pair: str, tags: bool) -> str:
    """The signature of a metric of the LEPOR family with the parameters tuned for a pair."""
    name, written = parse_signature(signature)
    if name not in ("hlepor", "lepor", "nlepor"):
        return signature
    written |= {"pair": pair} | ({} if tags else {"mix": "1:0"})
    return f"{name}({','.join(f'{key}={value}' for key, value in written.items())})"


def score_rows(
    table: PaperTable,
    inputs: Inputs,
    measures: Mapping[str, Metric],
    advance: Callable[[int], None] | None,
) -> dict[str, MetricScores]:
    """What each row's metric says, by label; rows that cannot be made are left out."""
    systems = score_systems(inputs, list(measures.values()), advance)
    scores = {
        name: MetricScores.of(measure, [system[m] for system in systems])
        for m, (name, measure) in enumerate(measures.items())
    }
    return {row.label: scores[row.metric] for row in table.rows if row.metric in scores}
