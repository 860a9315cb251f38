"""`preorder-eval manual`: the pages that travel with the tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.manual import CONTENTS
from preorder_eval.visible import visible


def command(
    page: Annotated[
        str, typer.Argument(help="Page to show; the contents by default.", metavar="[PAGE]")
    ] = CONTENTS,
    html: Annotated[
        Path | None,
        typer.Option(help="Write all pages as one page for a browser instead.", metavar="FILE"),
    ] = None,
) -> None:
    """Show the manual: tutorials, the rule language, metrics, file formats and more.

    \b
    Examples:
      preorder-eval manual
      preorder-eval manual rules
      preorder-eval manual --html manual.html
    """
    from preorder_eval.errors import PreorderEvalError
    from preorder_eval.formats.writing import write_text
    from preorder_eval.manual import manual_page, page_names

    if html is None:
        from preorder_eval.manual.terminal import show

        show(manual_page(page))
        return
    from preorder_eval.manual.html import render

    if page != CONTENTS:
        raise PreorderEvalError(f"--html has all pages; leave out {page!r}")
    text = render([manual_page(name) for name in page_names()])
    write_text(html, text)
    print(visible(f"{html}: {len(text.encode()) / 1e6:.1f} MB"))
