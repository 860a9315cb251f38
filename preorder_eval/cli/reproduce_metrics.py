"""`preorder-eval reproduce metrics`: tables of the papers about metrics, for any data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from preorder_eval.cli.command import Option
from preorder_eval.cli.inputs import MetricInputs
from preorder_eval.cli.judgments import (
    HYP,
    REF,
    JudgmentFiles,
    for_pair,
    judged_outputs,
    names_pairs,
)
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


def command(
    table: Annotated[
        TableName,
        Option(
            help="Lin & Och 2004, Table 1; Isozaki et al. 2010, Table 1 to 3; Birch & Osborne "
            "2010, Table 2; Han 2014, Tables 5-2, 5-4, 6-2 to 6-7 and 7-3."
        ),
    ],
    hyp: Annotated[tuple[str, ...], HYP] = (),
    ref: Annotated[tuple[Path, ...], REF] = (),
    *,
    people: JudgmentFiles,
    given: MetricInputs,
    ter: Annotated[
        bool,
        Option(name="--ter/--no-ter", help="Whether to make the rows of TER, which takes long."),
    ] = True,
    pair: Annotated[
        tuple[str, ...],
        Option(
            help="Languages whose tuned parameters the rows of the LEPOR family take (Han 2014, "
            "Table 5-3), such as en-de; with --tagger or files of tags also those of tags. "
            "Repeatable with {pair} in the names of files, which stands for each: a column for "
            "each, and their mean.",
            metavar="NAME",
        ),
    ] = (),
    resamples: Resamples = 1000,
    seed: Seed = 0,
    printed: Printed,
) -> None:
    """Make a table of a paper about metrics.

    Rows and their order are the paper's, and its numbers stand beside: they are of other systems
    and languages, so what can be compared is which rows are better than which. lrscore-2 fits the
    weight of word order to the judgments as the paper does; the held-out value, of ten-fold
    cross-validation, says what such a fit is worth.

    Examples:
      preorder-eval reproduce metrics --table ribes-1 --hyp outputs/ --ref ref.en --scores h.tsv
      preorder-eval reproduce metrics --table lrscore-2 --hyp outputs/ --ref ref.en \\
        --source src.ja --source-tokenize char --tokenize 13a --scores h.tsv
      preorder-eval reproduce metrics --table lepor-5-4 --hyp outputs/ --ref ref.en \\
        --scores h.tsv --pair de-en --tagger en-web
      preorder-eval reproduce metrics --table lepor-7-3 --hyp outputs/ --ref ref.en \\
        --scores h.tsv --tagger en-web --source src.fr --source-tagger fr_core_news_sm
      preorder-eval reproduce metrics --table lepor-6-4 --pair fr-en --pair de-en \\
        --hyp wmt13/{pair} --ref wmt13/ref.{pair} --rankings wmt13/{pair}.csv
    """
    from preorder_eval.metrics.lepor import PAIRS
    from preorder_eval.papers.tables_by_pair import by_pair

    if not hyp or not ref:
        raise click.UsageError("give --hyp and --ref, the outputs and the references")
    pairs = list(pair)
    several = names_pairs(pairs, hyp, ref, people, given)
    if len(pairs) > 1 and not several:
        raise click.UsageError("several --pair need {pair} in the names of files")
    results = {
        name: _result(
            table,
            for_pair(hyp, name),
            for_pair(ref, name),
            for_pair(people, name),
            for_pair(given, name),
            ter=ter,
            # Nothing was tuned for other languages, of which a table may have some.
            pair=name if name in PAIRS or not several else "",
            resamples=resamples,
            seed=seed,
        )
        for name in pairs or [""]
    }
    result = by_pair(results) if several else next(iter(results.values()))
    printed.show(result.summary, lambda: [result.as_table()], lambda: _text(result, several))


def _result(
    table: TableName,
    hyp: Sequence[str],
    ref: Sequence[Path],
    people: JudgmentFiles,
    given: MetricInputs,
    *,
    ter: bool,
    pair: str,
    resamples: int,
    seed: int,
) -> PaperResult:
    """The table for the outputs of one language pair."""

    from preorder_eval.cli.terminal import progress
    from preorder_eval.papers.metrics_tables import correlate, fit_lrscores, row_metrics
    from preorder_eval.papers.tables import TABLES

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
        measures = row_metrics(chosen, **split, ter=ter, pair=pair, tags=tags)
    files = given.files(list(matched.values()), ref, names)
    inputs = files.read(list(measures.values()), names, progress)
    drawn: dict[str, Any] = {"resamples": resamples, "seed": seed}
    with progress("scoring", len(names)) as advance:
        if fitted:
            return fit_lrscores(chosen, inputs, judgments, **split, **drawn)
        return correlate(chosen, inputs, judgments, measures=measures, advance=advance, **drawn)


def _text(result: PaperResult, by_pair: bool) -> str:
    """The table; of several language pairs the mean alone has intervals, or it would be wide."""
    from preorder_eval import __version__
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import UNDEFINED, format_cell

    rows = []
    for row in result.table.rows:
        cells = result.row(row.label)
        plain = len(cells) - 1 if by_pair else 0
        values = [cell.value for cell in cells[:plain]]
        ours = [UNDEFINED if math.isnan(value) else f"{value: .3f}" for value in values]
        ours += map(format_cell, cells[plain:])
        rows.append([row.label, *ours, "", *(f"{value: .3f}" for value in row.published)])
    drawn = f"{result.resamples} bootstrap resamples of segments, seed {result.seed}"
    notes = [
        f"{result.table.paper}: its rows, and at the right what it found for other data",
        *result.notes,
        f"[95 % intervals from {drawn}]{'; those of pairs: --json' if by_pair else ''}; "
        f"preorder-eval {__version__}",
    ]
    header = ["metric", *result.columns, "paper:", *result.table.published]
    return "\n".join([format_table(header, rows), "", *notes])
