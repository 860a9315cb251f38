"""`preorder-eval self-train`: a parser that learns from its own parses, those that reorder well."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import (
    Jobs,
    Printed,
    Resamples,
    RulesOption,
    Trust,
    as_recorded,
    choose_one,
)
from preorder_eval.cli.recipe_options import RecipeOptions, SeedsOption, steps_option
from preorder_eval.training.recipe import Recipe

if TYPE_CHECKING:
    from preorder_eval.training.self_training import SeededTrainings, SelfTraining


@grouped
def command(
    out: Annotated[
        Path,
        typer.Option(help="Folder of the work; with the same command it goes on where it was."),
    ],
    treebank: Annotated[Path, typer.Option(help="CoNLL-U file to go on learning from.")],
    dev: Annotated[Path, typer.Option(help="CoNLL-U file to score every round on.")],
    source: Annotated[Path, typer.Option(help="Sentences to select parses of, tokenised.")],
    alignment: Annotated[Path, typer.Option(help="Their word alignments with a translation.")],
    parser: Annotated[
        str,
        typer.Option(
            help="Bundled parser, path or name of a spaCy pipeline to start from.",
            metavar="NAME|PATH",
        ),
    ] = "en-web",
    rules: RulesOption = "en-ja",
    reference: Annotated[
        str | None,
        typer.Option(
            help="Bundled reference set or reference folder to evaluate on [en-ja].",
            metavar="NAME|DIR",
        ),
    ] = None,
    evaluate_source: Annotated[
        Path | None, typer.Option(help="Own sentences to evaluate on, none of --source.")
    ] = None,
    evaluate_alignment: Annotated[Path | None, typer.Option(help="Their word alignments.")] = None,
    metric: Annotated[
        str,
        typer.Option(help="Order metric that selected parses are best by.", metavar="SIGNATURE"),
    ] = Recipe.metric,
    steps: Annotated[int | None, steps_option("--steps")] = None,
    lower: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the sentences learned in lower case.")
    ] = Recipe.lower,
    seed: Annotated[int, typer.Option(min=0, help="Seed of training and resampling.")] = (
        Recipe.seed
    ),
    seeds: SeedsOption = 1,
    resamples: Resamples = 1000,
    trust: Trust = False,
    *,
    printed: Printed,
    learning: RecipeOptions,
    jobs: Jobs,
) -> None:
    """Parse, select, retrain and evaluate, for some rounds; then compare the end with the start.

    For every sentence with links the parse of its n-best list is selected whose reordering scores
    highest, and the parser goes on learning from the treebank and the selected parses (targeted
    self-training, Katz-Brown et al. 2011). The folder keeps every product: selected/, parsers/,
    and runs/ for `compare`. What is there is not made again, so that work killed at any point is
    taken up by the same command.

    Words without links are left out of --metric by default: where they are many, they favour
    parses that leave the source as it is. Sentences without capitals are truecased both to parse
    and to learn from, if the parser does that (see `parse`).

    One training tells little, for seeds differ by as much as recipes do. With --seeds each seed has
    a folder of its own in --out, and best/ is the parser of the seed that reorders best the
    sentences of --source; those to evaluate on have no say in it.

    \b
    Examples:
      preorder-eval self-train --treebank train.conllu --dev dev.conllu --source s.en \\
        --alignment s.align --reference en-ja --out work
      preorder-eval self-train --treebank train.conllu --dev dev.conllu --source s.en \\
        --alignment s.align --reference en-ja-web --seeds 3 --out work3
    """
    from preorder_eval.cli.compare import format_comparison
    from preorder_eval.cli.progress import progress
    from preorder_eval.cli.reference_options import chosen_reference
    from preorder_eval.formats.reference_set import reference_from_files
    from preorder_eval.metrics import order_metric
    from preorder_eval.training.self_training import Work, train_with_seeds

    choose_one(steps=steps, epochs=learning.epochs)
    if (evaluate_source is None) != (evaluate_alignment is None):
        raise typer.BadParameter("--evaluate-source and --evaluate-alignment go together")
    if evaluate_source is not None and reference is not None:
        raise typer.BadParameter("give either --reference or --evaluate-source")
    recipe = learning.recipe(steps, metric=str(order_metric(metric)), lower=lower, seed=seed)
    work = Work(
        parser,
        treebank,
        dev,
        reference_from_files(source, alignment, name=alignment.stem),
        chosen_reference(reference, evaluate_source, evaluate_alignment, None),
        rules,
        recipe,
        resamples,
        arguments=as_recorded(sys.argv[1:]),
        log=sys.stderr,
        progress=progress,
        jobs=jobs,
    )
    result: SelfTraining | SeededTrainings
    if seeds == 1:
        result = kept = work.run(out)
    else:
        result = train_with_seeds(work, out, range(seed, seed + seeds))
        kept = result.kept
    printed.show(
        result.to_dict,
        lambda: [table.flat() for table in result.tables()],
        lambda: f"{result.show()}\n\n{format_comparison(kept.comparison, 0)}",
    )
