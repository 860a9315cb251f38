"""`preorder-eval meta`: which metric agrees with people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.input_options import (
    InputOptions,
)
from preorder_eval.cli.judgment_options import HypOption, JudgmentOptions, RefOption
from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Printed, Resamples, Seed

if TYPE_CHECKING:
    from preorder_eval.meta_evaluation.result import MetaEvaluation


@grouped
def command(
    hyp: HypOption = None,
    ref: RefOption = None,
    run: Annotated[
        list[Path] | None,
        typer.Option(
            help="Instead of outputs, a run folder of `score` or `evaluate`. Repeatable: of runs "
            "of both a system's orders and outputs come together by its name.",
            metavar="DIR",
        ),
    ] = None,
    *,
    people: JudgmentOptions,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="Metric with its options, such as 'ribes(alpha=0.2)'. Repeatable; by default all "
            "metrics that need no more than references, but ter; of a run, its metrics.",
            metavar="SIGNATURE",
        ),
    ] = None,
    given: InputOptions,
    by: Annotated[
        str,
        typer.Option(help="Statistic that sorts the table and is tested.", metavar="STATISTIC"),
    ] = "pairs.consistency",
    margin: Annotated[
        float,
        typer.Option(
            min=0,
            help="Pairs whose human scores differ by less are ties (25 of raw scores in WMT's "
            "daRR, which keeps those that differ by just 25).",
        ),
    ] = 0.0,
    quality_estimation: Annotated[
        bool,
        typer.Option("--quality-estimation", help="Add DeltaAvg, MAE and RMSE over segments."),
    ] = False,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    svg_dir: Annotated[
        Path | None,
        typer.Option(
            help="New folder for pictures: each metric against people, and metrics against each "
            "other.",
            metavar="DIR",
        ),
    ] = None,
    printed: Printed,
) -> None:
    """Find out which metric agrees with human judgments of outputs.

    Statistics are called level.coefficient. Levels are system and core (scores of systems; core
    without outliers) with pearson, spearman, kendall and accuracy, and system with spa (soft
    pairwise accuracy); segment (all judged outputs), within-system and within-segment with
    pearson, spearman, kendall and acc_eq (pairs, with calibrated ties of metrics; for segment and
    within-system only with --by, as it takes minutes on large data); and pairs (of outputs of a
    segment) with consistency, wmt12, wmt13 and wmt14.

    Metrics whose --by does not differ significantly are in the same group: by approximate
    randomization over segments, for system.pearson by Williams' test, and for other statistics
    over systems by the paired bootstrap.

    \b
    Examples:
      preorder-eval meta --hyp 'outputs/*.en' --ref ref.en --scores human.tsv
      preorder-eval meta --hyp outputs/ --ref ref.en --rankings judged.csv --metric ribes \\
        --metric bleu
      preorder-eval meta --run runs/base --scores human.tsv --score-column z --by core.pearson
    """
    from preorder_eval.cli.judged_outputs import judged_outputs, judged_runs
    from preorder_eval.cli.meta_tables import meta_text
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.folders import refuse_existing
    from preorder_eval.meta_evaluation.evaluation import meta
    from preorder_eval.results.evaluation import score_inputs

    if svg_dir is not None:
        refuse_existing(svg_dir)
    if run:
        if hyp or ref or given != InputOptions():
            raise typer.BadParameter("--run takes --metric and the options of judgments alone")
        results, judgments = judged_runs(run, people)
        measures = given.metrics(metric or [])
    elif hyp:
        measures = given.metrics(metric or default_metrics())
        if given.source and not (given.align or given.hyp_alignment or given.ref_alignment):
            given = replace(given, align="ibm1")
        matched, judgments = judged_outputs(hyp, ref or [], people)
        names = list(matched)
        files = given.files(list(matched.values()), ref or [], names)
        inputs = files.read(measures, names, progress)
        results = [score_inputs(inputs, measures)]
    else:
        raise typer.BadParameter("give --hyp, the outputs, or --run")
    result = meta(
        results,
        judgments,
        measures,
        by=by,
        margin=margin,
        quality_estimation=quality_estimation,
        resamples=resamples,
        seed=seed,
    )
    if svg_dir is not None:
        _write_pictures(svg_dir, result)
    printed.show(result.summary, lambda: [result.table()], lambda: meta_text(result))


def default_metrics() -> list[str]:
    """All metrics of outputs that need no more than references, but TER, which takes minutes."""
    from preorder_eval.metrics import output_metrics

    return [name for name in output_metrics() if name != "ter"]


def _write_pictures(folder: Path, result: MetaEvaluation) -> None:
    from preorder_eval.formats.folders import write_folder
    from preorder_eval.reporting.people import pictures

    write_folder(folder, pictures(result))
