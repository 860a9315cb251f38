"""`preorder-eval reproduce parsers`: five parsers, then five rule sets."""

from __future__ import annotations

import shutil
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.cli.options import (
    JsonForTables,
    Resamples,
    RulesOption,
    TsvForTables,
    choose_one,
)
from preorder_eval.cli.recipe_options import (
    METRICS,
    Epochs,
    EvaluateEvery,
    Keep,
    LearnRate,
    Margin,
    N,
    OnlyChanged,
    Rounds,
    Weight,
    steps_option,
)
from preorder_eval.training.recipe import Recipe

if TYPE_CHECKING:
    from preorder_eval.papers.parsers_experiment import Outcome
    from preorder_eval.results.result import Result


def command(
    treebank: Annotated[Path, typer.Option(help="CoNLL-U file to learn from.")],
    dev: Annotated[Path, typer.Option(help="CoNLL-U file to score the parsers on.")],
    source: Annotated[Path, typer.Option(help="Sentences to reorder, tokenised, one a line.")],
    alignment: Annotated[Path, typer.Option(help="Their word alignments with a translation.")],
    out: Annotated[
        Path,
        typer.Option(help="Folder of the work; with the same command it goes on where it was."),
    ],
    select: Annotated[
        int, typer.Option(min=2, help="Sentences from the start of --source to select parses of.")
    ] = 437,
    evaluate: Annotated[
        int, typer.Option(min=1, help="Sentences from the end of --source to evaluate on.")
    ] = 200,
    folds: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="Evaluate on all sentences instead, each with parsers that have learned from the "
            "other parts.",
        ),
    ] = None,
    rules: RulesOption = "en-ja",
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="Metric with its options to evaluate with. Repeatable; fuzzy and kendall by "
            "default, with and without unaligned words.",
            metavar="SIGNATURE",
        ),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="Updates of about 800 words of P1.")] = 8500,
    lower: Annotated[
        float,
        typer.Option(min=0, max=1, help="Share of the sentences P1 to P4 learn in lower case."),
    ] = 0.0,
    beam: Annotated[int, typer.Option(min=2, help="Width of P2's beam.")] = 8,
    beam_steps: Annotated[
        int, typer.Option(min=1, help="Updates with which P2 goes on from P1.")
    ] = 1000,
    beam_learn_rate: Annotated[
        float, typer.Option(min=0, help="Highest learning rate of them.")
    ] = 0.001,
    select_by: Annotated[
        str,
        typer.Option(help="Order metric that selected parses are best by.", metavar="SIGNATURE"),
    ] = Recipe.metric,
    n: N = Recipe.n,
    only_changed: OnlyChanged = Recipe.only_changed,
    margin: Margin = Recipe.margin,
    rounds: Rounds = Recipe.rounds,
    weight: Weight = Recipe.weight,
    self_steps: Annotated[int | None, steps_option("--self-steps")] = None,
    epochs: Epochs = Recipe.epochs,
    learn_rate: LearnRate = Recipe.learn_rate,
    evaluate_every: EvaluateEvery = Recipe.evaluate_every,
    keep: Keep = Recipe.keep,
    resamples: Resamples = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of training and resampling.")] = 0,
    json: JsonForTables = False,
    tsv: TsvForTables = False,
) -> None:
    """Train five parsers, and score them and five rule sets (Talbot et al. 2011, section 4.1).

    P1 learns greedily; P2 is P1 that goes on with a beam; P3 and P4 are P1 after targeted
    self-training on half and all of the sentences to select from; P5 is the same as P4, but in
    lower case from the start. The control is P1 in lower case, from which P5 starts. All reorder by
    --rules; then P5 reorders by no rules (R1), three simple rule sets (R2 to R4) and --rules (R5).
    LAS and UPOS on --dev stand beside the scores: they need not agree.

    This takes an hour or two. The folder keeps every parser and parse; what is there is not made
    again: neither P1, P2 and the control for another recipe, nor anything for another --metric.

    \b
    Examples:
      preorder-eval reproduce parsers --treebank train.conllu --dev dev.conllu --source s.en \\
        --alignment s.align --out work
      preorder-eval reproduce parsers --treebank train.conllu --dev dev.conllu --source s.en \\
        --alignment s.align --folds 5 --out work5
    """
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.reference_set import reference_from_files
    from preorder_eval.formats.rules_toml import rules_hash
    from preorder_eval.formats.tables import format_json, format_tsv
    from preorder_eval.formats.text import file_hash, text_hash
    from preorder_eval.metrics import order_metric
    from preorder_eval.papers.parsers_experiment import Design, Experiment, cross, held_out
    from preorder_eval.results.evaluation import BASELINES
    from preorder_eval.results.run import write_result
    from preorder_eval.training.resumable import library_versions, resumable

    choose_one(json=json, tsv=tsv)
    choose_one(self_steps=self_steps, epochs=epochs)
    metrics = [order_metric(signature) for signature in metric or METRICS]
    recipe = Recipe(
        n=n,
        metric=str(order_metric(select_by)),
        only_changed=only_changed,
        margin=margin,
        rounds=rounds,
        weight=weight,
        steps=self_steps or Recipe.steps,
        epochs=epochs,
        learn_rate=learn_rate,
        evaluate_every=evaluate_every,
        keep=keep,
        seed=seed,
    )
    design = Design(steps, lower, beam, beam_steps, beam_learn_rate, recipe)
    data = reference_from_files(source, alignment, name=source.stem)
    splits = cross(len(data), folds) if folds else held_out(len(data), select, evaluate)
    names = [*(name for name in BASELINES if name != rules), rules]
    recipe_settings = {
        "data": data.hashes,
        "rules": rules_hash(rules),
        "split": {"folds": folds} if folds else {"select": select, "evaluate": evaluate},
        "recipe": asdict(recipe),
    }
    first_settings = {
        "treebank": file_hash(treebank),
        "dev": file_hash(dev),
        **{name: value for name, value in asdict(design).items() if name != "recipe"},
        "seed": seed,
        "versions": library_versions(),
    }
    # Another recipe finds P1, P2 and the control trained already.
    work = out / f"recipe-{text_hash(format_json(recipe_settings))[:8]}"
    with resumable(out, first_settings), resumable(work, recipe_settings):
        experiment = Experiment(
            out, work, treebank, dev, data, splits, design, log=sys.stderr, progress=progress
        )
        result = experiment.run(rules, names[:-1], metrics, resamples=resamples, seed=seed)
        for name, part in (("parsers", result.parsers), ("rules", result.rules)):
            run = work / "runs" / name
            shutil.rmtree(run, ignore_errors=True)
            run.parent.mkdir(exist_ok=True)
            write_result(part, run, sys.argv[1:])
    if json:
        print(format_json(_as_json(result, work)), end="")
    elif tsv:
        print(format_tsv(*_cells(result)), end="")
        print("\n" + format_tsv(*_pairs(result)), end="")
    else:
        print(_text(result, work))


