"""`preorder-eval tune`: a metric's parameters fitted to human judgments."""

from __future__ import annotations

from typing import Annotated

import typer

from preorder_eval.cli.input_options import InputOptions, LanguageOption, outputs_language
from preorder_eval.cli.judgment_options import HypOption, JudgmentOptions, RefOption
from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Jobs, Printed, Resamples
from preorder_eval.stats import MOST_SEED


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
    starts: Annotated[
        int,
        typer.Option(min=1, help="Settings to begin with: the default one, and others by chance."),
    ] = 5,
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
    from preorder_eval.meta_evaluation.tuning import tune
    from preorder_eval.meta_evaluation.tuning_space import Space
    from preorder_eval.metrics import shared_settings

    if not hyp:
        raise typer.BadParameter("give --hyp, the outputs")
    split = outputs_language(language, [metric], ref or [])
    space = Space.of(metric, **shared_settings(metric, given.tokenize, given.lower, split))
    matched, judgments = judged_outputs(hyp, ref or [], people)
    measure, names = space.metric(space.middle), list(matched)
    files = given.files(list(matched.values()), ref or [], names)
    inputs = files.read([measure], names, progress)
    with progress("fitting", 1 + folds) as advance:
        result = tune(
            space,
            inputs,
            judgments,
            objective=by,
            folds=folds,
            starts=starts,
            margin=margin,
            resamples=resamples,
            seed=seed,
            jobs=jobs,
            advance=advance,
        )
    printed.print(result)
