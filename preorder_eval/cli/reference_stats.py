"""`preorder-eval reference stats`: how much there is to reorder in a reference set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.cli.options import JsonForTable, Resamples, TsvForTable, choose_one

if TYPE_CHECKING:
    from preorder_eval.analysis.reference_stats import ReferenceStats
    from preorder_eval.metrics.shared.base import OrderMetric

    Row = tuple[str, ReferenceStats]

_COUNTS = ("sentences", "informative", "tokens", "links", "ties")
_SHARES = ("aligned", "crossing", "monotone")


def command(
    references: Annotated[
        list[str],
        typer.Argument(help="Bundled reference sets or folders.", metavar="NAME|DIR…"),
    ],
    by: Annotated[
        str | None,
        typer.Option(
            help="Figures for each value of this comment of source.conllu, such as phenomenon.",
            metavar="KEY",
        ),
    ] = None,
    resamples: Resamples = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")] = 0,
    json: JsonForTable = False,
    tsv: TsvForTable = False,
) -> None:
    """Show how much there is to reorder, and the scores of leaving the source order as it is.

    Aligned: share of the source tokens that have a link. Ties: groups of words whose order is
    free. Crossing: share of the pairs of links of a sentence that cross. Monotone: share of the
    sentences whose reference order can be the source order. With --by the hardest come first.

    \b
    Examples:
      preorder-eval reference stats en-ja en-ko en-de
      preorder-eval reference stats en-ja --by phenomenon
    """
    from preorder_eval.analysis.reference_stats import reference_stats
    from preorder_eval.formats.reference_folder import load_reference
    from preorder_eval.formats.tables import format_json, format_tsv
    from preorder_eval.metrics import order_metric

    choose_one(json=json, tsv=tsv)
    metrics = [order_metric("fuzzy"), order_metric("kendall")]
    sets = [load_reference(name) for name in references]
    rows = [
        (data.name, part)
        for data in sets
        for part in reference_stats(data, metrics, by=by, resamples=resamples, seed=seed)
    ]
    if json:
        print(format_json(_as_json(rows, metrics, by, resamples, seed)), end="")
    elif tsv:
        print(format_tsv(*_cells(rows, metrics, by)), end="")
    else:
        print(_table(rows, metrics, by, resamples, seed))


def _as_json(
    rows: list[Row], metrics: list[OrderMetric], by: str | None, resamples: int, seed: int
) -> dict[str, Any]:
    return {
        "bootstrap": {"level": 0.95, "resamples": resamples, "seed": seed},
        "groups": [
            {"reference": name}
            | ({} if by is None else {by: part.group})
            | {field: getattr(part, field) for field in (*_COUNTS, *_SHARES)}
            | {
                "unchanged": {
                    str(metric): i and {"mean": i.value, "low": i.low, "high": i.high}
                    for metric, i in zip(metrics, part.unchanged, strict=True)
                }
            }
            for name, part in rows
        ],
    }


def _cells(
    rows: list[Row], metrics: list[OrderMetric], by: str | None
) -> tuple[list[str], list[list[object]]]:
    """Header and rows as plain values, for TSV."""
    header = ["reference", *([] if by is None else [by]), *_COUNTS, *_SHARES]
    for metric in metrics:
        header += [str(metric), f"{metric} low", f"{metric} high"]
    cells: list[list[object]] = []
    for name, part in rows:
        row: list[object] = [name, *([] if by is None else [part.group])]
        row += [getattr(part, field) for field in (*_COUNTS, *_SHARES)]
        for i in part.unchanged:
            row += [None] * 3 if i is None else [i.value, i.low, i.high]
        cells.append(row)
    return header, cells


def _table(
    rows: list[Row], metrics: list[OrderMetric], by: str | None, resamples: int, seed: int
) -> str:
    from preorder_eval import __version__
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_interval

    names = ["sentences", "tokens", "links", "ties"]
    header = ["reference", *([] if by is None else [by]), *names, *_SHARES]
    header += [metric.name for metric in metrics]
    table = []
    for name, part in rows:
        line = [name, *([] if part.group is None else [part.group])]
        line += [str(getattr(part, field)) for field in names]
        line += ["-" if (x := getattr(part, field)) is None else f"{x:.1%}" for field in _SHARES]
        line += ["-" if i is None else format_interval(i) for i in part.unchanged]
        table.append(line)
    notes = [
        f"{' and '.join(map(str, metrics))} of the unchanged source order; mean [95 % interval "
        f"from {resamples} bootstrap resamples, seed {seed}]; preorder-eval {__version__}"
    ]
    left_out = sum(part.sentences - part.informative for _, part in rows)
    if left_out:
        notes.append(f"left out of scores: {left_out} sentences without links")
    return "\n".join([format_table(header, table), "", *notes])
