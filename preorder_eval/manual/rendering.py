"""Pages of the manual in a terminal."""

from __future__ import annotations

import re
import shutil
from typing import cast

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Markdown, TableElement
from rich.segment import Segment
from rich.table import Table

from preorder_eval.manual import ManualPage

_WIDEST = 110  # columns: longer lines of text are hard to read
_UNBOUNDED = 10_000  # columns: more than any table has
_TO_PAGE = re.compile(r"\[([^\]\n]+)\]\(([\w-]+)\.md(?:#[\w-]*)?\)")
_TO_FILE = re.compile(r"!?\[([^\]\n]+)\]\(\.\./[^)\n]*\)")


class _Code(CodeBlock):
    """A block of code or output, line by line as it can be copied."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Segment(str(self.text).rstrip(), console.get_style("markdown.code_block"))
        yield Segment.line()


class _Rows(TableElement):
    """A table with a line for each row."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            yield from console.render(cast(Table, table), options.update(width=_UNBOUNDED))


class _Page(Markdown):
    """A page of which only sentences are wrapped."""

    elements = Markdown.elements | {"fence": _Code, "code_block": _Code, "table_open": _Rows}


def show(page: ManualPage) -> None:
    """Print a page, through a pager if this is a terminal."""
    console = Console()
    text = _Page(_without_links(page.text), hyperlinks=False)
    if console.is_terminal:
        with console.pager(styles=True):
            console.print(text, width=min(console.width, _WIDEST), crop=False)
    else:  # a file has no width, but COLUMNS may say one
        console.width = min(shutil.get_terminal_size((_WIDEST, 0)).columns, _WIDEST)
        with console.capture() as captured:
            console.print(text, crop=False)
        print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def _without_links(text: str) -> str:
    return _TO_FILE.sub(r"\1", _TO_PAGE.sub(_named, text))


def _named(link: re.Match[str]) -> str:
    text, name = link.groups()
    return f"`{name}`" if text == name else f"{text} (page `{name}`)"
