"""What `meta` prints."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from preorder_eval.visible import quantity

if TYPE_CHECKING:
    from preorder_eval.meta_evaluation.language_pairs import LanguagePairs
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
_WIDTH = 80
_MOST = 14  # metrics that fit a screen with what stands around them


def short_meta_text(result: MetaEvaluation) -> str:
    """The best metrics by the chosen statistic, and by one of another level: what fits a screen."""
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_cell

    beside = "segment.pearson" if result.by.startswith(("system", "core")) else "system.pearson"
    columns = [name for name in (beside, "pairs.consistency") if name in result.statistics][:1]
    header = ["metric", "group", f"{result.by} ▼", *columns]
    rows = []
    for name, metric, group in zip(_names(result), result.order, result.groups, strict=True):
        of_metric = result.statistics[result.by].interval(metric)
        more = [f"{result.statistics[c].values[metric]: .3f}" for c in columns]
        rows.append([name, str(group), format_cell(of_metric), *more])
    parts = [_cut(format_table(header, rows[:_MOST]), len(rows))]
    if result.estimation:
        parts.append(_estimation(result))
    if result.agreement:
        parts.append(agreement_text(result.agreement))
    return "\n\n".join([*parts, _below(result)])


def pairs_text(result: LanguagePairs, whole: bool = False) -> str:
    """A table of language pairs and their mean by the chosen statistic, or of `whole` for each."""
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_cell

    first, names, parts = result.first, result.names, []
    others = [name for name in result.statistics if name != first.by]
    for statistic in [first.by, *(others if whole else [])]:
        mean = result.mean(statistic)
        values = [each.statistics[statistic].values for each in result.pairs.values()]
        rows = [
            [names[metric], str(group)]
            + [f"{of_pair[metric]: .3f}" for of_pair in values]
            + [format_cell(mean.interval(metric))]
            for metric, group in zip(result.order, result.groups, strict=True)
        ]
        header = ["metric", "group", *result.pairs, f"mean{' ▼' * (statistic == first.by)}"]
        table = format_table(header, rows if whole else rows[:_MOST])
        parts.append(f"{statistic}:\n{table if whole else _cut(table, len(rows))}")
    if whole:
        parts += [f"{pair}: {_systems(each)}" for pair, each in result.pairs.items()]
    notes = [f"{pair}: {line}" for pair, each in result.pairs.items() for line in _size(each)]
    return "\n\n".join([*parts, "\n".join([*notes, *_drawn(first, whole)])])


def _cut(table: str, metrics: int) -> str:
    more = metrics - _MOST
    return f"{table}\n… and {more} more, with --all" if more > 0 else table


def meta_text(result: MetaEvaluation) -> str:
    """A table for each level, that of the chosen statistic first; all in the same order."""
    chosen = result.by.partition(".")[0]
    levels = dict.fromkeys(name.partition(".")[0] for name in result.statistics)
    if not result.outliers and chosen != "core":
        del levels["core"]  # which says the same as system
    parts = [_level(result, level) for level in sorted(levels, key=lambda level: level != chosen)]
    if result.estimation:
        parts.append(_estimation(result))
    if result.agreement:
        parts.append(agreement_text(result.agreement))
    return "\n\n".join([*parts, _systems(result), _below(result, whole=True)])


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
    from preorder_eval.meta_evaluation.people import agreement_rows

    return format_table(*agreement_rows(agreements))


def _systems(result: MetaEvaluation) -> str:
    """How good people find each system."""
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_cell

    rows = [
        [name, format_cell(result.ratings.interval(s)), "outlier" * (name in result.outliers)]
        for s, name in enumerate(result.judgments.systems)
    ]
    return f"Systems by people:\n{format_table(['system', 'rating', ''], rows)}"


def _below(result: MetaEvaluation, whole: bool = False) -> str:
    """What stands below the tables."""
    from preorder_eval.meta_evaluation.scores import short_labels
    from preorder_eval.visible import visible

    lines = [*_size(result), *_drawn(result, whole)]
    _, shared = short_labels(result.metrics)
    if shared:
        lines.append(f"all metrics with {shared}")
    lines += [f"note: {note}" for note in result.notes]
    return "\n".join(part for line in lines for part in textwrap.wrap(visible(line), _WIDTH))


def _size(result: MetaEvaluation) -> list[str]:
    judgments, count = result.judgments, len(result.judgments.systems)
    return [
        f"{quantity(count, 'system')}, {quantity(judgments.segments, 'segment')}, "
        f"{len(judgments)} judgments"
    ]


def _drawn(result: MetaEvaluation, whole: bool) -> list[str]:
    from preorder_eval import __version__

    lines = [
        f"[95 % intervals from {result.resamples} bootstrap resamples of segments, seed "
        f"{result.seed}]",
        "a metric that differs significantly from one above it in its group starts the",
        f"next (p ≤ 0.05, uncorrected, by {result.by}); preorder-eval {__version__}",
    ]
    if not whole:
        return [*lines, "all statistics, and ratings of systems: --all"]
    return [*lines, "noise lowers correlations over systems, the more the fewer the segments"]
