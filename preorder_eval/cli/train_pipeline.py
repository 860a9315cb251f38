"""`preorder-eval train`: a parser from a treebank, from nothing or further."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.options import LEARN_RATE, LOWER, PARSER, SEED, STEPS, Trust
from preorder_eval.cli.terminal import shown
from preorder_eval.learning.train import train
from preorder_eval.parsers.truecase import Truecase

_CARD = Option(group="Output", metavar="TEXT")


@dataclass(frozen=True)
class SettingOptions:
    """Options of a training, called as `TrainingSettings` calls them."""

    GROUP: ClassVar[str] = "Learning"

    weights: Annotated[
        tuple[int, ...],
        Option(
            "Repetitions of each sentence in an epoch: one number for each --train, in order.",
            name="--weight",
            low=1,
            needs="train_on",
        ),
    ] = ()
    beam: Annotated[
        int | None, Option("Width of a beam parser, trained with early updates.", low=2)
    ] = None
    resume: Annotated[
        str | None, PARSER, Option("Continue training this parser.", group="Learning")
    ] = None
    steps: Annotated[int | None, STEPS, Option(shown="8500")] = None
    lower: Annotated[float | None, LOWER, Option(shown="0.15")] = None
    learn_rate: Annotated[float | None, LEARN_RATE, Option(shown="0.002")] = None
    evaluate_every: Annotated[
        int | None, Option("Updates between evaluations on --dev.", low=1, shown="500")
    ] = None
    keep: Annotated[
        Literal["best", "last"],
        Option("Keep the weights that score best on --dev, or the last ones."),
    ] = "best"
    seed: Annotated[int | None, SEED, Option("Seed of weights, order and dropout.", shown="0")] = (
        None
    )
    truecase: Annotated[
        Truecase | None,
        Option(
            "Sentences to truecase before parsing: those without capitals (auto), all or none.",
            shown="that of --resume, or auto",
        ),
    ] = None
    data: Annotated[
        str, _CARD, Option("Name of the treebank, for the model card.", name="--data-name")
    ] = ""
    licence: Annotated[str, _CARD, Option("Licence of the model, for the model card.")] = ""


def command(
    out: Annotated[Path, Option("New folder for the pipeline.", group="Output", metavar="DIR")],
    train_on: Annotated[
        tuple[Path, ...],
        Option(
            "CoNLL-U file to train on; tags _ are ignored. Repeatable.",
            name="--train",
            group="Learning",
        ),
    ],
    dev: Annotated[Path, Option("CoNLL-U file to select the best weights on.", group="Learning")],
    settings: SettingOptions,
    trust: Trust = False,
) -> None:
    """An interrupted training starts from the beginning. The parser stores the most frequent case
    of each word, to restore it in sentences without capitals (see `parse`), unless --truecase never
    is given. With --lower 1, the parser lower-cases all sentences.

    Examples:
      preorder-eval train --train train.conllu --dev dev.conllu --out mine
      preorder-eval train --train train.conllu --dev dev.conllu --out beam --beam 8
      preorder-eval train --resume en-web --train train.conllu --weight 1 \\
        --train best.conllu --weight 3 --dev dev.conllu --out more --steps 1000
    """
    print(shown(train(train_on, dev, out, log=sys.stderr, **vars(settings))))
