"""`preorder-eval reference edit`: link the words of a reference folder in the browser."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.visible import quantity, visible


def command(
    folder: Annotated[Path, typer.Argument(help="Reference folder.", metavar="DIR")],
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to serve it at; 0 is any free one.")
    ] = 0,
) -> None:
    """Link the words of a reference folder on a page in the browser, until Ctrl-C.

    Click a word, then the words of the other side that say the same. Beside the links stand the
    reference order that they give and what `reference check` finds in the sentence. Words of
    translations can be changed, sentences and translations added, and free orders marked. Every
    change is in the folder's files at once, and can be undone until the command ends. Files that
    somebody else changes meanwhile are not overwritten. Words of trees are not changed.

    The page can be reached from this machine alone, at the address that is printed.

    \b
    Examples:
      preorder-eval reference build --source s.en --target s.ja --out my-set
      preorder-eval reference edit my-set
    """
    from preorder_eval.analysis.annotation import annotation
    from preorder_eval.reporting.editing.server import editor_server

    # Who stops has done enough; that is no failure.
    with (
        contextlib.suppress(KeyboardInterrupt),
        annotation(folder) as work,
        editor_server(work, port=port) as server,
    ):
        count = len(work.text)
        told = f"{folder}, {quantity(count, 'sentence')}, at {server.url} (Ctrl-C ends)"
        print(visible(told), flush=True)
        while True:
            time.sleep(3600)
