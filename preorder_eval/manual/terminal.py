"""Pages of the manual in a terminal."""

from __future__ import annotations

import re
import shutil

from rich.console import Console
from rich.markdown import Markdown

from preorder_eval.manual import ManualPage

_WIDEST = 110  # columns: longer lines of text are hard to read
_TO_PAGE = re.compile(r"\[([^\]\n]+)\]\(([\w-]+)\.md(?:#[\w-]*)?\)")
_TO_FILE = re.compile(r"!?\[([^\]\n]+)\]\(\.\./[^)\n]*\)")


def show(page: ManualPage) -> None:
    """Print a page, through a pager if this is a terminal."""
    console = Console()
    text = Markdown(_without_links(page.text), hyperlinks=False)
    if console.is_terminal:
        with console.pager(styles=True):
            console.print(text, width=min(console.width, _WIDEST))
    else:  # a file has no width, but COLUMNS may say one
        console.width = min(shutil.get_terminal_size((_WIDEST, 0)).columns, _WIDEST)
        with console.capture() as captured:
            console.print(text)
        print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def _without_links(text: str) -> str:
    """The text with the names of pages in place of links to them.

    >>> _without_links("[the lab](lab.md#learn) or [rules](rules.md)")
    'the lab (page `lab`) or `rules`'
    """
    return _TO_FILE.sub(r"\1", _TO_PAGE.sub(_named, text))


def _named(link: re.Match[str]) -> str:
    text, name = link.groups()
    return f"`{name}`" if text == name else f"{text} (page `{name}`)"
