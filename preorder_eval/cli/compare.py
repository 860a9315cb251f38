"""`preorder-eval compare`: what changed between two systems, how surely, and where."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.options import JsonForText, Seed, choose_one

if TYPE_CHECKING:
    from preorder_eval.results.comparison import Comparison


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
    resamples: Annotated[
        int,
        typer.Option(min=1, help="Bootstrap resamples; ten times as many trials of randomization."),
    ] = 1000,
    seed: Seed = 0,
    json: JsonForText = False,
    tsv: Annotated[
        bool, typer.Option("--tsv", help="Print the table of metrics as TSV instead of text.")
    ] = False,
) -> None:
    """Compare two systems, B with A: differences, their significance, and the sentences moved.

    Differences are B - A, with intervals of the paired bootstrap; +* and +** (-* and -**) mark
    that B is better (worse) at the 90 and 95 % level. p is by approximate randomization. The
    sentences shown are those of the first metric.

    \b
    Examples:
      preorder-eval compare runs/before runs/after
      preorder-eval compare runs/before runs/after --system en-web/en-ja --gate fuzzy:-0.005
      preorder-eval compare runs/today --system en-web/none --system en-web/en-ja
    """
    from preorder_eval.formats.output_run import read_any_run
    from preorder_eval.formats.run_folder import format_json, format_tsv
    from preorder_eval.results.comparison import compare
    from preorder_eval.results.gates import failures, parse_gate
    from preorder_eval.results.sides import choose

    choose_one(json=json, tsv=tsv)
    gates = [parse_gate(text) for text in gate or []]
    runs = [read_any_run(path) for path in (run_a, run_b) if path is not None]
    sides = choose(runs, system or [])
    metrics = [sides[0].metric(signature) for signature in metric or []] or None
    result = compare(*sides, metrics, resamples=resamples, seed=seed)
    failed = failures(result, gates)

    if json:
        print(format_json(result.summary(sentences)), end="")
    elif tsv:
        print(format_tsv(*result.table()), end="")
    else:
        print(format_comparison(result, sentences))
    for line in failed:
        print(f"preorder-eval: {line}", file=sys.stderr)
    if failed:
        raise typer.Exit(1)


def format_comparison(result: Comparison, most: int) -> str:
    """A comparison for people, with the `most` sentences that gained and lost most."""
    from preorder_eval import __version__
    from preorder_eval.cli.moved import format_moved

    gained, lost = result.moved(most)
    labels = (result.first.given, "A", "B")
    first_metric = result.metrics[0].metric
    parts = [
        f"A  {result.first.run.folder}  {result.first.name}\n"
        f"B  {result.second.run.folder}  {result.second.name}",
        _table(result),
        f"{result.sentences} sentences, {result.left_out} left out; "
        f"+** better, -** worse at the 95 % level (* 90 %) by paired bootstrap, "
        f"{result.resamples} resamples, seed {result.seed};\n"
        f"p by approximate randomization; preorder-eval {__version__}",
    ]
    for heading, moved in (("Gained", gained), ("Lost", lost)):
        if moved:
            parts.append(f"{heading} most by {first_metric}:")
            parts += [format_moved(sentence, labels) for sentence in moved]
    return "\n\n".join(parts)


def _table(result: Comparison) -> str:
    from preorder_eval.cli.tables import format_ends, format_table

    header = ["metric", "A", "B", "B - A", "95 % interval", "90 % interval", "", "p"]
    rows = [
        [
            m.metric,
            *(f"{value:.4f}" for value in m.values),
            f"{m.difference.value:+.4f}",
            format_ends(m.difference.at_95),
            format_ends(m.difference.at_90),
            m.mark,
            f"{m.p:.4f}",
            *map(str, (m.better, m.worse, m.same)),
        ]
        for m in result.metrics
    ]
    return format_table([*header, "better", "worse", "same"], rows)
