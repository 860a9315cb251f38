"""The figures of several reference sets side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from preorder_eval import __version__
from preorder_eval.analysis.reference_stats import ReferenceStats, reference_stats
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.tables import Table
from preorder_eval.formats.text_table import format_table
from preorder_eval.metrics import order_metric
from preorder_eval.metrics.order import OrderMetric
from preorder_eval.results.evaluation import ORDER_METRICS
from preorder_eval.results.text import format_interval
from preorder_eval.visible import quantity

_COUNTS = ("sentences", "informative", "tokens", "links", "ties")
_SHARES = ("aligned", "crossing", "monotone")


@dataclass(frozen=True)
class ReferenceFigures:
    """Each set, or each of its parts by the comment `by`, with its figures.

    `rows` have the name of the set and the figures of the part.
    """

    rows: list[tuple[str, ReferenceStats]]
    metrics: list[OrderMetric]
    by: str | None
    resamples: int
    seed: int

    def summary(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
            "groups": [
                {"reference": name}
                | ({} if self.by is None else {self.by: part.group})
                | {field: getattr(part, field) for field in (*_COUNTS, *_SHARES)}
                | {
                    "unchanged": {
                        str(metric): i and {"value": i.value, "low": i.low, "high": i.high}
                        for metric, i in zip(self.metrics, part.unchanged, strict=True)
                    }
                }
                for name, part in self.rows
            ],
        }

    def table(self) -> Table:
        """Header and a row for each part as plain values."""
        header = ["reference", *([] if self.by is None else [self.by]), *_COUNTS, *_SHARES]
        for metric in self.metrics:
            header += [str(metric), f"{metric} low", f"{metric} high"]
        cells: list[list[object]] = []
        for name, part in self.rows:
            row: list[object] = [name, *([] if self.by is None else [part.group])]
            row += [getattr(part, field) for field in (*_COUNTS, *_SHARES)]
            for i in part.unchanged:
                row += [None] * 3 if i is None else [i.value, i.low, i.high]
            cells.append(row)
        return header, cells

    def __repr__(self) -> str:
        names = ["sentences", "tokens", "links", "ties"]
        header = ["reference", *([] if self.by is None else [self.by]), *names, *_SHARES]
        header += [metric.name for metric in self.metrics]
        table = []
        for name, part in self.rows:
            line = [name, *([] if part.group is None else [part.group])]
            line += [str(getattr(part, field)) for field in names]
            shares = (getattr(part, field) for field in _SHARES)
            line += ["-" if share is None else f"{share:.1%}" for share in shares]
            line += ["-" if i is None else format_interval(i) for i in part.unchanged]
            table.append(line)
        notes = [
            f"{' and '.join(map(str, self.metrics))} of the unchanged source order; mean [95 % "
            f"interval from {self.resamples} bootstrap resamples, seed {self.seed}]; "
            f"preorder-eval {__version__}"
        ]
        left_out = sum(part.sentences - part.informative for _, part in self.rows)
        if left_out:
            notes.append(f"left out of scores: {quantity(left_out, 'sentence without links')}")
        return "\n".join([format_table(header, table), "", *notes])


def reference_figures(
    references: Sequence[str | Path | ReferenceSet],
    *,
    by: str | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> ReferenceFigures:
    """How much there is to reorder in some reference sets, by name or folder or in memory.

    With `by` figures are for each value of this comment of the gold trees, the hardest first
    (`reference_stats`). Raises PreorderEvalError where no sentence has the comment.

    >>> reference_figures(["en-ja"], resamples=10).rows[0][1].links
    7003
    """
    metrics = [order_metric(name) for name in ORDER_METRICS]
    sets = [
        reference if isinstance(reference, ReferenceSet) else load_reference(reference)
        for reference in references
    ]
    rows = [
        (data.name, part)
        for data in sets
        for part in reference_stats(data, metrics, by=by, resamples=resamples, seed=seed)
    ]
    return ReferenceFigures(rows, metrics, by, resamples, seed)
