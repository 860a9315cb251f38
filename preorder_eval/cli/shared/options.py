"""The options that several commands share, and how results are printed."""

from __future__ import annotations

import os
import sys
import warnings
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

import click

from preorder_eval.base.errors import InputWarning
from preorder_eval.base.files.writing import format_json
from preorder_eval.base.stats import MOST_RESAMPLES, MOST_SEED, Test
from preorder_eval.base.tables import Form, Shown
from preorder_eval.base.visible import visible
from preorder_eval.cli.command import Given, Option
from preorder_eval.cli.terminal import is_verbose, progress
from preorder_eval.orders.alignment_files import FORMATS


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def as_recorded() -> list[str]:
    """Return the command line for run folders, without `--jobs`, which changes no result."""
    return [
        argument
        for before, argument in pairwise(sys.argv)
        if before != "--jobs" and argument.partition("=")[0] != "--jobs"
    ]


def alignment_formats() -> str:
    """Return the legal names of formats."""
    return "|".join(["auto", *FORMATS])


# Systems: parsers, trees and rules.


def _parses_nothing(given: Given) -> str:
    """Explain that an option has no effect if no parser runs; empty if one does.

    That is so if there are trees or orders instead, or gold trees only.
    """
    parsers = given.get("parser", ())
    named_ones = [parsers] if isinstance(parsers, str) else parsers
    ordered = "orders" in given or "system_alignment" in given
    nothing = "trees" in given or (ordered and "rules" not in given)
    if named_ones:
        nothing = all(name.rpartition("=")[2] == "gold" for name in named_ones)
    return "has no effect, because nothing is parsed" if nothing else ""


def _trust(ctx: click.Context, parameter: click.Parameter, value: bool) -> bool:
    if value:
        from preorder_eval.parsers.parser import TRUSTING

        TRUSTING.set(True)
    return value


PARSER = Option(
    "Bundled parser, path or name of a spaCy pipeline.", group="Systems", metavar="NAME|PATH"
)
PARSER_OR_GOLD = Option(
    "Bundled parser, path or name of a spaCy pipeline, or `gold` for the reference's own trees.",
    shown="en-web",
).over(PARSER)
TREES = Option("CoNLL-U file with trees of the source from any parser.", group="Systems")
RULES = Option("Bundled rule set or rule file.", group="Systems", metavar="NAME|FILE")
Raw = Annotated[
    bool,
    Option("Tokenise the lines, and parse each sentence of a line separately.", group="Execution"),
]
NoCache = Annotated[bool, Option("Ignore cached parses.", group="Execution", idle=_parses_nothing)]
Trust = Annotated[
    bool,
    Option(
        "Load a spaCy pipeline from a folder that `train` did not write; it may run code.",
        group="Execution",
        idle=_parses_nothing,
        callback=_trust,
    ),
]
Jobs = Annotated[
    int,
    Option(
        "Number of processes; results do not depend on it.",
        group="Execution",
        low=1,
        default=available_cores,
        shown="all cores",
    ),
]


@dataclass(frozen=True)
class Running:
    """How parsers run."""

    GROUP: ClassVar[str] = "Execution"

    no_cache: NoCache = False
    trust: Trust = False
    jobs: Jobs = field(kw_only=True)

    def how(self) -> dict[str, Any]:
        """Return the options as arguments of functions that parse."""
        return {"cache": not self.no_cache, "jobs": self.jobs, "progress": progress}


TEXT = Option("Tokenised sentences, one per line; - is standard input.", group="Systems")

# References: bundled ones, or text and links.

REFERENCE = Option(
    "Bundled reference set or reference folder.",
    shown="that of the target language of the rules",
    group="References",
    metavar="NAME|DIR",
)
References = Annotated[tuple[str, ...], REFERENCE]
SOURCE = Option(
    "Your source sentences, tokenised, one per line.", group="References", needs="alignment"
)
ALIGNMENT = Option("Your word alignments, such as Pharaoh's (0-0 1-2).", group="References")
AlignmentFormat = Annotated[
    str,
    Option(
        "Format of --alignment.", group="References", metavar=alignment_formats, needs="alignment"
    ),
]
BASE = Option(
    "Number of the first word in --alignment: 0 or 1.",
    group="References",
    low=0,
    high=1,
    needs="alignment",
)
DIRECTION = Option("Side that --alignment writes first.", group="References", needs="alignment")

# Scores, tests and their random draws.

METRIC = Option(
    "Metric with its options, such as 'ribes(alpha=0.2)'.",
    group="Scores and tests",
    metavar="SIGNATURE",
    distinct=True,
)
Metrics = Annotated[tuple[str, ...], METRIC]
OBJECTIVE = "FRS and τ; with unaligned=drop if fewer than 90% of words are aligned"
SEED = Option("Seed of all resampling.", group="Scores and tests", low=0, high=MOST_SEED)
GATE = Option(
    "Exit with 1 if the metric fell significantly by more than this: fuzzy:-0.005.",
    group="Scores and tests",
    metavar="METRIC:NUMBER",
    distinct=True,
)
Resamples = Annotated[
    int, Option("Bootstrap resamples.", group="Scores and tests", low=1, high=MOST_RESAMPLES)
]
Seed = Annotated[int, SEED]


