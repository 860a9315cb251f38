"""Between what the settings of a training lie: what is outside ends in no model, or never."""

from __future__ import annotations

from preorder_eval.errors import require_between

MOST_SEED = 2**32 - 1  # numpy's global generator, which thinc draws from, takes no larger one

_RANGES: dict[str, tuple[float, float]] = {
    "n": (1, 10_000),
    "margin": (0, 10**6),
    "rounds": (1, 1000),
    "weight": (1, 1000),
    "steps": (1, 10**9),
    "epochs": (0, 10**6),
    "learn_rate": (0, 1000),
    "lower": (0, 1),
    "dropout": (0, 0.9),
    "beam": (2, 10_000),
    "evaluate_every": (1, 10**9),
    "seed": (0, MOST_SEED),
}


def check_ranges(settings: object) -> None:
    """Raise PreorderEvalError for a setting outside its range; those that are None are passed over.

    >>> from types import SimpleNamespace
    >>> check_ranges(SimpleNamespace(steps=None, learn_rate=float("nan")))
    Traceback (most recent call last):
        ...
    preorder_eval.errors.PreorderEvalError: learn_rate=nan is not from 0 to 1000
    """
    for name, (low, high) in _RANGES.items():
        value = getattr(settings, name, None)
        if value is not None:
            require_between(name, value, low, high)
    for weight in getattr(settings, "weights", ()):
        require_between("weight", weight, *_RANGES["weight"])
