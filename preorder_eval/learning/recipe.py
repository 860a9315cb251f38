"""The choices of a training and of self-training, each with its range, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from preorder_eval.base.errors import require_between
from preorder_eval.parsers.truecase import Truecase

# numpy's global generator, which thinc draws from, takes no larger one.
MOST_TRAINING_SEED = 2**32 - 1

# Outside of these a training ends in no model, or never.
_RANGES: dict[str, tuple[float, float]] = {
    "n": (1, 10_000),
    "margin": (0, 10**6),
    "rounds": (1, 1000),
    "weight": (1, 1000),
    "steps": (1, 10**9),
    "learn_rate": (0, 1000),
    "lower": (0, 1),
    "beam": (2, 10_000),
    "evaluate_every": (1, 10**9),
    "seed": (0, MOST_TRAINING_SEED),
}


class _Checked:
    """Settings that are checked when they are created; None is not checked."""

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name, None)
            if value is not None:
                require_between(name, value, low, high)
        for weight in getattr(self, "weights", ()):
            require_between("weight", weight, *_RANGES["weight"])


@dataclass(frozen=True)
class TrainingSettings(_Checked):
    """The settings that determine the result of training, and those stated in its model card.

    Settings that are None are taken from `small_parser.cfg`. `steps` updates of about 800 words
    each; `lower` is the share of sentences learned from in lower case (with 1, development data are
    in lower case too); `seed` is that of weights, order and dropout; every `evaluate_every` steps
    the score on the development data picks the best weights; `learn_rate` is the highest learning
    rate.

    `weights` state how often each training file is used in an epoch, once unless given. With `beam`
    half of the updates use a beam of that width, up to where the gold tree falls out of it (early
    update, Collins & Roark 2004). `resume` is the parser to go on from, by name or path; `beam`
    makes a beam parser of a greedy one. `keep` decides which weights become the model. `data` names
    the treebank and `licence` the terms of the model. `truecase` decides which sentences the parser
    reads truecased (`parsers.truecase`): unless given, as the one that it goes on from.

    Raises PreorderEvalError for a setting outside its range.
    """

    steps: int | None = None
    lower: float | None = None
    seed: int | None = None
    evaluate_every: int | None = None
    learn_rate: float | None = None
    weights: tuple[int, ...] = ()
    beam: int | None = None
    resume: str | Path | None = None
    keep: Literal["best", "last"] = "best"
    truecase: Truecase | None = None
    data: str = ""
    licence: str = ""


@dataclass(frozen=True)
class Recipe(_Checked):
    """The recipe of targeted self-training: every choice that the papers leave open.

    Selection: `n` parses a sentence, chosen by `metric`; only those that gain `margin` on the
    1-best.

    Learning: in each of the `rounds` the parser goes on learning for `steps` updates of about 800
    words. The learning rate rises to `learn_rate` and falls to zero. The selected parses are
    repeated `weight` times and mixed with the treebank; the share `lower` of the sentences is in
    lower case. The last weights are kept. Parsers that reorder better often parse the development
    data, trees of the treebank's kind, a little worse, so those would select the first weights.

    Control: the same learning from the parser's own best parses of as many sentences, beside it.
    """

    metric: str
    n: int = 64
    margin: float = 0.0
    rounds: int = 1
    weight: int = 20
    steps: int = 200
    learn_rate: float = 0.001
    lower: float = 0.15
    seed: int = 0
    control: bool = False