@dataclass(frozen=True)
class Drawn:
    """Options of intervals and tests."""

    GROUP: ClassVar[str] = "Scores and tests"

    resamples: Resamples = 1000
    seed: Seed = 0
    test: Annotated[
        Test,
        Option("Approximate randomization (two-sided), or Koehn's paired bootstrap (one-sided)."),
    ] = "randomization"


@dataclass(frozen=True)
class Tested(Drawn):
    """The same, with the choice of systems to compare."""

    significance: Annotated[bool, Option("Compare all pairs of systems.", group="Options")] = False
    against: Annotated[str, Option("Compare all systems with this one.", metavar="NAME")] = ""

    def sampling(self) -> dict[str, Any]:
        """Return the values of a `Sampling`."""
        drawn = {"resamples": self.resamples, "seed": self.seed, "test": self.test}
        which = "all" if self.significance else "baseline"
        return {**drawn, "against": which, "baseline": self.against}


SHOWN_SOURCE = Option(
    "Source to show beside outputs, if the run has none.", group="Inputs of metrics"
)

# Learning.

N_BEST = Option(group="Systems", low=1)
SELECTING = Option("Order metric that selects parses.", shown="FRS; τ with automatic links").over(
    METRIC
)
MARGIN = Option(
    "Skip parses that gain less than this over the 1-best parse.", group="Learning", low=0
)
STEPS = Option("Updates of about 800 words.", group="Learning", low=1)
LOWER = Option(
    "Share of the sentences that are lower-cased in training.", group="Learning", low=0, high=1
)
LEARN_RATE = Option("Highest learning rate.", group="Learning", low=0)

# Output.

OUT_RUN = Option("New folder for the run: summary, scores, inputs.", group="Output", metavar="DIR")
Overwrite = Annotated[
    bool, Option("Let --out replace an existing run.", group="Output", needs="out")
]


class Described(Shown):
    """A result that is lines of text for people, and tables for programs.

    Its `verdict` has the lines that other forms show above the tables.
    """

    for_paper = ""  # nothing is compared

    def text(self) -> str:
        """Return the lines."""
        raise NotImplementedError

    def _drawn(self, form: Form, whole: bool, digits: int, caption: str = "") -> str:
        if form != "text":
            return super()._drawn(form, whole, digits, caption)
        return "\n".join(map(visible, self.text().split("\n")))


# What a browser needs to show tables printed to a file. The space between columns has the least
# weight, so that a page that takes the tables keeps its own.
_HEAD = (
    '<meta charset="utf-8"><meta name="color-scheme" content="light dark">'
    '<meta name="viewport" content="width=device-width">'
    "<style>:where(td, th) { padding: 2px 12px 2px 0; vertical-align: baseline; "
    "font-variant-numeric: tabular-nums } :where(p) { overflow-wrap: anywhere }</style>"
)


@dataclass(frozen=True)
class Printed:
    """Options of printed results."""

    GROUP: ClassVar[str] = "Output"

    json: Annotated[bool, Option("Print JSON instead of text.", beside="tsv form")] = False
    tsv: Annotated[bool, Option("Print TSV instead of text.", beside="form")] = False
    form: Annotated[
        Literal["text", "markdown", "latex", "html", "paper", "score"],
        Option(
            "text, markdown, latex, html, paper (sentences), or score (only the numbers).",
            name="--format",
            metavar="FORM",
        ),
    ] = "text"
    digits: Annotated[
        int, Option("Decimals of numbers up to 1.", low=2, high=12, beside="json tsv")
    ] = 3

    caption: Annotated[
        str,
        Option(
            "Title of the first table, such as its caption in LaTeX.",
            beside="json tsv form=paper form=score",
        ),
    ] = ""

    def print(self, result: Shown, whole: bool = False) -> None:
        """Print a result; `whole` for all that there is to show."""
        if self.json:
            print(format_json(result.to_dict()), end="")
        else:
            form = "tsv" if self.tsv else self.form
            shown = result.show(form, whole or is_verbose(), self.digits, self.caption)
            if form == "paper" and not shown:
                raise click.UsageError("--format paper needs systems that are compared")
            if form == "score" and not shown:
                raise click.UsageError("--format score needs evaluate or score")
            if form != "text":
                for caveat in result.warnings:
                    warnings.warn(caveat.text, InputWarning, stacklevel=2)
            print(f"{_HEAD}\n{shown}" if form == "html" else shown)


# Work on shards of a corpus, given to a cluster.


SHARDS = "Shards of a corpus on a cluster (Dask)"


@dataclass(frozen=True)
class Shards:
    """Options of work on a cluster, with the pattern of what is worked on."""

    GROUP: ClassVar[str] = SHARDS

    engine: Annotated[
        Literal["dask"] | None,
        Option(
            "Run on a cluster. Quote file patterns; * stands for the name of a shard. Trees and "
            "reordered text are written to --out, one file for each shard; existing files are "
            "kept.",
            needs="scheduler",
        ),
    ] = None
    scheduler: Annotated[
        str | None,
        Option(
            "Address of the scheduler, such as tcp://head:8786. Keep it behind a firewall: it "
            "runs code on its workers.",
            metavar="ADDRESS",
            needs="engine",
        ),
    ] = None
    input: Annotated[
        str,
        Option(
            "Files of the shards, such as 'shards/*.conllu.gz'.", metavar="PATTERN", needs="engine"
        ),
    ] = ""

    def __post_init__(self) -> None:
        if self.engine is not None and not self.input:
            raise click.UsageError("--engine dask needs the shards to work on (--input)")
