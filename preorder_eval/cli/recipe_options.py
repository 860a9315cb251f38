"""The options of targeted self-training, with the defaults of the recipe."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from preorder_eval.training.recipe import Recipe

SeedsOption = Annotated[
    int, typer.Option(min=1, help="Number of seeds to do it with, counted up from --seed.")
]


@dataclass(frozen=True)
class RecipeOptions:
    """What all commands that self-train call the same; `recipe` takes the rest as they call it."""

    n: Annotated[int, typer.Option("--n", min=1, help="Parses a sentence to select from.")] = (
        Recipe.n
    )
    only_changed: Annotated[
        bool,
        typer.Option("--only-changed", help="Learn only where another parse beats the 1-best."),
    ] = Recipe.only_changed
    margin: Annotated[
        float, typer.Option(min=0, help="Learn only where it beats the 1-best by this much.")
    ] = Recipe.margin
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of selection and training.")] = (
        Recipe.rounds
    )
    weight: Annotated[
        int, typer.Option(min=1, help="How often a selected parse stands beside the treebank.")
    ] = Recipe.weight
    epochs: Annotated[
        float | None,
        typer.Option(min=0, help="Passes over the data a round, instead of a number of updates."),
    ] = Recipe.epochs
    learn_rate: Annotated[
        float, typer.Option(min=0, help="Highest learning rate of self-training.")
    ] = Recipe.learn_rate

    def recipe(self, steps: int | None, **others: Any) -> Recipe:
        """The recipe of these options and of the others."""
        return Recipe(steps=steps or Recipe.steps, **asdict(self), **others)


def steps_option(name: str) -> typer.models.OptionInfo:
    """The option for the updates of a round, which one command calls differently."""
    help_text = f"Updates of about 800 words a round [{Recipe.steps}]."
    option: typer.models.OptionInfo = typer.Option(name, min=1, help=help_text)
    return option
