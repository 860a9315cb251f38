"""`preorder-eval self-train`: a parser that learns from its own parses, those that reorder well."""

from __future__ import annotations

import sys
from dataclasses import asdict
from functools import partial
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
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.data.treebank import Treebank
    from preorder_eval.results.comparison import Comparison


def command(
    out: Annotated[
        Path,
        typer.Option(help="Folder of the work; with the same command it goes on where it was."),
    ],
    treebank: Annotated[Path, typer.Option(help="CoNLL-U file to go on learning from.")],
    dev: Annotated[Path, typer.Option(help="CoNLL-U file to score every round on.")],
    source: Annotated[Path, typer.Option(help="Sentences to select parses of, tokenised.")],
    alignment: Annotated[Path, typer.Option(help="Their word alignments with a translation.")],
    parser: Annotated[
        str,
        typer.Option(
            help="Bundled parser, path or name of a spaCy pipeline to start from.",
            metavar="NAME|PATH",
        ),
    ] = "en-web",
    rules: RulesOption = "en-ja",
    reference: Annotated[
        str | None,
        typer.Option(
            help="Bundled reference set or reference folder to evaluate on [en-ja].",
            metavar="NAME|DIR",
        ),
    ] = None,
    evaluate_source: Annotated[
        Path | None, typer.Option(help="Own sentences to evaluate on, none of --source.")
    ] = None,
    evaluate_alignment: Annotated[Path | None, typer.Option(help="Their word alignments.")] = None,
    n: N = Recipe.n,
    metric: Annotated[
        str,
        typer.Option(help="Order metric that selected parses are best by.", metavar="SIGNATURE"),
    ] = Recipe.metric,
    only_changed: OnlyChanged = Recipe.only_changed,
    margin: Margin = Recipe.margin,
    rounds: Rounds = Recipe.rounds,
    weight: Weight = Recipe.weight,
    steps: Annotated[int | None, steps_option("--steps")] = None,
    epochs: Epochs = Recipe.epochs,
    learn_rate: LearnRate = Recipe.learn_rate,
    lower: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the sentences learned in lower case.")
    ] = Recipe.lower,
    beam: Annotated[
        int | None,
        typer.Option(min=2, help="Learn with a beam of this width [as the parser has learned]."),
    ] = Recipe.beam,
    evaluate_every: EvaluateEvery = Recipe.evaluate_every,
    keep: Keep = Recipe.keep,
    seed: Annotated[int, typer.Option(min=0, help="Seed of training and resampling.")] = (
        Recipe.seed
    ),
    resamples: Resamples = 1000,
    json: JsonForTables = False,
    tsv: TsvForTables = False,
) -> None:
    """Parse, select, retrain and evaluate, for some rounds; then compare the end with the start.

    For every sentence with links the parse of its n-best list is selected whose reordering scores
    highest, and the parser goes on learning from the treebank and the selected parses (targeted
    self-training, Katz-Brown et al. 2011). The folder keeps every product: selected/, parsers/,
    and runs/ for `compare`. What is there is not made again, so that work killed at any point is
    taken up by the same command.

    \b
    Example:
      preorder-eval self-train --treebank train.conllu --dev dev.conllu --source s.en \\
        --alignment s.align --reference en-ja --out work
    """
    from preorder_eval.cli.progress import progress
    from preorder_eval.cli.reference_options import chosen_reference
    from preorder_eval.formats.conllu import read_conllu
    from preorder_eval.formats.reference_set import reference_from_files
    from preorder_eval.formats.rules_toml import load_rules, rules_hash
    from preorder_eval.formats.tables import format_json, format_tsv
    from preorder_eval.formats.text import file_hash
    from preorder_eval.metrics import order_metric
    from preorder_eval.parsers import find_parser
    from preorder_eval.results.comparison import compare
    from preorder_eval.results.run import read_result
    from preorder_eval.training.resumable import library_versions, once, resumable
    from preorder_eval.training.self_training import Task, self_train

    choose_one(json=json, tsv=tsv)
    choose_one(steps=steps, epochs=epochs)
    if (evaluate_source is None) != (evaluate_alignment is None):
        raise typer.BadParameter("--evaluate-source and --evaluate-alignment go together")
    if evaluate_source is not None and reference is not None:
        raise typer.BadParameter("give either --reference or --evaluate-source")
    if Path(parser).suffix == ".conllu":
        raise typer.BadParameter("trees cannot be trained; --parser is a spaCy pipeline")
    recipe = Recipe(
        n=n,
        metric=str(order_metric(metric)),
        only_changed=only_changed,
        margin=margin,
        rounds=rounds,
        weight=weight,
        steps=steps or Recipe.steps,
        epochs=epochs,
        learn_rate=learn_rate,
        lower=lower,
        beam=beam,
        evaluate_every=evaluate_every,
        keep=keep,
        seed=seed,
    )
    data = reference_from_files(source, alignment, name=alignment.stem)
    held_out = chosen_reference(reference, evaluate_source, evaluate_alignment, None)
    seen = set(map(tuple, data.source))
    known = sum(tuple(words) in seen for words in held_out.source)
    if known:
        note = f"{known} of {len(held_out)} sentences to evaluate on are learned from, too"
        print(f"preorder-eval: warning: {note}", file=sys.stderr)
    gold = read_conllu(dev)
    task = Task(load_rules(rules), treebank, dev, data, recipe)
    settings = {
        "parser": find_parser(parser).identity.sha256,
        "rules": rules_hash(rules),
        "treebank": file_hash(treebank),
        "dev": file_hash(dev),
        "selection": data.hashes,
        "evaluation": held_out.hashes,
        "recipe": asdict(recipe),
        "resamples": resamples,
        "versions": library_versions(),
    }
    with resumable(out, settings):
        evaluated = partial(
            _evaluated, out, rules=rules, data=held_out, gold=gold, resamples=resamples, seed=seed
        )
        results = [evaluated("start", parser)]
        results += [
            evaluated(made.name, str(made.parser)) | {"selection": made.counts.summary()}
            for made in self_train(out, parser, task, log=sys.stderr, progress=progress)
        ]
        ends = [read_result(out / "runs" / results[end]["name"]) for end in (0, -1)]
        comparison = compare(ends[0], ends[1], resamples=resamples, seed=seed)
        once(out / "comparison.json", lambda: format_json(comparison.summary(20)))
    if json:
        result = {"recipe": asdict(recipe), "rounds": results}
        print(format_json(result | {"comparison": comparison.summary(20)}), end="")
    elif tsv:
        print(format_tsv(*_cells(results)), end="")
    else:
        print(_text(results, comparison))


