"""The main job: score system orders against reference orders, with confidence intervals.

A *system* is whatever reorders the source: a parser with a rule set, an order file, or a decoder
known by its alignment of source and output.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from preorder_eval.data.orders import Orders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.order import format_order
from preorder_eval.formats.pharaoh import format_links
from preorder_eval.formats.run_folder import (
    SCORE_COLUMNS,
    SENTENCE_COLUMNS,
    escape_tokens,
    format_tsv,
)
from preorder_eval.metrics.shared.base import OrderMetric, Scores
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.pairwise import Pair, all_pairs
from preorder_eval.stats.randomization import TRIALS_PER_RESAMPLE

NO_LINKS = "no links"


@dataclass(frozen=True, eq=False)
class System:
    """Orders under the name of what made them.

    `made_by` holds what identifies it (parser, rule set or file, with hashes) for the run folder.
    """

    parser: str
    rules: str
    orders: Orders
    made_by: dict[str, Any]

    @property
    def name(self) -> str:
        """Parser and rule set in one word."""
        return f"{self.parser}/{self.rules}" if self.rules else self.parser


@dataclass(frozen=True, eq=False)
class Row:
    """A system's results: for each metric the scores and the corpus value with its interval."""

    system: System
    scores: list[Scores]
    intervals: list[Interval]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Systems scored on a reference set.

    `pairs` are, for each metric, all pairs of rows compared; None where that was not asked for.
    """

    reference: ReferenceSet
    metrics: list[OrderMetric]
    rows: list[Row]
    resamples: int
    seed: int
    pairs: list[list[Pair]] | None = None

    @property
    def left_out(self) -> list[int]:
        """The 1-based numbers of the sentences that carry no information."""
        return (np.flatnonzero(~self.reference.references.informative) + 1).tolist()

    def summary(self) -> dict[str, Any]:
        """What `--json` prints and `run.json` keeps."""
        left_out = self.left_out
        result: dict[str, Any] = {
            "reference": {
                "name": self.reference.name,
                "sentences": len(self.reference),
                "files": self.reference.hashes,
            },
            "metrics": [str(metric) for metric in self.metrics],
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
            "left_out": {NO_LINKS: left_out} if left_out else {},
            "systems": [
                {
                    "system": row.system.name,
                    "parser": row.system.parser,
                    "rules": row.system.rules,
                    "made_by": row.system.made_by,
                    "sentences": len(self.reference) - len(left_out),
                    "left_out": len(left_out),
                    "scores": {
                        scores.metric: {"mean": i.value, "low": i.low, "high": i.high}
                        for scores, i in zip(row.scores, row.intervals, strict=True)
                    },
                }
                for row in self.rows
            ],
        }
        if self.pairs is not None:
            columns, rows = self.pairs_table()
            result["significance"] = {
                "bootstrap": {"resamples": self.resamples, "seed": self.seed},
                "randomization": {
                    "trials": TRIALS_PER_RESAMPLE * self.resamples,
                    "seed": self.seed,
                },
                "pairs": [dict(zip(columns, cells, strict=True)) for cells in rows],
            }
        return result

    def table(self) -> tuple[list[str], list[list[object]]]:
        """Header and rows of the summary as plain values, for TSV."""
        header = ["parser", "rules", "sentences", "left_out"]
        for metric in self.metrics:
            header += [str(metric), f"{metric} low", f"{metric} high"]
        left_out = len(self.left_out)
        rows = []
        for row in self.rows:
            cells: list[object] = [row.system.parser, row.system.rules]
            cells += [len(self.reference) - left_out, left_out]
            for interval in row.intervals:
                cells += [interval.value, interval.low, interval.high]
            rows.append(cells)
        return header, rows

    def pairs_table(self) -> tuple[list[str], list[list[object]]]:
        """Header and rows of all pairs of systems by every metric as plain values."""
        header = ["metric", "row", "column", "difference", "low_95", "high_95", "low_90"]
        header += ["high_90", "significance", "p", "p_holm"]
        rows: list[list[object]] = []
        for metric, pairs in zip(self.metrics, self.pairs or [], strict=False):
            for pair in pairs:
                names = [self.rows[i].system.name for i in (pair.first, pair.second)]
                d = pair.difference
                ends = [d.at_95.low, d.at_95.high, d.at_90.low, d.at_90.high]
                rows.append([str(metric), *names, d.value, *ends, d.mark, pair.p, pair.p_holm])
        return header, rows

    def sentences_tsv(self) -> str:
        """Per sentence the source, links and reference order (ties joined by `_`)."""
        left_out = set(self.left_out)
        reference = self.reference
        rows = (
            (
                s + 1,
                NO_LINKS if s + 1 in left_out else None,
                escape_tokens(words),
                escape_tokens(reference.target[s]) if reference.target else None,
                format_links(reference.alignments[s]),
                " ".join("_".join(map(str, group)) for group in order),
            )
            for s, (words, order) in enumerate(
                zip(reference.source, reference.references, strict=True)
            )
        )
        return format_tsv(SENTENCE_COLUMNS, rows)

    def scores_tsv(self) -> str:
        """Per system and sentence the order and the scores; no score where left out."""
        rows = (
            [row.system.name, s + 1, format_order(order)]
            + [None if math.isnan(x := scores.sentence[s]) else float(x) for scores in row.scores]
            for row in self.rows
            for s, order in enumerate(row.system.orders)
        )
        return format_tsv([*SCORE_COLUMNS, *map(str, self.metrics)], rows)


def evaluate(
    reference: ReferenceSet,
    systems: Sequence[System],
    metrics: Sequence[OrderMetric],
    *,
    resamples: int = 1000,
    seed: int = 0,
    significance: bool = False,
) -> Evaluation:
    """Score every system with every metric, with 95 % bootstrap intervals over sentences.

    Sentences without links are left out. `significance` compares all pairs of systems too, with
    ten trials of approximate randomization for every bootstrap resample. Raises PreorderEvalError
    where nothing is left to score, where two systems have the same name, or for the significance of
    a single system.
    """
    references = reference.references
    if not references.informative.any():
        raise PreorderEvalError(f"{reference.name}: no sentence has a link, nothing can be scored")
    if not systems or not metrics:
        raise PreorderEvalError("nothing to do without a system and a metric")
    _check_names(systems)
    if significance and len(systems) < 2:
        raise PreorderEvalError("significance needs at least two systems to compare")
    scores = [
        [metric.score(system.orders, references, reference.words) for metric in metrics]
        for system in systems
    ]
    measurements = [
        Measurement(
            np.stack([own[m].statistics[references.informative] for own in scores]), metric.finish
        )
        for m, metric in enumerate(metrics)
    ]
    sampled = bootstrap(measurements, resamples=resamples, seed=seed)
    rows = [
        Row(system, scores[s], [metric_sampled.interval(s) for metric_sampled in sampled])
        for s, system in enumerate(systems)
    ]
    pairs = None
    if significance:
        pairs = all_pairs(measurements, sampled, trials=TRIALS_PER_RESAMPLE * resamples, seed=seed)
    return Evaluation(reference, list(metrics), rows, resamples, seed, pairs)


def _check_names(systems: Sequence[System]) -> None:
    names = [system.name for system in systems]
    for name in names:
        if names.count(name) > 1:
            raise PreorderEvalError(
                f"{names.count(name)} systems are called {name}; give each file its own name"
            )
