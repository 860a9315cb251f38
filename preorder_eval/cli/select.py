"""`preorder-eval select`: the parses to learn from, out of n-best lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import (
    Jobs,
    Printed,
    RulesOption,
    Trust,
)
from preorder_eval.cli.reference_options import (
    AlignmentFormatOption,
    AlignmentOption,
    ReferenceOption,
    SourceOption,
)
from preorder_eval.cli.shard_options import Shards
from preorder_eval.resources import PARSES_OBJECTIVE

if TYPE_CHECKING:
    from preorder_eval.data.reference_set import ReferenceSet


@grouped
def command(
    out: Annotated[Path, typer.Option(help="CoNLL-U file to write the selected parses to.")],
    rules: RulesOption = "en-ja",
    nbest: Annotated[
        Path | None,
        typer.Option(help="CoNLL-U file of n-best lists by any parser.", metavar="FILE"),
    ] = None,
    parser: Annotated[
        str | None,
        typer.Option(
            help="Bundled parser, path or name of a spaCy pipeline, to parse with instead.",
            metavar="NAME|PATH",
        ),
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="With --parser: parses a sentence.")] = 64,
    reference: ReferenceOption = None,
    source: SourceOption = None,
    alignment: AlignmentOption = None,
    alignment_format: AlignmentFormatOption = "auto",
    metric: Annotated[
        str,
        typer.Option(help="Order metric that the parse is to be best by.", metavar="SIGNATURE"),
    ] = PARSES_OBJECTIVE,
    only_changed: Annotated[
        bool,
        typer.Option("--only-changed", help="Leave sentences out whose 1-best is the best."),
    ] = False,
    margin: Annotated[
        float,
        typer.Option(min=0, help="Leave sentences out whose best parse is not better by this."),
    ] = 0.0,
    tags: Annotated[
        Literal["blank", "keep"],
        typer.Option(
            help="Whether to write the parser's tags: reordering tells nothing about most of "
            "them, and a parser retrained on blank ones keeps its own."
        ),
    ] = "blank",
    trust: Trust = False,
    *,
    printed: Printed,
    jobs: Jobs,
    shards: Shards,
) -> None:
    """Select from every sentence's n-best list the parse whose reordering scores highest.

    Of parses that score the same the higher-ranked one is selected. Sentences without links are
    left out, and so are words without links unless --metric keeps them: where they are many, they
    favour parses that leave the source as it is. What is selected keeps the parser's scheme of
    labels, and its comments say which sentence of the source it is, its rank and log-probability,
    and its and the 1-best's score.

    \b
    Examples:
      preorder-eval select --parser en-web --n 16 --out selected.conllu
      preorder-eval select --nbest lists.conllu --source s.en --alignment s.align --out best.conllu
      preorder-eval select --nbest lists.conllu --metric fuzzy --margin 0.1 --out best.conllu
      preorder-eval select --engine dask --scheduler tcp://head:8786 --input 'lists/*.conllu.gz' \\
        --source 'shards/*.en.gz' --alignment 'shards/*.align.gz' --out selected
    """
    from preorder_eval.cli.progress import progress
    from preorder_eval.cli.reference_options import chosen_reference
    from preorder_eval.formats.reference_set import ReferenceFiles
    from preorder_eval.training.selection import select

    if shards.engine is not None:
        from preorder_eval.cli.sharded import select_shards

        selected, beside = select_shards(
            shards,
            parser,
            rules,
            source,
            alignment,
            out,
            form=alignment_format,
            metric=metric,
            n=n,
            only_changed=only_changed,
            margin=margin,
            tags=tags,
            trust=trust,
            refused={"nbest": nbest, "reference": reference},
        )
        printed.print(selected)
        typer.echo(beside, err=True)
        return
    lists = nbest or parser
    if lists is None or (nbest and parser):
        raise typer.BadParameter("give either --nbest or --parser")
    data: ReferenceSet | ReferenceFiles
    if source and alignment and not reference:
        data = ReferenceFiles(source, alignment, alignment_format)
    else:
        data = chosen_reference(reference, source, alignment, None, form=alignment_format)
    selected = select(
        lists,
        data,
        rules,
        metric=metric,
        n=n,
        out=out,
        only_changed=only_changed,
        margin=margin,
        tags=tags,
        jobs=jobs,
        progress=progress,
    )
    printed.print(selected)
