"""What standard output is shown on: tables fit a terminal, and have colours if it has."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def fitted() -> Iterator[None]:
    """Print tables for the terminal, if it is one; a file or another program gets them whole.

    NO_COLOR in the environment, if it is not empty, keeps colours away (no-color.org), and so does
    a terminal that says it is dumb.
    """
    if not sys.stdout.isatty():
        yield
        return
    from preorder_eval.formats.text_table import SCREEN, Screen

    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    before = SCREEN.set(Screen(shutil.get_terminal_size().columns, not plain))
    try:
        yield
    finally:
        SCREEN.reset(before)
