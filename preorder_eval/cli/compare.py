"""`preorder-eval compare`: the differences of two systems, their significance, and sentences."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import click

from preorder_eval.analysis.analyse_parsers import parsers_apart
from preorder_eval.analysis.check_rules import CONSTRUCTIONS
from preorder_eval.analysis.parser_check import parser_check
from preorder_eval.analysis.sentences import gold_trees
from preorder_eval.base.files.files import labelled_path, stem
from preorder_eval.base.resources import DEFAULT_PARSER, bundled_names
from preorder_eval.base.tables import Several
from preorder_eval.cli.command import Argument, Given, Option
from preorder_eval.cli.shared.options import (
    GATE,
    PARSER_OR_GOLD,
    RULES,
    Drawn,
    Metrics,
    Printed,
    References,
    Trust,
)
from preorder_eval.cli.shared.reference_options import chosen_references
from preorder_eval.cli.terminal import note, progress
from preorder_eval.evaluation.compare import Comparison, compare, opposed
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.gates import check_gates, parse_gate
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.runs.run_folder import runs_inside
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.system_warnings import warn_of_rules
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.conllu import is_conllu


def _kind(*files: object, reference: Sequence[str] = ()) -> str:
    """Classify the arguments: `rule` files if one of them is, `tree` files, or "" for runs.

    On the constructions each is a `parser`: its name, or a file of its trees.
    """
    if any(str(file).endswith(".toml") for file in files):
        return "rule"
    if CONSTRUCTIONS in reference:
        return "parser"
    return "tree" if any(file is not None and is_conllu(str(file)) for file in files) else ""


def _with(*kinds: str) -> Callable[[Given], str]:
    """Return a function that rejects an option unless the files are of these kinds."""
    named = {"": "runs", "rule": "two rule files", "tree": "two tree files"}
    named["parser"] = f"two parsers on {CONSTRUCTIONS}"

    def idle(given: Given) -> str:
        files, reference = (given.get("run_a"), given.get("run_b")), given.get("reference", ())
        if _kind(*files, reference=reference) in kinds:
            return ""
        return f"needs {' or '.join(named[kind] for kind in kinds)}"

    return idle


_SCORED = ("", "rule", "tree")  # what scores are compared of


def command(
    run_a: Annotated[
        Path,
        Argument(
            "Run folder written by evaluate or score with --out, a rule file or a file of trees.",
            metavar="RUN_A",
        ),
    ],
    run_b: Annotated[
        Path | None,
        Argument(
            "The same, to compare with RUN_A; if omitted, two systems of RUN_A are compared.",
            metavar="[RUN_B]",
        ),
    ] = None,
    system: Annotated[
        tuple[str, ...],
        Option(
            "System to compare if runs have several: one name for both runs, or two, for A and B.",
            group="Systems",
            metavar="NAME",
            idle=_with(*_SCORED),
        ),
    ] = (),
    parser: Annotated[str | None, PARSER_OR_GOLD, Option(idle=_with("rule"))] = None,
    rules: Annotated[
        str | None,
        RULES,
        Option(
            "Rule set for two files of trees.",
            shown="the reference's",
            idle=_with("tree", "parser"),
        ),
    ] = None,
    reference: Annotated[
        References,
        Option(
            "Bundled reference set or folder, for rule files or trees.",
            shown="that of the rules",
            idle=_with("rule", "tree", "parser"),
        ),
    ] = (),
    trust: Annotated[Trust, Option(idle=_with("rule", "parser"))] = False,
    metric: Annotated[
        Metrics,
        Option(
            "Metric with its options; the runs need no scores of it.",
            shown="all that both runs have",
            idle=_with(*_SCORED),
        ),
    ] = (),
    gate: Annotated[tuple[str, ...], GATE, Option(idle=_with(*_SCORED))] = (),
    sentences: Annotated[
        int,
        Option(
            "Number of most changed sentences to show.",
            group="Output",
            low=0,
            beside="tsv",
            idle=_with(*_SCORED),
        ),
    ] = 3,
    *,
    drawn: Drawn,
    printed: Printed,
) -> None:
    """The verdict states whether B is better than A by the first metric, which also selects the
    sentences to show. Intervals, marks, p-values and gates all come from one test. Runs on several
    references are compared on each. With --reference constructions, two parsers, or two files of
    trees of its sentences, are compared on the constructions that are right with gold trees.

    Examples:
      preorder-eval compare runs/before runs/after --gate fuzzy:-0.005
      preorder-eval compare runs/today --system en-web/none --system en-web/en-ja
      preorder-eval compare v1.toml v2.toml
      preorder-eval compare old.conllu new.conllu --reference en-ja-web/test
      preorder-eval compare en-web en_core_web_sm --reference constructions
    """
    gates = [parse_gate(text) for text in gate]
    kind = _kind(run_a, run_b, reference=reference)
    if kind == "parser":
        if run_b is None or len(reference) > 1:
            raise click.UsageError(
                f"--reference {CONSTRUCTIONS} compares two parsers and takes no other reference"
            )
        named, rule_sets = [str(run_a), str(run_b)], [load_rules(rules)] if rules else []
        printed.print(parser_check(named, rule_sets, **asdict(drawn), progress=progress))
        return
    how = {"sentences": sentences, **asdict(drawn)}
    if kind:
        if run_b is None or system or (kind == "tree") > bool(_kind(run_a) and _kind(run_b)):
            raise click.UsageError(f"give two {kind} files, without --system")
        results = _of_files((run_a, run_b), kind, parser, rules, reference, metric, how)
    else:
        results = _of_runs(run_a, run_b, system, metric, how)
    checked = [check_gates(result, gates) for result in results]
    by_name = {result.both.name: result for result in results}
    printed.print(Several.of("comparisons", results, list(by_name), above=opposed(by_name)))
    report_gates(checked)


def report_gates(checked: Sequence[tuple[list[str], list[str]]]) -> None:
    """Print the lines of `check_gates` on standard error; exit with 1 if a gate failed."""
    failed = [line for lines, _ in checked for line in lines]
    for line in [*failed, *(line for _, lines in checked for line in lines)]:
        print(f"preorder-eval: {line}", file=sys.stderr)
    if failed:
        raise click.exceptions.Exit(1)


def _run_folders(run_a: Path, run_b: Path | None) -> list[list[Path]]:
    """Return the folders to compare; of runs on several references those that both have."""
    folders = [folder for folder in (run_a, run_b) if folder is not None]
    names = [runs_inside(folder) for folder in folders]
    shared = [name for name in names[0] if all(name in others for others in names)]
    alone = sorted({name for of_run in names for name in of_run} - set(shared))
    if shared and alone:
        note(f"only one of the runs has {', '.join(alone)}; skipped")
    return [[folder / name for folder in folders] for name in shared] or [folders]


def _of_runs(
    run_a: Path,
    run_b: Path | None,
    systems: Sequence[str],
    metrics: Sequence[str],
    how: dict[str, Any],
) -> list[Comparison]:
    """Compare two systems of runs, on each reference that the runs share."""
    comparisons = []
    for folders in _run_folders(run_a, run_b):
        one, *another = map(read_run, folders)
        compared = compare(one, another[0] if another else None, systems, metrics, **how)
        comparisons.append(_with_errors(compared, one))
    return comparisons


def _of_files(
    files: tuple[Path, Path],
    kind: str,
    parser: str | None,
    rules: str | None,
    references: Sequence[str],
    metrics: Sequence[str],
    how: dict[str, Any],
) -> list[Comparison]:
    """Compare two rule sets, or the trees of two parsers, on each reference."""
    rule_sets = [load_rules(rules)] if rules else []
    if kind == "rule":
        named = map(labelled_path, files)
        rule_sets = [replace(load_rules(path), name=label or stem(path)) for label, path in named]
    comparisons = []
    for data in chosen_references(references, None, (), None, rules=rule_sets):
        for one in rule_sets:
            warn_of_rules(one, data)
        makers = map(str, files) if kind == "tree" else [parser or DEFAULT_PARSER]
        parsed = [Parsed.by(maker, data, progress=progress) for maker in makers]
        if not rule_sets and data.languages not in bundled_names("rules"):
            raise click.UsageError(
                f"no rules are bundled for {data.name}; name a rule set with --rules"
            )
        usual = rule_sets or [load_rules(data.languages)]
        systems = [trees.reordered(one) for trees in parsed for one in usual]
        first, second = (evaluate(data, [system], metrics or None) for system in systems)
        compared = compare(first, second, **how)
        comparisons.append(_with_errors(compared, first))
    return comparisons


def _with_errors(comparison: Comparison, result: Result) -> Comparison:
    """Add the errors that only one of two parsers makes, where the result has gold trees."""
    if not comparison.of_orders:
        return comparison
    apart = parsers_apart(comparison.both, gold_trees(result))
    if apart is None or apart.errors is None:
        return comparison
    first, *others = apart.errors.tables
    notes = [*apart.errors.sentences(apart.names), *first.notes]
    return replace(comparison, further=[replace(first, notes=notes), *others])
