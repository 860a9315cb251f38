"""The recipe of targeted self-training: every choice that the papers leave open, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from preorder_eval.resources import PARSES_OBJECTIVE
from preorder_eval.training.ranges import check_ranges

BATCH_WORDS = 800
# What parsers are evaluated with.
METRICS = ("fuzzy", "kendall", "fuzzy(unaligned=drop)", "kendall(unaligned=drop)")


@dataclass(frozen=True)
class Recipe:
    """How parses are selected and how the parser learns from them.

    Selection: `n` parses a sentence, chosen by `metric`; only those from other sentences than
    `only_changed` and `margin` leave out (see `selection.Filter`).

    Learning: in each of the `rounds` the parser goes on learning for `steps` updates of about
    `BATCH_WORDS` words, or as many as `epochs` passes over the data take, with a learning rate
    that rises to `learn_rate` and falls to zero. The selected parses are repeated `weight` times
    and mixed with the treebank; the share `lower` of the sentences is in lower case. `beam` is
    the width of the beam it learns with, None as the parser had it. Every `evaluate_every`
    updates it is scored on the development data; `keep` tells whether the weights that score best
    there or the last ones are kept. The development data are trees of the treebank's kind: what
    reorders better often parses them a little worse, and the first weights would be the best.
    """

    n: int = 64
    metric: str = PARSES_OBJECTIVE
    only_changed: bool = False
    margin: float = 0.0
    rounds: int = 1
    weight: int = 20
    steps: int = 200
    epochs: float | None = None
    learn_rate: float = 0.001
    lower: float = 0.15
    beam: int | None = None
    evaluate_every: int = 200
    keep: Literal["best", "last"] = "last"
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self)
