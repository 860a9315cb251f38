"""`preorder-eval parse`: the trees themselves, one a sentence or n-best lists."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.options import NoCache
from preorder_eval.resources import DEFAULT_PARSER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from preorder_eval.parsers.base import Advance, Parser

_AT_ONCE = 1024  # sentences read, parsed and written at a time


def command(
    parser: Annotated[
        str,
        typer.Option(help="Bundled parser, path or name of a spaCy pipeline.", metavar="NAME|PATH"),
    ] = DEFAULT_PARSER,
    n: Annotated[
        int | None,
        typer.Option(
            "--n",
            min=1,
            help="Write n-best lists: up to n different trees a sentence, best first, with their "
            "log-probabilities.",
        ),
    ] = None,
    source: Annotated[
        Path, typer.Option(help="Tokenised sentences, one a line; - is standard input.")
    ] = Path("-"),
    out: Annotated[
        Path | None, typer.Option(help="CoNLL-U file to write; standard output by default.")
    ] = None,
    no_cache: NoCache = False,
) -> None:
    """Parse tokenised sentences and write their trees as CoNLL-U.

    The tree that the parser gives without --n is always in the list.

    \b
    Examples:
      preorder-eval parse < s.en > s.conllu
      preorder-eval parse --parser models/mine --source s.en --n 16 --out s.nbest.conllu
    """
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.text import count_lines, write_parts
    from preorder_eval.parsers import find_parser

    found = find_parser(parser, cache=not no_cache)
    with progress(f"parsing with {found.identity.name}", count_lines(source)) as advance:
        parts = _parts(found, source, n, advance)
        if out is not None:
            write_parts(out, parts)
        else:
            for part in parts:
                print(part, end="")


def _parts(parser: Parser, source: Path, n: int | None, advance: Advance | None) -> Iterator[str]:
    """The CoNLL-U of some sentences at a time, numbered through."""
    from dataclasses import replace

    from preorder_eval.formats.conllu import format_conllu
    from preorder_eval.formats.nbest import format_nbest
    from preorder_eval.formats.text import iterate_sentences

    sentences = iterate_sentences(source)
    first = 1
    while part := list(itertools.islice(sentences, _AT_ONCE)):
        comments = [
            (f"# sent_id = {number}", f"# text = {' '.join(words)}")
            for number, words in enumerate(part, first)
        ]
        if n is None:
            trees = parser.parse(part, advance=advance)
            yield format_conllu(replace(trees, comments=comments))
        else:
            nbest = parser.parse(part, n, advance)
            repeated = [comments[s] for s in nbest.sentence_of.tolist()]
            yield format_nbest(replace(nbest, trees=replace(nbest.trees, comments=repeated)))
        first += len(part)
