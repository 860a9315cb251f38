"""`preorder-eval self-train`: a parser that learns from its own parses, those that reorder well."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import click

from preorder_eval.cli.command import FromProject, Option
from preorder_eval.cli.options import (
    LINKED,
    LOWER,
    METRIC,
    PARSER,
    REFERENCE,
    RULES,
    SEED,
    Jobs,
    Printed,
    Resamples,
    Trust,
    as_recorded,
)
from preorder_eval.cli.recipe_options import STEPS, RecipeOptions, Seeds
from preorder_eval.cli.references import chosen_reference
from preorder_eval.cli.terminal import progress
from preorder_eval.formats.reference_set import reference_from_files
from preorder_eval.metrics import order_metric
from preorder_eval.training.recipe import Recipe
from preorder_eval.training.self_training import Work, train_with_seeds


def command(
    out: Annotated[
        Path,
        Option("Folder of the work; the same command goes on where it was.", group="Output"),
    ],
    treebank: Annotated[Path, Option("CoNLL-U file to go on learning from.", group="Learning")],
    dev: Annotated[Path, Option("CoNLL-U file to score every round on.", group="References")],
    source: Annotated[Path, LINKED, Option("Sentences to select parses of, tokenised.")],
    alignment: Annotated[Path, LINKED, Option("Their word alignments with a translation.")],
    parser: Annotated[str, PARSER, Option("Parser to start from.")] = "en-web",
    rules: Annotated[str, RULES] = "en-ja",
    reference: Annotated[
        str | None,
        REFERENCE,
        Option(
            "Bundled reference set or reference folder to evaluate on.",
            project=FromProject("references", without="evaluate_alignment"),
        ),
    ] = None,
    evaluate_source: Annotated[
        Path | None, LINKED, Option("Own sentences to evaluate on, none of --source.")
    ] = None,
    evaluate_alignment: Annotated[Path | None, LINKED, Option("Their word alignments.")] = None,
    metric: Annotated[
        str, METRIC, Option("Order metric that selected parses are best by.")
    ] = Recipe.metric,
    steps: Annotated[int | None, STEPS] = None,
    lower: Annotated[float, LOWER] = Recipe.lower,
    seed: Annotated[int, SEED, Option("Seed of training and resampling.")] = Recipe.seed,
    seeds: Seeds = 1,
    resamples: Resamples = 1000,
    trust: Trust = False,
    *,
    printed: Printed,
    learning: RecipeOptions,
    jobs: Jobs,
) -> None:
    """Train a parser on its own parses, those that reorder well.

    For every sentence with links the parse of its n-best list is selected whose reordering scores
    highest, and the parser goes on learning from the treebank and the selected parses (targeted
    self-training, Katz-Brown et al. 2011). The folder keeps every product: selected/, parsers/,
    and runs/ for `compare`. What is there is not made again, so that work killed at any point is
    taken up by the same command.

    Words without links are left out of --metric by default: where they are many, they favour
    parses that leave the source as it is. Sentences without capitals are truecased both to parse
    and to learn from, if the parser does that (see `parse`).

    One training shows little, for seeds differ by as much as recipes do. With --seeds each seed has
    a folder of its own in --out, and best/ is the parser of the seed that reorders best the
    sentences of --source; those to evaluate on have no influence on it.

    Examples:
      preorder-eval self-train --treebank train.conllu --dev dev.conllu --source s.en \\
        --alignment s.align --reference en-ja --out work
      preorder-eval self-train --treebank train.conllu --dev dev.conllu --source s.en \\
        --alignment s.align --reference en-ja-web --seeds 3 --out work3
    """
    if (evaluate_source is None) != (evaluate_alignment is None):
        raise click.UsageError("--evaluate-source and --evaluate-alignment go together")
    if evaluate_source is not None and reference is not None:
        raise click.UsageError("give either --reference or --evaluate-source")
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
    if seeds == 1:
        printed.print(work.run(out))
    else:
        printed.print(train_with_seeds(work, out, range(seed, seed + seeds)))
