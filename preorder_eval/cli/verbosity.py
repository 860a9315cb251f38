"""How much a command says beside its result, on standard error."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from preorder_eval.errors import InputWarning, brief

Level = Literal["quiet", "usual", "verbose"]

_LOGGER = logging.getLogger("preorder_eval")
_chosen: Level = "usual"


@contextmanager
def usual() -> Iterator[None]:
    """Print warnings, each once and on one line, until `choose` says otherwise."""
    shown: set[str] = set()

    def show(message: Warning | str, *where: Any, **more: Any) -> None:
        """Print a warning; where in the code it comes from is not the user's matter."""
        if str(message) not in shown:
            _print(f"warning: {message}")
        shown.add(str(message))

    with warnings.catch_warnings():
        choose("usual")
        warnings.simplefilter("always", InputWarning)
        warnings.showwarning = show
        handlers = list(_LOGGER.handlers)
        try:
            yield
        finally:
            _LOGGER.handlers[:] = handlers
            _LOGGER.setLevel(logging.NOTSET)


def choose(level: Level) -> None:
    """Say nothing but errors, or also what is read and from where."""
    global _chosen
    _chosen = level
    if level == "quiet":
        warnings.simplefilter("ignore", InputWarning)
    elif level == "verbose":
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("preorder-eval: %(message)s"))
        _LOGGER.addHandler(handler)
        _LOGGER.setLevel(logging.INFO)


def is_quiet() -> bool:
    """Whether nothing but errors is wanted."""
    return _chosen == "quiet"


def note(text: str) -> None:
    """Say something that is neither a result nor wrong."""
    if not is_quiet():
        _print(f"note: {text}")


def _print(text: str) -> None:
    print(f"preorder-eval: {brief(text)}", file=sys.stderr)
