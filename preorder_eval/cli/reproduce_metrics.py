"""`preorder-eval reproduce metrics`: tables of the papers about metrics, for any data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from preorder_eval.cli.input_options import SourceTokenizeOption
from preorder_eval.cli.judgment_options import (
    HypOption,
    JudgmentFiles,
    LineBase,
    LineColumn,
    RankingsOption,
    RefOption,
    ScoreColumn,
    ScoresOption,
    SystemColumn,
    Without,
)
from preorder_eval.cli.options import JsonForTable, Resamples, Seed, TsvForTable, choose_one

if TYPE_CHECKING:
    from preorder_eval.papers.metrics_tables import PaperResult

TableName = Literal["ribes-1", "ribes-3", "lrscore-2", "lepor-5-2", "lepor-5-4"]


def command(
    table: Annotated[
        TableName,
        typer.Option(
            help="Isozaki et al. 2010, Table 1 or 3; Birch & Osborne 2010, Table 2; Han 2014, "
            "Table 5-2 or 5-4."
        ),
    ],
    hyp: HypOption = None,
    ref: RefOption = None,
    scores: ScoresOption = None,
    rankings: RankingsOption = None,
    system_column: SystemColumn = "system",
    line_column: LineColumn = "line",
    score_column: ScoreColumn = "score",
    line_base: LineBase = None,
    without: Without = None,
    tokenize: Annotated[
        str | None,
        typer.Option(help="How lines are split: none (at spaces), char, 13a, intl, zh, ja-mecab."),
    ] = None,
    lower: Annotated[bool, typer.Option("--lower", help="Lower-case all texts.")] = False,
    source: Annotated[
        Path | None,
        typer.Option(
            help="Source, one sentence a line, for lrscore-2: its words are aligned with outputs "
            "and references by IBM Model 1.",
            metavar="FILE",
        ),
    ] = None,
    source_tokenize: SourceTokenizeOption = None,
    ter: Annotated[
        bool, typer.Option("--ter", help="Make the rows of TER too, which take minutes.")
    ] = False,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    json: JsonForTable = False,
    tsv: TsvForTable = False,
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
    """
    from preorder_eval.cli.input_options import input_files, metrics_of
    from preorder_eval.cli.judged_outputs import judged_outputs
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.tables import format_json, format_tsv
    from preorder_eval.papers.metrics_tables import correlate, fit_lrscores
    from preorder_eval.papers.tables import TABLES
    from preorder_eval.results.reading import read_texts

    choose_one(json=json, tsv=tsv)
    if not hyp or not ref:
        raise typer.BadParameter("give --hyp and --ref, the outputs and the references")
    chosen = TABLES[table]
    fitted = table == "lrscore-2"
    if not fitted and (source or source_tokenize):
        raise typer.BadParameter("--source is for lrscore-2 alone")
    columns = (system_column, line_column, score_column, "")
    files = JudgmentFiles(scores, rankings, columns, line_base)
    segments = len(read_texts(ref[:1])[0].sentences)
    matched, judgments = judged_outputs(hyp, segments, files, without or [])
    given = input_files(
        list(matched.values()),
        ref,
        source=source,
        source_tokenize=source_tokenize,
        align="ibm1" if fitted else None,
    )
    needed = chosen.rows[-1].metric if fitted else "wer"
    inputs = given.read(metrics_of([needed], tokenize, lower), list(matched), progress)
    if fitted:
        result = fit_lrscores(
            chosen,
            inputs,
            judgments,
            tokenize=tokenize,
            lower=lower,
            resamples=resamples,
            seed=seed,
        )
    else:
        with progress("scoring", len(matched)) as advance:
            result = correlate(
                chosen,
                inputs,
                judgments,
                tokenize=tokenize,
                lower=lower,
                ter=ter,
                resamples=resamples,
                seed=seed,
                advance=advance,
            )
    if json:
        print(format_json(result.summary()), end="")
    elif tsv:
        print(format_tsv(*result.as_table()), end="")
    else:
        print(_text(result))


def _text(result: PaperResult) -> str:
    from preorder_eval import __version__
    from preorder_eval.cli.meta_tables import format_cell
    from preorder_eval.cli.tables import format_table

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
