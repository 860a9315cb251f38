"""`preorder-eval attachment`: how good the trees are by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import NoCache, Printed, Resamples, Trust
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
    resamples: Resamples = 1000,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Seed of the resampling.")] = 0,
    no_cache: NoCache = False,
    trust: Trust = False,
    *,
    printed: Printed,
) -> None:
    """Score trees against gold trees: UAS, LAS, tags.

    The scores are those of the CoNLL 2018 shared task: all words count, LAS without the subtypes
    of labels; trees on other tokens are aligned by characters, and then F1 is what is printed. A
    parser that is better by them is not always better for reordering.

    \b
    Examples:
      preorder-eval attachment gold.conllu parses.conllu
      preorder-eval attachment gold.conllu --parser en-web --parser models/mine
    """
    from preorder_eval.analysis.attachment import score_trees
    from preorder_eval.cli.progress import progress

    if not system and not parser:
        raise typer.BadParameter("give a SYSTEM file or a --parser")
    result = score_trees(
        gold,
        system or [],
        parser or [],
        resamples=resamples,
        seed=seed,
        cache=not no_cache,
        progress=progress,
    )
    printed.print(result)
