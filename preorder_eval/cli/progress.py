"""A progress bar for long work, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from preorder_eval.cli.verbosity import is_quiet


@contextmanager
def progress(label: str, total: int | None) -> Iterator[Callable[[int], None] | None]:
    """Yields a function that moves the bar on by a number of steps, None if there is no bar.

    A bar whose `total` is unknown only shows that something happens.
    """
    if is_quiet() or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda steps: bar.advance(task, steps)
