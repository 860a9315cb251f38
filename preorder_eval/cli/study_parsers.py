"""`preorder-eval study parsers`: five parsers, then five rule sets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from preorder_eval.cli.command import Option
from preorder_eval.cli.options import (
    RULES,
    Jobs,
    Printed,
    Resamples,
    as_recorded,
    choose_one,
)
from preorder_eval.cli.recipe_options import STEPS, RecipeOptions, Seeds
from preorder_eval.training.recipe import METRICS, Recipe


def command(
    treebank: Annotated[Path, Option(help="CoNLL-U file to learn from.", group="Learning")],
    dev: Annotated[Path, Option(help="CoNLL-U file to score the parsers on.", group="References")],
    source: Annotated[
        Path, Option(help="Sentences to reorder, tokenised, one a line.", group="References")
    ],
    alignment: Annotated[
        Path, Option(help="Their word alignments with a translation.", group="References")
    ],
    out: Annotated[
        Path,
        Option(
            help="Folder of the work; with the same command it goes on where it was.",
            group="Output",
        ),
    ],
    select: Annotated[
        int, Option(low=2, help="Sentences from the start of --source to select parses of.")
    ] = 437,
    evaluate: Annotated[
        int, Option(low=1, help="Sentences from the end of --source to evaluate on.")
    ] = 200,
    folds: Annotated[
        int | None,
        Option(
            low=2,
            help="Evaluate on all sentences instead, each with parsers that have learned from the "
            "other parts.",
            group="Scores and tests",
        ),
    ] = None,
    rules: Annotated[str, RULES] = "en-ja",
    metric: Annotated[
        tuple[str, ...],
        Option(
            help="Metric with its options to evaluate with. Repeatable; fuzzy and kendall by "
            "default, with and without unaligned words.",
            metavar="SIGNATURE",
            group="Scores and tests",
        ),
    ] = (),
    steps: Annotated[
        int, Option(low=1, help="Updates of about 800 words of P1.", group="Learning")
    ] = 8500,
    lower: Annotated[
        float,
        Option(
            low=0,
            high=1,
            help="Share of the sentences P1 to P4 learn in lower case.",
            group="Learning",
        ),
    ] = 0.0,
    beam: Annotated[int, Option(low=2, help="Width of P2's beam.", group="Learning")] = 8,
    beam_steps: Annotated[
        int, Option(low=1, help="Updates with which P2 goes on from P1.", group="Learning")
    ] = 1000,
    beam_learn_rate: Annotated[
        float, Option(low=0, help="Highest learning rate of them.", group="Learning")
    ] = 0.001,
    truecase: Annotated[
        Literal["auto", "always", "never"],
        Option(
            help="Which sentences P1 to P4 read truecased: those without a capital, all or none.",
            group="Learning",
        ),
    ] = "auto",
    select_by: Annotated[
        str,
        Option(help="Order metric that selected parses are best by.", metavar="SIGNATURE"),
    ] = Recipe.metric,
    self_steps: Annotated[int | None, STEPS] = None,
    resamples: Resamples = 1000,
    seed: Annotated[
        int, Option(low=0, help="Seed of training and resampling.", group="Scores and tests")
    ] = 0,
    seeds: Seeds = 1,
    *,
    printed: Printed,
    learning: RecipeOptions,
    jobs: Jobs,
) -> None:
    """Train five parsers and score them.

    P1 learns greedily; P2 is P1 that goes on with a beam; P3 and P4 are P1 after targeted
    self-training on half and all of the sentences to select from; P5 is the same as P4, but in
    lower case from the start. The control is P1 in lower case, from which P5 starts. All reorder by
    --rules; then P5 reorders by no rules (R1), three simple rule sets (R2 to R4) and --rules (R5).
    LAS and UPOS on --dev stand beside the scores: they need not agree. The paper's P3 to P5 search
    with a beam; here they do not.

    This takes an hour or two for each seed. The folder keeps every parser and parse; what is there
    is not made again: neither P1, P2 and the control for another recipe, nor anything for another
    --metric. With --seeds all of it is done with each seed, in a folder of its own, and means and
    standard deviations are printed.

    Words without links are left out of --select-by by default: where they are many, they favour
    parses that leave the source as it is.

    Examples:
      preorder-eval study parsers --treebank train.conllu --dev dev.conllu --source s.en \\
        --alignment s.align --out work
      preorder-eval study parsers --treebank train.conllu --dev dev.conllu --source s.en \\
        --alignment s.align --folds 5 --out work5
      preorder-eval study parsers --treebank train.conllu --dev dev.conllu --source s.en \\
        --alignment s.align --seeds 3 --out work3
    """
    from preorder_eval.cli.terminal import progress
    from preorder_eval.formats.reference_set import reference_from_files
    from preorder_eval.metrics import order_metric
    from preorder_eval.papers.parsers_experiment import Design, ParsersWork, parsers_with_seeds

    choose_one(self_steps=self_steps, epochs=learning.epochs)
    recipe = learning.recipe(self_steps, metric=str(order_metric(select_by)), seed=seed)
    work = ParsersWork(
        treebank,
        dev,
        reference_from_files(source, alignment, name=source.stem),
        rules,
        select=select,
        evaluate=evaluate,
        folds=folds,
        design=Design(steps, lower, beam, beam_steps, beam_learn_rate, truecase, recipe),
        metrics=metric or METRICS,
        resamples=resamples,
        arguments=as_recorded(sys.argv[1:]),
        log=sys.stderr,
        progress=progress,
        jobs=jobs,
    )
    several = range(seed, seed + seeds)
    printed.print(work.run(out) if seeds == 1 else parsers_with_seeds(work, out, several))
