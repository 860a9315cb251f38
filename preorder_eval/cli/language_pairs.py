"""The same options for several language pairs: {pair} in the name of a file stands for each."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, TypeVar

import typer

PairsOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Language pair, such as en-ja; {pair} in the names of files stands for it. "
        "Repeatable: a column for each, and their mean.",
        metavar="NAME",
    ),
]
_PAIR = "{pair}"
Options = TypeVar("Options")


def for_pair(options: Options, pair: str) -> Options:
    """Options, a group of them, a name or several, with {pair} replaced.

    >>> for_pair([Path("{pair}/ref.txt")], "en-ja")
    [PosixPath('en-ja/ref.txt')]
    """
    changed: object = options
    if isinstance(options, str):
        changed = options.replace(_PAIR, pair)
    elif isinstance(options, Path):
        changed = Path(str(options).replace(_PAIR, pair))
    elif isinstance(options, list):
        changed = [for_pair(each, pair) for each in options]
    elif is_dataclass(options) and not isinstance(options, type):
        of_fields = {f.name: for_pair(getattr(options, f.name), pair) for f in fields(options)}
        changed = replace(options, **of_fields)
    return changed  # type: ignore[return-value]


def named_pairs(pairs: list[str], *options: object) -> bool:
    """Whether {pair} stands in an option; raises BadParameter where there is no pair for it."""
    named = any(for_pair(option, "") != option for option in options)
    if named and not pairs:
        raise typer.BadParameter("{pair} stands for a --pair; give at least one")
    if len(set(pairs)) < len(pairs):
        raise typer.BadParameter("a --pair is given twice")
    return named


def check_pairs(pairs: list[str], *options: object) -> None:
    """Raise BadParameter where pairs stand in no option, or an option names pairs without any."""
    if not named_pairs(pairs, *options) and pairs:
        raise typer.BadParameter("--pair stands for {pair} in the name of a file, but none has it")
