"""`preorder-eval compare`: what changed between two systems, how surely, and where."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.options import Drawn, Printed, Trust
from preorder_eval.tables import Several

if TYPE_CHECKING:
    from preorder_eval.results.comparison import Comparison


def command(
    run_a: Annotated[
        Path,
        Argument(
            help="Run folder of preorder-eval evaluate or score --out, or a rule file.",
            metavar="RUN_A",
        ),
    ],
    run_b: Annotated[
        Path | None,
        Argument(
            help="What to compare with it; left out to compare two systems of one run.",
            metavar="RUN_B",
        ),
    ] = None,
    system: Annotated[
        tuple[str, ...],
        Option(
            help="System to compare, where runs have several: one name for both runs, or two, the "
            "first for A and the second for B. Repeatable.",
            metavar="NAME",
            group="Systems",
        ),
    ] = (),
    metric: Annotated[
        tuple[str, ...],
        Option(
            help="Metric with its options, also one that the runs have no scores of. Repeatable; "
            "all that both runs have by default.",
            metavar="SIGNATURE",
            group="Scores and tests",
        ),
    ] = (),
    sentences: Annotated[
        int,
        Option(
            low=0,
            help="How many sentences to show that gained most, and that lost.",
            group="Output",
        ),
    ] = 20,
    gate: Annotated[
        tuple[str, ...],
        Option(
            help="Exit with 1 if the metric fell significantly by more than this, such as "
            "fuzzy:-0.005. Repeatable.",
            metavar="METRIC:NUMBER",
            group="Scores and tests",
        ),
    ] = (),
    parser: Annotated[
        str | None,
        Option(
            help="Of rule files: bundled parser, path or name of a spaCy pipeline, trees, or gold "
            "[en-web].",
            metavar="NAME|PATH",
            group="Systems",
        ),
    ] = None,
    reference: Annotated[
        tuple[str, ...],
        Option(
            help="Of rule files: bundled reference set or reference folder. Repeatable; by default "
            "those of evaluate.",
            metavar="NAME|DIR",
            group="References",
        ),
    ] = (),
    trust: Trust = False,
    *,
    drawn: Drawn,
    printed: Printed,
) -> None:
    """Compare two systems, B with A.

    Differences are B - A; +* and +** (-* and -**) mark that B is better (worse) at the 90 and 95 %
    level. Interval, mark, p and gates follow one two-sided test by random half-samples, which is
    paired approximate randomization for metrics that are means of sentences; with --test koehn they
    follow the one-sided test of Koehn (2004). The sentences shown are those of the first metric.
    Of runs on several references, each reference is compared by itself.

    Examples:
      preorder-eval compare runs/before runs/after
      preorder-eval compare runs/before runs/after --system en-web/en-ja --gate fuzzy:-0.005
      preorder-eval compare runs/today --system en-web/none --system en-web/en-ja
      preorder-eval compare v1.toml v2.toml
      preorder-eval compare en-ja my-rules.toml --parser gold --reference en-ja-web
    """
    from preorder_eval.results.comparison import compare
    from preorder_eval.results.gates import failures, insensitive, parse_gate
    from preorder_eval.results.run import read_run

    gates = [parse_gate(text) for text in gate or []]
    if _is_rule_file(run_a) or _is_rule_file(run_b):
        if run_b is None or system:
            raise click.UsageError("two rule files are compared, and without --system")
        results = _of_rules((run_a, run_b), parser, reference, metric or [], sentences, drawn)
    else:
        if parser is not None or reference is not None or trust:
            raise click.UsageError("--parser, --reference and --trust go with two rule files")
        results = []
        for folders in _run_folders(run_a, run_b):
            first, *second = map(read_run, folders)
            one = second[0] if second else None
            results.append(
                compare(
                    first, one, system or [], metric or [], sentences=sentences, **asdict(drawn)
                )
            )
    failed = [line for result in results for line in failures(result, gates)]
    printed.print(Several("comparisons", results, [result.both.name for result in results]))
    for line in [*failed, *(line for result in results for line in insensitive(result, gates))]:
        print(f"preorder-eval: {line}", file=sys.stderr)
    if failed:
        raise click.exceptions.Exit(1)


def _run_folders(run_a: Path, run_b: Path | None) -> list[list[Path]]:
    """The folders to compare; of runs on several references those that both are on."""
    from preorder_eval.cli.terminal import note
    from preorder_eval.formats.run_folder import runs_inside

    folders = [folder for folder in (run_a, run_b) if folder is not None]
    names = [runs_inside(folder) for folder in folders]
    shared = [name for name in names[0] if all(name in others for others in names)]
    alone = sorted({name for own in names for name in own} - set(shared))
    if shared and alone:
        note(f"only one of the runs is on {', '.join(alone)}; left out")
    return [[folder / name for folder in folders] for name in shared] or [folders]


def _of_rules(
    files: tuple[Path, Path],
    parser: str | None,
    references: Sequence[str] | None,
    metrics: Sequence[str],
    sentences: int,
    drawn: Drawn,
) -> list[Comparison]:
    """Two rule sets compared on each reference, called by their files."""
    from preorder_eval.cli.references import chosen_references
    from preorder_eval.cli.terminal import progress
    from preorder_eval.formats.files import labelled_path, stem
    from preorder_eval.formats.rules import load_rules
    from preorder_eval.resources import DEFAULT_PARSER
    from preorder_eval.results.comparison import compare
    from preorder_eval.results.scoring import evaluate
    from preorder_eval.results.systems import Parsed, System, warn_of_rules

    rule_sets = []
    for file in files:
        label, path = labelled_path(file)
        rule_sets.append(replace(load_rules(path), name=label or stem(path)))
    comparisons = []
    for data in chosen_references(references or (), None, (), None):
        parsed = Parsed.by(parser or DEFAULT_PARSER, data, progress=progress)
        for rules in rule_sets:
            warn_of_rules(rules, data)
        first, second = (
            evaluate(data, [System.from_trees(parsed, rules)], metrics or None)
            for rules in rule_sets
        )
        comparisons.append(compare(first, second, sentences=sentences, **asdict(drawn)))
    return comparisons


def _is_rule_file(name: object) -> bool:
    """Whether an argument that may be a run is a rule file, also as `label=file`."""
    return str(name).endswith(".toml")
