"""`preorder-eval reorder`: the reordered text itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from preorder_eval.cli.options import NoCache
from preorder_eval.resources import DEFAULT_PARSER

_BATCH = 2000  # sentences parsed, reordered and printed at a time


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
    no_cache: NoCache = False,
) -> None:
    """Print source sentences in target word order.

    \b
    Examples:
      preorder-eval reorder --rules en-ja < s.en
      preorder-eval reorder --rules my-rules.toml --source s.en --output order > s.order
      preorder-eval reorder --rules en-ja --trees parses.conllu
    """
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.order import format_order
    from preorder_eval.formats.rules_toml import load_rules
    from preorder_eval.formats.text import read_sentences
    from preorder_eval.parsers import find_parser
    from preorder_eval.parsers.conllu_file import ConlluParser

    rule_set = load_rules(rules)
    if trees is not None:
        treebank = ConlluParser(trees).best
        batches = iter([treebank])
        total = len(treebank)
    else:
        sentences = read_sentences(source)
        model = find_parser(parser, cache=not no_cache)
        total = len(sentences)
        starts = range(0, total, _BATCH)
        batches = (model.parse(sentences[start : start + _BATCH]) for start in starts)
    with progress("reordering", total) as advance:
        for batch in batches:
            for words, order in zip(batch.sentences, rule_set.reorder(batch), strict=True):
                print(
                    format_order(order) if output == "order" else " ".join(words[i] for i in order)
                )
            if advance:
                advance(len(batch))
