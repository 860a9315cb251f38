"""`preorder-eval reference edit`: words of a reference folder linked in the browser."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Annotated

from preorder_eval.base.visible import quantity, visible
from preorder_eval.cli.command import Argument, Option
from preorder_eval.references.annotation import annotation
from preorder_eval.references.editor import editor_server


def edit(
    folder: Annotated[Path, Argument("Reference folder.", metavar="DIR")],
    port: Annotated[int, Option("Port to serve it on; 0 picks a free one.", low=0, high=65535)] = 0,
) -> None:
    """Only this machine can open the page, at the printed address. Click a word, then the words on
    the other side that mean the same. Every change is saved at once. It can be undone until the
    command ends.

    Examples:
      preorder-eval reference build --source s.en --target s.ja --out my-set
      preorder-eval reference edit my-set
    """
    # Who stops has done enough; that is no failure.
    with (
        contextlib.suppress(KeyboardInterrupt),
        annotation(folder) as work,
        editor_server(work, port=port) as server,
    ):
        count = len(work.text)
        serving = f"{folder}, {quantity(count, 'sentence')}, at {server.url} (Ctrl-C ends)"
        print(visible(serving), flush=True)
        while True:
            time.sleep(3600)
