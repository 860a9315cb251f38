"""Sentences whose score has changed between two systems."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from preorder_eval.visible import display_width, visible, wrap


@dataclass(frozen=True)
class Moved:
    """A sentence whose score has changed, as text: as it was given, and as either made it.

    `reference` is the reference order that the second comes nearest to, with ties in braces, and
    `translation` what it is the order of; None for outputs, and where there is none.
    """

    number: int
    change: float
    first_score: float
    second_score: float
    source: str
    first: str
    second: str
    reference: str | None = None
    translation: str | None = None


@dataclass(frozen=True)
class MovedSentences:
    """The sentences that gained and those that lost most by a metric, the largest change first.

    `labels` are what the three rows of a sentence are called. As text it is what people read:

    >>> texts = "he saw it", "he saw it", "he it saw", "he it saw", "彼 それ 見た"
    >>> moved = Moved(12, 0.25, 0.5, 0.75, *texts)
    >>> MovedSentences("fuzzy", [moved], [], ("source", "none", "en-ja"))
    Gained most by fuzzy:
    <BLANKLINE>
    12  +0.2500  (0.5000 → 0.7500)
      source       he saw it
      none         he saw it
      en-ja        he it saw
      reference    he it saw
      translation  彼 それ 見た
    """

    metric: str
    gained: Sequence[Moved]
    lost: Sequence[Moved]
    labels: tuple[str, str, str]

    def __repr__(self) -> str:
        parts = []
        for heading, moved in (("Gained", self.gained), ("Lost", self.lost)):
            if moved:
                parts.append(f"{heading} most by {self.metric}:")
                parts += [format_moved(sentence, self.labels) for sentence in moved]
        return "\n\n".join(parts) or f"no sentence moved by {self.metric}"


def format_moved(moved: Moved, labels: tuple[str, str, str]) -> str:
    """A sentence with its scores and its rows, folded to the width of a terminal."""
    lines = [
        f"{moved.number}  {moved.change:+.4f}  ({moved.first_score:.4f} → {moved.second_score:.4f})"
    ]
    texts = [moved.source, moved.first, moved.second, moved.reference, moved.translation]
    rows = [
        (visible(label), text)
        for label, text in zip((*labels, "reference", "translation"), texts, strict=True)
        if text is not None
    ]
    width = max(display_width(label) for label, _ in rows)
    for label, text in rows:
        lines += _folded(f"  {label}{' ' * (width - display_width(label))}  ", visible(text))
    return "\n".join(lines)


def _folded(label: str, text: str) -> Sequence[str]:
    if not sys.stdout.isatty():
        return [label + text]
    width, indent = shutil.get_terminal_size().columns, display_width(label)
    return (label + wrap(text.split(" "), width, indent)).split("\n")
