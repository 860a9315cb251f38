"""The options that many commands share: how results are printed and resampled."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from preorder_eval.stats import MOST_RESAMPLES, MOST_SEED, Test

if TYPE_CHECKING:
    from preorder_eval.formats.tables import Table
    from preorder_eval.tables import Shown


def available_cores() -> int:
    """How many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def as_recorded(arguments: Sequence[str]) -> list[str]:
    """A command line without `--jobs`, on which no result depends, as run folders keep it.

    >>> as_recorded(["evaluate", "--jobs", "4", "--out", "run", "--jobs=2"])
    ['evaluate', '--out', 'run']
    """
    before = ["", *arguments]
    return [
        argument
        for argument, last in zip(arguments, before, strict=False)
        if last != "--jobs" and argument.partition("=")[0] != "--jobs"
    ]


JsonForText = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]

Resamples = Annotated[int, typer.Option(min=1, max=MOST_RESAMPLES, help="Bootstrap resamples.")]
Seed = Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Seed of all resampling.")]
TestOption = Annotated[
    Test,
    typer.Option(
        help="How marks are decided: two-sided, by random half-samples, with interval and p; or as "
        "Koehn (2004) and the papers' tables do, one-sided, by wins of the paired bootstrap."
    ),
]
TrainingText = Annotated[
    Path | None,
    typer.Option(
        help="Text that outputs were learnt from, by which words are frequent or rare; the "
        "references by default.",
        metavar="FILE",
    ),
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Parse anew what has been parsed before, too.")
]
Raw = Annotated[bool, typer.Option("--raw", help="Tokenise the lines, by the parser's tokenizer.")]
Jobs = Annotated[
    int,
    typer.Option(
        min=1,
        default_factory=available_cores,
        show_default="all cores",
        help="Processes that share the work; what they find does not depend on it.",
    ),
]


def _trust(value: bool) -> bool:
    from preorder_eval.parsers.base import TRUSTING

    TRUSTING.set(value)
    return value


Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        callback=_trust,
        help="Load a spaCy pipeline from a folder that `train` has not written, and that could run "
        "code of its maker.",
    ),
]
RulesOption = Annotated[
    str, typer.Option(help="Bundled rule set or rule file.", metavar="NAME|FILE")
]


Form = Literal["text", "matrix", "markdown", "latex"]


@dataclass(frozen=True)
class Printed:
    """How results are printed: as text, JSON or TSV."""

    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False
    tsv: Annotated[bool, typer.Option("--tsv", help="Print TSV instead of text.")] = False

    def __post_init__(self) -> None:
        choose_one(json=self.json, tsv=self.tsv)

    def check(self, form: Form) -> None:
        """Raise BadParameter where a form of text is chosen beside JSON or TSV."""
        if form != "text" and (self.json or self.tsv):
            raise typer.BadParameter(f"--format {form} is of text; leave out --json and --tsv")

    def print(self, result: Shown, whole: bool = False) -> None:
        """Print a result in the form that was chosen; `whole` for all there is."""
        from preorder_eval.formats.tables import format_json

        if self.json:
            print(format_json(result.to_dict()), end="")
        else:
            print(result.show("tsv" if self.tsv else "text", whole))

    def show(
        self,
        summary: Callable[[], Any],
        tables: Callable[[], list[Table]],
        text: Callable[[], str],
    ) -> None:
        """Print one of the three; several tables have an empty line between them."""
        from preorder_eval.formats.tables import format_json, format_tsv
        from preorder_eval.formats.text_table import for_screen

        if self.json:
            print(format_json(summary()), end="")
        elif self.tsv:
            print("\n".join(format_tsv(*table) for table in tables()), end="")
        else:
            print(for_screen(text()))


@dataclass(frozen=True)
class Drawn:
    """How intervals are drawn and differences tested."""

    resamples: Annotated[
        int,
        typer.Option(
            min=1,
            max=MOST_RESAMPLES,
            help="Bootstrap resamples, and ten half-samples of the test for each.",
        ),
    ] = 1000
    seed: Seed = 0
    test: TestOption = "randomization"


def choose_one(**options: object) -> None:
    """Raise BadParameter where more than one of some options is given.

    >>> choose_one(scores="human.tsv", rankings=None)
    >>> choose_one(json=True, tsv=True)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    typer...BadParameter: choose one of --json and --tsv
    """
    chosen = [name for name, value in options.items() if value is not None and value is not False]
    if len(chosen) > 1:
        names = " and ".join(f"--{name.replace('_', '-')}" for name in options)
        raise typer.BadParameter(f"choose one of {names}")
