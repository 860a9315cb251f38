"""`preorder-eval attachment`: how good the trees are by themselves, and for reordering."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import NoCache, Printed, Resamples, Trust
from preorder_eval.cli.reference_options import AlignmentFormatOption
from preorder_eval.stats import MOST_SEED


@grouped
def command(
    gold: Annotated[Path, typer.Argument(help="CoNLL-U file with gold trees.", metavar="GOLD")],
    system: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files with parsers' trees of the same text, whatever its tokens: CoNLL-U, "
            "CoNLL-X or spaCy's .spacy, also as LABEL=FILE. Of an n-best file the first of each "
            "list counts.",
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
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Seed of the resampling.")] = 0,
    no_cache: NoCache = False,
    trust: Trust = False,
    *,
    printed: Printed,
) -> None:
    """Score trees against gold trees: UAS, LAS, tags; and beside them how well they reorder.

    The scores are those of the CoNLL 2018 shared task: all words count, LAS without the subtypes
    of labels; trees on other tokens are aligned by characters, and then F1 is what is printed. A
    parser that is better by them is not always better for reordering.

    \b
    Examples:
      preorder-eval attachment gold.conllu parses.conllu
      preorder-eval attachment gold.conllu --parser en-web --parser models/mine
      preorder-eval attachment gold.conllu --parser en-web --alignment gold.align --rules en-ja
    """
    from preorder_eval.analysis.tree_scores import score_trees
    from preorder_eval.cli.progress import progress

    if not system and not parser:
        raise typer.BadParameter("give a SYSTEM file or a --parser")
    if (alignment is None) != (rules is None):
        raise typer.BadParameter("--alignment and --rules go together")
    result = score_trees(
        gold,
        system or [],
        parser or [],
        alignment=alignment,
        form=alignment_format,
        rules=rules,
        resamples=resamples,
        seed=seed,
        cache=not no_cache,
        progress=progress,
    )
    printed.show(result.summary, lambda: [result.table()], lambda: str(result))
