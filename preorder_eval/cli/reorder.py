"""`preorder-eval reorder`: the reordered text itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from preorder_eval.base.resources import DEFAULT_PARSER
from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.options import (
    PARSER,
    RULES,
    SHARDS,
    TEXT,
    TREES,
    Raw,
    Running,
    Shards,
)
from preorder_eval.cli.terminal import output as output_stream
from preorder_eval.evaluation.reorder import reorder_file


def command(
    rules: Annotated[str, RULES],
    source: Annotated[Path, TEXT, Option(beside="trees engine")] = Path("-"),
    parser: Annotated[str, PARSER, Option(beside="trees")] = DEFAULT_PARSER,
    trees: Annotated[
        Path | None,
        TREES,
        Option("Reorder the sentences of a CoNLL-U file instead.", beside="engine"),
    ] = None,
    output: Annotated[
        Literal["text", "order", "conllu"],
        Option(
            "Print the words, the source positions in output order, or the trees in output order.",
            group="Output",
        ),
    ] = "text",
    raw: Annotated[Raw, Option(beside="trees")] = False,
    *,
    out: Annotated[
        Path | None,
        Option("Folder for the files of the shards.", group=SHARDS, metavar="DIR", needs="engine"),
    ] = None,
    running: Annotated[Running, Option(beside="trees")],
    shards: Shards,
) -> None:
    """--output conllu prints the trees with all rows renumbered, as training data for parsers of
    the target language (`preorder-eval manual transfer`). With a parser NAME(consensus=16), up to
    16 trees of each sentence are reordered, and the tree whose order is most similar to the orders
    of all is chosen.

    Examples:
      preorder-eval reorder --rules en-ja < s.en
      preorder-eval reorder --rules en-ja --parser 'en-web(consensus=16)' < s.en
      preorder-eval reorder --rules mine.toml --source s.en --output order > s.order
      preorder-eval reorder --rules en-ja --trees parses.conllu
      preorder-eval reorder --rules en-ja --trees s.conllu --output conllu > ja-like.conllu
    """
    if shards.engine is not None:
        from preorder_eval.cli.shared import sharded

        given = shards, rules, parser, out
        sharded.reorder(*given, output=output, raw=raw, trust=running.trust)
        return
    how = {"trees": trees, "output": output, "raw": raw, **running.how()}
    reorder_file(source, output_stream(), rules, parser, **how)
