"""`preorder-eval parse`: the trees themselves, one a sentence or n-best lists."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from preorder_eval.cli.command import Option
from preorder_eval.cli.options import PARSER, TEXT, Jobs, NoCache, Raw, Trust
from preorder_eval.cli.shards import Shards
from preorder_eval.cli.terminal import progress
from preorder_eval.resources import DEFAULT_PARSER
from preorder_eval.results.files import parse_file


def command(
    parser: Annotated[str, PARSER] = DEFAULT_PARSER,
    n: Annotated[
        int | None,
        Option(
            "Write n-best lists: up to N different trees a sentence, best first, with their "
            "log-probabilities.",
            name="--n",
            group="Systems",
            low=1,
        ),
    ] = None,
    source: Annotated[Path, TEXT, Option(beside="engine")] = Path("-"),
    out: Annotated[
        Path | None, Option("CoNLL-U file to write.", group="Output", shown="standard output")
    ] = None,
    raw: Raw = False,
    no_cache: NoCache = False,
    trust: Trust = False,
    *,
    jobs: Jobs,
    shards: Shards,
) -> None:
    """Parse sentences and write their trees as CoNLL-U.

    The tree that the parser gives without --n is always in the list.

    A parser that knows the case of words, as en-web does and all that `train` makes, reads a
    sentence without any capital letter truecased: every word as it is written most often in the
    treebank, unknown ones that look like names with a capital. The trees keep the words as given.
    In every command NAME(truecase=never) leaves that out, and NAME(truecase=always) reads all
    sentences so, whatever their case.

    Examples:
      preorder-eval parse < s.en > s.conllu
      preorder-eval parse --raw --source letter.txt --out letter.conllu
      preorder-eval parse --parser 'en-web(truecase=never)' < s.en > s.conllu
      preorder-eval parse --parser models/mine --source s.en --n 16 --out s.nbest.conllu
    """
    if shards.engine is not None:
        from preorder_eval.cli.sharded import parse_shards

        parse_shards(shards, parser, n, out, raw=raw, trust=trust)
        return
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
