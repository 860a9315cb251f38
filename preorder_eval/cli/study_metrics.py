"""`preorder-eval study metrics`: tables of the papers about metrics, for any data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

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
from preorder_eval.cli.terminal import progress
from preorder_eval.errors import UnknownNameError
from preorder_eval.metrics.lepor import PAIRS
from preorder_eval.papers.metric_tables import (
    PaperResult,
    by_pair,
    correlate,
    fit_lrscores,
    row_metrics,
)
from preorder_eval.papers.published import TABLES


def command(
    table: Annotated[
        str,
        Option(
            "rouge-1 (Lin & Och 2004, Table 1), ribes-1 to ribes-3 (Isozaki et al. 2010), "
            "lrscore-2 (Birch & Osborne 2010), lepor-5-2, 5-4, 6-2 to 6-7 and 7-3 (Han 2014).",
            metavar="NAME",
            names=lambda: TABLES,
        ),
    ],
    hyp: Annotated[tuple[str, ...], HYP] = (),
    ref: Annotated[tuple[Path, ...], REF] = (),
    *,
    people: JudgmentFiles,
    given: MetricInputs,
    pair: Annotated[
        tuple[str, ...],
        Option(
            "Languages whose tuned parameters the rows of the LEPOR family take (Han 2014, "
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
      preorder-eval study metrics --table ribes-1 --hyp outputs/ --ref ref.en --scores h.tsv
      preorder-eval study metrics --table lrscore-2 --hyp outputs/ --ref ref.en \\
        --source src.ja --source-tokenize char --tokenize 13a --scores h.tsv
      preorder-eval study metrics --table lepor-5-4 --hyp outputs/ --ref ref.en \\
        --scores h.tsv --pair de-en --tagger en-web
      preorder-eval study metrics --table lepor-7-3 --hyp outputs/ --ref ref.en \\
        --scores h.tsv --tagger en-web --source src.fr --source-tagger fr_core_news_sm
      preorder-eval study metrics --table lepor-6-4 --pair fr-en --pair de-en \\
        --hyp wmt13/{pair} --ref wmt13/ref.{pair} --rankings wmt13/{pair}.csv
    """
    if table not in TABLES:
        raise UnknownNameError("table", table, TABLES)
    if not hyp or not ref:
        raise click.UsageError("give --hyp and --ref, the outputs and the references")
    several = names_pairs(list(pair), hyp, ref, people, given)
    if len(pair) > 1 and not several:
        raise click.UsageError("several --pair need {pair} in the names of files")
    results = {
        name: _result(
            table,
            *for_pair((hyp, ref, people, given), name),
            # Nothing was tuned for other languages, of which a table may have some.
            pair=name if name in PAIRS or not several else "",
            resamples=resamples,
            seed=seed,
        )
        for name in pair or [""]
    }
    printed.print(by_pair(results) if several else next(iter(results.values())))


def _result(
    table: str,
    hyp: Sequence[str],
    ref: Sequence[Path],
    people: JudgmentFiles,
    given: MetricInputs,
    *,
    pair: str,
    **drawn: Any,
) -> PaperResult:
    """Make the table for the outputs of one language pair."""
    chosen, fitted = TABLES[table], table == "lrscore-2"
    if fitted and not given.hyp_alignment:
        given = replace(given, align=given.align or "ibm1")
    matched, judgments = judged_outputs(hyp, ref, people)
    names = list(matched)
    split: dict[str, Any] = {"tokenize": given.tokenizer, "lower": given.lower}
    if fitted:
        measures = {row.metric: m for row in chosen.rows for m in given.metrics([row.metric])}
    else:
        tags = bool(given.tagger or given.hyp_tags)
        measures = row_metrics(chosen, **split, pair=pair, tags=tags)
    files = given.files(list(matched.values()), ref, names)
    inputs = files.read(list(measures.values()), names, progress)
    with progress("scoring", len(names)) as advance:
        if fitted:
            return fit_lrscores(chosen, inputs, judgments, **split, **drawn)
        return correlate(chosen, inputs, judgments, measures=measures, advance=advance, **drawn)