def _as_json(result: Outcome, work: Path) -> dict[str, Any]:
    return {
        "folder": str(work),
        "paper": "Talbot et al. 2011, section 4.1, Tables 1 to 5 and 8",
        "parsers": result.parsers.summary(),
        "rules": result.rules.summary(),
        "dev": result.dev,
        "selections": {name: own.summary() for name, own in result.selections.items()},
    }


def _cells(result: Outcome) -> tuple[list[str], list[list[object]]]:
    """Header and rows of both experiments as plain values, for TSV."""
    header, rows = result.parsers.table()
    columns = [(case, name) for case, scores in result.dev["P1"].items() for name in scores]
    cells: list[list[object]] = [
        ["parsers", *row, *(result.dev[str(row[0])][case][name] for case, name in columns)]
        for row in rows
    ]
    cells += [["rules", *row, *[None] * len(columns)] for row in result.rules.table()[1]]
    return ["experiment", *header, *(f"{name} {case}" for case, name in columns)], cells


def _pairs(result: Outcome) -> tuple[list[str], list[list[object]]]:
    """Header and rows of all pairs of systems of both experiments."""
    from preorder_eval.results.summary import pairs_table

    header, rows = pairs_table(result.parsers)
    both = [("parsers", rows), ("rules", pairs_table(result.rules)[1])]
    return ["experiment", *header], [[name, *row] for name, own in both for row in own]


def _text(result: Outcome, work: Path) -> str:
    from preorder_eval import __version__
    from preorder_eval.cli.results import pairs_text
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_interval

    def table(part: Result, names: list[str], cells: list[list[str]]) -> str:
        header = ["", *map(str, part.metrics), "sentences", *names]
        scored = str(len(part) - len(part.left_out))
        rows = [
            [name, *map(format_interval, intervals), scored, *own]
            for name, intervals, own in zip(part.systems, part.intervals, cells, strict=True)
        ]
        return format_table(header, rows)

    drawn = result.parsers.sampling
    shown = [(case, name) for name in ("las", "upos") for case in ("as it is", "lower case")]
    accuracies = [
        [f"{100 * result.dev[system.parser][case][name]:.1f}" for case, name in shown]
        for system in result.parsers.inputs.systems
    ]
    titles = [
        f"{name.upper()}{', lower case' if case != 'as it is' else ''}" for case, name in shown
    ]
    chosen = [
        [
            name,
            str(own.kept),
            *(f"{x / own.scored:.4f}" for x in (own.first, own.selected, own.average)),
        ]
        for name, own in result.selections.items()
    ]
    return "\n\n".join(
        [
            "Parsers",
            table(result.parsers, titles, accuracies),
            pairs_text(result.parsers),
            "Selected parses",
            format_table(["", "learned from", "1-best", "selected", "list"], chosen),
            "Rules",
            table(result.rules, [], [[] for _ in result.rules.systems]),
            pairs_text(result.rules),
            f"mean [95 % interval from {drawn.resamples} bootstrap resamples, seed "
            f"{drawn.seed}]; LAS and UPOS in percent on the development data; "
            f"preorder-eval {__version__}\n"
            f"runs for compare: {work}/runs/parsers, {work}/runs/rules",
        ]
    )
