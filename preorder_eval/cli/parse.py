"""`preorder-eval parse`: the trees themselves, one a sentence or n-best lists."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from preorder_eval.base.resources import DEFAULT_PARSER
from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.options import N_BEST, PARSER, TEXT, Raw, Running, Shards
from preorder_eval.cli.terminal import output
from preorder_eval.evaluation.parse import parse_file


def command(
    parser: Annotated[str, PARSER] = DEFAULT_PARSER,
    n: Annotated[
        int | None,
        N_BEST,
        Option(
            "Write n-best lists: up to N different trees per sentence, best first, with their "
            "log-probabilities."
        ),
    ] = None,
    source: Annotated[Path, TEXT, Option(beside="engine")] = Path("-"),
    out: Annotated[
        Path | None, Option("CoNLL-U file to write.", group="Output", shown="standard output")
    ] = None,
    raw: Raw = False,
    *,
    running: Running,
    shards: Shards,
) -> None:
    """The list of --n always includes the tree that the parser returns without --n. Parsers such as
    en-web truecase sentences without capitals; in every command, NAME(truecase=never) turns this
    off, and NAME(truecase=always) applies it to all sentences. The ClearNLP labels of spaCy's
    English models are converted to UD; NAME(labels=own) keeps them.

    Examples:
      preorder-eval parse < s.en > s.conllu
      preorder-eval parse --parser 'en-web(truecase=never)' < s.en > s.conllu
      preorder-eval parse --parser models/mine --source s.en --n 16 --out s.conllu
    """
    if shards.engine is not None:
        from preorder_eval.cli.shared import sharded

        sharded.parse(shards, parser, n, out, raw=raw, trust=running.trust)
        return
    parse_file(source, out or output(), parser, n, raw=raw, **running.how())
