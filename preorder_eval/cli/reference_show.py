"""`preorder-eval reference show`: one sentence with its links."""

from __future__ import annotations

import shutil
from typing import Annotated

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.options import REFERENCE
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.reference_folder import load_reference, reference_makers
from preorder_eval.reporting.links import ladder, overview
from preorder_eval.tables.drawing import wrap
from preorder_eval.visible import visible


def command(
    reference: Annotated[str, REFERENCE, Argument("Bundled reference set or folder.")],
    sentence: Annotated[
        str, Option("Number of the sentence, from 1, or its sent_id.", metavar="N|ID")
    ] = "1",
    width: Annotated[
        int | None, Option("Columns to use.", low=20, shown="those of the terminal, or 100")
    ] = None,
) -> None:
    """Show a sentence with its orders and links.

    The picture has a column for every source word and a row for every span of target words that is
    linked to the same source words. Positions count from 0. The last lines state who made the set.

    Examples:
      preorder-eval reference show en-ja --sentence 12
      preorder-eval reference show my-set --sentence cleft-03
    """
    data = load_reference(reference)
    s = data.find(sentence)
    links = data.alignments[s]
    columns = width or shutil.get_terminal_size(fallback=(100, 24)).columns
    # Without a translation its positions stand for its words.
    known = None if data.target is None else data.target[s]
    target = known or [str(t) for t in range(1 + max((t for _, t in links), default=0))]
    lines = overview(data.source[s], known, data.orders_of(s), columns)
    print("\n".join([_heading(data, s), *lines, ""]))
    print(ladder(data.source[s], target, links, columns) if links else "no links")
    if data.aligner:
        print(f"\nlinks made by {visible(data.aligner)}")
    if makers := reference_makers(reference):
        print("\n" + wrap(["who made it:", *visible(makers).split()], columns, 2))


def _heading(data: ReferenceSet, s: int) -> str:
    """Return the set, the sentence, and what its comments say beyond the text."""

    parts = [f"{data.name}, sentence {s + 1} of {len(data)}"]
    comments = data.trees[s].comments if data.trees is not None else ()
    texts = [comment.lstrip("#").strip() for comment in comments]
    parts += [text for text in texts if text.partition("=")[0].strip() != "text"]
    return visible(", ".join(parts))
