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
from preorder_eval.base.files.files import labelled, labelled_path, stem
from preorder_eval.base.resources import DEFAULT_PARSER, bundled_names
from preorder_eval.base.tables import Several
from preorder_eval.cli.command import Argument, Given, Option
from preorder_eval.cli.shared.options import (
    ALIGNMENT,
    GATE,
    PARSER_OR_GOLD,
    RULES,
    SOURCE,
    Drawn,
    Metrics,
    Printed,
    References,
    Trust,
)
from preorder_eval.cli.shared.reference_options import HowWritten, chosen_references
from preorder_eval.cli.terminal import note, progress
from preorder_eval.evaluation.compare import Comparison, compare, opposed
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.gates import check_gates, parse_gate
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.runs.run_folder import runs_inside
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.system_warnings import warn_of_rules
from preorder_eval.evaluation.systems import System
from preorder_eval.parsers.load_parser import names_parser
from preorder_eval.parsers.tree_file import is_tree_file
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet


def _kind(given: Given) -> str:
    """Classify what is compared: `rule` files if one of them is, `parser`s, or "" for runs.

    The names of two bundled rule sets stand for their files. Files of trees and of permutations
    count as parsers. On the constructions parsers are a kind of their own. If a reference is given,
    whatever is no run folder is a parser.
    """
    files = [str(file) for file in (given.get("run_a"), given.get("run_b")) if file is not None]
    if any(file.endswith(".toml") for file in files) or len(list(filter(_is_bundled, files))) == 2:
        return "rule"
    if CONSTRUCTIONS in (given.get("reference") or ()):
        return CONSTRUCTIONS
    if any(_is_run(Path(file)) for file in files):
        return ""
    referred = given.get("reference") or given.get("alignment")
    return "parser" if referred or any(map(_is_parser, files)) else ""


def _is_run(folder: Path) -> bool:
    return (folder / "run.json").is_file() or bool(runs_inside(folder))


def _is_bundled(name: str) -> bool:
    _, path = labelled(name)
    return path in bundled_names("rules") and not Path(path).exists()


def _is_parser(name: str) -> bool:
    _, path = labelled(name)
    return path == "gold" or names_parser(path)


def _with(*kinds: str) -> Callable[[Given], str]:
    """Return a function that rejects an option unless what is compared is of these kinds."""
    named = {"": "runs", "rule": "two rule files", "parser": "two parsers or their trees"}
    named[CONSTRUCTIONS] = f"two parsers on {CONSTRUCTIONS}"

    def idle(given: Given) -> str:
        if _kind(given) in kinds:
            return ""
        return f"needs {' or '.join(named[kind] for kind in kinds)}"

    return idle


_SCORED = ("", "rule", "parser")  # what scores are compared of


