"""`preorder-eval compare`: what changed between two systems, how surely, and where."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Drawn, Printed

if TYPE_CHECKING:
    from preorder_eval.results.comparison import Comparison


@grouped
def command(
    run_a: Annotated[
        Path,
        typer.Argument(
            help="Run folder of preorder-eval evaluate or score --out.", metavar="RUN_A"
        ),
    ],
    run_b: Annotated[
        Path | None,
        typer.Argument(
            help="The run to compare with it; left out to compare two systems of one run.",
            metavar="RUN_B",
        ),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="System to compare, where a run has several: one name for both runs, or two, the "
            "first for A and the second for B. Repeatable.",
            metavar="NAME",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="Metric with its options, also one that the runs have no scores of. Repeatable; "
            "all that both runs have by default.",
            metavar="SIGNATURE",
        ),
    ] = None,
    sentences: Annotated[
        int,
        typer.Option(min=0, help="How many sentences to show that gained most, and that lost."),
    ] = 20,
    gate: Annotated[
        list[str] | None,
        typer.Option(
            help="Exit with 1 if the metric fell significantly by more than this, such as "
            "fuzzy:-0.005. Repeatable.",
            metavar="METRIC:NUMBER",
        ),
    ] = None,
    *,
    drawn: Drawn,
    printed: Printed,
) -> None:
    """Compare two systems, B with A: differences, their significance, and the sentences moved.

    Differences are B - A; +* and +** (-* and -**) mark that B is better (worse) at the 90 and 95 %
    level. Interval, mark, p and gates follow one two-sided test by random half-samples, which is
    paired approximate randomization for metrics that are means of sentences; with --test koehn they
    follow the one-sided test of Koehn (2004). The sentences shown are those of the first metric.

    \b
    Examples:
      preorder-eval compare runs/before runs/after
      preorder-eval compare runs/before runs/after --system en-web/en-ja --gate fuzzy:-0.005
      preorder-eval compare runs/today --system en-web/none --system en-web/en-ja
    """
    from preorder_eval.results.comparison import compare
    from preorder_eval.results.gates import failures, parse_gate, sight
    from preorder_eval.results.run import read_run

    gates = [parse_gate(text) for text in gate or []]
    first, *second = [read_run(path) for path in (run_a, run_b) if path is not None]
    result = compare(
        first,
        second[0] if second else None,
        system or [],
        metric or [],
        **asdict(drawn),
    )
    failed = failures(result, gates)

    printed.show(
        lambda: result.summary(sentences),
        lambda: [result.table()],
        lambda: format_comparison(result, sentences),
    )
    for line in [*failed, *sight(result, gates)]:
        print(f"preorder-eval: {line}", file=sys.stderr)
    if failed:
        raise typer.Exit(1)


def format_comparison(result: Comparison, most: int) -> str:
    """A comparison for people, with the `most` sentences that gained and lost most."""
    from preorder_eval import __version__
    from preorder_eval.results.text import (
        few_sentences,
        lower_is_better,
        marks_legend,
        metrics_table,
    )

    moved = replace(result.sentences(most), labels=(_given(result), "A", "B"))
    sampling = result.both.sampling
    notes = [
        f"{result.scored} sentences, {result.left_out} left out; preorder-eval {__version__}",
        marks_legend(sampling.test, sampling.resamples, sampling.seed),
        *lower_is_better(result.both.metrics),
        *few_sentences(result.scored),
    ]
    parts = [
        f"A  {result.runs[0]}  {result.names[0]}\nB  {result.runs[1]}  {result.names[1]}",
        metrics_table(result),
        "\n".join(notes),
        *([repr(moved)] if moved.gained or moved.lost else []),
    ]
    return "\n\n".join(parts)


def _given(result: Comparison) -> str:
    """What the sentences shown are compared with."""
    return "source" if result.of_orders else "reference"
