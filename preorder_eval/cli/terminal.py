"""Output to a terminal: notes, warnings and progress on standard error, and data."""

from __future__ import annotations

import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Literal, cast

import click

from preorder_eval.base.errors import InputWarning, brief
from preorder_eval.base.visible import visible

Verbosity = Literal["quiet", "usual", "verbose"]

_FIRST, _EVERY = 2.0, 30.0  # seconds before progress is noted, and from note to note
_LOGGER = logging.getLogger("preorder_eval")
_level: Verbosity = "usual"
_begun = time.monotonic()


@contextmanager
def usual() -> Iterator[None]:
    """Print each warning once, on one line."""
    global _level, _begun
    shown: set[str] = set()

    def show(message: Warning | str, *where: Any, **more: Any) -> None:
        """Print a warning without its position in the code, which does not concern the user."""
        if str(message) not in shown:
            _print(f"warning: {message}")
        shown.add(str(message))

    handlers = list(_LOGGER.handlers)
    with warnings.catch_warnings():
        _level, _begun = "usual", time.monotonic()
        warnings.simplefilter("always", InputWarning)
        warnings.showwarning = show
        try:
            yield
        finally:
            _LOGGER.handlers[:] = handlers
            _LOGGER.setLevel(logging.NOTSET)


def choose(level: Verbosity) -> None:
    """Print results and errors only (quiet), or also what is read and from where (verbose)."""
    global _level
    if {level, _level} == {"quiet", "verbose"}:
        raise click.UsageError("choose one of --quiet and --verbose")
    if level == "quiet":
        warnings.simplefilter("ignore", InputWarning)
    elif _level != level:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_Visible())
        _LOGGER.addHandler(handler)
        _LOGGER.setLevel(logging.INFO)
    _level = level


class _Visible(logging.Formatter):
    """The format of log lines, with control characters escaped to protect the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return f"preorder-eval: {visible(record.getMessage())}"


def is_verbose() -> bool:
    """Return whether all details are wanted."""
    return _level == "verbose"


def note(text: str) -> None:
    """Print a line that is neither a result nor a warning."""
    if _level != "quiet":
        _print(f"note: {text}")


def _print(text: str) -> None:
    print(f"preorder-eval: {brief(text)}", file=sys.stderr)


def shown(text: str) -> str:
    r"""Return lines with invisible characters written as escapes; tabs are kept.

    >>> shown("a\tb\n\x1b[2J\n")
    'a\tb\n\\x1b[2J\n'
    """
    lines = (line.split("\t") for line in text.split("\n"))
    return "\n".join("\t".join(map(visible, cells)) for cells in lines)


def output() -> IO[str]:
    """Return standard output for data: text of others cannot command a terminal."""
    return cast(IO[str], _Screen()) if _on_terminal() else sys.stdout


def _on_terminal() -> bool:
    return sys.stdout.isatty()


class _Screen:
    """Standard output that is a terminal."""

    def writelines(self, lines: Iterable[str]) -> None:
        sys.stdout.writelines(map(shown, lines))


def _noted(label: str, total: str) -> Callable[[int], None]:
    """Return a function that counts steps, with a note after two seconds, then every 30."""
    done, due = 0, time.monotonic() + _FIRST

    def advance(steps: int) -> None:
        nonlocal done, due
        done += steps
        if time.monotonic() >= due:
            note(f"{label}: {done:,}{total}")
            due = time.monotonic() + _EVERY

    return advance


@contextmanager
def progress(label: str, total: int | None) -> Iterator[Callable[[int], None] | None]:
    """Yield a function that reports steps done: on a bar, or off a terminal in a note now and then.

    It is None with --quiet. If the `total` is unknown, the bar only shows that something happens.
    """
    if _level == "quiet":
        yield None
        return
    if not sys.stderr.isatty():
        if total is None and time.monotonic() >= _begun + _FIRST:
            note(label)
        yield _noted(label, "" if total is None else f" of {total:,}")
        return
    from rich.console import Console  # .1 s, for a terminal alone
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(visible(label)), total=total)
        yield lambda steps: bar.advance(task, steps)