def _evaluated(
    folder: Path,
    name: str,
    parser: str,
    *,
    rules: str,
    data: ReferenceSet,
    gold: Treebank,
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    """A parser's scores on the reference set and on gold trees; its run and they are kept."""
    from preorder_eval.formats.run_folder import read_summary
    from preorder_eval.formats.tables import format_json, read_json
    from preorder_eval.parsers import load_parser
    from preorder_eval.results.evaluation import evaluate
    from preorder_eval.results.run import write_result
    from preorder_eval.training.resumable import once
    from preorder_eval.training.self_training import dev_scores

    run, file = folder / "runs" / name, folder / "dev" / f"{name}.json"
    if not run.exists():
        loaded = load_parser(parser)
        once(file, lambda: format_json(dev_scores(loaded, gold)))
        result = evaluate(
            data,
            metrics=METRICS,
            parsers=[loaded],
            rules=[rules],
            resamples=resamples,
            seed=seed,
        )
        write_result(result, run, sys.argv[1:])
    scores = read_summary(run)["systems"][0]["scores"]
    return {"name": name, "run": f"runs/{name}", "scores": scores, "dev": read_json(file)}


def _value(scores: dict[str, float]) -> float:
    """A score's value, which the first edition called mean."""
    return scores["value"] if "value" in scores else scores["mean"]


def _cells(results: list[dict[str, Any]]) -> tuple[list[str], list[list[object]]]:
    """Header and a row for every round as plain values, for TSV."""
    selection = list(results[-1]["selection"])
    header = ["name", *METRICS, "las", "las_lower", "upos", *selection]
    rows = [
        [own["name"]]
        + [_value(scores) for scores in own["scores"].values()]
        + [own["dev"]["as it is"]["las"], own["dev"]["lower case"]["las"]]
        + [own["dev"]["as it is"]["upos"]]
        + [own.get("selection", {}).get(name) for name in selection]
        for own in results
    ]
    return header, rows


def _text(results: list[dict[str, Any]], comparison: Comparison) -> str:
    from preorder_eval.cli.compare import format_comparison
    from preorder_eval.cli.tables import format_table

    header = ["", "learned from", "1-best", "selected", "list", *METRICS]
    header += ["LAS", "lower case", "UPOS"]
    rows = []
    for own in results:
        chosen = own.get("selection")
        cells = [own["name"]]
        cells += [str(chosen["kept"])] if chosen else ["-"]
        for mean in ("mean_1best", "mean_selected", "mean_list"):
            cells.append(f"{chosen[mean]:.4f}" if chosen else "-")
        cells += [f"{_value(scores):.4f}" for scores in own["scores"].values()]
        cells += [f"{own['dev'][case]['las']:.4f}" for case in ("as it is", "lower case")]
        rows.append([*cells, f"{own['dev']['as it is']['upos']:.4f}"])
    notes = (
        "1-best, selected, list: mean score on the sentences to learn from, of the parser's best "
        "parse,\nof the best of its list, and of all in its list"
    )
    return "\n\n".join([format_table(header, rows), notes, format_comparison(comparison, 0)])
