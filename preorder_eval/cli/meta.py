"""`preorder-eval meta`: which metric agrees with people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.cli.input_options import (
    AlignmentBase,
    AlignmentDirection,
    AlignOption,
    FurtherInput,
    HypAlignment,
    HypTags,
    LowerOption,
    RefAlignment,
    RefTags,
    SourceTags,
    SourceText,
    SourceTokenizeOption,
    TaggerOption,
    TokenizeOption,
)
from preorder_eval.cli.judgment_options import (
    HypOption,
    JudgeColumn,
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
    from preorder_eval.meta.evaluation import MetaEvaluation


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
    scores: ScoresOption = None,
    rankings: RankingsOption = None,
    system_column: SystemColumn = "system",
    line_column: LineColumn = "line",
    score_column: ScoreColumn = "score",
    judge_column: JudgeColumn = "",
    line_base: LineBase = None,
    without: Without = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="Metric with its options, such as 'ribes(alpha=0.2)'. Repeatable; by default all "
            "metrics that need no more than references, but ter; of a run, its metrics.",
            metavar="SIGNATURE",
        ),
    ] = None,
    tokenize: TokenizeOption = None,
    lower: LowerOption = False,
    source: SourceText = None,
    source_tokenize: SourceTokenizeOption = None,
    hyp_alignment: HypAlignment = None,
    ref_alignment: RefAlignment = None,
    align: AlignOption = None,
    base: AlignmentBase = None,
    direction: AlignmentDirection = "source-target",
    hyp_tags: HypTags = None,
    ref_tags: RefTags = None,
    source_tags: SourceTags = None,
    tagger: TaggerOption = None,
    further: FurtherInput = None,
    by: Annotated[
        str,
        typer.Option(help="Statistic that sorts the table and is tested.", metavar="STATISTIC"),
    ] = "pairs.consistency",
    margin: Annotated[
        float,
        typer.Option(
            min=0,
            help="Pairs whose human scores differ by no more are ties (25 of raw scores in WMT's "
            "daRR).",
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
    json: JsonForTable = False,
    tsv: TsvForTable = False,
) -> None:
    """Find out which metric agrees with human judgments of outputs.

    Statistics are called level.coefficient. Levels are system and core (scores of systems; core
    without outliers) with pearson, spearman, kendall and accuracy; segment (all judged outputs),
    within-system and within-segment with pearson, spearman and kendall; and pairs (of outputs of
    a segment) with consistency, wmt12, wmt13 and wmt14.

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
    from preorder_eval.cli.input_options import input_files, metrics_of
    from preorder_eval.cli.judged_outputs import judged_outputs, judged_runs
    from preorder_eval.cli.meta_tables import print_json, print_tables, print_tsv
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.folders import refuse_existing
    from preorder_eval.meta.evaluation import meta
    from preorder_eval.results.evaluation import score_inputs
    from preorder_eval.results.reading import read_texts

    choose_one(json=json, tsv=tsv)
    if svg_dir is not None:
        refuse_existing(svg_dir)
    columns = (system_column, line_column, score_column, judge_column)
    files = JudgmentFiles(scores, rankings, columns, line_base)
    given: dict[str, Any] = {
        "source": source,
        "source_tokenize": source_tokenize,
        "hyp_alignment": hyp_alignment,
        "ref_alignment": ref_alignment,
        "align": align,
        "base": base,
        "hyp_tags": hyp_tags,
        "ref_tags": ref_tags,
        "source_tags": source_tags,
        "tagger": tagger,
        "further": further,
    }
    if run:
        if hyp or ref or tokenize or lower or any(value is not None for value in given.values()):
            raise typer.BadParameter("--run takes --metric and the options of judgments alone")
        results, judgments = judged_runs(run, files, without or [])
        measures = metrics_of(metric or [], None, False)
    elif hyp and ref:
        measures = metrics_of(metric or default_metrics(), tokenize, lower)
        if source and not (align or hyp_alignment or ref_alignment):
            given["align"] = "ibm1"
        matched, judgments = judged_outputs(
            hyp, len(read_texts(ref[:1])[0].sentences), files, without or []
        )
        chosen = input_files(
            list(matched.values()), ref, names=list(matched), direction=direction, **given
        )
        inputs = chosen.read(measures, list(matched), progress)
        results = [score_inputs(inputs, measures)]
    else:
        raise typer.BadParameter("give --hyp and --ref, or --run")
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
    if json:
        print_json(result)
    elif tsv:
        print_tsv(result)
    else:
        print_tables(result)


def default_metrics() -> list[str]:
    """All metrics of outputs that need no more than references, but TER, which takes minutes."""
    from preorder_eval.metrics import output_metrics

    return [name for name in output_metrics() if name != "ter"]


def _write_pictures(folder: Path, result: MetaEvaluation) -> None:
    from preorder_eval.formats.folders import write_folder
    from preorder_eval.report.people import pictures

    write_folder(folder, pictures(result))