def command(
    run_a: Annotated[
        Path,
        Argument(
            "Run folder written by evaluate or score with --out, a rule set, a parser, or a file "
            "of its trees or permutations.",
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
            idle=_with(""),
        ),
    ] = (),
    parser: Annotated[str | None, PARSER_OR_GOLD, Option(idle=_with("rule"))] = None,
    rules: Annotated[
        str | None,
        RULES,
        Option(
            "Rule set for two parsers.",
            shown="that of the reference",
            idle=_with("parser", CONSTRUCTIONS),
        ),
    ] = None,
    reference: Annotated[
        References,
        Option(
            "Bundled reference set or folder, for rules or parsers.",
            shown="that of the rules",
            beside="alignment",
            idle=_with("rule", "parser", CONSTRUCTIONS),
        ),
    ] = (),
    source: Annotated[Path | None, SOURCE, Option(idle=_with("rule", "parser"))] = None,
    alignment: Annotated[
        tuple[Path, ...],
        ALIGNMENT,
        Option(
            "Your word alignments, for rules or parsers. If several are given, the best order of "
            "each sentence counts.",
            idle=_with("rule", "parser"),
        ),
    ] = (),
    trust: Annotated[Trust, Option(idle=_with("rule", "parser", CONSTRUCTIONS))] = False,
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
    written: HowWritten,
    drawn: Drawn,
    printed: Printed,
) -> None:
    """The verdict states whether B is better than A by the first metric, which also selects the
    sentences to show. Intervals, marks, p-values and gates all come from one test. Several
    references are compared separately. Rule files and parsers are evaluated first, as in evaluate.
    With --reference constructions, two parsers are compared on the constructions that are right
    with gold trees.

    Examples:
      preorder-eval compare runs/before runs/after --gate fuzzy:-0.005
      preorder-eval compare runs/today --system en-web/none --system en-web/en-ja
      preorder-eval compare v1.toml v2.toml
      preorder-eval compare old.conllu new.conllu --reference en-ja-web/test
      preorder-eval compare en-web sm=en_core_web_sm --source s.en --alignment en-ja.align
      preorder-eval compare en-web en_core_web_sm --reference constructions
    """
    gates = [parse_gate(text) for text in gate]
    kind = _kind(click.get_current_context().params)
    if kind == CONSTRUCTIONS:
        if run_b is None or len(reference) > 1:
            raise click.UsageError(
                f"--reference {CONSTRUCTIONS} compares two parsers and takes no other reference"
            )
        named, rule_sets = [str(run_a), str(run_b)], [load_rules(rules)] if rules else []
        printed.print(parser_check(named, rule_sets, **asdict(drawn), progress=progress))
        return
    how = {"sentences": sentences, **asdict(drawn)}
    if kind:
        if run_b is None:
            what = "rule files" if kind == "rule" else "parsers or files of trees"
            raise click.UsageError(f"give two {what}")
        named = [str(run_a), str(run_b)]
        rule_sets = [load_rules(rules)] if rules else []
        if kind == "rule":
            rule_sets, named = list(map(_rule_file, named)), [parser or DEFAULT_PARSER]
        chosen = reference, source, alignment, _trees(named)
        references = chosen_references(*chosen, rules=rule_sets, **written.reading())
        results = [_evaluated(data, named, rule_sets, metric, how) for data in references]
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


def _evaluated(
    data: ReferenceSet,
    named: Sequence[str],
    rule_sets: Sequence[RuleSet],
    metrics: Sequence[str],
    how: dict[str, Any],
) -> Comparison:
    """Evaluate two rule sets, or two parsers with one, and compare them.

    Files that are no trees are read as permutations.
    """
    for rule_set in rule_sets:
        warn_of_rules(rule_set, data)
    permuted = [not _is_parser(name) and labelled_path(name)[1].is_file() for name in named]
    if not rule_sets and not all(permuted):
        if data.languages not in bundled_names("rules"):
            problem = f"no rules are bundled for {data.languages}"
            hint = "give a rule set, such as --rules en-ja"
            if not data.languages:
                problem = f"the languages of {data.name} are not known"
                hint += ", or name the alignment file after them, as in en-ja.align"
            raise click.UsageError(f"{problem}; {hint}")
        rule_sets = [load_rules(data.languages)]
    systems = []
    for name, is_permutation in zip(named, permuted, strict=True):
        if is_permutation:
            systems.append(System.from_orders(name, data))
        else:
            trees = Parsed.by(name, data, progress=progress).marked(data)
            systems += [trees.reordered(rule_set) for rule_set in rule_sets]
    # Each by itself, as both may have one name.
    first, second = (evaluate(data, [system], metrics or None) for system in systems)
    return _with_errors(compare(first, second, **how), first)


def _rule_file(name: str) -> RuleSet:
    label, path = labelled_path(name)
    return replace(load_rules(path), name=label or stem(path))


def _trees(named: Sequence[str]) -> Path | None:
    """Return the first file of trees, whose sentences stand for a source that is not given."""
    paths = [labelled_path(name)[1] for name in named]
    return next((path for path in paths if is_tree_file(path)), None)


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
