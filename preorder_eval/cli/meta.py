"""`preorder-eval meta`: which metric agrees with people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
from preorder_eval.cli.scoring_options import (
    LowerOption,
    SourceTokenizeOption,
    TaggerOption,
    TokenizeOption,
)

if TYPE_CHECKING:
    from preorder_eval.meta.evaluation import MetaEvaluation


def command(
    hyp: HypOption = None,
    ref: RefOption = None,
    run: Annotated[
        list[Path] | None,
        typer.Option(
            help="Instead of outputs, a run folder of `score` or `evaluate`. Repeatable.",
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
    source: Annotated[
        Path | None,
        typer.Option(
            help="Source, one sentence a line, for lrscore: its words are aligned with outputs "
            "and references by IBM Model 1.",
            metavar="FILE",
        ),
    ] = None,
    source_tokenize: SourceTokenizeOption = None,
    tagger: TaggerOption = None,
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
    from preorder_eval.cli.meta_inputs import read_outputs, read_run_scores
    from preorder_eval.cli.meta_scores import Scorer
    from preorder_eval.cli.meta_tables import print_json, print_tables, print_tsv
    from preorder_eval.formats.run_folder import refuse_existing
    from preorder_eval.meta.evaluation import meta_evaluate

    choose_one(json=json, tsv=tsv)
    if svg_dir is not None:
        refuse_existing(svg_dir)
    columns = (system_column, line_column, score_column, judge_column)
    files = JudgmentFiles(scores, rankings, columns, line_base)
    scorer = Scorer(tokenize, lower, source, source_tokenize, tagger)
    if run:
        if hyp or ref or scorer != Scorer():
            raise typer.BadParameter("--run takes --metric and the options of judgments alone")
        found, judgments = read_run_scores(run, metric or [], files, without or [])
    elif hyp and ref:
        measures = scorer.metrics(metric or default_metrics())
        outputs, references, judgments = read_outputs(hyp, ref, files, without or [])
        found = scorer.score(measures, outputs, references)
    else:
        raise typer.BadParameter("give --hyp and --ref, or --run")
    result = meta_evaluate(
        found,
        judgments,
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
    from preorder_eval.metrics import lexical_types
    from preorder_eval.metrics.ter import Ter
    from preorder_eval.results.scoring_inputs import needs

    return [
        name
        for name, kind in lexical_types().items()
        if kind is not Ter and needs(kind()) == ["ref"]
    ]


def _write_pictures(folder: Path, result: MetaEvaluation) -> None:
    from preorder_eval.cli.meta_pictures import pictures
    from preorder_eval.formats.run_folder import write_folder

    write_folder(folder, pictures(result))
