"""The options of targeted self-training, with the defaults of the recipe."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from preorder_eval.training.recipe import Recipe

N = Annotated[int, typer.Option("--n", min=1, help="Parses a sentence to select from.")]
OnlyChanged = Annotated[
    bool,
    typer.Option("--only-changed", help="Learn only where another parse beats the 1-best."),
]
Margin = Annotated[
    float, typer.Option(min=0, help="Learn only where it beats the 1-best by this much.")
]
Rounds = Annotated[int, typer.Option(min=1, help="Rounds of selection and training.")]
Weight = Annotated[
    int, typer.Option(min=1, help="How often a selected parse stands beside the treebank.")
]
Epochs = Annotated[
    float | None,
    typer.Option(min=0, help="Passes over the data a round, instead of a number of updates."),
]
LearnRate = Annotated[float, typer.Option(min=0, help="Highest learning rate of self-training.")]
EvaluateEvery = Annotated[
    int, typer.Option(min=1, help="Updates between evaluations on --dev, and checkpoints.")
]
Keep = Annotated[
    Literal["best", "last"],
    typer.Option(help="Keep the weights that score best on --dev, or the last ones."),
]
SeedsOption = Annotated[
    int, typer.Option(min=1, help="Number of seeds to do it with, counted up from --seed.")
]


def steps_option(name: str) -> typer.models.OptionInfo:
    """The option for the updates of a round, which one command calls differently."""
    help_text = f"Updates of about 800 words a round [{Recipe.steps}]."
    option: typer.models.OptionInfo = typer.Option(name, min=1, help=help_text)
    return option
