"""`preorder-eval train`: a small parser from a treebank."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def command(
    train: Annotated[Path, typer.Option(help="CoNLL-U file to learn from.")],
    dev: Annotated[Path, typer.Option(help="CoNLL-U file that picks the best weights.")],
    out: Annotated[Path, typer.Option(help="New folder for the pipeline.")],
    steps: Annotated[int, typer.Option(min=1, help="Updates of about 800 words.")] = 8500,
    lower: Annotated[
        float,
        typer.Option(min=0, max=1, help="Share of the sentences learned from in lower case."),
    ] = 0.15,
    seed: Annotated[int, typer.Option(min=0, help="Seed of weights, order and dropout.")] = 0,
    data_name: Annotated[str, typer.Option(help="The treebank's name, for the model card.")] = "",
    licence: Annotated[str, typer.Option(help="The model's licence, for the model card.")] = "",
) -> None:
    """Train a small parser on a treebank, and write it with a model card.

    \b
    Example:
      preorder-eval train --train en_ewt-ud-train.conllu --dev en_ewt-ud-dev.conllu --out en-web
    """
    from preorder_eval.formats.run_folder import refuse_existing
    from preorder_eval.training.train import TrainingSettings, train_parser

    refuse_existing(out)
    settings = TrainingSettings(
        steps=steps, lower=lower, seed=seed, data=data_name, licence=licence
    )
    print(train_parser(train, dev, out, settings, log=sys.stderr))
