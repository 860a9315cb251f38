"""`preorder-eval reproduce …`: designs of the papers on the bundled data or one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.alignment.symmetrization import Symmetrization
from preorder_eval.cli import reproduce_parsers
from preorder_eval.cli.options import JsonForTable, Resamples, TsvForTable, choose_one

if TYPE_CHECKING:
    from preorder_eval.papers.reference_kinds import ReferenceKind
    from preorder_eval.results.result import Result

    Scored = tuple[ReferenceKind, Result]

app = typer.Typer(help="Repeat designs of the papers.", no_args_is_help=True)
app.command("parsers")(reproduce_parsers.command)


@app.command("references")
def references(
    rules: Annotated[
        list[str] | None,
        typer.Option(
            help="Bundled rule set or rule file. Repeatable; none and en-ja by default.",
            metavar="NAME|FILE",
        ),
    ] = None,
    parser: Annotated[
        str,
        typer.Option(
            help="Bundled parser, path or name of a spaCy pipeline, or `gold`.",
            metavar="NAME|PATH",
        ),
    ] = "en-web",
    oriented: Annotated[
        str, typer.Option(help="Alignment-oriented reference set.", metavar="NAME|DIR")
    ] = "en-ja",
    standard: Annotated[
        str,
        typer.Option(help="Standard translations of some of its sentences.", metavar="NAME|DIR"),
    ] = "en-ja-standard",
    symmetrize: Annotated[
        Symmetrization,
        typer.Option(help="How automatic alignments combine the directions of Model 1."),
    ] = "none",
    iterations: Annotated[
        int, typer.Option(min=1, help="Rounds of expectation maximization of Model 1.")
    ] = 5,
    train_source: Annotated[
        list[Path] | None,
        typer.Option(help="More parallel text for Model 1. Repeatable, with --train-target."),
    ] = None,
    train_target: Annotated[
        list[Path] | None, typer.Option(help="The translation of each --train-source.")
    ] = None,
    resamples: Resamples = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")] = 0,
    json: JsonForTable = False,
    tsv: TsvForTable = False,
) -> None:
    """Score the same systems on four kinds of reference (Talbot et al. 2011, Table 7).

    Alignment-oriented and standard translations of the same sentences, aligned by hand and by IBM
    Model 1. The paper correlates the scores with human ratings; here the scores stand side by
    side. As in Table 2 of the paper, automatic links give each target word one source word at most
    (--symmetrize none). Model 1 learns from the pairs of both sets and from --train-source: the few
    hundred bundled pairs alone make poor references, on which leaving all words where they are may
    score best.

    \b
    Examples:
      preorder-eval reproduce references
      preorder-eval reproduce references --parser gold --rules en-ja --symmetrize intersection
    """
    from preorder_eval.alignment.ibm1 import directions
    from preorder_eval.cli.align import read_extra
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.reference_set import load_reference
    from preorder_eval.formats.tables import format_json, format_tsv
    from preorder_eval.metrics import order_metric
    from preorder_eval.papers.reference_kinds import reference_kinds
    from preorder_eval.results.evaluation import evaluate, reordered

    choose_one(json=json, tsv=tsv)
    extra = read_extra(train_source, train_target)
    sets = load_reference(oriented), load_reference(standard)
    with progress("learning Model 1", iterations * directions(symmetrize)) as advance:
        kinds = reference_kinds(
            *sets, how=symmetrize, iterations=iterations, extra=extra, advance=advance
        )
    metrics = [order_metric("fuzzy"), order_metric("kendall")]
    chosen = rules or ["none", "en-ja"]
    systems = reordered(kinds[0].reference, [parser], {}, chosen, progress=progress)
    results = [
        (kind, evaluate(kind.reference, systems, metrics, resamples=resamples, seed=seed))
        for kind in kinds
    ]
    model = {
        "model": "ibm1",
        "iterations": iterations,
        "symmetrize": symmetrize,
        "pairs": len(sets[0]) + len(sets[1]) + len(extra[0]),
    }
    if json:
        print(format_json(_as_json(results, model)), end="")
    elif tsv:
        print(format_tsv(*_cells(results)), end="")
    else:
        print(_table(results, model))


def _as_json(results: list[Scored], model: dict[str, Any]) -> dict[str, Any]:
    return {
        "paper": "Talbot et al. 2011, Table 7",
        "automatic": model,
        "references": [
            {
                "translation": kind.translation,
                "alignment": kind.alignment,
                "aligned": kind.aligned,
                **result.summary(),
            }
            for kind, result in results
        ],
    }


def _cells(results: list[Scored]) -> tuple[list[str], list[list[object]]]:
    """Header and rows as plain values, for TSV."""
    header, _ = results[0][1].table()
    rows = [
        [kind.translation, kind.alignment, kind.aligned, *row]
        for kind, result in results
        for row in result.table()[1]
    ]
    return ["translation", "alignment", "aligned", *header], rows


def _table(results: list[Scored], model: dict[str, Any]) -> str:
    from preorder_eval import __version__
    from preorder_eval.cli.tables import format_interval, format_table

    first, drawn = results[0][1], results[0][1].sampling
    names = [metric.name for metric in first.metrics]
    header = ["translation", "alignment", "rules", *names, "sentences", "left out", "aligned"]
    rows = [
        [
            *(kind.translation, kind.alignment, system.rules),
            *map(format_interval, intervals),
            *(str(len(result) - len(result.left_out)), str(len(result.left_out))),
            f"{kind.aligned:.1%}",
        ]
        for kind, result in results
        for system, intervals in zip(result.inputs.systems, result.intervals, strict=True)
    ]
    notes = [
        f"parser {first.inputs.systems[0].parser}; {' and '.join(map(str, first.metrics))}: mean "
        f"[95 % interval from {drawn.resamples} bootstrap resamples, seed {drawn.seed}]",
        f"ibm1: IBM Model 1, {model['iterations']} iterations on {model['pairs']} sentence pairs, "
        f"symmetrization {model['symmetrize']}; left out: sentences without links; aligned: share "
        "of the source words",
        f"preorder-eval {__version__}",
    ]
    return "\n".join([format_table(header, rows), "", *notes])
