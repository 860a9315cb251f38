"""`preorder-eval parse`: the trees themselves, one a sentence or n-best lists."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Jobs, NoCache, Raw, Trust
from preorder_eval.cli.shard_options import Shards
from preorder_eval.resources import DEFAULT_PARSER


@grouped
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
    raw: Raw = False,
    no_cache: NoCache = False,
    trust: Trust = False,
    *,
    jobs: Jobs,
    shards: Shards,
) -> None:
    """Parse tokenised sentences and write their trees as CoNLL-U.

    The tree that the parser gives without --n is always in the list.

    A parser that knows the case of words, as en-web does and all that `train` makes, reads a
    sentence without any capital letter truecased: every word as it is written most often in the
    treebank, unknown ones that look like names with a capital. The trees keep the words as given.
    In every command NAME(truecase=never) leaves that out, and NAME(truecase=always) reads all
    sentences so, whatever their case.

    \b
    Examples:
      preorder-eval parse < s.en > s.conllu
      preorder-eval parse --raw --source letter.txt --out letter.conllu
      preorder-eval parse --parser 'en-web(truecase=never)' < s.en > s.conllu
      preorder-eval parse --parser models/mine --source s.en --n 16 --out s.nbest.conllu
      preorder-eval parse --engine dask --scheduler tcp://head:8786 --input 'shards/*.en.gz' \\
        --out trees
    """
    if shards.engine is not None:
        from preorder_eval.cli.sharded import parse_shards

        given = None if str(source) == "-" else source
        parse_shards(shards, parser, n, out, raw=raw, trust=trust, source=given)
        return
    from preorder_eval.cli.progress import progress
    from preorder_eval.results.files import parse_file

    parse_file(
        source,
        out or sys.stdout,
        parser,
        n,
        raw=raw,
        cache=not no_cache,
        jobs=jobs,
        progress=progress,
    )
