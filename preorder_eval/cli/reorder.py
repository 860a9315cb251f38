"""`preorder-eval reorder`: the reordered text itself."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from preorder_eval.cli.options import Jobs, NoCache, Raw, Trust
from preorder_eval.resources import DEFAULT_PARSER


def command(
    rules: Annotated[str, typer.Option(help="Bundled rule set or rule file.", metavar="NAME|FILE")],
    source: Annotated[
        Path, typer.Option(help="Tokenised sentences, one a line; - is standard input.")
    ] = Path("-"),
    parser: Annotated[
        str,
        typer.Option(help="Bundled parser, path or name of a spaCy pipeline.", metavar="NAME|PATH"),
    ] = DEFAULT_PARSER,
    trees: Annotated[
        Path | None, typer.Option(help="Reorder the sentences of a CoNLL-U file instead.")
    ] = None,
    output: Annotated[
        Literal["text", "order"],
        typer.Option(help="Print the words, or the source positions in output order."),
    ] = "text",
    raw: Raw = False,
    no_cache: NoCache = False,
    trust: Trust = False,
    *,
    jobs: Jobs,
) -> None:
    """Print source sentences in target word order.

    \b
    Examples:
      preorder-eval reorder --rules en-ja < s.en
      preorder-eval reorder --rules en-ja --raw < letter.txt
      preorder-eval reorder --rules my-rules.toml --source s.en --output order > s.order
      preorder-eval reorder --rules en-ja --trees parses.conllu
    """
    from preorder_eval.cli.progress import progress
    from preorder_eval.results.files import reorder_file

    reorder_file(
        source,
        sys.stdout,
        rules,
        parser,
        trees=trees,
        output=output,
        raw=raw,
        cache=not no_cache,
        jobs=jobs,
        progress=progress,
    )
