"""`preorder-eval self-train`: a parser that learns from its own parses, those that reorder well."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.options import (
    LEARN_RATE,
    LOWER,
    MARGIN,
    N_BEST,
    PARSER,
    REFERENCE,
    RULES,
    SEED,
    SELECTING,
    STEPS,
    Jobs,
    Printed,
    Resamples,
    Trust,
    as_recorded,
)
from preorder_eval.cli.shared.reference_options import HowWritten, chosen_reference
from preorder_eval.cli.terminal import progress
from preorder_eval.learning.recipe import Recipe
from preorder_eval.learning.self_train import self_train
from preorder_eval.references.reference_build import reference_from_files

LEARNING = Option(group="Learning")
LINKED = Option(group="References")


@dataclass(frozen=True)
class RecipeOptions:
    """Options of self-training."""

    n: Annotated[int, N_BEST, LEARNING, Option("Parses per sentence to select from.")] = Recipe.n
    margin: Annotated[float, MARGIN] = Recipe.margin
    rounds: Annotated[int, LEARNING, Option("Rounds of selection and training.", low=1)] = (
        Recipe.rounds
    )
    weight: Annotated[
        int, LEARNING, Option("Copies of each selected parse in the training data.", low=1)
    ] = Recipe.weight
    steps: Annotated[int, STEPS, Option("Updates of about 800 words per round.")] = Recipe.steps
    learn_rate: Annotated[float, LEARN_RATE] = Recipe.learn_rate
    lower: Annotated[float, LOWER] = Recipe.lower
    seed: Annotated[int, SEED, Option("Seed of training and resampling.")] = Recipe.seed
    control: Annotated[
        bool, LEARNING, Option("Also train a control, on the parser's own best parses.")
    ] = Recipe.control


def command(
    out: Annotated[
        Path,
        Option(
            "Folder for all files; the same command continues there.", group="Output", metavar="DIR"
        ),
    ],
    treebank: Annotated[Path, LEARNING, Option("CoNLL-U file to continue training on.")],
    dev: Annotated[Path, LINKED, Option("CoNLL-U file to score every round on.")],
    source: Annotated[Path, LINKED, Option("Sentences to select parses of, tokenised.")],
    alignment: Annotated[Path, LINKED, Option("Word alignments of --source and its translation.")],
    parser: Annotated[str, PARSER, Option("Parser to start from.")] = "en-web",
    rules: Annotated[str, RULES] = "en-ja",
    reference: Annotated[
        str | None,
        REFERENCE,
        Option(
            "Bundled reference set or reference folder to evaluate on.",
            shown="the last fifth of --source in whole documents, held out",
            beside="evaluate_source",
        ),
    ] = None,
    evaluate_source: Annotated[
        Path | None,
        LINKED,
        Option(
            "Your sentences to evaluate on, none of them in --source.", needs="evaluate_alignment"
        ),
    ] = None,
    evaluate_alignment: Annotated[
        Path | None,
        LINKED,
        Option("Word alignments of --evaluate-source.", needs="evaluate_source"),
    ] = None,
    metric: Annotated[str | None, SELECTING] = None,
    seeds: Annotated[
        int, Option("Number of seeds, counted up from --seed.", group="Scores and tests", low=1)
    ] = 1,
    resamples: Resamples = 1000,
    trust: Trust = False,
    *,
    written: HowWritten,
    printed: Printed,
    learning: RecipeOptions,
    jobs: Jobs,
) -> None:
    """For every aligned sentence, the parse in its n-best list that reorders best is selected. The
    parser then continues training on the treebank and the selected parses (targeted self-training,
    Katz-Brown et al. 2011). The folder keeps all files: selected/, parsers/, and runs/ for
    `compare`. With --seeds, parser/ comes from the median seed. With --control, the verdict
    compares the parser with one trained on the parser's own best parses. To show that self-training
    helps, use both: --seeds 3 --control. --evaluate-alignment has the format of --alignment.

    Examples:
      preorder-eval self-train --treebank train.conllu --dev dev.conllu \\
        --source s.en --alignment s.align --reference en-ja --out work
    """
    evaluation = None
    if reference is not None or evaluate_source is not None:
        evaluation = chosen_reference(
            reference, evaluate_source, evaluate_alignment, None, **written.reading()
        )
    printed.print(
        self_train(
            out,
            reference_from_files(source, alignment, name=alignment.stem, **written.reading()),
            treebank,
            dev,
            parser=parser,
            rules=rules,
            evaluation=evaluation,
            metric=metric,
            seeds=seeds,
            resamples=resamples,
            arguments=as_recorded(),
            progress=progress,
            jobs=jobs,
            **asdict(learning),
        )
    )
