"""`preorder-eval manual`: the pages that travel with the tool."""

from __future__ import annotations

from typing import Annotated

import click

from preorder_eval.cli.command import Argument
from preorder_eval.manual import (
    CONTENTS,
    definitions,
    find_sections,
    found_in,
    manual_page,
    page_names,
)

_MORE = 8  # other sections that are named


def command(
    page: Annotated[
        tuple[str, ...],
        Argument("A page's name, or words to find [the contents].", metavar="[PAGE|WORDS]"),
    ] = (),
) -> None:
    """Examples:
    preorder-eval manual
    preorder-eval manual rules
    preorder-eval manual frs
    """
    words = " ".join(page)
    if not words or words in (CONTENTS, *page_names()):
        click.echo_via_pager(manual_page(words or CONTENTS).text)
        return
    best, *others = find_sections(words)
    terms = [f"* {line}\n" for line in definitions(words)]
    more = [f"* `{other.name}`: {other.title}\n" for other in others[:_MORE]]
    if rest := others[_MORE:]:
        more.append(f"* … and {len(rest)} other sections\n")
    text = "".join(
        [*terms, "\n" * bool(terms), found_in(best, words), "\n---\n\n", f"Page `{best.name}`."]
    )
    click.echo_via_pager(f"{text}{' Also in:' * bool(more)}\n\n{''.join(more)}")
