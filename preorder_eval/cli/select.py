"""`preorder-eval select`: the parses to learn from, out of n-best lists."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import click

from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.options import (
    ALIGNMENT,
    MARGIN,
    N_BEST,
    PARSER,
    REFERENCE,
    RULES,
    SELECTING,
    SOURCE,
    Jobs,
    Printed,
    Trust,
)
from preorder_eval.cli.shared.reference_options import HowWritten, chosen_reference
from preorder_eval.cli.terminal import progress
from preorder_eval.learning.select import select


def command(
    out: Annotated[Path, Option("CoNLL-U file for the selected parses.", group="Output")],
    rules: Annotated[str, RULES] = "en-ja",
    nbest: Annotated[
        Path | None, Option("CoNLL-U file of n-best lists by any parser.", group="Systems")
    ] = None,
    parser: Annotated[
        str | None,
        PARSER,
        Option(
            "Parser that makes the lists instead: bundled, or path or name of a spaCy pipeline."
        ),
    ] = None,
    n: Annotated[int, N_BEST, Option("Parses per sentence, with --parser.", beside="nbest")] = 64,
    reference: Annotated[str | None, REFERENCE, Option(beside="alignment")] = None,
    source: Annotated[Path | None, SOURCE] = None,
    alignment: Annotated[Path | None, ALIGNMENT] = None,
    metric: Annotated[str | None, SELECTING] = None,
    margin: Annotated[float, MARGIN] = 0.0,
    tags: Annotated[
        Literal["blank", "keep"],
        Option(
            "Write the parser's tags, which rules need, or blank ones, which training ignores.",
            group="Output",
        ),
    ] = "keep",
    trust: Annotated[Trust, Option(beside="nbest")] = False,
    *,
    written: HowWritten,
    printed: Printed,
    jobs: Annotated[Jobs, Option(beside="nbest")],
) -> None:
    """If parses have the same score, the higher-ranked one is selected. Sentences without links are
    skipped. If fewer than 90% of words are aligned, unaligned words are dropped unless --metric
    keeps them, because they favour parses that preserve the source order. `evaluate --trees` and
    `train --train` read the file (--tags blank).

    Examples:
      preorder-eval select --parser en-web --n 16 --out selected.conllu
      preorder-eval select --nbest lists.conllu --source s.en --alignment s.align \\
        --out best.conllu
      preorder-eval select --nbest lists.conllu --metric kendall --out best.conllu
    """
    lists = nbest or parser
    if lists is None or (nbest and parser):
        raise click.UsageError("give either --nbest or --parser")
    data = chosen_reference(reference, source, alignment, None, rules=[rules], **written.reading())
    selected = select(
        lists,
        data,
        rules,
        metric=metric,
        n=n,
        out=out,
        margin=margin,
        tags=tags,
        jobs=jobs,
        progress=progress,
    )
    printed.print(selected)
