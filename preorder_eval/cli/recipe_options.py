"""The options of targeted self-training, with the defaults of the recipe."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from preorder_eval.cli.command import Option
from preorder_eval.cli.options import LEARN_RATE, N_BEST
from preorder_eval.training.recipe import Recipe

_GROUP = "Learning"
STEPS = Option(
    f"Updates of about 800 words a round [{Recipe.steps}].", group=_GROUP, low=1, beside="epochs"
)
Seeds = Annotated[
    int, Option("Number of seeds, counted up from --seed.", group="Scores and tests", low=1)
]


@dataclass(frozen=True)
class RecipeOptions:
    """What all commands that self-train call the same; `recipe` takes the rest."""

    n: Annotated[int, N_BEST, Option("Parses a sentence to select from.", group=_GROUP)] = Recipe.n
    only_changed: Annotated[
        bool, Option("Learn only where another parse beats the 1-best.", group=_GROUP)
    ] = Recipe.only_changed
    margin: Annotated[
        float, Option("Learn only where it beats the 1-best by this much.", group=_GROUP, low=0)
    ] = Recipe.margin
    rounds: Annotated[int, Option("Rounds of selection and training.", group=_GROUP, low=1)] = (
        Recipe.rounds
    )
    weight: Annotated[
        int, Option("How often a selected parse stands beside the treebank.", group=_GROUP, low=1)
    ] = Recipe.weight
    epochs: Annotated[
        float | None,
        Option(
            "Passes over the data a round, instead of a number of updates.", group=_GROUP, low=0
        ),
    ] = Recipe.epochs
    learn_rate: Annotated[float, LEARN_RATE] = Recipe.learn_rate

    def recipe(self, steps: int | None, **others: Any) -> Recipe:
        """Return the recipe of these options and of the others."""
        return Recipe(steps=steps or Recipe.steps, **asdict(self), **others)
