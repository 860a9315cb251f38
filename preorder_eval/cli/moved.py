"""Sentences whose score has changed, for people to read on a terminal."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence

from preorder_eval.results.comparison import Moved
from preorder_eval.visible import visible


def format_moved(moved: Moved, labels: tuple[str, str, str]) -> str:
    """A sentence with its scores and its rows, folded to the width of the terminal.

    The labels are those of the source, the first and the second row.

    >>> moved = Moved(12, 0.25, 0.5, 0.75, "he saw it", "he saw it", "he it saw")
    >>> print(format_moved(moved, ("source", "before", "after")))
    12  +0.2500  (0.5000 → 0.7500)
      source  he saw it
      before  he saw it
      after   he it saw
    """
    lines = [
        f"{moved.number}  {moved.change:+.4f}  ({moved.first_score:.4f} → {moved.second_score:.4f})"
    ]
    width = max(map(len, labels))
    for label, text in zip(labels, (moved.source, moved.first, moved.second), strict=True):
        lines += _folded(f"  {label:<{width}}  ", visible(text))
    return "\n".join(lines)


def _folded(label: str, text: str) -> Sequence[str]:
    if not sys.stdout.isatty():
        return [label + text]
    return textwrap.wrap(
        text,
        width=shutil.get_terminal_size().columns,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_on_hyphens=False,
    )
