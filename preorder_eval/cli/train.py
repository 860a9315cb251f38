"""`preorder-eval train`: a parser from a treebank, from nothing or further."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from preorder_eval.cli.options import Trust
from preorder_eval.errors import PreorderEvalError


def command(
    out: Annotated[Path, typer.Option(help="New folder for the pipeline.")],
    train: Annotated[
        list[Path] | None,
        typer.Option(
            help="CoNLL-U file to learn from. Repeatable. Tags that are _ are not learned from.",
            metavar="FILE",
        ),
    ] = None,
    weight: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            help="How often each sentence is learned in an epoch: one for each --train, in the "
            "same order.",
        ),
    ] = None,
    dev: Annotated[
        Path | None, typer.Option(help="CoNLL-U file that picks the best weights.", metavar="FILE")
    ] = None,
    beam: Annotated[
        int | None,
        typer.Option(min=2, help="Width of a beam parser, which learns by early updates."),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Go on from this parser: a bundled one, or a spaCy pipeline by name or path.",
            metavar="NAME|PATH",
        ),
    ] = None,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Updates of about 800 words [8500].")
    ] = None,
    lower: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help="Share of the sentences learned from in lower case [0.15]."
        ),
    ] = None,
    learn_rate: Annotated[float | None, typer.Option(help="Highest learning rate [0.002].")] = None,
    evaluate_every: Annotated[
        int | None, typer.Option(min=1, help="Steps between evaluations on --dev [500].")
    ] = None,
    keep: Annotated[
        Literal["best", "last"],
        typer.Option(help="The weights that become the model: those best on --dev, or the last."),
    ] = "best",
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of weights, order and dropout [0].")
    ] = None,
    trust: Trust = False,
    config: Annotated[
        Path | None,
        typer.Option(
            help="Your own spaCy config. Options that are given are set in it; --train and --dev "
            "can be .spacy files, or left out if it names its data.",
            metavar="FILE",
        ),
    ] = None,
    truecase: Annotated[
        Literal["auto", "always", "never"] | None,
        typer.Option(
            help="Which sentences the parser is to read truecased: those without a capital, all or "
            "none [as with --resume, or auto]."
        ),
    ] = None,
    data_name: Annotated[str, typer.Option(help="The treebank's name, for the model card.")] = "",
    licence: Annotated[str, typer.Option(help="The model's licence, for the model card.")] = "",
) -> None:
    """Train a parser on treebanks, and write it with a model card.

    A training that was interrupted begins anew when the command is given again. The parser keeps
    which case words have most often, to restore it in sentences without capitals (see `parse`), but
    not with --truecase never, and with --lower 1 it reads everything in lower case.

    \b
    Examples:
      preorder-eval train --train en_ewt-ud-train.conllu --dev en_ewt-ud-dev.conllu --out mine
      preorder-eval train --train train.conllu --dev dev.conllu --out beam --beam 8
      preorder-eval train --resume en-web --train train.conllu --weight 1 \\
        --train selected.conllu --weight 3 --dev dev.conllu --out further --steps 1000
      preorder-eval train --config config.cfg --train train.conllu --dev dev.conllu --out own
    """
    if config is None and not (train and dev):
        raise PreorderEvalError("--train and --dev are needed, unless --config names the data")

    from preorder_eval.training.train import train as train_parser

    card = train_parser(
        train or [],
        dev,
        out,
        log=sys.stderr,
        steps=steps,
        lower=lower,
        seed=seed,
        evaluate_every=evaluate_every,
        learn_rate=learn_rate,
        weights=tuple(weight or ()),
        beam=beam,
        resume=resume,
        keep=keep,
        config=config,
        truecase=truecase,
        data=data_name,
        licence=licence,
    )
    print(card)
