"""The papers' tables about metrics, made for any outputs and judgments.

The tables as printed are in `printed_tables`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from preorder_eval.base.errors import UnknownNameError, argument
from preorder_eval.base.stats.bootstrap import Bootstrap, Interval, averaged
from preorder_eval.base.stats.legends import few_documents
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.notes import unfit
from preorder_eval.evaluation.score import score_inputs, score_systems
from preorder_eval.judgments.correlation import outliers
from preorder_eval.judgments.human_scores import Judgments
from preorder_eval.judgments.metric_scores import MetricScores, scores_of_all
from preorder_eval.judgments.printed_tables import PaperTable
from preorder_eval.judgments.statistic import ratings_of_systems, resample, statistic
from preorder_eval.judgments.tune import tune
from preorder_eval.judgments.tuning_space import Space
from preorder_eval.metrics import metric, shared_settings
from preorder_eval.metrics.base import Metric, parse_signature

_SIGNS = {"system.pearson": "r", "system.spearman": "ρ"}
UNKNOWN = Interval(math.nan, math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class PaperResult(Shown):
    """A paper's table for other data: the cells of each row that can be made, by its label.

    `columns` name the cells, or the language pairs if the table is `by_pair`. `sampled` has the
    resampled statistics of each row, `drawn` by segments or documents, and `unfit` are
    warnings of metrics that do not fit the texts.
    """

    table: PaperTable
    columns: Sequence[str]
    cells: dict[str, list[Interval]]
    sampled: Mapping[str, Sequence[Bootstrap]]
    resamples: int
    seed: int
    notes: list[str]
    drawn: str
    by_pair: bool = False
    unfit: Sequence[Caveat] = ()

    @property
    def own_warnings(self) -> Sequence[Caveat]:
        return self.unfit

    def tables(self) -> list[Table]:
        return [self._rows(with_interval=list(self.columns))]

    def view(self, whole: bool = False) -> list[Table]:
        # Of several language pairs the mean alone has an interval, or the table would be wide.
        shown = [c for c in self.columns if c.startswith("mean") or not self.by_pair]
        notes = [
            f"{self.table.paper}: its rows, with its numbers for other data at the right",
            *self.notes,
            *(f"warning: {caveat.text}" for caveat in self.unfit),
            f"[95% CI, {self.resamples} bootstrap resamples of {self.drawn}, seed "
            f"{self.seed}]"
            + f"; intervals of pairs: {argument('to_dict()', '--json')}"
            * self.by_pair,
        ]
        rows = self._rows(shown)
        return [replace(rows, notes=[*rows.notes, *notes])]

    def _facts(self) -> dict[str, Any]:
        return {
            "paper": self.table.paper,
            "bootstrap": {
                "level": 0.95,
                "resamples": self.resamples,
                "seed": self.seed,
                "unit": self.drawn,
            },
            "notes": self.notes,
        }

    def _rows(self, with_interval: Sequence[str]) -> Table:
        unknown = [UNKNOWN] * len(self.columns)
        bounded = isinstance(self.table.rows[0].published[0], tuple)
        columns = [Column("metric", label=True)]
        columns += [Column(n, format=" .3f", interval=n in with_interval) for n in self.columns]
        columns += [
            Column(f"published {name}", f"paper: {name}", " .3f", interval=bounded)
            for name in self.table.columns
        ]
        rows = []
        for row in self.table.rows:
            cells: list[Any] = [
                ends(cell) if name in with_interval else cell.value
                for name, cell in zip(self.columns, self.cells.get(row.label, unknown), strict=True)
            ]
            rows.append([row.label, *cells, *row.published])
        return Table("rows", columns, rows)


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
    """Score the rows of a table by `measures` (`row_metrics`), and correlate them with humans."""
    judgments = judgments.by_documents_of(inputs.unit)
    systems = score_systems(inputs, list(measures.values()), advance)
    by_signature = {
        name: MetricScores.of(measure, [system[m] for system in systems])
        for m, (name, measure) in enumerate(measures.items())
    }
    scores = {r.label: by_signature[r.metric] for r in table.rows if r.metric in by_signature}
    wanted = [statistic(name, judgments) for name in table.statistics]
    drawn = resample(list(scores.values()), judgments, wanted, resamples=resamples, seed=seed)
    cells = {
        label: [sampled.interval(number) for sampled in drawn]
        for number, label in enumerate(scores)
    }
    sampled = {label: [of.of([number]) for of in drawn] for number, label in enumerate(scores)}
    left_out = [judgments.systems[system] for system in outliers(ratings_of_systems(judgments))]
    notes = [quantity(len(inputs.systems), "system")]
    lacking = [row.label for row in table.rows if row.metric and row.metric not in measures]
    if lacking:
        how = argument("hyp_tags=…", "--tagger, --input hyp_tags=FILE …")
        notes.append(f"need tags ({how}): {', '.join(lacking)}")
    of_words = measures.get("hlepor")
    if of_words and "hyp_tags" not in of_words.needs:
        labels = ", ".join(row.label for row in table.rows if row.metric == "hlepor")
        notes.append(f"by words alone, as tags count for some pairs only: {labels}")
    if any(one.level == "core" for one in wanted):
        notes[0] += f"; core leaves out {', '.join(left_out) or 'none'}"
    statistics = [[score.statistics for score in of_system] for of_system in systems]
    warnings = unfit(inputs, list(measures.values()), statistics).caveats
    return PaperResult(
        table,
        table.statistics,
        cells,
        sampled,
        resamples,
        seed,
        notes,
        judgments.drawn,
        unfit=[*warnings, *few_documents(judgments.unit, "segment")],
    )


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
    """Compute the consistency of BLEU, and of LRscores whose α is fitted to it, also held out.

    The first row is BLEU, the others are LRscores. `inputs` has the source and the alignments.
    """
    bleu, *variants = table.rows
    measure = metric(bleu.metric, **shared_settings(bleu.metric, tokenize, lower))
    [name] = table.statistics
    judgments = judgments.by_documents_of(inputs.unit)
    of_bleu = score_inputs(inputs, (measure,))
    warnings = [*of_bleu.unfit]
    [drawn] = resample(
        scores_of_all({"": of_bleu})[0],
        judgments,
        [statistic(name, judgments)],
        resamples=resamples,
        seed=seed,
    )
    cells = {bleu.label: [UNKNOWN, drawn.interval(0), drawn.interval(0)]}
    sampled = {bleu.label: [drawn]}
    folds = 0
    for row in variants:
        space = Space.of(f"{row.metric}(alpha=?)", **shared_settings(row.metric, tokenize, lower))
        fit = tune(space, inputs, judgments, objective=name, resamples=resamples, seed=seed)
        alpha = replace(UNKNOWN, value=float(fit.best[0]))
        cells[row.label] = [alpha, fit.sampled.interval(1), fit.sampled.interval(2)]
        sampled[row.label] = [fit.sampled.of([1])]
        folds = len(fit.folds)
        warnings += fit.own_warnings
    notes = [
        f"{len(judgments.pairs().decided)} pairs; alpha is fitted to all of them by .01; held out: "
        f"{folds} folds of {judgments.drawn}, each with the alpha that fits the others best"
    ]
    return PaperResult(
        table,
        ["alpha", name, "held out"],
        cells,
        sampled,
        resamples,
        seed,
        notes,
        judgments.drawn,
        unfit=list(dict.fromkeys(warnings)),
    )


def row_metrics(
    table: PaperTable,
    *,
    tokenize: str | None = None,
    lower: bool = False,
    pair: str = "",
    tags: Collection[str] = (),
) -> dict[str, Metric]:
    """Return the metrics of a table's rows that can be made, by their signatures in the table.

    Parameters: `tokenize` and `lower` for metrics that do not set these themselves; `pair` the
    languages for which metrics of the LEPOR family take tuned parameters (Han 2014, Table 5-3),
    some of which mix in tags. Metrics that need tags which are not in `tags` are left out.
    """
    measures = {}
    for signature in sorted({row.metric for row in table.rows} - {""}):
        name, written = parse_signature(signature)
        if pair and name in ("hlepor", "lepor", "nlepor"):
            written |= {"pair": pair}
        tuned = f"{name}({','.join(f'{key}={value}' for key, value in written.items())})"
        measure = metric(tuned, **shared_settings(tuned, tokenize, lower))
        if all(name in tags for name in measure.needs if name.endswith("_tags")):
            measures[signature] = measure
    return measures


def filled(table: PaperTable, others: Sequence[Metric]) -> PaperTable:
    """Return a table in which rows of other programs' metrics have their given scores.

    A row is filled by the metric of the same name. Raises UnknownNameError if there is no such row.
    """
    empty = {row.label.casefold(): row.label for row in table.rows if not row.metric}
    by_label = {}
    for scores in others:
        if scores.called.casefold() not in empty:
            raise UnknownNameError("row to be filled", scores.called, sorted(empty.values()))
        by_label[empty[scores.called.casefold()]] = str(scores)
    rows = (replace(row, metric=by_label.get(row.label, row.metric)) for row in table.rows)
    return replace(table, rows=tuple(rows))


def by_score(results: Mapping[str, PaperResult]) -> PaperResult:
    """Put the tables of several human scores, such as adequacy and fluency, beside each other."""
    first = next(iter(results.values()))
    columns = [f"{name} {column}" for name, result in results.items() for column in result.columns]
    unknown = [UNKNOWN] * len(first.columns)
    cells = {
        label: [cell for result in results.values() for cell in result.cells.get(label, unknown)]
        for label in first.cells
    }
    notes = list(dict.fromkeys(note for result in results.values() for note in result.notes))
    return replace(first, columns=columns, cells=cells, notes=notes, unfit=_unfit_of(results))


def by_pair(results: Mapping[str, PaperResult]) -> PaperResult:
    """Put the tables of several language pairs beside each other, with means.

    Each has the first statistic of the table; if the paper has columns with several means, each has
    the statistics of these.
    """
    first = next(iter(results.values()))
    count = max(1, sum(name.startswith("mean") for name in first.table.columns))
    shown = first.table.statistics[:count]
    of_pairs, cells = list(results.values()), {}
    for label in dict.fromkeys(label for result in of_pairs for label in result.cells):
        cells[label] = list[Interval]()
        for number, name in enumerate(shown):
            known = [result for result in of_pairs if label in result.cells]
            mean = averaged([result.sampled[label][number] for result in known])
            cells[label] += [
                result.cells[label][list(result.columns).index(name)]
                if result in known
                else UNKNOWN
                for result in of_pairs
            ]
            cells[label].append(mean.interval(0) if known == of_pairs else UNKNOWN)
    notes = [f"{' and '.join(shown)} of each language pair, and the mean"]
    notes += [f"{pair}: {note}" for pair, result in results.items() for note in result.notes]
    signs = [f" {_SIGNS[statistic]}" if count > 1 else "" for statistic in shown]
    columns = [f"{name}{sign}" for sign in signs for name in (*results, "mean")]
    return PaperResult(
        first.table,
        columns,
        cells,
        {},
        first.resamples,
        first.seed,
        notes,
        " or ".join(sorted({result.drawn for result in of_pairs})),
        by_pair=True,
        unfit=_unfit_of(results),
    )


def _unfit_of(results: Mapping[str, PaperResult]) -> list[Caveat]:
    """Return the warnings of several tables, each once."""
    return list(dict.fromkeys(caveat for result in results.values() for caveat in result.unfit))
