"""`preorder-eval attachment`: how good the trees are by themselves, and for reordering."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.cli.options import JsonForTable, NoCache, Resamples, TsvForTable, choose_one
from preorder_eval.cli.reference_options import AlignmentFormatOption

if TYPE_CHECKING:
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.data.treebank import Treebank
    from preorder_eval.stats.bootstrap import Interval


def command(
    gold: Annotated[Path, typer.Argument(help="CoNLL-U file with gold trees.", metavar="GOLD")],
    system: Annotated[
        list[Path] | None,
        typer.Argument(
            help="CoNLL-U files with parsers' trees of the same sentences; of an n-best file the "
            "first of each list counts.",
            metavar="SYSTEM...",
        ),
    ] = None,
    parser: Annotated[
        list[str] | None,
        typer.Option(
            help="Bundled parser, path or name of a spaCy pipeline. Repeatable.",
            metavar="NAME|PATH",
        ),
    ] = None,
    alignment: Annotated[
        Path | None,
        typer.Option(help="Word alignments of the same sentences: scores the reorderings, too."),
    ] = None,
    alignment_format: AlignmentFormatOption = "auto",
    rules: Annotated[
        str | None,
        typer.Option(help="With --alignment: bundled rule set or rule file.", metavar="NAME|FILE"),
    ] = None,
    resamples: Resamples = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resampling.")] = 0,
    no_cache: NoCache = False,
    json: JsonForTable = False,
    tsv: TsvForTable = False,
) -> None:
    """Score trees against gold trees: UAS, LAS, tags; and beside them how well they reorder.

    The scores are those of the CoNLL 2018 shared task: all words count, LAS without the subtypes
    of labels. A parser that is better by them is not always better for reordering.

    \b
    Examples:
      preorder-eval attachment gold.conllu parses.conllu
      preorder-eval attachment gold.conllu --parser en-web --parser models/mine
      preorder-eval attachment gold.conllu --parser en-web --alignment gold.align --rules en-ja
    """
    from preorder_eval.analysis.attachment import attachment_intervals
    from preorder_eval.cli.progress import progress
    from preorder_eval.cli.tables import format_interval, format_table
    from preorder_eval.formats.conllu import read_conllu
    from preorder_eval.formats.tables import format_json, format_tsv
    from preorder_eval.parsers import find_parser
    from preorder_eval.parsers.conllu_file import ConlluParser

    choose_one(json=json, tsv=tsv)
    if not system and not parser:
        raise typer.BadParameter("give a SYSTEM file or a --parser")
    if (alignment is None) != (rules is None):
        raise typer.BadParameter("--alignment and --rules go together")
    right = read_conllu(gold)
    trees: dict[str, Treebank] = {}
    for path in system or []:
        trees[str(path)] = ConlluParser(path).parse(right.sentences)
    for name in parser or []:
        found = find_parser(name, cache=not no_cache)
        with progress(f"parsing with {name}", len(right)) as advance:
            trees[name] = found.parse(right.sentences, advance=advance)
    scores = {
        name: attachment_intervals(right, treebank, resamples=resamples, seed=seed)
        for name, treebank in trees.items()
    }
    if alignment is not None and rules is not None:
        trees["gold"] = right
        scores["gold"] = attachment_intervals(right, right, resamples=resamples, seed=seed)
        data = _reference(gold, right, alignment, alignment_format)
        for name, values in _reordering(data, trees, rules, resamples, seed).items():
            scores[name] |= values
    names = list(next(iter(scores.values())))
    if json:
        print(format_json(_summary(gold, scores, resamples, seed)), end="")
    elif tsv:
        header = [cell for name in names for cell in (name, f"{name} low", f"{name} high")]
        cells = [
            [label, *(end for i in values.values() for end in (i.value, i.low, i.high))]
            for label, values in scores.items()
        ]
        print(format_tsv(["trees", *header], cells), end="")
    else:
        rows = [[n, *(format_interval(values[n]) for values in scores.values())] for n in names]
        print(format_table(["score", *scores], rows))
        print(
            f"\n{len(right)} sentences, {len(right.words)} words; share of words [95 % interval "
            f"from {resamples} bootstrap resamples, seed {seed}]"
        )


def _reference(gold: Path, trees: Treebank, alignment: Path, form: str) -> ReferenceSet:
    """The gold trees' sentences with their alignments."""
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.formats.alignment import read_alignment

    links = read_alignment(alignment, trees.lengths.tolist(), None, form)
    return ReferenceSet(alignment.stem, trees.sentences, links)


def _reordering(
    data: ReferenceSet, trees: dict[str, Treebank], rules: str, resamples: int, seed: int
) -> dict[str, dict[str, Interval]]:
    """The order metrics of what the rules make of each parser's trees."""
    from preorder_eval.results.evaluation import evaluate

    result = evaluate(data, trees=trees, rules=[rules], resamples=resamples, seed=seed)
    metrics = list(map(str, result.metrics))
    return {
        system.parser: dict(zip(metrics, intervals, strict=True))
        for system, intervals in zip(result.inputs.systems, result.intervals, strict=True)
    }


def _summary(
    gold: Path, scores: dict[str, dict[str, Interval]], resamples: int, seed: int
) -> dict[str, Any]:
    return {
        "gold": str(gold),
        "bootstrap": {"level": 0.95, "resamples": resamples, "seed": seed},
        "trees": [
            {
                "name": name,
                "scores": {
                    score: {"value": i.value, "low": i.low, "high": i.high}
                    for score, i in values.items()
                },
            }
            for name, values in scores.items()
        ],
    }
