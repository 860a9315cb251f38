"""`preorder-eval study parsers`: five parsers, then five rule sets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from preorder_eval.cli.command import Option
from preorder_eval.cli.options import (
    LEARN_RATE,
    LINKED,
    LOWER,
    METRIC,
    RULES,
    SEED,
    Jobs,
    Printed,
    Resamples,
    as_recorded,
    choose_one,
)
from preorder_eval.cli.self_train import LEARNING, STEPS, RecipeOptions, Seeds
from preorder_eval.cli.terminal import progress
from preorder_eval.formats.reference_set import reference_from_files
from preorder_eval.metrics import order_metric
from preorder_eval.papers.parsers_experiment import Design, ParsersWork, parsers_with_seeds
from preorder_eval.training.recipe import METRICS, Recipe


def command(
    treebank: Annotated[Path, LEARNING, Option("CoNLL-U file to learn from.")],
    dev: Annotated[Path, LINKED, Option("CoNLL-U file to score the parsers on.")],
    source: Annotated[Path, LINKED, Option("Sentences to reorder, tokenised, one a line.")],
    alignment: Annotated[Path, LINKED, Option("Their word alignments with a translation.")],
    out: Annotated[
        Path,
        Option(
            "Folder of the work; with the same command it goes on where it was.", group="Output"
        ),
    ],
    select: Annotated[
        int, Option("Sentences from the start of --source to select parses of.", low=2)
    ] = 437,
    evaluate: Annotated[
        int, Option("Sentences from the end of --source to evaluate on.", low=1)
    ] = 200,
    folds: Annotated[
        int | None,
        Option(
            "Evaluate on all sentences instead, each with parsers that have learned from the other "
            "parts.",
            group="Scores and tests",
            low=2,
        ),
    ] = None,
    rules: Annotated[str, RULES] = "en-ja",
    metric: Annotated[
        tuple[str, ...],
        METRIC,
        Option(
            "Metric with its options to evaluate with. Repeatable; fuzzy and kendall by default, "
            "with and without unaligned words."
        ),
    ] = (),
    steps: Annotated[int, LEARNING, Option("Updates of about 800 words of P1.", low=1)] = 8500,
    lower: Annotated[
        float, LOWER, Option("Share of the sentences P1 to P4 learn in lower case.")
    ] = 0.0,
    beam: Annotated[int, LEARNING, Option("Width of P2's beam.", low=2)] = 8,
    beam_steps: Annotated[
        int, LEARNING, Option("Updates with which P2 goes on from P1.", low=1)
    ] = 1000,
    beam_learn_rate: Annotated[float, LEARN_RATE, Option("Highest learning rate of them.")] = 0.001,
    truecase: Annotated[
        Literal["auto", "always", "never"],
        LEARNING,
        Option("Which sentences P1 to P4 read truecased: those without a capital, all or none."),
    ] = "auto",
    select_by: Annotated[
        str, METRIC, Option("Order metric that selected parses are best by.", group="Options")
    ] = Recipe.metric,
    self_steps: Annotated[int | None, STEPS] = None,
    resamples: Resamples = 1000,
    seed: Annotated[int, SEED, Option("Seed of training and resampling.")] = 0,
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
