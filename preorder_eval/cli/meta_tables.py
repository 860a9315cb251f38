"""What `meta` prints."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from preorder_eval.meta_evaluation.result import MetaEvaluation
    from preorder_eval.stats.agreement import Agreement

_LEVELS = {
    "system": "Over systems",
    "core": "Over systems without outliers",
    "segment": "Over all judged outputs",
    "within-system": "Over the outputs of each system, mean over systems",
    "within-segment": "Over the outputs of each segment, mean over segments",
    "pairs": "Over pairs of outputs of the same segment",
}
UNDEFINED = "-"


def meta_text(result: MetaEvaluation) -> str:
    """A table for each level, that of the chosen statistic first; all in the same order."""
    from preorder_eval.visible import visible

    chosen = result.by.partition(".")[0]
    levels = dict.fromkeys(name.partition(".")[0] for name in result.statistics)
    if not result.outliers and chosen != "core":
        del levels["core"]  # which says the same as system
    parts = [_level(result, level) for level in sorted(levels, key=lambda level: level != chosen)]
    if result.estimation:
        parts.append(_estimation(result))
    if result.agreement:
        parts.append(agreement_text(result.agreement))
    parts.append("\n".join(visible(line) for line in _legend(result)))
    return "\n\n".join(parts)


def _names(result: MetaEvaluation) -> list[str]:
    """The metrics in the order of the table."""
    from preorder_eval.meta_evaluation.scores import short_labels

    names, _ = short_labels(result.metrics)
    return [names[metric] for metric in result.order]


def _level(result: MetaEvaluation, level: str) -> str:
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_cell

    chosen = [name for name in result.statistics if name.partition(".")[0] == level]
    grouped = result.by in chosen
    header = ["metric", *(["group"] if grouped else [])]
    header += [f"{name.partition('.')[2]}{' ▼' if name == result.by else ''}" for name in chosen]
    rows = []
    for name, metric, group in zip(_names(result), result.order, result.groups, strict=True):
        cells = [result.statistics[statistic].interval(metric) for statistic in chosen]
        rows.append([name, *([str(group)] if grouped else []), *map(format_cell, cells)])
    return f"{_LEVELS[level]}:\n{format_table(header, rows)}"


def _estimation(result: MetaEvaluation) -> str:
    from preorder_eval.formats.text_table import format_table

    rows = []
    for name, metric in zip(_names(result), result.order, strict=True):
        estimation = result.estimation[metric]
        values = estimation.delta_avg, estimation.mae, estimation.rmse
        rows.append([name, *(f"{value:.4f}" for value in values)])
    return "Quality estimation:\n" + format_table(["metric", "DeltaAvg", "MAE", "RMSE"], rows)


def agreement_text(agreements: dict[str, Agreement]) -> str:
    """How well judges agree, as a table."""
    from preorder_eval.formats.text_table import format_table

    rows = [
        [name, str(agreement.compared)]
        + [
            UNDEFINED if math.isnan(value) else f"{value:.4f}"
            for value in (agreement.agreed, agreement.chance, agreement.kappa)
        ]
        for name, agreement in agreements.items()
    ]
    header = ["agreement of", "comparisons", "P(A)", "P(E)", "kappa"]
    return format_table(header, rows)


def _legend(result: MetaEvaluation) -> Iterator[str]:
    from preorder_eval import __version__

    judgments = result.judgments
    yield (
        f"{len(judgments.systems)} systems, {judgments.segments} segments, {len(judgments)} "
        f"judgments; [95 % intervals from {result.resamples} bootstrap resamples of segments, "
        f"seed {result.seed}]; preorder-eval {__version__}"
    )
    yield (
        f"sorted by {result.by} ▼; a metric that differs significantly from one above it in its "
        "group starts the next (p ≤ 0.05, uncorrected)"
    )
    from preorder_eval.meta_evaluation.scores import short_labels

    _, shared = short_labels(result.metrics)
    if shared:
        yield f"all metrics with {shared}"
    if result.outliers:
        yield f"outliers: {', '.join(result.outliers)}"
    for note in result.notes:
        yield f"note: {note}"
