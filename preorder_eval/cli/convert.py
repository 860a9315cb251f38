"""`preorder-eval convert`: alignment files from one format into another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.formats.alignment import AUTO, Direction, WhichLinks, format_names


def command(
    file: Annotated[
        Path, typer.Argument(help="Alignment file; - is standard input.", metavar="IN")
    ],
    out: Annotated[Path, typer.Argument(help="New file; - is standard output.", metavar="OUT")],
    to: Annotated[
        str, typer.Option("--to", help="Format of OUT.", metavar="|".join(format_names()))
    ],
    read_as: Annotated[
        str,
        typer.Option(
            "--from",
            help="Format of IN; auto goes by its content.",
            metavar="|".join([AUTO, *format_names()]),
        ),
    ] = AUTO,
    source: Annotated[
        Path | None,
        typer.Option(
            help="Source sentences, tokenised or CoNLL-U; links are checked against them."
        ),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option(
            help="Target sentences, tokenised or CoNLL-U; links are checked against them."
        ),
    ] = None,
    base: Annotated[
        int | None, typer.Option(min=0, max=1, help="What positions in IN count from [as usual].")
    ] = None,
    direction: Annotated[
        Direction, typer.Option(help="Which side comes first in IN.")
    ] = "source-target",
    to_base: Annotated[
        int | None, typer.Option(min=0, max=1, help="What positions in OUT count from [as usual].")
    ] = None,
    to_direction: Annotated[
        Direction, typer.Option(help="Which side comes first in OUT.")
    ] = "source-target",
    links: Annotated[
        WhichLinks, typer.Option(help="Keep all links, or leave out those marked possible.")
    ] = "all",
) -> None:
    """Convert an alignment file into another format.

    lader files need the lengths of the sentences, giza files their words, talbot files the
    lengths of the target, and naacl files do not tell how many sentences there are: what a
    format lacks comes from --source and --target.

    \b
    Examples:
      preorder-eval convert gold.wpt gold.align --to pharaoh --source s.en --target s.fr
      preorder-eval convert en-ja.A3.final - --to pharaoh --direction target-source
      preorder-eval convert s.align s.lader --to lader --source s.en --target s.ja
    """
    from preorder_eval.formats.convert import convert_alignment
    from preorder_eval.formats.writing import write_text

    converted = convert_alignment(
        file,
        to,
        source,
        target,
        form=read_as,
        base=base,
        direction=direction,
        to_base=to_base,
        to_direction=to_direction,
        links=links,
    )
    if converted.unmarked:
        lost = f"{converted.unmarked} possible links look sure"
        print(f"note: {to} has no marks; {lost}", file=sys.stderr)
    if str(out) == "-":
        print(converted.text, end="")
    else:
        write_text(out, converted.text)
