"""`preorder-eval manual`: the pages that travel with the tool."""

from __future__ import annotations

from typing import Annotated

from preorder_eval.cli.command import Argument
from preorder_eval.manual import CONTENTS, manual_page, page_names
from preorder_eval.manual.terminal import show


def command(
    page: Annotated[
        str,
        Argument("Page to show; the contents by default.", metavar="[PAGE]", names=page_names),
    ] = CONTENTS,
) -> None:
    """Show the manual, or a page of it.

    Examples:
      preorder-eval manual
      preorder-eval manual rules
    """
    show(manual_page(page))
