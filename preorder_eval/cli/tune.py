"""`preorder-eval tune`: a metric's parameters fitted to human judgments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

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
from preorder_eval.cli.options import JsonForTable, Resamples, TsvForTable, choose_one
from preorder_eval.cli.scoring_options import AlignmentBase, AlignmentDirection

if TYPE_CHECKING:
    from preorder_eval.meta.tuning.result import Row, Tuning


def command(
    metric: Annotated[
        str,
        typer.Argument(
            help="Metric with ? for free parameters, such as 'lrscore(alpha=?)', "
            "'nkt(alpha=?0..0.5)' with a range, 'hlepor(weights=?:?:1)' with parts of a ratio.",
            metavar="SIGNATURE",
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
    by: Annotated[
        str, typer.Option(help="Statistic of `meta` to be made large.", metavar="STATISTIC")
    ] = "pairs.consistency",
    margin: Annotated[
        float, typer.Option(min=0, help="Pairs whose human scores differ by no more are ties.")
    ] = 0.0,
    search: Annotated[
        Literal["all", "exact", "hill-climbing"],
        typer.Option(
            help="exact, from the points where two outputs change places; hill-climbing, greedy "
            "steps; or all that are possible, one beside the other."
        ),
    ] = "all",
    starts: Annotated[
        int,
        typer.Option(min=1, help="Settings to begin with: the default one, and others by chance."),
    ] = 20,
    folds: Annotated[int, typer.Option(min=2, help="Folds of the cross-validation.")] = 10,
    tokenize: Annotated[
        str | None,
        typer.Option(
            help="How outputs and references are split: none (at spaces), char, or sacrebleu's "
            "13a, intl, zh, ja-mecab, ko-mecab. Of lrscore only with --align.",
            metavar="NAME",
        ),
    ] = None,
    lower: Annotated[bool, typer.Option("--lower", help="Lower-case first.")] = False,
    source: Annotated[
        Path | None, typer.Option(help="Source, for lrscore.", metavar="FILE")
    ] = None,
    source_tokenize: Annotated[
        str | None,
        typer.Option(help="How the source is split for --align, as in --tokenize.", metavar="NAME"),
    ] = None,
    align: Annotated[
        Literal["ibm1"] | None,
        typer.Option(
            help="Align the source with outputs and references, for lrscore: by IBM Model 1, "
            "learned from all of them."
        ),
    ] = None,
    hyp_alignment: Annotated[
        list[str] | None,
        typer.Option(
            help="Word alignments of source and outputs instead, named as --hyp. Any format of "
            "`convert`.",
            metavar="FILE|GLOB|DIR",
        ),
    ] = None,
    ref_alignment: Annotated[
        list[Path] | None,
        typer.Option(
            help="Word alignment of source and reference; one for each --ref.", metavar="FILE"
        ),
    ] = None,
    base: AlignmentBase = None,
    direction: AlignmentDirection = "source-target",
    tagger: Annotated[
        str | None,
        typer.Option(
            help="Parser that tags outputs and references for lepor, hlepor and nlepor with mix.",
            metavar="NAME|PATH",
        ),
    ] = None,
    resamples: Resamples = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of folds, starts and resampling.")] = 0,
    json: JsonForTable = False,
    tsv: TsvForTable = False,
) -> None:
    """Fit a metric's parameters to human judgments of outputs.

    The held-out value is that of cross-validation over segments: what is to be expected of the
    fitted parameters on other text. Statistics over systems take the mean of a system's segments.

    \b
    Examples:
      preorder-eval tune 'ribes(alpha=?,beta=?)' --hyp 'out.*.en' --ref ref.en --scores human.tsv
      preorder-eval tune 'LR-KB4(alpha=?)' --hyp outputs/ --ref ref.en --source src.ja \\
        --align ibm1 --rankings judged.csv
      preorder-eval tune 'hlepor(weights=?)' --hyp outputs/ --ref ref.en --scores human.tsv \\
        --by segment.pearson
    """
    from preorder_eval.cli.meta_inputs import read_outputs
    from preorder_eval.cli.progress import progress
    from preorder_eval.cli.tune_inputs import Further, read_space
    from preorder_eval.formats.run_folder import format_json, format_tsv
    from preorder_eval.meta.tuning.fitting import tune
    from preorder_eval.results.scoring import scorer

    choose_one(json=json, tsv=tsv)
    if not hyp or not ref:
        raise typer.BadParameter("give --hyp and --ref, the outputs and the references")
    columns = (system_column, line_column, score_column, "")
    files = JudgmentFiles(scores, rankings, columns, line_base)
    space = read_space(metric, tokenize, lower)
    further = Further(
        measure=space.metric(space.corners().mean(axis=0)),
        tokenize=tokenize,
        source=source,
        source_tokenize=source_tokenize,
        align=align,
        hyp_alignment=hyp_alignment or [],
        ref_alignment=ref_alignment or [],
        numbering=(base, direction),
        tagger=tagger,
    )
    outputs, references, judgments = read_outputs(hyp, ref, files, without or [])
    outputs, references, inputs = further.read(outputs, references)
    with progress("fitting", 1 + folds) as advance:
        result = tune(
            space,
            scorer(outputs, references, inputs),
            judgments,
            references=len(references),
            objective=by,
            searches=() if search == "all" else (search,),
            folds=folds,
            starts=starts,
            margin=margin,
            resamples=resamples,
            seed=seed,
            advance=advance,
        )
    if json:
        print(format_json(result.summary()), end="")
    elif tsv:
        print(format_tsv(*result.table()), end="")
    else:
        print(_table(result))


def _table(result: Tuning) -> str:
    """A row for the default setting and for what each search found."""
    from preorder_eval import __version__
    from preorder_eval.cli.tables import format_ends, format_interval, format_table

    rows, space = [], result.space
    # Along several directions the intervals are those of the last one only.
    known = len(space.directions) == 1 and any(fit.found.intervals for fit in result.fits)
    for row in result.rows():
        d = row.difference
        cells = [row.search, *(f"{value:.6g}" for value in row.point)]
        cells += [_best_interval(row)] if known else []
        cells += [f"{row.fitted:.4f}", format_interval(row.held_out)]
        cells += [f"{d.value:+.4f}", format_ends(d.at_95), d.mark] if d else ["", "", ""]
        rows.append(cells)
    header = ["search", *map(str, space.parameters), *(["best interval"] if known else [])]
    header += ["fitted", "held out", "difference", "", ""]
    folds = len(result.fits[0].folds)
    notes = [
        f"{result.statistic} of {space.signature}: {result.judgments} judgments of "
        f"{result.segments} segments",
        f"held out: {folds} folds of segments, each scored with what is best for all others; "
        f"starts: {result.starts}",
        "difference from default: +** better, -** worse at the 95 % level (* 90 %)",
        f"[95 % intervals from {result.resamples} bootstrap resamples, seed {result.seed}]; "
        f"preorder-eval {__version__}",
    ]
    return "\n".join([format_table(header, rows), "", *notes])


def _best_interval(row: Row) -> str:
    """The widest interval of the first parameter, and how many others are as good."""
    if not row.fit or not row.fit.found.intervals:
        return ""
    widest = max(row.fit.found.intervals, key=lambda ends: ends[1][0] - ends[0][0])
    others = len(row.fit.found.intervals) - 1
    text = f"({widest[0][0]:.6g}, {widest[1][0]:.6g})"
    return f"{text} and {others} more" if others else text
