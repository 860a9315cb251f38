"""`preorder-eval reproduce metrics`: tables of the papers about metrics, for any data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from preorder_eval.cli.input_options import InputOptions
from preorder_eval.cli.judgment_options import HypOption, JudgmentOptions, RefOption
from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Printed, Resamples, Seed

if TYPE_CHECKING:
    from preorder_eval.papers.metrics_tables import PaperResult

TableName = Literal[
    "rouge-1",
    "ribes-1",
    "ribes-2",
    "ribes-3",
    "lrscore-2",
    "lepor-5-2",
    "lepor-5-4",
    "lepor-6-2",
    "lepor-6-3",
    "lepor-6-4",
    "lepor-6-5",
    "lepor-6-6",
    "lepor-6-7",
    "lepor-7-3",
]


@grouped
def command(
    table: Annotated[
        TableName,
        typer.Option(
            help="Lin & Och 2004, Table 1; Isozaki et al. 2010, Table 1 to 3; Birch & Osborne "
            "2010, Table 2; Han 2014, Tables 5-2, 5-4, 6-2 to 6-7 and 7-3."
        ),
    ],
    hyp: HypOption = None,
    ref: RefOption = None,
    *,
    people: JudgmentOptions,
    given: InputOptions,
    ter: Annotated[
        bool, typer.Option("--ter", help="Make the rows of TER too, which take minutes.")
    ] = False,
    pair: Annotated[
        str | None,
        typer.Option(
            help="Languages whose tuned parameters the rows of the LEPOR family take (Han 2014, "
            "Table 5-3), such as en-de; with --tagger or files of tags also those of tags."
        ),
    ] = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    printed: Printed,
) -> None:
    """Make a table of a paper about metrics for your own outputs and judgments.

    Rows and their order are the paper's, and its numbers stand beside: they are of other systems
    and languages, so what can be compared is which rows are better than which. lrscore-2 fits the
    weight of word order to the judgments as the paper does; the held-out value, of ten-fold
    cross-validation, says what such a fit is worth.

    \b
    Examples:
      preorder-eval reproduce metrics --table ribes-1 --hyp outputs/ --ref ref.en --scores h.tsv
      preorder-eval reproduce metrics --table lrscore-2 --hyp outputs/ --ref ref.en \\
        --source src.ja --source-tokenize char --tokenize 13a --scores h.tsv
      preorder-eval reproduce metrics --table lepor-5-4 --hyp outputs/ --ref ref.en \\
        --scores h.tsv --pair de-en --tagger en-web
      preorder-eval reproduce metrics --table lepor-7-3 --hyp outputs/ --ref ref.en \\
        --scores h.tsv --tagger en-web --source src.fr --source-tagger fr_core_news_sm
    """
    from preorder_eval.cli.judged_outputs import judged_outputs
    from preorder_eval.cli.progress import progress
    from preorder_eval.papers.metrics_tables import correlate, fit_lrscores, row_metrics
    from preorder_eval.papers.tables import TABLES

    if not hyp or not ref:
        raise typer.BadParameter("give --hyp and --ref, the outputs and the references")
    chosen, fitted = TABLES[table], table == "lrscore-2"
    if fitted and not given.hyp_alignment:
        given = replace(given, align=given.align or "ibm1")
    matched, judgments = judged_outputs(hyp, ref, people)
    names = list(matched)
    split: dict[str, Any] = {"tokenize": given.tokenize, "lower": given.lower}
    if fitted:
        measures = {row.metric: m for row in chosen.rows for m in given.metrics([row.metric])}
    else:
        tags = bool(given.tagger or given.hyp_tags)
        measures = row_metrics(chosen, **split, ter=ter, pair=pair or "", tags=tags)
    files = given.files(list(matched.values()), ref, names)
    inputs = files.read(list(measures.values()), names, progress)
    drawn: dict[str, Any] = {"resamples": resamples, "seed": seed}
    with progress("scoring", len(names)) as advance:
        if fitted:
            result = fit_lrscores(chosen, inputs, judgments, **split, **drawn)
        else:
            result = correlate(
                chosen, inputs, judgments, measures=measures, advance=advance, **drawn
            )
    printed.show(result.summary, lambda: [result.as_table()], lambda: _text(result))


def _text(result: PaperResult) -> str:
    from preorder_eval import __version__
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_cell

    rows = [
        [row.label, *map(format_cell, result.row(row.label))]
        + [f"{value: .3f}" for value in row.published]
        for row in result.table.rows
    ]
    notes = [
        f"{result.table.paper}: its rows, and at the right what it found for other data",
        *result.notes,
        f"[95 % intervals from {result.resamples} bootstrap resamples of segments, seed "
        f"{result.seed}]; preorder-eval {__version__}",
    ]
    table = format_table(["metric", *result.columns, *result.table.published], rows)
    return "\n".join([table, "", *notes])
