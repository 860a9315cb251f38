"""`preorder-eval tune`: a metric's parameters fitted to human judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from preorder_eval.cli.input_options import InputOptions, LanguageOption, outputs_language
from preorder_eval.cli.judgment_options import HypOption, JudgmentOptions, RefOption
from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Jobs, Printed, Resamples
from preorder_eval.stats import MOST_SEED

if TYPE_CHECKING:
    from preorder_eval.meta_evaluation.tuning.result import Setting, Tuning


@grouped
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
    *,
    people: JudgmentOptions,
    by: Annotated[
        str, typer.Option(help="Statistic of `meta` to be made large.", metavar="STATISTIC")
    ] = "pairs.consistency",
    margin: Annotated[
        float, typer.Option(min=0, help="Pairs whose human scores differ by less are ties.")
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
    given: InputOptions,
    language: LanguageOption = None,
    resamples: Resamples = 1000,
    seed: Annotated[
        int, typer.Option(min=0, max=MOST_SEED, help="Seed of folds, starts and resampling.")
    ] = 0,
    jobs: Jobs,
    printed: Printed,
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
    from preorder_eval.cli.judged_outputs import judged_outputs
    from preorder_eval.cli.progress import progress
    from preorder_eval.meta_evaluation.tuning.fitting import tune
    from preorder_eval.meta_evaluation.tuning.space import Space
    from preorder_eval.metrics import shared_settings

    if not hyp:
        raise typer.BadParameter("give --hyp, the outputs")
    split = outputs_language(language, [metric], ref or [])
    space = Space.of(metric, **shared_settings(metric, given.tokenize, given.lower, split))
    matched, judgments = judged_outputs(hyp, ref or [], people)
    measure, names = space.metric(space.corners().mean(axis=0)), list(matched)
    files = given.files(list(matched.values()), ref or [], names)
    inputs = files.read([measure], names, progress)
    with progress("fitting", 1 + folds) as advance:
        result = tune(
            space,
            inputs,
            judgments,
            objective=by,
            searches=() if search == "all" else (search,),
            folds=folds,
            starts=starts,
            margin=margin,
            resamples=resamples,
            seed=seed,
            jobs=jobs,
            advance=advance,
        )
    printed.show(result.summary, lambda: [result.table()], lambda: _table(result))


def _table(result: Tuning) -> str:
    """A row for the default setting and for what each search found."""
    from preorder_eval import __version__
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_ends, format_interval, marks_legend

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
        "difference of held out from default:",
        marks_legend(
            "randomization", result.resamples, result.seed, "mark and interval always agree"
        ),
        f"[95 % intervals from {result.resamples} bootstrap resamples, seed {result.seed}]; "
        f"preorder-eval {__version__}",
    ]
    return "\n".join([format_table(header, rows), "", *notes])


def _best_interval(row: Setting) -> str:
    """The widest interval of the first parameter, and how many others are as good."""
    if not row.fit or not row.fit.found.intervals:
        return ""
    widest = max(row.fit.found.intervals, key=lambda ends: ends[1][0] - ends[0][0])
    others = len(row.fit.found.intervals) - 1
    text = f"({widest[0][0]:.6g}, {widest[1][0]:.6g})"
    return f"{text} and {others} more" if others else text
